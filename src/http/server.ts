import type { Server } from 'node:http';
import type { SecureVersion } from 'node:tls';
import Koa, { type Context } from 'koa';
import { createServer, createTlsServer } from '../base/http.ts';
import type { App } from '../kernel/app.ts';
import type { Metric } from '../base/metric.ts';
import type { Route } from '../kernel/route.ts';
import { createAnswering } from './answering.ts';
import { createConnectionLimit } from './connection-limit.ts';
import { assetPath, pagePaths } from './dashboard/pages.ts';
import { createDashboard, type Dashboard, type LoadDashboard } from './dashboard/serve.ts';
import type { KeepSearchIndex } from './docs/guides/search.ts';
import type { GuideTexts } from './docs/guides/source.ts';
import { docsHandlers } from './docs/serve.ts';
import { createHandler, type Handler } from './handler.ts';
import { type Health, sendReadiness } from './health.ts';
import { createIdempotency } from './idempotency.ts';
import { createBodyReader } from './input/bodies.ts';
import { largeBodiesOf } from './input/large-bodies/thread.ts';
import { answerMalformed } from './input/malformed.ts';
import { createUploadReader } from './input/uploads.ts';
import { createRequestMeter, type RequestMeter, sendMetrics } from './metrics.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { openApiDocument } from './openapi/document.ts';
import { rateLimit } from './rate-limit.ts';
import { plainEndpoints, type PlainOperation } from './routes.ts';
import { acceptUpgrades, isUpgrade, type Upgrade } from './upgrades.ts';
import { createRouting, type RequestRouter, type Routing } from './routing.ts';

export type HttpOptions = {
  routes: readonly Route[];
  health: Health;
  /** Loads the dashboard when its first page is opened. Without it the server has no pages. */
  dashboard?: LoadDashboard;
  /** The guides at `/docs/guides`. Without them there is the reference alone. */
  guides?: { texts: () => GuideTexts; keep: KeepSearchIndex };
  /** Metrics that other parts of the program add to `/metrics`. */
  measure?: () => Promise<Metric[]>;
  /** Takes connections that become WebSockets. */
  upgrade?: Upgrade;
  /** Validate every answer against its schema and answer 500 if it does not match; for tests and development. */
  checkAnswers: boolean;
  /** Serves HTTPS with this certificate and key (PEM) and this oldest version of TLS. Without it, plain HTTP. */
  tls?: { cert: string; key: string; minVersion: SecureVersion };
};

/** Builds the HTTP server from the route table, without listening yet. answering.ts answers each request. */
export function createHttpServer(app: App, options: HttpOptions): Server {
  const meter = createRequestMeter();
  const connections = createConnectionLimit(app.config);
  const dashboard = options.dashboard && createDashboard(app, options.dashboard);
  const route = createServerRouting(
    app,
    { ...options, measure: measureWith(connections.metric, options.measure) },
    meter,
    dashboard,
  ).router();
  const routeOrPage = dashboard ? withNotFoundPage(route, dashboard) : route;
  const answer = createAnswering(app, { health: options.health, meter, route: routeOrPage });
  const koa = new Koa();
  koa.silent = true;
  koa.on('error', (error: unknown) => app.log.debug({ err: error }, 'connection failed'));
  koa.use((ctx) => {
    ctx.respond = false; // `answer` sends what it answers
    ctx.res.statusCode = 200; // Koa begins with 404
    return answer(ctx);
  });
  const handleRequest = koa.callback();
  // Node would refuse a request without Host with an empty body; `validateHead` refuses it in the envelope.
  const listener = oneAtATime((request, response) => void handleRequest(request, response));
  const server = options.tls
    ? createTlsServer({ ...options.tls, ...serverOptions }, listener)
    : createServer(serverOptions, listener);
  if (options.upgrade) acceptUpgrades(app, server, options.upgrade);
  server.prependListener('connection', connections.admit);
  answerMalformed(app, server);
  // A slow or silent client must not hold a connection forever. An hour suffices for the largest import at 1.2 Mbit/s.
  server.requestTimeout = 3_600_000;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 65_000;
  server.once('close', () => void largeBodiesOf(app).close());
  return server;
}

const serverOptions = { requireHostHeader: false, shouldUpgradeCallback: isUpgrade };

const measureWith =
  (metric: () => Metric, measure: HttpOptions['measure']): (() => Promise<Metric[]>) =>
  async () => [metric(), ...((await measure?.()) ?? [])];

/** Answers with a page where there is nothing, if the client accepts one; never under `/api/`, whose clients are programs. */
function withNotFoundPage(route: RequestRouter, dashboard: Dashboard): RequestRouter {
  const routeOrPage = async (ctx: Context) => {
    try {
      return await route(ctx);
    } catch (error) {
      if (await dashboard.answerNotFound(ctx, error)) return undefined;
      throw error;
    }
  };
  return (ctx) => (ctx.path.startsWith('/api/') ? route(ctx) : routeOrPage(ctx));
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
    getLiveness: () => JSON.stringify({ status: 'alive' }),
    getMetrics: (ctx) => sendMetrics(app, ctx, async () => [...meter.metrics(), ...((await measure?.()) ?? [])]),
    ...docsHandlers(() => openApiDocument(routes, app.version), options.guides, limit),
  };
  for (const { method, path, operationId } of plainEndpoints) routing.add(method, path, plainHandlers[operationId]);
  if (dashboard) {
    for (const path of pagePaths) routing.add('GET', path, dashboard.page(path));
    routing.add('GET', assetPath, dashboard.asset);
  }
  for (const route of routes) routing.add(route.method, route.path, createHandler(app, route, handlerOptions));
  return routing;
}
