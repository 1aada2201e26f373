import type { TSchema } from '../../kernel/schema.ts';

type SchemaNode = TSchema & { format?: string; properties?: Record<string, TSchema>; items?: TSchema };

/** Returns the value with its UUIDs in lower case; objects and arrays are changed in place. */
type Canonicalize = (value: unknown) => unknown;

/**
 * Builds a function that lowercases the UUIDs of a value, as they are stored; RFC 9562 (section 4) allows either case. It runs before
 * validation, so it skips everything that does not match the schema. Undefined for a schema without UUIDs.
 */
export function idCanonicalizer(schema: SchemaNode): Canonicalize | undefined {
  if (schema.format === 'uuid') return (value) => (typeof value === 'string' ? value.toLowerCase() : value);
  if (schema.items) return inList(idCanonicalizer(schema.items));
  return schema.properties ? inObject(schema.properties) : undefined;
}

function inList(canonicalize: Canonicalize | undefined): Canonicalize | undefined {
  if (!canonicalize) return undefined;
  return (list) => {
    if (Array.isArray(list)) for (const [index, item] of list.entries()) list[index] = canonicalize(item);
    return list;
  };
}

function inObject(properties: Record<string, TSchema>): Canonicalize | undefined {
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const canonicalize = idCanonicalizer(schema);
    return canonicalize ? [{ name, canonicalize }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value) => {
    if (value === null || typeof value !== 'object') return value;
    const record = value as Record<string, unknown>;
    for (const { name, canonicalize } of fields)
      if (Object.hasOwn(record, name)) record[name] = canonicalize(record[name]);
    return value;
  };
}
