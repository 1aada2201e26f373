import type { TSchema } from '../../kernel/schema.ts';

type Shape = TSchema & { format?: string; properties?: Record<string, TSchema>; items?: TSchema };

/** Puts what it is given in its canonical form, within objects and lists in place, and returns it. */
export type Canonize = (value: unknown) => unknown;

/**
 * For a schema with UUIDs in it, what spells them in lower case, as they are stored: RFC 9562 (section 4) takes either case. Asked
 * before the value is known to be sound, so it passes over what is not what the schema says.
 */
export function canonicalIds(schema: Shape): Canonize | undefined {
  if (schema.format === 'uuid') return (value) => (typeof value === 'string' ? value.toLowerCase() : value);
  if (schema.items) return inList(canonicalIds(schema.items));
  return schema.properties ? inObject(schema.properties) : undefined;
}

function inList(canonize: Canonize | undefined): Canonize | undefined {
  if (!canonize) return undefined;
  return (list) => {
    if (Array.isArray(list)) for (const [at, item] of list.entries()) list[at] = canonize(item);
    return list;
  };
}

function inObject(properties: Record<string, TSchema>): Canonize | undefined {
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const canonize = canonicalIds(schema);
    return canonize ? [{ name, canonize }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value) => {
    if (value === null || typeof value !== 'object') return value;
    const record = value as Record<string, unknown>;
    for (const { name, canonize } of fields) if (Object.hasOwn(record, name)) record[name] = canonize(record[name]);
    return value;
  };
}
