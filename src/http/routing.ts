import Router from '@koa/router';
import type Koa from 'koa';
import { AppError } from '../base/errors.ts';
import type { Handler } from './handler.ts';

/** Dispatches requests by path and method. */
export type Routing = {
  /** `path` may contain `{name}` placeholders. */
  add(method: string, path: string, handler: Handler): void;
  /** All rows added so far. */
  rows: ReadonlyArray<{ method: string; path: string }>;
  /** Call after the last `add`. */
  middleware(): Koa.Middleware;
};

type Row = { method: string; path: string; handler: Handler };

/** More than any route has; bounds the work on a hostile path with thousands of segments. */
const maxSegments = 16;

/**
 * Groups paths by their number of segments (a trailing slash does not count) and their first distinctive one: `contacts` in
 * `/api/v1/contacts/{id}`, `docs` in `/docs/docs.css`.
 */
function groupOf(path: string): string {
  const segments = path.split('/', maxSegments);
  if (segments.at(-1) === '') segments.pop();
  return `${segments.length} ${segments[1] === 'api' ? segments[3] : segments[1]}`;
}

/** Literal paths come before those with placeholders, so that `/contacts/export` is not matched as a contact's id. */
const bySpecificity = (a: Row, b: Row): number => a.path.split('{').length - b.path.split('{').length;

/** Strips the trailing slash: the router matches a pattern without one also to paths with one (contract, section 1), not vice versa. */
const patternOf = (path: string): string => path.replace(/(?<=.)\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * Keeps one @koa/router per group of paths. A router tries its patterns one after the other, and a hundred of them would cost a tenth
 * of a request's time. GET handlers also answer HEAD.
 */
export function createRouting(): Routing {
  const rows: Row[] = [];
  return {
    rows,
    add: (method, path, handler) => void rows.push({ method, path, handler }),
    middleware() {
      const groups = Map.groupBy(rows.toSorted(bySpecificity), ({ path }) => groupOf(path));
      const routers = new Map([...groups].map(([group, groupRows]) => [group, routerOf(groupRows)]));
      return (ctx, next) => routers.get(groupOf(ctx.path))?.(ctx, next) ?? next();
    },
  };
}

function routerOf(rows: readonly Row[]): Koa.Middleware {
  const router = new Router({ sensitive: true });
  for (const { method, path, handler } of rows) {
    router.register(patternOf(path), [method], [(ctx) => handler(ctx, ctx.params)]);
  }
  return router.routes() as unknown as Koa.Middleware;
}

/** Answers what no route matched: 405 with the allowed methods if the path exists, else 404. */
export function refuseUnmatched(ctx: Koa.Context): void {
  const matched = (ctx['matched'] ?? []) as Array<{ methods: string[] }>;
  const allowed = [...new Set(matched.flatMap(({ methods }) => methods))].toSorted().join(', ');
  if (allowed === '') throw new AppError('not_found', `There is nothing at ${ctx.path}.`);
  throw new AppError('method_not_allowed', `${ctx.path} allows ${allowed}, not ${ctx.method}.`, {
    headers: { Allow: allowed },
  });
}
