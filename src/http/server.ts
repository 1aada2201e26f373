import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import Koa, { type Context } from 'koa';
import { AppError } from '../base/errors.ts';
import { createServer } from '../base/http.ts';
import type { App } from '../kernel/app.ts';
import type { Route } from '../kernel/route.ts';
import { createBodyReader } from './input/bodies.ts';
import { cors } from './cors.ts';
import { serveDocs } from './docs/serve.ts';
import { errorAnswer } from './output/errors.ts';
import type { Health } from './health.ts';
import { healthAnswer } from './health.ts';
import { createHandler } from './handler.ts';
import { securityHeaders } from './output/security-headers.ts';
import { createOnce } from './idempotency.ts';
import { answerMalformed, judgeHead } from './input/malformed.ts';
import { answerMetrics, createRequestMeter, type Metric, type RequestMeter } from './metrics.ts';
import { openApiDocument } from './openapi/document.ts';
import { rateLimit } from './rate-limit.ts';
import { createRouting, unmatched } from './routing.ts';
import { transfer } from './output/etag-and-compression.ts';
import { createUploadReader } from './input/uploads.ts';

export type HttpOptions = {
  routes: readonly Route[];
  health: Health;
  /** What the rest of the program adds to `/metrics`. */
  measure?: () => Promise<Metric[]>;
  /** Check every answer against its schema and fail loudly; for tests and development. */
  checkAnswers: boolean;
};

/** Builds the HTTP server from the route table; it listens to nothing yet. */
export function createHttpServer(app: App, options: HttpOptions): Server {
  const koa = new Koa();
  koa.silent = true;
  koa.on('error', (error: unknown) => app.log.debug({ err: error }, 'a connection broke'));
  koa.use(securityHeaders(app.config));
  const acrossOrigins = cors(app.config);
  if (acrossOrigins) koa.use(acrossOrigins);
  const meter = createRequestMeter();
  koa.use(envelope(app, options.health, meter));
  koa.use(transfer());
  koa.use(answering(app, options, meter));
  koa.use(unmatched);
  const answer = koa.callback();
  // Without Host a request is refused like any other, in the envelope.
  const server = createServer({ requireHostHeader: false }, (request, response) => void answer(request, response));
  answerMalformed(app, server);
  // A slow or silent client must not hold a connection for ever; the largest upload passes at 0.7 Mbit/s.
  server.requestTimeout = 300_000;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 65_000;
  return server;
}

/** All that is answered: the route table, and what is no part of it. */
function answering(app: App, options: HttpOptions, meter: RequestMeter): Koa.Middleware {
  const { routes, health, checkAnswers } = options;
  const routing = createRouting();
  const handling = {
    readBody: createBodyReader(app.config),
    readUpload: createUploadReader(app.config),
    countRequest: rateLimit(app.config),
    once: createOnce(app),
    checkAnswers,
  };
  routing.add('GET', '/ready', async (ctx) => healthAnswer(ctx, await health.look()));
  routing.add('GET', '/livez', (ctx) => void (ctx.body = { status: 'alive' }));
  routing.add('GET', '/metrics', (ctx) =>
    answerMetrics(app, ctx, async () => [...meter.metrics(), ...((await options.measure?.()) ?? [])]),
  );
  serveDocs(routing, () => openApiDocument(routes, app.version));
  for (const route of routes) routing.add(route.method, route.path, createHandler(app, route, handling));
  return routing.middleware();
}

const requestIdPattern = /^[\x21-\x7e][\x20-\x7e]{0,127}$/;

/** The caller's own, or a new one. */
function requestIdOf(ctx: Context): string {
  const given = ctx.req.headers['x-request-id'];
  return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();
}

/** The layer around all work: names the request, refuses it while not serving, turns whatever is thrown into an answer, and logs. */
function envelope(app: App, health: Health, meter: RequestMeter): Koa.Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(ctx);
    ctx.state['requestId'] = requestId;
    ctx.res.setHeader('X-Request-Id', requestId);
    try {
      judgeHead(ctx.req);
      refuseUnlessServing(ctx, health);
      await next();
    } catch (error) {
      const answer = errorAnswer(error, requestId, app.log);
      ctx.status = answer.status;
      ctx.set(answer.headers);
      ctx.body = answer.body;
    }
    const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    meter.count(ctx, durationMs);
    app.log.info({ requestId, method: ctx.method, path: ctx.path, status: ctx.status, durationMs }, 'request');
  };
}

const unversioned = new Set(['/ready', '/livez']);

function refuseUnlessServing(ctx: Context, health: Health): void {
  const state = health.ready();
  if (state.status === 'ready' || state.status === 'degraded' || unversioned.has(ctx.path.replace(/\/$/, ''))) return;
  throw new AppError('unavailable', `The server is ${state.status}; try again shortly.`, {
    headers: { 'Retry-After': '1', Connection: 'close' },
  });
}
