import type { Fault } from '../../base/errors.ts';
import type { TSchema } from '../../kernel/schema.ts';

type Shape = TSchema & {
  type?: string | readonly string[];
  properties?: Record<string, TSchema>;
  items?: TSchema;
  maxItems?: number;
};

export const snakeOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelOf = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export type Respelt = {
  value: unknown;
  /** The path as the caller wrote it, for each field that is there, by the path in the schema's spelling. */
  written: ReadonlyMap<string, string>;
  faults: Fault[];
};

/**
 * Takes each field in camelCase or in snake_case (contract, section 1) and spells it as the schema does. Only fields that the
 * schema names are touched, so a caller's own `metadata` keeps its keys. Both spellings with different values are two faults, under
 * the paths given.
 */
export function respell(schema: TSchema, value: unknown): Respelt {
  const written = new Map<string, string>();
  const faults: Fault[] = [];
  return { value: walk(schema, value, { here: '', given: '', written, faults }), written, faults };
}

type Place = { here: string; given: string; written: Map<string, string>; faults: Fault[] };

const join = (base: string, name: string): string => (base === '' ? name : `${base}.${name}`);

function walk(schema: Shape, value: unknown, place: Place): unknown {
  if (Array.isArray(value) && schema.items) {
    // One more than allowed is enough to tell that there are too many (long-lists.ts), however many a caller sends.
    return value
      .slice(0, (schema.maxItems ?? Infinity) + 1)
      .map((item, index) =>
        walk(schema.items!, item, { ...place, here: `${place.here}[${index}]`, given: `${place.given}[${index}]` }),
      );
  }
  if (!schema.properties || value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const result: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, item] of Object.entries(value)) setField(schema.properties, result, name, item, place);
  return { ...result };
}

function setField(
  properties: Record<string, TSchema>,
  result: Record<string, unknown>,
  name: string,
  item: unknown,
  place: Place,
): void {
  const known = [name, camelOf(name), snakeOf(name)].find((spelling) => Object.hasOwn(properties, spelling));
  const field = known ?? name;
  const here = join(place.here, field);
  const given = join(place.given, name);
  const isSecond = Object.hasOwn(result, field);
  // Of two spellings one is the schema's: faults name that one.
  place.written.set(here, isSecond ? here : given);
  const schema = known === undefined ? undefined : properties[known];
  const spelt = schema ? walk(schema, item, { ...place, here, given }) : item;
  if (isSecond && JSON.stringify(result[field]) !== JSON.stringify(spelt)) {
    const [camel, snake] = [camelOf(field), snakeOf(field)].map((spelling) => join(place.given, spelling)) as [
      string,
      string,
    ];
    place.faults.push({ path: camel, message: `is the same field as ${snake}, with another value` });
    place.faults.push({ path: snake, message: `is the same field as ${camel}, with another value` });
  }
  result[field] = spelt;
}

const lastSegment = /(?:^|\.)([^.[]+)$|\[\d+\]$/;

/**
 * A path of the schema's spelling in the case the caller used (contract, section 12). A field that is not there is named in the case
 * of those beside it, as long as they agree.
 */
export function asWritten(path: string, written: Respelt['written']): string {
  const exact = written.get(path);
  const segment = lastSegment.exec(path);
  if (exact !== undefined || !segment) return exact ?? path;
  const parent = path.slice(0, segment.index);
  const [, name] = segment;
  if (name === undefined) return asWritten(parent, written) + segment[0];
  return join(parent === '' ? '' : asWritten(parent, written), inCaseBeside(parent, name, written));
}

/** The other case when all fields beside it whose case can be told are in that one. */
function inCaseBeside(parent: string, name: string, written: Respelt['written']): string {
  let respelt = name;
  for (const [here, given] of written) {
    const field = lastSegment.exec(here);
    const asGiven = lastSegment.exec(given)?.[1];
    if (field?.[1] === undefined || asGiven === undefined || here.slice(0, field.index) !== parent) continue;
    if (field[1] !== asGiven) respelt = asGiven.includes('_') ? snakeOf(name) : camelOf(name);
    else if (snakeOf(asGiven) !== camelOf(asGiven)) return name;
  }
  return respelt;
}
