import type { Static, TObject, TProperties, TSchema, Type as TypeBox } from 'typebox';

export type { Static, TObject, TProperties, TSchema };

type Options = Readonly<Record<string, unknown>>;
type Constructors = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unsafe'
>;

/** Schemas of optional fields. As in TypeBox, the mark is not part of the JSON Schema itself. */
const optional = new WeakSet<object>();

function required(properties: Readonly<Record<string, object>>): Options {
  const names = Object.keys(properties).filter((name) => !optional.has(properties[name]!));
  return names.length > 0 ? { required: names } : {};
}

function markedOptional(schema: object): object {
  const copy = { ...schema };
  optional.add(copy);
  return copy;
}

/**
 * The constructors of TypeBox that parley uses: they build JSON Schemas that know their TypeScript type. By hand, because TypeBox loads
 * 370 modules, a quarter of what a start would load, to build objects of one line each. Its types are used as they are.
 */
export const Type = {
  Array: (items: object, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Options) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: [...values], ...options }),
  Integer: (options?: Options) => ({ type: 'integer', ...options }),
  Null: (options?: Options) => ({ type: 'null', ...options }),
  Number: (options?: Options) => ({ type: 'number', ...options }),
  Object: (properties: Readonly<Record<string, object>>, options?: Options) => ({
    type: 'object',
    ...required(properties),
    properties,
    ...options,
  }),
  Optional: markedOptional,
  /** An object with any keys. */
  Record: (_key: object, value: object, options?: Options) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: (options?: Options) => ({ type: 'string', ...options }),
  Union: (schemas: readonly object[], options?: Options) => ({ anyOf: [...schemas], ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
} as unknown as Constructors;
