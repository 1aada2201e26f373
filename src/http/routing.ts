import Router from '@koa/router';
import type Koa from 'koa';
import { AppError } from '../base/errors.ts';
import type { Handler } from './handler.ts';

/** What answers requests, by path and method. */
export type Routing = {
  /** Takes a path with `{name}` for its parameters. */
  add(method: string, path: string, handler: Handler): void;
  /** To be called when all is added. */
  middleware(): Koa.Middleware;
};

type Row = { method: string; path: string; handler: Handler };

/** More segments than any route has; a hostile path may have thousands. */
const mostSegments = 16;

/**
 * What tells routes apart at a glance: the first segment that differs (`contacts` of `/api/v1/contacts/{id}`, `docs` of
 * `/docs/docs.css`) and how many there are, whether or not a slash follows.
 */
function kindOf(path: string): string {
  const segments = path.split('/', mostSegments);
  if (segments.at(-1) === '') segments.pop();
  return `${segments.length} ${segments[1] === 'api' ? segments[3] : segments[1]}`;
}

/** Literal paths before those with parameters, so that `/contacts/export` is not taken for a contact. */
const bySpecificity = (a: Row, b: Row): number => a.path.split('{').length - b.path.split('{').length;

/** The router takes a path that has no trailing slash with one, too (contract, section 1), but not the other way round. */
const patternOf = (path: string): string => path.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * A router for each kind of thing: one tries its paths one after the other, and a hundred of them cost a request a tenth of its time.
 * GET answers HEAD.
 */
export function createRouting(): Routing {
  const rows: Row[] = [];
  return {
    add: (method, path, handler) => void rows.push({ method, path, handler }),
    middleware() {
      const kinds = Map.groupBy(rows.toSorted(bySpecificity), ({ path }) => kindOf(path));
      const routers = new Map([...kinds].map(([kind, ofKind]) => [kind, routerOf(ofKind)]));
      return (ctx, next) => routers.get(kindOf(ctx.path))?.(ctx, next) ?? next();
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

/** Whatever nothing answered: a known path with another method is 405 with what it allows, anything else 404. */
export function unmatched(ctx: Koa.Context): void {
  const matched = (ctx['matched'] ?? []) as Array<{ methods: string[] }>;
  const allowed = [...new Set(matched.flatMap(({ methods }) => methods))].toSorted().join(', ');
  if (allowed === '') throw new AppError('not_found', `There is nothing at ${ctx.path}.`);
  throw new AppError('method_not_allowed', `${ctx.path} allows ${allowed}, not ${ctx.method}.`, {
    headers: { Allow: allowed },
  });
}
