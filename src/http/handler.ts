import type { Context, Middleware } from 'koa';
import type { TObject } from 'typebox';
import { AppError, type Fault, invalid, notFound } from '../base/errors.ts';
import type { App } from '../kernel/app.ts';
import { type Page, pageOf } from '../kernel/paging.ts';
import { type Caller, type Route, roles } from '../kernel/route.ts';
import { object, type TSchema } from '../kernel/schema.ts';
import { authenticate } from './auth.ts';
import type { BodyReader } from './bodies.ts';
import { pagedQuery } from './paged-query.ts';
import { readQuery } from './query.ts';
import { asWritten, outputCheck, type Validator, validator } from './validation.ts';

export type HandlerOptions = { readBody: BodyReader; checkAnswers: boolean };

/** Nobody: what `public` routes get as caller. */
const nobody: Caller = { orgId: '', role: 'viewer', via: 'token', subject: '' };

type Compiled = { query: TObject; checkQuery: Validator; checkBody?: Validator };

/**
 * Turns one row of the route table into a Koa middleware. The order of judgement is the contract's (section 12): 401, 403, 415,
 * 413, 400, then 404 and 409 from the domain.
 */
export function createHandler(app: App, route: Route, options: HandlerOptions): Middleware {
  const query = route.paged ? pagedQuery(route.query) : (route.query ?? object({}));
  const compiled: Compiled = {
    query,
    checkQuery: validator(query, { noun: 'parameter' }),
    ...(route.body ? { checkBody: validator(route.body, { noun: 'field', bothCases: route.bothCases ?? false }) } : {}),
  };
  const params = paramChecks(route.params);
  const checkAnswer = options.checkAnswers && route.data ? outputCheck(route.data) : undefined;

  return async (ctx) => {
    const caller = route.access === 'public' ? nobody : await authenticate(app, ctx, route.access);
    requireRole(caller, route);
    const body = route.body ? await options.readBody(ctx, route.bodyLimit ?? 'json') : undefined;
    const input = check(ctx, route, compiled, body);
    const request = {
      caller,
      params: params(ctx.params as Record<string, string>) as never,
      query: input.query as never,
      body: input.body as never,
      page: input.page,
      requestId: String(ctx.state['requestId']),
    };
    const reply = await route.handle(app, request).catch((error: unknown) => {
      throw inCallersCase(error, input.written);
    });
    const wrong = checkAnswer?.(reply.data);
    if (wrong !== undefined) throw new Error(`${route.operationId} answered against its schema: ${wrong}`);
    ctx.body = {
      success: true,
      message: reply.message ?? route.message,
      ...(reply.data === undefined ? {} : { data: reply.data }),
      ...(reply.total === undefined ? {} : { meta: { total: reply.total, ...input.page } }),
    };
  };
}

/** Services name places as the schema spells them; the answer names them as the caller did. */
function inCallersCase(error: unknown, written: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof AppError) || error.kind !== 'invalid' || !error.details || written.size === 0) return error;
  return invalid(error.details.map((fault) => ({ ...fault, path: asWritten(fault.path, written) })));
}

function requireRole(caller: Caller, route: Route): void {
  if (route.access === 'public' || roles.indexOf(caller.role) >= roles.indexOf(route.role)) return;
  throw new AppError('forbidden', `This needs the role ${route.role}; the key or token has the role ${caller.role}.`);
}

type Input = { query: unknown; body: unknown; written: ReadonlyMap<string, string>; page: Page };

/** All faults of query and body at once. */
function check(ctx: Context, route: Route, compiled: Compiled, body: unknown): Input {
  const read = readQuery(ctx.query, compiled.query);
  const query = compiled.checkQuery(read.value);
  const faults: Fault[] = [...read.faults, ...('faults' in query ? query.faults : [])];
  let checked: unknown;
  let written: ReadonlyMap<string, string> = new Map();
  if (compiled.checkBody) {
    const given = body === undefined && route.bodyOptional ? {} : body;
    const result =
      given === undefined ? { faults: [{ path: '', message: 'A JSON body is required.' }] } : compiled.checkBody(given);
    if ('faults' in result) faults.push(...result.faults);
    else ({ value: checked, written } = result);
  }
  if (faults.length > 0) throw invalid(faults);
  const value = ('value' in query ? query.value : {}) as { limit?: number; offset?: number };
  return { query: value, body: checked, written, page: pageOf(value) };
}

/** Path parameters: no UUID where one belongs is the same 404 as an unknown one; other formats are faults. */
function paramChecks(schema: TObject | undefined): (given: Record<string, string>) => Record<string, string> {
  const checks = Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    title: (property as { description?: string }).description ?? name,
    isUuid: (property as { format?: string }).format === 'uuid',
    check: validator(property as TSchema, { noun: 'parameter' }),
  }));
  return (given) => {
    const result: Record<string, string> = {};
    for (const { name, title, isUuid, check: checkOne } of checks) {
      const value = given[name] ?? '';
      const checked = checkOne(value);
      if ('faults' in checked) {
        if (isUuid) throw notFound(title);
        throw invalid(checked.faults.map((fault) => ({ ...fault, path: name })));
      }
      result[name] = isUuid ? value.toLowerCase() : value;
    }
    return result;
  };
}
