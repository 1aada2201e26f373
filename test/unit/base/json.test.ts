import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonObject, stringify } from '../../../src/base/json.ts';

/** The text of an object as a caller might have sent it. */
const objectText = fc
  .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean())
  .map(([object, isIndented]) => JSON.stringify(object, null, isIndented ? 2 : 0));

/** Values that contain objects anywhere: as the metadata of `data`, of its items, and elsewhere. */
const { value } = fc.letrec<{ value: unknown; object: JsonObject }>((tie) => ({
  object: objectText.map((text) => new JsonObject(text)),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue(),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.record({ data: tie('value'), metadata: tie('value'), other: tie('value') }, { requiredKeys: [] }),
  ),
}));

test('stringify writes each JsonObject as its text, wherever it stands', () => {
  fc.assert(
    fc.property(value, (input) => {
      const texts: string[] = [];
      const collect = (at: unknown): void => {
        if (at instanceof JsonObject) texts.push(at.text);
        else if (at !== null && typeof at === 'object') Object.values(at).forEach(collect);
      };
      collect(input);
      const written = stringify(input);
      assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify(input)));
      for (const text of texts) assert.ok(written.includes(text), text);
    }),
  );
});

test('stringify of a value that JSON lacks is empty', () => {
  assert.equal(stringify(undefined), '');
});
