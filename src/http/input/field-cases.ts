import type { Fault } from '../../base/errors.ts';
import type { TSchema } from '../../kernel/schema.ts';

type SchemaNode = TSchema & {
  type?: string | readonly string[];
  properties?: Record<string, TSchema>;
  items?: TSchema;
  maxItems?: number;
};

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Maps the path of each field in the body, in the schema's spelling, to its path as the caller spelled it. */
export type CallerPaths = ReadonlyMap<string, string>;

type NormalizedBody = { value: unknown; callerPaths: CallerPaths; faults: Fault[] };

/**
 * Renames fields sent in camelCase or snake_case to the schema's spelling (docs/api/http.md, "Paths and answers"). Only names that the
 * schema defines are changed, so a caller's `metadata` keeps its keys. Both spellings with different values yield two faults, one under
 * each.
 */
export function normalizeCase(schema: TSchema, value: unknown): NormalizedBody {
  const callerPaths = new Map<string, string>();
  const faults: Fault[] = [];
  return {
    value: normalize(schema, value, { schemaPath: '', callerPath: '', callerPaths, faults }),
    callerPaths,
    faults,
  };
}

/** No field of a schema has so long a name. A longer one, which can be as long as the body, is kept without making copies of it. */
const maxNameLength = 200;

type PathCursor = { schemaPath: string; callerPath: string; callerPaths: Map<string, string>; faults: Fault[] };

const join = (base: string, name: string): string => (base === '' ? name : `${base}.${name}`);

function normalize(schema: SchemaNode, value: unknown, cursor: PathCursor): unknown {
  if (Array.isArray(value) && schema.items) {
    // Keep one item more than allowed: enough for long-lists.ts to report the list, without walking a million items.
    return value.slice(0, (schema.maxItems ?? Infinity) + 1).map((item, index) =>
      normalize(schema.items!, item, {
        ...cursor,
        schemaPath: `${cursor.schemaPath}[${index}]`,
        callerPath: `${cursor.callerPath}[${index}]`,
      }),
    );
  }
  if (!schema.properties || value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const result: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, item] of Object.entries(value)) setField(schema.properties, result, name, item, cursor);
  return { ...result };
}

function setField(
  properties: Record<string, TSchema>,
  result: Record<string, unknown>,
  name: string,
  item: unknown,
  cursor: PathCursor,
): void {
  if (name.length > maxNameLength) {
    result[name] = item;
    return;
  }
  const schemaName = [name, camelCase(name), snakeCase(name)].find((spelling) => Object.hasOwn(properties, spelling));
  const field = schemaName ?? name;
  const schemaPath = join(cursor.schemaPath, field);
  const callerPath = join(cursor.callerPath, name);
  const isSecondSpelling = Object.hasOwn(result, field);
  // When the caller sent both spellings, faults name the schema's.
  cursor.callerPaths.set(schemaPath, isSecondSpelling ? schemaPath : callerPath);
  const schema = schemaName === undefined ? undefined : properties[schemaName];
  const normalized = schema ? normalize(schema, item, { ...cursor, schemaPath, callerPath }) : item;
  if (isSecondSpelling && JSON.stringify(result[field]) !== JSON.stringify(normalized)) {
    const camel = join(cursor.callerPath, camelCase(field));
    const snake = join(cursor.callerPath, snakeCase(field));
    cursor.faults.push({ path: camel, message: `is the same field as ${snake}, with another value` });
    cursor.faults.push({ path: snake, message: `is the same field as ${camel}, with another value` });
  }
  result[field] = normalized;
}

const lastSegment = /(?:^|\.)([^.[]+)$|\[\d+\]$/;

/**
 * Translates a path in the schema's spelling into the caller's. A field that is missing from the body takes the case of its siblings, if
 * they agree on one.
 */
export function callerPathOf(path: string, callerPaths: CallerPaths): string {
  const exact = callerPaths.get(path);
  const segment = lastSegment.exec(path);
  if (exact !== undefined || !segment) return exact ?? path;
  const parent = path.slice(0, segment.index);
  const [, name] = segment;
  if (name === undefined) return callerPathOf(parent, callerPaths) + segment[0];
  return join(parent === '' ? '' : callerPathOf(parent, callerPaths), inCaseOfSiblings(parent, name, callerPaths));
}

/** Names such as `prompt` are the same in both cases, so such siblings do not count. */
function inCaseOfSiblings(parent: string, name: string, callerPaths: CallerPaths): string {
  let result = name;
  for (const [schemaPath, callerPath] of callerPaths) {
    const sibling = lastSegment.exec(schemaPath);
    const callerName = lastSegment.exec(callerPath)?.[1];
    if (sibling?.[1] === undefined || callerName === undefined) continue;
    if (schemaPath.slice(0, sibling.index) !== parent) continue;
    if (sibling[1] !== callerName) result = callerName.includes('_') ? snakeCase(name) : camelCase(name);
    else if (snakeCase(callerName) !== camelCase(callerName)) return name;
  }
  return result;
}
