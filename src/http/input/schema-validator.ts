import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { distance } from 'fastest-levenshtein';
import type { Fault } from '../../base/errors.ts';
import type { TSchema } from '../../kernel/schema.ts';
import { canonicalIds } from './canonical-ids.ts';
import { respell, snakeOf } from './field-cases.ts';
import { formats } from './formats.ts';
import { listCutter } from './long-lists.ts';

/** A hostile body could have as many faults as bytes; this many are looked at. */
const maxErrors = 1000;

const ajv = new Ajv({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  strictTypes: false,
  useDefaults: false,
  // As in base/config/check.ts: schemas are TypeBox's.
  meta: false,
  validateSchema: false,
});
for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format.test);

/**
 * `value` is what the schema says it is only without faults. Faults name places as the schema spells them; `written` has the paths
 * as the caller wrote them (see cases.ts).
 */
export type Validated = { value: unknown; written: ReadonlyMap<string, string>; faults: Fault[] };
export type Validator = (value: unknown) => Validated;

/** Schemas are compiled when first used: those of all routes together would take a third of the time to start. */
function compiled(schema: TSchema): () => ValidateFunction {
  let validate: ValidateFunction | undefined;
  return () => (validate ??= ajv.compile(schema));
}

const noneWritten: Validated['written'] = new Map();

/**
 * Makes of a schema a function that finds all faults at once. Within the input itself it spells ids as they are stored, and cuts
 * lists that are too long.
 */
export function validator(schema: TSchema, options: { bothCases?: boolean; noun: 'field' | 'parameter' }): Validator {
  const compile = compiled(schema);
  const canonize = canonicalIds(schema) ?? ((value) => value);
  const cutLists = listCutter(schema);
  return (input) => {
    const validate = compile();
    const read = options.bothCases ? respell(schema, input) : { value: input, written: noneWritten, faults: [] };
    const faults = [...read.faults];
    cutLists?.(read.value, '', faults);
    const value = canonize(read.value);
    if (!validate(value)) faults.push(...faultsOf(validate, schema, options.noun));
    return { value, written: read.written, faults };
  };
}

/** Makes of a schema a check of our own answers, for tests and development. */
export function outputCheck(schema: TSchema): (value: unknown) => string | undefined {
  const compile = compiled(schema);
  return (value) => (compile()(value) ? undefined : ajv.errorsText(compile().errors));
}

/** One fault for each place that has another type than it should: its other rules speak of a value that it is not. */
function faultsOf(validate: ValidateFunction, schema: TSchema, noun: string): Fault[] {
  const errors = (validate.errors ?? []).slice(0, maxErrors);
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath));
  return errors
    .filter(({ keyword, instancePath }) => keyword === 'type' || !mistyped.has(instancePath))
    .map((error) => faultOf(error, schema, noun));
}

/** `/contacts/3/phone` (RFC 6901) as `contacts[3].phone`. */
function pathOf(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  return parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '');
}

const under = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function faultOf(error: ErrorObject, schema: TSchema, noun: string): Fault {
  const path = pathOf(error.instancePath);
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'required')
    return { path: under(path, String(params['missingProperty'])), message: 'is required' };
  if (error.keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    const hint = nearest(name, fieldsAt(schema, error.schemaPath));
    return { path: under(path, name), message: `is not a known ${noun}${hint ? `; did you mean ${hint}?` : ''}` };
  }
  return { path, message: wordsOf(error.keyword, params, error.message) };
}

function wordsOf(keyword: string, params: Record<string, unknown>, fallback: string | undefined): string {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'type':
      return `must be ${typeNames([params['type']].flat() as string[])}`;
    case 'format':
      return `must be ${formats[String(params['format'])]?.says ?? 'well formed'}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'minLength':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} entries`;
    case 'uniqueItems':
      return 'must not repeat an entry';
    case 'minProperties':
      return 'must have at least one field';
    case 'pattern':
      return params['pattern'] === '\\S' ? 'must not be blank' : `must match ${String(params['pattern'])}`;
    default:
      return fallback ?? 'is not valid';
  }
}

const articles: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};
const typeNames = (types: string[]): string => types.map((type) => articles[type] ?? type).join(' or ');

/** The fields that the object schema at a keyword's place has. */
function fieldsAt(schema: TSchema, schemaPath: string): string[] {
  let at: unknown = schema;
  for (const part of schemaPath.split('/').slice(1, -1)) at = (at as Record<string, unknown>)[part];
  return Object.keys((at as { properties?: object }).properties ?? {});
}

/** What was probably meant: within a third of its letters, whatever the case and underscores. */
function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined;
  const plain = snakeOf(name).toLowerCase();
  const ranked = known
    .map((field) => ({ field, away: distance(plain, snakeOf(field)) }))
    .toSorted((a, b) => a.away - b.away);
  const best = ranked[0];
  return best && best.away <= Math.max(2, Math.floor(best.field.length / 3)) ? best.field : undefined;
}
