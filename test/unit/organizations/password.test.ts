import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from '../../../src/features/organizations/log-in/password.ts';

const requester = { sender: '192.0.2.1', isTrusted: false };

test('a hash is Argon2id with its own salt and matches the password in any Unicode normalization', async () => {
  const [one, two] = await Promise.all([hashPassword('Zoë is 8!'), hashPassword('Zoë is 8!')]);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(one, two);
  assert.equal(await verifyPassword('Zoë is 8!', one, requester), true);
  assert.equal(await verifyPassword('Zoe\u0308 is 8!', two, requester), true, 'decomposed');
  assert.equal(await verifyPassword('Zoe is 8!', one, requester), false);
});

test('a hash from another implementation, with another cost, verifies', async () => {
  // From the reference implementation (argon2 -id), because RFC 9106 has no vector without secret and associated data.
  const hash = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  assert.equal(await verifyPassword('password', hash, requester), true);
  assert.equal(await verifyPassword('passwort', hash, requester), false);
});

test('without a stored hash no password matches', async () => {
  assert.equal(await verifyPassword('', undefined, requester), false);
  await assert.rejects(verifyPassword('x', 'plain', requester), /not an Argon2id hash/);
});
