import type { TSchema } from '../../kernel/schema.ts';

type Json = Record<string, unknown>;

/**
 * Collects the shapes that have a name. `reference` gives a schema with each titled object in it replaced by a `$ref`; the shapes
 * themselves are in `schemas`.
 * @throws when two shapes have the same name
 */
export type Shapes = { schemas: Record<string, Json>; reference(schema: TSchema | Json): Json };

/** A schema of `id('agent')` says what has the id; a reader is told that it is one. */
export function described<S extends { format?: unknown; description?: unknown }>(schema: S): S {
  const { format, description } = schema;
  if (format !== 'uuid' || typeof description !== 'string' || description.startsWith('The ')) return schema;
  return { ...schema, description: `Id of the ${description}` };
}

export function createShapes(): Shapes {
  const schemas: Record<string, Json> = {};

  function walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(walk);
    if (value === null || typeof value !== 'object') return value;
    const schema = described(value as Json);
    const plain = Object.fromEntries(
      Object.entries(schema).map(([keyword, item]) => [
        keyword,
        keyword === 'properties' ? each(item as Json) : walk(item),
      ]),
    );
    const { title } = schema;
    if (schema['type'] !== 'object' || typeof title !== 'string') return plain;
    const known = schemas[title];
    if (known && JSON.stringify(known) !== JSON.stringify(plain)) throw new Error(`two shapes are called ${title}`);
    schemas[title] = plain;
    return { $ref: `#/components/schemas/${title}` };
  }

  /** A property may be called `title`; that is no name of a shape. */
  const each = (properties: Json): Json =>
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, walk(schema)]));

  return { schemas, reference: (schema) => walk(schema) as Json };
}
