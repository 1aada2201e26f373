import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redact } from '../../../src/base/redact.ts';

test('a credential is replaced as plain text, in JSON, in a URL and in base64', () => {
  const secret = 'pa"ss/wörd?';
  const base64 = Buffer.from(secret).toString('base64');
  for (const echo of [
    `Wrong password: ${secret}`,
    JSON.stringify({ sent: secret }),
    `/log-in?password=${encodeURIComponent(secret)}&x=1`,
    `Authorization: Basic ${base64}`,
    Buffer.from(secret).toString('base64url'),
  ]) {
    const text = redact(echo, [secret]);
    assert.match(text, /\[redacted\]/);
    for (const form of [secret, 'ss/w', 'ss%2Fw', base64.slice(0, 8)]) assert.ok(!text.includes(form), text);
  }
});

test('text without the credential does not change', () => {
  assert.equal(redact('The key is unknown.', [null, undefined, '', 'the']), 'The key is unknown.');
  assert.equal(redact('abcabc', ['abca', 'abcabc']), '[redacted]', 'the longest first');
});

test('no credential is left, wherever it stands', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 8 }), fc.string(), (before, secret, after) => {
      fc.pre(!'[redacted]'.includes(secret));
      assert.ok(!redact(`${before}${secret}${after}`, [secret]).includes(secret));
    }),
  );
});
