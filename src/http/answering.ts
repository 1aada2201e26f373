import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Stream } from 'node:stream';
import type { Context } from 'koa';
import { AppError } from '../base/errors.ts';
import { stringify } from '../base/json.ts';
import type { App } from '../kernel/app.ts';
import { clientAddress } from './client-address.ts';
import { cors } from './cors.ts';
import type { Dashboard } from './dashboard/serve.ts';
import type { Handler } from './handler.ts';
import type { Health } from './health.ts';
import { validateHead } from './input/malformed.ts';
import type { RequestMeter } from './metrics.ts';
import { errorAnswer } from './output/errors.ts';
import { compressed, isUnchanged } from './output/etag-and-compression.ts';
import { securityHeadersOf } from './output/security-headers.ts';
import { createSend, headersOf } from './output/send.ts';

export type AnsweringOptions = {
  health: Health;
  meter: RequestMeter;
  dashboard: Dashboard | undefined;
  /** Calls the handler of the request's path and method. */
  route: (ctx: Context) => ReturnType<Handler>;
};

/**
 * Returns the function that answers every request: it assigns the request id, refuses requests while the server is not ready, turns thrown
 * errors into answers, logs and sends. One function rather than Koa's chain of middleware, whose every link costs each request a promise.
 */
export function createAnswering(
  app: App,
  { health, meter, dashboard, route }: AnsweringOptions,
): (ctx: Context) => Promise<void> {
  // The five fields of this line hold no secret, and looking for one takes longer (3 µs) than writing the line.
  const requestLog = app.log.child({}, { redact: [] });
  const addressOf = clientAddress(app.config);
  const answerCors = cors(app.config);
  const send = createSend([...securityHeadersOf(app.config)].flat());

  /** The text that answers a request; undefined if the handler has set another `ctx.body`. */
  async function answerText(ctx: Context): Promise<string | undefined> {
    try {
      return (await route(ctx)) ?? textOf(ctx.body);
    } catch (error) {
      if (!(await dashboard?.answerNotFound(ctx, error))) throw error;
      return textOf(ctx.body);
    }
  }

  async function bodyOf(ctx: Context): Promise<string | Buffer | undefined> {
    const text = await answerText(ctx);
    if (text === undefined || isUnchanged(ctx, text)) return undefined;
    const body = compressed(ctx, text);
    return typeof body === 'string' ? body : await body;
  }

  return async (ctx) => {
    if (answerCors?.(ctx) === 'answered') return send(ctx);
    const startedAt = performance.now();
    const { req, res } = ctx;
    const requestId = requestIdOf(req);
    ctx.state['requestId'] = requestId;
    ctx.request.ip = addressOf(req);
    headersOf(ctx).push('X-Request-Id', requestId);
    let body: string | Buffer | undefined;
    try {
      validateHead(req);
      refuseUnlessReady(ctx, health);
      body = await bodyOf(ctx);
      if (body !== undefined && !res.hasHeader('Content-Type')) headersOf(ctx).push('Content-Type', jsonType);
    } catch (error) {
      const answer = errorAnswer(error, requestId, app.log);
      ctx.status = answer.status;
      headersOf(ctx).push('Content-Type', jsonType, ...Object.entries(answer.headers).flat());
      body = JSON.stringify(answer.body);
    }
    const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    meter.count(ctx, durationMs);
    requestLog.info({ requestId, method: req.method, path: ctx.path, status: res.statusCode, durationMs }, 'request');
    send(ctx, body);
  };
}

const jsonType = 'application/json; charset=utf-8';

/** A body that a handler has set, as text; undefined if there is none, or if it is a stream or buffer. */
function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (body === null || typeof body !== 'object' || body instanceof Stream || Buffer.isBuffer(body)) return undefined;
  return stringify(body);
}

const requestIdPattern = /^[\x21-\x7e][\x20-\x7e]{0,127}$/;

/** The caller's `X-Request-Id` if it is valid, else a new one. */
function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && requestIdPattern.test(sent) ? sent : randomUUID();
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
