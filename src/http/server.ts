import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import Koa, { type Context } from 'koa';
import { AppError } from '../base/errors.ts';
import { createServer } from '../base/http.ts';
import type { App } from '../kernel/app.ts';
import type { Metric } from '../kernel/metric.ts';
import type { Route } from '../kernel/route.ts';
import { clientAddress } from './client-address.ts';
import { cors } from './cors.ts';
import { assetPath, pagePaths } from './dashboard/pages.ts';
import { createDashboard, type Dashboard, type LoadDashboard } from './dashboard/serve.ts';
import { docsHandlers } from './docs/serve.ts';
import { createHandler, type Handler } from './handler.ts';
import { type Health, sendReadiness } from './health.ts';
import { createIdempotency } from './idempotency.ts';
import { createBodyReader } from './input/bodies.ts';
import { largeBodiesOf } from './input/large-bodies/thread.ts';
import { answerMalformed, validateHead } from './input/malformed.ts';
import { createUploadReader } from './input/uploads.ts';
import { createRequestMeter, type RequestMeter, sendMetrics } from './metrics.ts';
import { openApiDocument } from './openapi/document.ts';
import { errorAnswer } from './output/errors.ts';
import { etagAndCompression } from './output/etag-and-compression.ts';
import { securityHeaders } from './output/security-headers.ts';
import { rateLimit } from './rate-limit.ts';
import { plainEndpoints, type PlainOperation } from './routes.ts';
import { createRouting, refuseUnmatched, type Routing } from './routing.ts';

export type HttpOptions = {
  routes: readonly Route[];
  health: Health;
  /** Loads the dashboard when its first page is opened. Without it the server has no pages. */
  dashboard?: LoadDashboard;
  /** Metrics that other parts of the program add to `/metrics`. */
  measure?: () => Promise<Metric[]>;
  /** Validate every answer against its schema and answer 500 if it does not match; for tests and development. */
  checkAnswers: boolean;
};

/**
 * Builds the HTTP server from the route table, without listening yet. The middleware below is in the order in which a request passes
 * it; handler.ts continues from there.
 */
export function createHttpServer(app: App, options: HttpOptions): Server {
  const koa = new Koa();
  koa.silent = true;
  koa.on('error', (error: unknown) => app.log.debug({ err: error }, 'connection failed'));
  koa.use(securityHeaders(app.config));
  const corsMiddleware = cors(app.config);
  if (corsMiddleware) koa.use(corsMiddleware);
  const meter = createRequestMeter();
  koa.use(clientAddress(app.config));
  koa.use(answerErrorsAndLog(app, options.health, meter));
  koa.use(etagAndCompression());
  const dashboard = options.dashboard && createDashboard(app, options.dashboard);
  if (dashboard) koa.use(dashboard.notFound);
  koa.use(createServerRouting(app, options, meter, dashboard).middleware());
  koa.use(refuseUnmatched);
  const handleRequest = koa.callback();
  // Node would refuse a request without Host with an empty body; `validateHead` refuses it in the envelope.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    void handleRequest(request, response);
  });
  answerMalformed(app, server);
  // A slow or silent client must not hold a connection forever. 5 minutes suffice for the largest upload at 0.7 Mbit/s.
  server.requestTimeout = 300_000;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 65_000;
  server.once('close', () => void largeBodiesOf(app).close());
  return server;
}

/** Registers every endpoint: the operations of the API and the plain ones. */
export function createServerRouting(
  app: App,
  options: HttpOptions,
  meter: RequestMeter,
  dashboard?: Dashboard,
): Routing {
  const { routes, health, checkAnswers, measure } = options;
  const routing = createRouting();
  const limit = rateLimit(app);
  const handlerOptions = {
    readBody: createBodyReader(app.config),
    readUpload: createUploadReader(app.config),
    rateLimit: limit,
    idempotency: createIdempotency(app),
    checkAnswers,
  };
  const plainHandlers: Record<PlainOperation, Handler> = {
    getReadiness: async (ctx) => sendReadiness(ctx, await health.probe()),
    getLiveness: (ctx) => void (ctx.body = { status: 'alive' }),
    getMetrics: (ctx) => sendMetrics(app, ctx, async () => [...meter.metrics(), ...((await measure?.()) ?? [])]),
    ...docsHandlers(() => openApiDocument(routes, app.version), limit),
  };
  for (const { method, path, operationId } of plainEndpoints) routing.add(method, path, plainHandlers[operationId]);
  if (dashboard) {
    for (const path of pagePaths) routing.add('GET', path, dashboard.page(path));
    routing.add('GET', assetPath, dashboard.asset);
  }
  for (const route of routes) routing.add(route.method, route.path, createHandler(app, route, handlerOptions));
  return routing;
}

const requestIdPattern = /^[\x21-\x7e][\x20-\x7e]{0,127}$/;

/** The caller's `X-Request-Id` if it is valid, else a new one. */
function requestIdOf(ctx: Context): string {
  const sent = ctx.req.headers['x-request-id'];
  return typeof sent === 'string' && requestIdPattern.test(sent) ? sent : randomUUID();
}

/** Assigns the request id, refuses requests while not ready, turns thrown errors into answers, and logs every request. */
function answerErrorsAndLog(app: App, health: Health, meter: RequestMeter): Koa.Middleware {
  // The five fields of this line hold no secret, and looking for one takes longer (3 µs) than writing the line.
  const requestLog = app.log.child({}, { redact: [] });
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(ctx);
    ctx.state['requestId'] = requestId;
    ctx.res.setHeader('X-Request-Id', requestId);
    try {
      validateHead(ctx.req);
      refuseUnlessReady(ctx, health);
      await next();
    } catch (error) {
      const answer = errorAnswer(error, requestId, app.log);
      ctx.status = answer.status;
      ctx.set(answer.headers);
      ctx.body = answer.body;
    }
    const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    meter.count(ctx, durationMs);
    requestLog.info({ requestId, method: ctx.method, path: ctx.path, status: ctx.status, durationMs }, 'request');
  };
}

/** Probes are answered in every state. */
const probePaths = new Set(['/ready', '/livez']);

function refuseUnlessReady(ctx: Context, health: Health): void {
  const state = health.readiness();
  if (state.status === 'ready' || state.status === 'degraded' || probePaths.has(ctx.path.replace(/\/$/, ''))) return;
  throw new AppError('unavailable', `The server is ${state.status}; try again shortly.`, {
    headers: { 'Retry-After': '1', Connection: 'close' },
  });
}
