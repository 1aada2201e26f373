import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyPrefix } from '../../../src/base/outbound/body-prefix.ts';

/** A prefix that got these chunks. */
function prefixOf(limit: number, ...chunks: Array<string | Buffer>): BodyPrefix {
  const prefix = new BodyPrefix(limit);
  for (const chunk of chunks) prefix.add(Buffer.from(chunk as string));
  return prefix;
}

test('the limit holds across chunks, and later bytes are only counted', () => {
  const prefix = prefixOf(5, 'abc', 'def');
  assert.equal(prefix.bytes().toString(), 'abcde');
  assert.equal(prefix.add(Buffer.from('ghi')), 9);
  assert.equal(prefix.text(), 'abcde');
  assert.equal(prefixOf(5).text(), '');
});

test('only a character that the limit itself cuts is left out', () => {
  const half = Buffer.from('é').subarray(0, 1);
  assert.equal(prefixOf(3, 'ab', 'é').text(), 'ab');
  assert.equal(prefixOf(3, 'ab', half).text(), 'ab\ufffd', 'the body itself ends in half a character');
});
