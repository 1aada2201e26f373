import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scanJson } from '../../../src/base/json-scan.ts';

const limits = { maxValues: 1_000_000, maxDepth: 64 };

/** Strings up to many times the length within which a scan looks byte by byte, full of what has to be escaped. */
const text = fc
  .array(fc.constantFrom('a', 'é', '"', '\\', '\n', '{', '}', ',', ':', '"metadata":{'), { maxLength: 400 })
  .map((parts) => parts.join(''));

test('what a long string contains is not taken for JSON, and what follows it is found', () => {
  fc.assert(
    fc.property(text, text, fc.dictionary(text, text, { maxKeys: 3 }), (key, value, metadata) => {
      const body = Buffer.from(JSON.stringify({ [`${key}.`]: value, metadata, last: value }));
      const { metadata: found, exceeded } = scanJson(body, limits);
      assert.equal(exceeded, undefined);
      assert.deepEqual(
        found.map(({ start, end }) => body.toString('utf8', start, end)),
        [JSON.stringify(metadata)],
      );
      const values = 4 + Math.max(0, Object.keys(metadata).length);
      assert.equal(scanJson(body, { ...limits, maxValues: values }).exceeded, undefined);
      assert.equal(scanJson(body, { ...limits, maxValues: values - 1 }).exceeded, 'maxValues');
    }),
  );
});

test('a text that ends within a string, after a backslash or not, is looked over to its end', () => {
  for (const end of ['', '\\', '\\\\', '\\"']) {
    for (const length of [0, 63, 64, 65, 1000]) {
      const body = Buffer.from(`{"a":"${'x'.repeat(length)}${end}`);
      assert.deepEqual(scanJson(body, limits), { exceeded: undefined, metadata: [] });
    }
  }
});
