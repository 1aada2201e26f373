import { type Fault, invalid, notFound } from '../../base/errors.ts';
import type { TObject } from '../../base/typebox.ts';
import type { App } from '../../kernel/app.ts';
import type { Caller, Route } from '../../kernel/route.ts';
import { object, type TSchema } from '../../kernel/schema.ts';
import { acceptedBodyTypes } from './bodies.ts';
import { type CallerPaths, callerPathOf } from './field-cases.ts';
import { pagedQuery } from './paged-query.ts';
import { readQuery } from './query.ts';
import { createValidator, type Validated } from './schema-validator.ts';
import { textFaults } from './storable-text.ts';

type RawRequest = {
  caller: Caller;
  query: Readonly<Record<string, string | string[] | undefined>>;
  params: Readonly<Record<string, string>>;
  body: unknown;
};

type ValidRequest = { query: unknown; params: unknown; body: unknown; callerPaths: CallerPaths };

/**
 * Compiles a route's schemas into a function that validates its requests.
 * @throws invalid with all faults of path, query and body; without any, notFound if an id in the path is not a UUID
 */
export function requestValidator(app: App, route: Route): (raw: RawRequest) => ValidRequest | Promise<ValidRequest> {
  const validateQuery = queryValidator(route);
  const validateParams = paramsValidator(route.params);
  const validateBody = bodyValidator(route);
  const refuse = async (faults: Fault[], caller: Caller, params: ValidatedParams, body: Validated): Promise<never> => {
    const valid = validFields(body);
    const request = {
      caller,
      params: params.value as never,
      body: valid.fields as never,
      presentFields: new Set(isObject(body.value) ? Object.keys(body.value) : []),
    };
    const additional = (await route.additionalFaults?.(app, request)) ?? [];
    const all = [...faults, ...additional.map(valid.withSentIndex)].slice(0, maxFaults);
    throw invalid(all.map((fault) => inCallersCase(fault, body)));
  };
  return (raw) => {
    const query = validateQuery(raw.query);
    const params = validateParams(raw.params);
    const body = validateBody(raw.body);
    if (params.faults.length + query.faults.length + body.faults.length > 0) {
      return refuse([...params.faults, ...query.faults, ...body.faults], raw.caller, params, body);
    }
    if (params.unknown !== undefined) throw notFound(params.unknown);
    return { query: query.value, params: params.value, body: body.value, callerPaths: body.callerPaths };
  };
}

/** Faults listed in one answer; without a limit, a hostile body could have as many faults as bytes. */
const maxFaults = 1000;

const inCallersCase = (fault: Fault, { callerPaths }: Validated): Fault => ({
  ...fault,
  path: callerPathOf(fault.path, callerPaths),
});

/** Pass this object for a request without a query string: its result is computed once per route. */
export const emptyQuery: RawRequest['query'] = Object.freeze({});

type ValidatedQuery = { value: unknown; faults: Fault[] };

function queryValidator(route: Route): (raw: RawRequest['query']) => ValidatedQuery {
  const schema = route.paged ? pagedQuery(route.query) : (route.query ?? object({}));
  const validate = createValidator(schema, { noun: 'parameter' });
  const validateQuery = (raw: RawRequest['query']): ValidatedQuery => {
    const read = readQuery(raw, schema);
    const { value, faults } = validate(read.value);
    const others = [...faults, ...textFaults(read.value)];
    if (read.faults.length === 0) return { value, faults: others };
    const repeated = new Set(read.faults.map(({ path }) => path));
    return { value, faults: [...read.faults, ...others.filter(({ path }) => !repeated.has(path))] };
  };
  let resultForEmpty: ValidatedQuery | undefined;
  return (raw) => {
    if (raw !== emptyQuery) return validateQuery(raw);
    if (resultForEmpty) return resultForEmpty;
    resultForEmpty = validateQuery(raw);
    Object.freeze(resultForEmpty.value); // shared by every request without a query string
    return resultForEmpty;
  };
}

const noBody: Validated = { value: undefined, callerPaths: new Map(), faults: [] };

function bodyValidator(route: Route): (body: unknown) => Validated {
  if (!route.body) return () => noBody;
  const validate = createValidator(route.body, { noun: 'field', bothCases: route.acceptsBothCases ?? false });
  const missing = route.formFile ? `A body is required: ${acceptedBodyTypes(true)}.` : 'A JSON body is required.';
  return (raw) => {
    const body = raw === undefined && route.bodyOptional ? {} : raw;
    if (body === undefined) return { ...noBody, faults: [{ path: '', message: missing }] };
    if (!isObject(body)) return { ...noBody, faults: [{ path: '', message: 'The body must be a JSON object.' }] };
    const validated = validate(body);
    return { ...validated, faults: [...validated.faults, ...textFaults(validated.value)] };
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

type ValidFields = {
  fields: Record<string, unknown>;
  /** Translates the path of a fault in `fields` into its path in the body, where a list may have faulty entries, too. */
  withSentIndex(this: void, fault: Fault): Fault;
};

/** The body's top-level fields without a fault in or below them; of a list with faulty entries, the others. */
function validFields({ value, faults }: Validated): ValidFields {
  if (!isObject(value)) return { fields: {}, withSentIndex: (fault) => fault };
  const fields: Record<string, unknown> = {};
  const sentIndexes = new Map<string, number[]>();
  const faultyByField = Map.groupBy(faults, ({ path }) => path.split(/[.[]/, 1)[0]!);
  for (const [name, item] of Object.entries(value)) {
    const faulty = faultyByField.get(name);
    if (!faulty) fields[name] = item;
    else if (Array.isArray(item) && faulty.every(({ path }) => path.startsWith(`${name}[`))) {
      const indexes = new Set(faulty.map(({ path }) => Number.parseInt(path.slice(name.length + 1), 10)));
      const kept = [...item.keys()].filter((index) => !indexes.has(index));
      fields[name] = kept.map((index) => item[index] as unknown);
      sentIndexes.set(name, kept);
    }
  }
  const withSentIndex = (fault: Fault): Fault => {
    const [, name = '', position, rest] = /^([^.[]+)\[(\d+)\](.*)$/s.exec(fault.path) ?? [];
    const index = sentIndexes.get(name)?.[Number(position)];
    return index === undefined ? fault : { ...fault, path: `${name}[${index}]${rest}` };
  };
  return { fields, withSentIndex };
}

/** Compiles the schema of an uploaded file's rows into a function that validates one row. */
export function rowValidator(schema: TSchema): (row: unknown) => Fault[] {
  const validate = createValidator(schema, { noun: 'field' });
  return (row) => [...validate(row).faults, ...textFaults(row)].slice(0, maxFaults);
}

/** `unknown`: the description of the first UUID parameter whose value is not a UUID. */
type ValidatedParams = { value: Record<string, string>; faults: Fault[]; unknown?: string };

/** An id that is not a UUID cannot exist, so it answers the same 404 as an unknown one (contract, section 1). */
function paramsValidator(schema: TObject | undefined): (raw: RawRequest['params']) => ValidatedParams {
  const parameters = Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    title: (property as { description?: string }).description ?? name,
    isUuid: (property as { format?: string }).format === 'uuid',
    validate: createValidator(property, { noun: 'parameter' }),
  }));
  return (raw) => {
    const result: ValidatedParams = { value: {}, faults: [] };
    for (const { name, title, isUuid, validate } of parameters) {
      const { value, faults } = validate(raw[name] ?? '');
      if (isUuid && faults.length > 0) result.unknown ??= title;
      else result.faults.push(...faults.map((fault) => ({ ...fault, path: name })));
      result.value[name] = value as string;
    }
    return result;
  };
}
