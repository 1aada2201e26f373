import Router, { type Layer } from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../base/errors.ts';
import type { Handler } from './handler.ts';

/** Dispatches requests by path and method. */
export type Routing = {
  /** `path` may contain `{name}` placeholders. */
  add(method: string, path: string, handler: Handler): void;
  /** All rows added so far. */
  rows: ReadonlyArray<{ method: string; path: string }>;
  /** Call after the last `add`. */
  router(): RequestRouter;
};

/**
 * Calls the handler of a request, and returns what it returns. GET handlers also answer HEAD.
 * @throws not_found for an unknown path, method_not_allowed with `Allow` for another method of a known one
 */
export type RequestRouter = (ctx: Context) => ReturnType<Handler>;

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

/** Strips the trailing slash: a layer matches a pattern without one also to paths with one, not vice versa. */
const patternOf = (path: string): string => path.replace(/(?<=.)\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * Matches with the patterns of @koa/router, but tries only those of the request's group and method: trying the others, too, costs a tenth of
 * a small read. The router's own middleware tries all, and makes a list of functions and three promises for each request.
 */
export function createRouting(): Routing {
  const rows: Row[] = [];
  return {
    rows,
    add: (method, path, handler) => void rows.push({ method, path, handler }),
    router() {
      const groups = Map.groupBy(rows.toSorted(bySpecificity), ({ path }) => groupOf(path));
      const routers = new Map([...groups].map(([group, groupRows]) => [group, routerOf(groupRows)]));
      return (ctx) => {
        const route = routers.get(groupOf(ctx.path));
        if (!route) throw unmatched(ctx, []);
        return route(ctx);
      };
    },
  };
}

function routerOf(rows: readonly Row[]): RequestRouter {
  const router = new Router({ sensitive: true });
  const layers = rows.map(({ path, method, handler }) => ({
    // `register` returns a layer for one path, and the router for a list of paths.
    layer: router.register(patternOf(path), [method], []) as Layer,
    handler,
  }));
  return (ctx) => {
    const { path } = ctx;
    const { method = '' } = ctx.req;
    for (const { layer, handler } of layers) {
      if (layer.methods.includes(method) && layer.match(path))
        return handler(ctx, layer.params(path, layer.captures(path)));
    }
    const matched = layers.filter(({ layer }) => layer.match(path));
    throw unmatched(
      ctx,
      matched.flatMap(({ layer }) => layer.methods),
    );
  };
}

function unmatched({ path, method }: Context, methods: readonly string[]): AppError {
  const allowed = [...new Set(methods)].toSorted().join(', ');
  if (allowed === '') return new AppError('not_found', `There is nothing at ${path}.`);
  return new AppError('method_not_allowed', `${path} allows ${allowed}, not ${method}.`, {
    headers: { Allow: allowed },
  });
}
