import type { TSchema } from '../../kernel/schema.ts';

type Json = Record<string, unknown>;

/**
 * Collects the schemas that have a title. `reference` returns a schema in which each titled object is replaced by a `$ref`, and adds
 * that object to `schemas`.
 * @throws if two different schemas have the same title
 */
export type NamedSchemas = { schemas: Record<string, Json>; reference(schema: TSchema | Json): Json };

/** `id('agent')` describes an id by the thing it belongs to; this turns that into "ID of the agent". */
export function withIdDescription<S extends { format?: unknown; description?: unknown }>(schema: S): S {
  const { format, description } = schema;
  if (format !== 'uuid' || typeof description !== 'string' || /^(?:The|ID) /.test(description)) return schema;
  return { ...schema, description: `ID of the ${description}` };
}

export function createNamedSchemas(): NamedSchemas {
  const schemas: Record<string, Json> = {};

  function replaceTitled(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(replaceTitled);
    if (value === null || typeof value !== 'object') return value;
    const schema = withIdDescription(value as Json);
    const replaced = Object.fromEntries(
      Object.entries(schema).map(([keyword, item]) => [
        keyword,
        keyword === 'properties' ? replaceInProperties(item as Json) : replaceTitled(item),
      ]),
    );
    const { title } = schema;
    if (schema['type'] !== 'object' || typeof title !== 'string') return replaced;
    const existing = schemas[title];
    if (existing && JSON.stringify(existing) !== JSON.stringify(replaced)) {
      throw new Error(`two schemas have the title ${title}`);
    }
    schemas[title] = replaced;
    return { $ref: `#/components/schemas/${title}` };
  }

  /** Treats the keys of `properties` as field names, since a field may itself be called `title`. */
  const replaceInProperties = (properties: Json): Json =>
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, replaceTitled(schema)]));

  return { schemas, reference: (schema) => replaceTitled(schema) as Json };
}
