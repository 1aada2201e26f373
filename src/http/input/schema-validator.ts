import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { distance } from 'fastest-levenshtein';
import type { Fault } from '../../base/errors.ts';
import type { TSchema } from '../../kernel/schema.ts';
import { idCanonicalizer } from './canonical-ids.ts';
import { type CallerPaths, normalizeCase, snakeCase } from './field-cases.ts';
import { formats } from './formats.ts';
import { listTruncator } from './long-lists.ts';

/** At most this many Ajv errors are read; a hostile body could cause as many as it has bytes. */
const maxErrors = 1000;

const ajv = new Ajv({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  strictTypes: false,
  useDefaults: false,
  // TypeBox builds the schemas, so checking them against the JSON Schema meta-schema would only cost start-up time.
  meta: false,
  validateSchema: false,
});
for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format.test);

/**
 * `value` conforms to the schema only if there are no faults. The paths of faults are in the schema's spelling; `callerPaths`
 * translates them into the caller's (see field-cases.ts).
 */
export type Validated = {
  value: unknown;
  callerPaths: CallerPaths;
  faults: Fault[];
  /** There were more than `maxErrors` errors, so a part of the value without a fault may still be faulty. */
  hasUnseenFaults: boolean;
};
export type Validator = (value: unknown) => Validated;

/** Compiles a schema on first use: compiling those of all routes would take a third of the start-up time. */
function lazyCompile(schema: TSchema): () => ValidateFunction {
  let validate: ValidateFunction | undefined;
  return () => (validate ??= ajv.compile(schema));
}

const noCallerPaths: CallerPaths = new Map();

/**
 * Turns a schema into a function that reports all faults of a value at once. It changes the value it is given: UUIDs become lower
 * case, and lists that are too long are cut.
 */
export function createValidator(
  schema: TSchema,
  options: { bothCases?: boolean; noun: 'field' | 'parameter' },
): Validator {
  const compile = lazyCompile(schema);
  const canonicalizeIds = idCanonicalizer(schema) ?? ((value) => value);
  const truncateLists = listTruncator(schema);
  return (input) => {
    const validate = compile();
    const read = options.bothCases
      ? normalizeCase(schema, input)
      : { value: input, callerPaths: noCallerPaths, faults: [] };
    const faults = [...read.faults];
    truncateLists?.(read.value, '', faults);
    const value = canonicalizeIds(read.value);
    if (!validate(value)) faults.push(...faultsOf(validate, schema, options.noun));
    const hasUnseenFaults = (validate.errors?.length ?? 0) > maxErrors;
    return { value, callerPaths: read.callerPaths, faults, hasUnseenFaults };
  };
}

/** Turns a schema into a check of our own answers, for tests and development. It returns what is wrong, if anything. */
export function createAnswerCheck(schema: TSchema): (value: unknown) => string | undefined {
  const compile = lazyCompile(schema);
  return (value) => (compile()(value) ? undefined : ajv.errorsText(compile().errors));
}

/** A value of the wrong type gets only that one fault: messages about its length or pattern would be noise. */
function faultsOf(validate: ValidateFunction, schema: TSchema, noun: string): Fault[] {
  const errors = (validate.errors ?? []).slice(0, maxErrors);
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath));
  return errors
    .filter(({ keyword, instancePath }) => keyword === 'type' || !mistyped.has(instancePath))
    .map((error) => faultOf(error, schema, noun));
}

/** Turns a JSON pointer (RFC 6901) such as `/contacts/3/phone` into `contacts[3].phone`. */
function pathOf(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  return parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '');
}

const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Longer names of unknown fields are cut in answers: one can be as long as the whole body. */
const maxNameLength = 200;
const shortened = (name: string): string => (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name);

function faultOf(error: ErrorObject, schema: TSchema, noun: string): Fault {
  const path = pathOf(error.instancePath);
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'required')
    return { path: joinPath(path, String(params['missingProperty'])), message: 'is required' };
  if (error.keyword === 'additionalProperties') {
    const name = shortened(String(params['additionalProperty']));
    const hint = closestName(name, fieldsAt(schema, error.schemaPath));
    return { path: joinPath(path, name), message: `is not a known ${noun}${hint ? `; did you mean ${hint}?` : ''}` };
  }
  return { path, message: messageFor(error.keyword, params, error.message) };
}

function messageFor(keyword: string, params: Record<string, unknown>, fallback: string | undefined): string {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'type':
      return `must be ${([params['type']].flat() as string[]).map((type) => typeNames[type] ?? type).join(' or ')}`;
    case 'format':
      return `must be ${formats[String(params['format'])]?.expectation ?? 'well formed'}`;
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

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** Field names of the object schema that contains the keyword at `schemaPath`. */
function fieldsAt(schema: TSchema, schemaPath: string): string[] {
  let at: unknown = schema;
  for (const part of schemaPath.split('/').slice(1, -1)) at = (at as Record<string, unknown>)[part];
  return Object.keys((at as { properties?: object }).properties ?? {});
}

/** The most similar known name, ignoring case and underscores, if it differs in at most a third of its letters (or in two). */
function closestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined;
  const plain = snakeCase(name).toLowerCase();
  const ranked = known
    .map((field) => ({ field, edits: distance(plain, snakeCase(field)) }))
    .toSorted((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= Math.max(2, Math.floor(best.field.length / 3)) ? best.field : undefined;
}
