import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from '../../src/base/typebox.ts';

/** One schema that uses every constructor, built with the given set of constructors. */
const everything = ({
  Array,
  Boolean,
  Enum,
  Integer,
  Null,
  Number,
  Object,
  Optional,
  Record,
  String,
  Union,
  Unsafe,
}: typeof Type) =>
  Object(
    {
      text: String({ maxLength: 3, description: 'Some text' }),
      left_out: Optional(String({ format: 'email' })),
      list: Array(Integer({ minimum: 1 }), { minItems: 1 }),
      either: Union([Boolean(), Null()], { default: null }),
      one_of: Enum(['a', 'b'], { description: 'One of two' }),
      inner: Object({ all: Optional(Number()), optional: Optional(Null()) }),
      any_key: Record(String(), Number({ maximum: 2 }), { maxProperties: 5 }),
      anything: Unsafe<string>({ type: 'string', enum: ['x'] }),
    },
    { additionalProperties: false },
  );

test('our constructors create the same schemas as those of TypeBox', () => {
  assert.deepEqual(JSON.stringify(everything(Type)), JSON.stringify(everything(TypeBox)));
});
