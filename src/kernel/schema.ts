import type { JsonObject } from '../base/json.ts';
import { type Static, type TSchema, Type } from '../base/typebox.ts';

/**
 * Building blocks of wire schemas. The formats named here (`uuid`, `e164`, `time-zone`, …) and their error messages are defined in
 * `http/input/formats.ts`.
 */
export const id = (description: string) => Type.String({ format: 'uuid', description });
export const phone = (description = 'Telephone number, E.164') => Type.String({ format: 'e164', description });
export const email = () => Type.String({ format: 'email', maxLength: 254 });
export const timeZone = (description = 'IANA time zone') => Type.String({ format: 'time-zone', description });
export const timestamp = (description = 'ISO 8601, UTC') => Type.String({ format: 'date-time', description });
export const httpUrl = (maxLength: number) => Type.String({ format: 'http-url', maxLength });
export const text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength });
/** A name shown to people: not blank. */
export const label = (maxLength = 200) => Type.String({ maxLength, pattern: '\\S' });

/**
 * A value or null, as one schema without `anyOf`, so that an invalid value yields one message and not one per branch. The title is
 * dropped, because an object with a title becomes a shared OpenAPI schema of that name, and that schema does not allow null.
 */
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
export const oneOf = <const T extends readonly string[]>(
  values: T,
  options: { description?: string; default?: T[number] } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

/**
 * An object that rejects unknown fields. A `title` makes it a named schema: it appears once in the OpenAPI document under that name, and
 * generated clients have a type of that name.
 */
export const object = <P extends Record<string, TSchema>>(
  properties: P,
  options: { title?: string; description?: string; minProperties?: number } = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

/** The largest `metadata`, in bytes of JSON. */
export const maxMetadataBytes = 65_536;

/** The caller's own key-value data, stored and returned as the exact text that was sent. */
export const metadata = () =>
  Type.Unsafe<JsonObject>({
    type: 'object',
    description: `Your own data, returned exactly as you sent it; at most ${maxMetadataBytes / 1024} KiB of JSON`,
  });

export const optional = Type.Optional;

/** Optional fields with the values that count where they are left out. Documentation only: the services know the defaults. */
export function withDefaults<P extends Record<string, TSchema>>(
  fields: P,
  defaults: { readonly [name in keyof P]?: unknown },
): P {
  const entries = Object.entries(fields).map(([name, schema]) => [
    name,
    name in defaults ? optional({ ...schema, default: defaults[name] }) : schema,
  ]);
  return Object.fromEntries(entries) as P;
}

export const list = Type.Array;
/** Counts the changes of what people set in a thing. */
export const version = () =>
  Type.Integer({ minimum: 1, description: 'Counts the changes of what people set; send it as `If-Match`' });
export const integer = Type.Integer;
export const number = Type.Number;
export const boolean = Type.Boolean;
export { Type };
export type { Static, TSchema };
