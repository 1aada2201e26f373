import { type Static, type TSchema, Type } from '../base/typebox.ts';

/**
 * The pieces that wire schemas are made of. Format names (`uuid`, `e164`, `time-zone`, …) are checked by `http/validation.ts`,
 * which also words their errors.
 */
export const id = (description: string) => Type.String({ format: 'uuid', description });
export const phone = (description = 'Telephone number, E.164') => Type.String({ format: 'e164', description });
export const email = () => Type.String({ format: 'email', maxLength: 254 });
export const timeZone = (description = 'IANA time zone') => Type.String({ format: 'time-zone', description });
export const timestamp = (description = 'ISO 8601, UTC') => Type.String({ format: 'date-time', description });
export const text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength });
/** A name that a person reads: not blank. */
export const label = (maxLength = 200) => Type.String({ maxLength, pattern: '\\S' });

/** A value or null, as one schema without `anyOf`, so that a fault yields one sentence. A title names what is never null. */
export function nullable<S extends TSchema>(schema: S) {
  const { title: _, ...plain } = schema as S & { type?: string; enum?: readonly unknown[]; title?: string };
  if (plain.type === undefined) throw new Error('nullable() takes schemas with a type');
  return Type.Unsafe<Static<S> | null>({
    ...plain,
    type: [plain.type, 'null'],
    ...(plain.enum ? { enum: [...plain.enum, null] } : {}),
  });
}

/** One of a closed set of strings. */
export const oneOf = <const T extends readonly string[]>(values: T, options: { description?: string } = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

/**
 * An object whose further fields are faults (contract, section 1). One with a `title` is a shape that has a name: it stands once
 * in the OpenAPI document, under that name, and is a type of the clients that are made from it.
 */
export const object = <P extends Record<string, TSchema>>(
  properties: P,
  options: { title?: string; description?: string } = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

/** The caller's own key-value data: kept as given, keys never renamed. */
export const metadata = () => Type.Unsafe<Record<string, unknown>>({ type: 'object' });

export const optional = Type.Optional;
export const list = Type.Array;
export const integer = Type.Integer;
export const number = Type.Number;
export const boolean = Type.Boolean;
export { Type };
export type { Static, TSchema };
