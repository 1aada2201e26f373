import { type Fault, notFound } from '../../base/errors.ts';
import type { TObject } from '../../base/typebox.ts';
import type { App } from '../../kernel/app.ts';
import type { Caller, Route } from '../../kernel/route.ts';
import { object, type TSchema } from '../../kernel/schema.ts';
import {
  bodySpecOf,
  createBodyValidator,
  invalidBody,
  maxFaults,
  type ValidatedBody,
  withSentIndex,
} from './body-validator.ts';
import { type CallerPaths, callerPathOf } from './field-cases.ts';
import { type LargeBodies, largeBodiesOf, minLargeBytes } from './large-bodies/thread.ts';
import { pagedQuery } from './paged-query.ts';
import { type RawQuery, readQuery } from './query.ts';
import { createValidator } from './schema-validator.ts';
import { textFaults } from './storable-text.ts';

type RawRequest = {
  caller: Caller;
  query: RawQuery;
  params: Readonly<Record<string, string>>;
  /** Undefined if there is no body; a form counts as one without fields. */
  bytes: Buffer | undefined;
};

type ValidRequest = { query: unknown; params: unknown; body: unknown; callerPaths: CallerPaths };

/**
 * Compiles a route's schemas into a function that validates its requests. It returns a promise only for a large body or for faults, because
 * awaiting one slows a small read down.
 * @throws invalid with all faults of path, query and body; without any, notFound if an id in the path is not a UUID
 */
export function requestValidator(app: App, route: Route): (raw: RawRequest) => ValidRequest | Promise<ValidRequest> {
  const validateQuery = queryValidator(route);
  const validateParams = paramsValidator(route.params);
  const validateBody = bodyValidator(route, largeBodiesOf(app));
  const refuse = async (
    faults: Fault[],
    raw: RawRequest,
    params: ValidatedParams,
    body: ValidatedBody,
  ): Promise<never> => {
    const { rejected, callerPaths } = body;
    const request = {
      caller: raw.caller,
      params: params.value as never,
      body: (rejected?.validFields ?? body.value ?? {}) as never,
      presentFields: rejected?.presentFields ?? new Set(Object.keys(body.value ?? {})),
    };
    const additional = ((await route.additionalFaults?.(app, request)) ?? [])
      .map((fault) => (rejected ? withSentIndex(fault, rejected) : fault))
      .map((fault) => ({ ...fault, path: callerPathOf(fault.path, callerPaths) }));
    throw invalidBody([...faults, ...(rejected?.faults ?? []), ...additional]);
  };
  return (raw) => {
    const query = validateQuery(raw.query);
    const params = validateParams(raw.params);
    const conclude = (body: ValidatedBody): ValidRequest | Promise<ValidRequest> => {
      if (params.faults.length + query.faults.length > 0 || body.rejected) {
        return refuse([...params.faults, ...query.faults], raw, params, body);
      }
      if (params.unknown !== undefined) throw notFound(params.unknown);
      return { query: query.value, params: params.value, body: body.value, callerPaths: body.callerPaths };
    };
    const body = validateBody(raw);
    return body instanceof Promise ? body.then(conclude) : conclude(body);
  };
}

/** Pass this object for a request without a query string: its result is computed once per route. */
export const emptyQuery: RawRequest['query'] = Object.freeze({});

type ValidatedQuery = { value: unknown; faults: Fault[] };

function queryValidator(route: Route): (raw: RawRequest['query']) => ValidatedQuery {
  const schema = route.paged ? pagedQuery(route) : (route.query ?? object({}));
  const validate = createValidator(schema, { noun: 'parameter' });
  const validateQuery = (raw: RawRequest['query']): ValidatedQuery => {
    const read = readQuery(raw, schema);
    const { value, faults } = validate(read.value);
    const others = [...faults, ...textFaults(read.value)].map((fault) => asGiven(fault, raw));
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

/** A parameter that is given once is named without an index, although the schema says that it is a list. */
const asGiven = (fault: Fault, query: RawRequest['query']): Fault => {
  const name = fault.path.replace(/\[0\]$/, '');
  return name !== fault.path && typeof query[name] === 'string' ? { ...fault, path: name } : fault;
};

const noBody: ValidatedBody = { value: undefined, callerPaths: new Map() };

/** Small bodies are validated at once, large ones in a thread of their own. */
function bodyValidator(
  route: Route,
  largeBodies: LargeBodies,
): (raw: RawRequest) => ValidatedBody | Promise<ValidatedBody> {
  const spec = bodySpecOf(route);
  if (!spec) return () => noBody;
  const validate = createBodyValidator(spec);
  return ({ bytes, caller }) =>
    bytes && bytes.length >= minLargeBytes ? largeBodies.validate(spec, bytes, caller.orgId) : validate(bytes);
}

/** Compiles the schema of an uploaded file's rows into a function that validates one row. */
export function rowValidator(schema: TSchema): (row: unknown) => Fault[] {
  const validate = createValidator(schema, { noun: 'field' });
  return (row) => [...validate(row).faults, ...textFaults(row)].slice(0, maxFaults);
}

/** `unknown`: the description of the first UUID parameter whose value is not a UUID. */
type ValidatedParams = { value: Record<string, string>; faults: Fault[]; unknown?: string };

/** An id that is not a UUID cannot exist, so it answers the same 404 as an unknown one. */
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
      result.value[name] = value as string;
      if (faults.length === 0) continue;
      if (isUuid) result.unknown ??= title;
      else result.faults.push(...faults.map((fault) => ({ ...fault, path: name })));
    }
    return result;
  };
}
