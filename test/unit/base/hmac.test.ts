import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hmacSha256 } from '../../../src/base/hmac.ts';

test('any key and any message have the code that Node computes, and again with the same key', () => {
  const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(bytes(200), fc.array(bytes(300), { maxLength: 4 }), (key, pieces) => {
      const expected = createHmac('sha256', key).update(Buffer.concat(pieces)).digest('hex');
      const signer = hmacSha256(key);
      assert.equal(signer(pieces).toString('hex'), expected);
      assert.equal(signer(pieces).toString('hex'), expected);
    }),
  );
});
