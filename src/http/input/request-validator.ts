import type { TObject } from '../../base/typebox.ts';
import { type Fault, invalid, notFound } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import type { Caller, Route } from '../../kernel/route.ts';
import { object, type TSchema } from '../../kernel/schema.ts';
import { bodyKinds } from './bodies.ts';
import { pagedQuery } from './paged-query.ts';
import { readQuery } from './query.ts';
import { textFaults } from './storable-text.ts';
import { asWritten } from './field-cases.ts';
import { type Validated, validator } from './schema-validator.ts';

type Given = {
  caller: Caller;
  query: Readonly<Record<string, string | string[] | undefined>>;
  params: Readonly<Record<string, string>>;
  body: unknown;
};

type Input = { query: unknown; params: unknown; body: unknown; written: ReadonlyMap<string, string> };

/**
 * Compiles the schemas of a route into the judge of its requests.
 * @throws invalid with the faults of path, query and body all at once, then notFound for an id in the path that is no UUID
 */
export function judgeOf(app: App, route: Route): (given: Given) => Input | Promise<Input> {
  const judgeQuery = queryJudge(route);
  const judgeParams = paramsJudge(route.params);
  const judgeBody = bodyJudge(route);
  const refuse = async (faults: Fault[], caller: Caller, params: CheckedParams, body: Validated): Promise<never> => {
    const given = new Set(isObject(body.value) ? Object.keys(body.value) : []);
    const request = { caller, params: params.value as never, body: soundPart(body) as never, given };
    const further = (await route.furtherFaults?.(app, request)) ?? [];
    throw invalid([...faults, ...further].slice(0, maxFaults).map((fault) => inCallersCase(fault, body)));
  };
  return ({ caller, query: text, params: segments, body: sent }) => {
    const query = judgeQuery(text);
    const params = judgeParams(segments);
    const body = judgeBody(sent);
    if (params.faults.length + query.faults.length + body.faults.length > 0) {
      return refuse([...params.faults, ...query.faults, ...body.faults], caller, params, body);
    }
    if (params.missing !== undefined) throw notFound(params.missing);
    return { query: query.value, params: params.value, body: body.value, written: body.written };
  };
}

/** A hostile body could have as many faults as bytes; this many are named. */
const maxFaults = 1000;

const inCallersCase = (fault: Fault, { written }: Validated): Fault => ({
  ...fault,
  path: asWritten(fault.path, written),
});

/** The query of a request that has none, which is judged once a route. */
export const noQuery: Given['query'] = Object.freeze({});

function queryJudge(route: Route): (given: Given['query']) => { value: unknown; faults: Fault[] } {
  const schema = route.paged ? pagedQuery(route.query) : (route.query ?? object({}));
  const check = validator(schema, { noun: 'parameter' });
  const judge = (given: Given['query']): { value: unknown; faults: Fault[] } => {
    const read = readQuery(given, schema);
    const { value, faults } = check(read.value);
    const others = [...faults, ...textFaults(read.value)];
    if (read.faults.length === 0) return { value, faults: others };
    const repeated = new Set(read.faults.map(({ path }) => path));
    return { value, faults: [...read.faults, ...others.filter(({ path }) => !repeated.has(path))] };
  };
  let ofNone: ReturnType<typeof judge> | undefined;
  return (given) => {
    if (given !== noQuery) return judge(given);
    if (ofNone) return ofNone;
    ofNone = judge(given);
    Object.freeze(ofNone.value); // all such requests have this one
    return ofNone;
  };
}

const noBody: Validated = { value: undefined, written: new Map(), faults: [] };

function bodyJudge(route: Route): (given: unknown) => Validated {
  if (!route.body) return () => noBody;
  const check = validator(route.body, { noun: 'field', bothCases: route.bothCases ?? false });
  const missing = route.formFile ? `A body is required: ${bodyKinds(true)}.` : 'A JSON body is required.';
  return (given) => {
    const body = given === undefined && route.bodyOptional ? {} : given;
    if (body === undefined) return { ...noBody, faults: [{ path: '', message: missing }] };
    if (!isObject(body)) return { ...noBody, faults: [{ path: '', message: 'The body must be a JSON object.' }] };
    const checked = check(body);
    return { ...checked, faults: [...checked.faults, ...textFaults(checked.value)] };
  };
}

/** What the body of every operation is. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The fields of a body that no fault was found in, nor in anything within them; empty when the body is no object. */
function soundPart({ value, faults }: Validated): Record<string, unknown> {
  if (!isObject(value)) return {};
  const faulty = new Set(faults.map(({ path }) => path.split(/[.[]/, 1)[0]));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !faulty.has(name)));
}

/** Compiles the schema that the rows of an uploaded file are judged by. */
export function rowJudgeOf(schema: TSchema): (row: unknown) => Fault[] {
  const check = validator(schema, { noun: 'field' });
  return (row) => [...check(row).faults, ...textFaults(row)].slice(0, maxFaults);
}

type CheckedParams = { value: Record<string, string>; faults: Fault[]; missing?: string };

/** An id that is no UUID is the same 404 as an unknown one (contract, section 1); what breaks another format is a fault. */
function paramsJudge(schema: TObject | undefined): (given: Given['params']) => CheckedParams {
  const checks = Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    title: (property as { description?: string }).description ?? name,
    isUuid: (property as { format?: string }).format === 'uuid',
    check: validator(property, { noun: 'parameter' }),
  }));
  return (given) => {
    const result: CheckedParams = { value: {}, faults: [] };
    for (const { name, title, isUuid, check } of checks) {
      const value = given[name] ?? '';
      const { value: canonical, faults } = check(value);
      if (isUuid && faults.length > 0) result.missing ??= title;
      else result.faults.push(...faults.map((fault) => ({ ...fault, path: name })));
      result.value[name] = canonical as string;
    }
    return result;
  };
}
