import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppError } from '../../../src/base/errors.ts';
import { hashPassword, verifyPassword } from '../../../src/features/organizations/password.ts';

test('a hash is Argon2id with its own salt and matches the password in any Unicode normalization', async () => {
  const [one, two] = await Promise.all([hashPassword('Zoë is 8!'), hashPassword('Zoë is 8!')]);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(one, two);
  assert.equal(await verifyPassword('Zoë is 8!', one), true);
  assert.equal(await verifyPassword('Zoe\u0308 is 8!', two), true, 'decomposed');
  assert.equal(await verifyPassword('Zoe is 8!', one), false);
});

test('a hash from another implementation, with another cost, verifies', async () => {
  // From the reference implementation (argon2 -id), because RFC 9106 has no vector without secret and associated data.
  const hash = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  assert.equal(await verifyPassword('password', hash), true);
  assert.equal(await verifyPassword('passwort', hash), false);
});

test('without a stored hash no password matches', async () => {
  assert.equal(await verifyPassword('', undefined), false);
  await assert.rejects(verifyPassword('x', 'plain'), /not an Argon2id hash/);
});

test('a flood of hashes beyond 66 is refused with rate_limited', async () => {
  const flood = await Promise.allSettled(Array.from({ length: 100 }, () => verifyPassword('x', undefined)));
  const refused = flood.filter((one) => one.status === 'rejected');
  assert.equal(flood.length - refused.length, 66);
  for (const { reason } of refused) assert.equal((reason as AppError).kind, 'rate_limited');
  assert.equal(await verifyPassword('x', undefined), false);
});
