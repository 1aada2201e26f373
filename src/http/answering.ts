import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Stream } from 'node:stream';
import type { Context } from 'koa';
import { AppError } from '../base/errors.ts';
import { stringify } from '../base/json.ts';
import type { App } from '../kernel/app.ts';
import { clientAddress } from './client-address.ts';
import { cors } from './cors.ts';
import type { Health } from './health.ts';
import { validateHead } from './input/malformed.ts';
import type { RequestMeter } from './metrics.ts';
import { errorAnswer } from './output/errors.ts';
import { answerNotModified, compressed, minCompressedLength } from './output/etag-and-compression.ts';
import { securityHeadersOf } from './output/security-headers.ts';
import { createSend, headersOf } from './output/send.ts';
import type { RequestRouter } from './routing.ts';

export type AnsweringOptions = {
  health: Health;
  meter: RequestMeter;
  route: RequestRouter;
};

/**
 * Returns the function that answers every request: it assigns the request id, refuses requests while the server is not ready, turns thrown
 * errors into answers, logs and sends. One function instead of a chain of Koa middleware, each link of which costs a request a promise.
 */
export function createAnswering(app: App, { health, meter, route }: AnsweringOptions): (ctx: Context) => Promise<void> {
  // The five fields of this line hold no secret, and looking for one takes longer (3 µs) than writing the line.
  const requestLog = app.log.child({}, { redact: [] });
  const addressOf = clientAddress(app.config);
  const answerCors = cors(app.config);
  const send = createSend([...securityHeadersOf(app.config)].flat());

  return async (ctx) => {
    if (answerCors?.(ctx)) return send(ctx);
    const startedAt = performance.now();
    const { req, res } = ctx;
    const requestId = requestIdOf(req);
    ctx.state['requestId'] = requestId;
    ctx.request.ip = addressOf(req);
    headersOf(ctx).push('X-Request-Id', requestId);
    let body: string | Buffer | undefined;
    let path = '';
    try {
      validateHead(req);
      path = pathOf(ctx);
      refuseUnlessReady(path, health);
      const text = (await route(ctx)) ?? textOf(ctx.body);
      const confirming = isProbe(path) ? undefined : health.requireTurn();
      if (confirming) await confirming;
      if (text !== undefined && !answerNotModified(ctx, text)) {
        body = text.length < minCompressedLength ? text : await compressed(ctx, text);
        if (!res.hasHeader('Content-Type')) headersOf(ctx).push('Content-Type', jsonType);
      }
    } catch (error) {
      const answer = errorAnswer(error, requestId, app.log);
      ctx.status = answer.status;
      headersOf(ctx).push('Content-Type', jsonType, ...Object.entries(answer.headers).flat());
      body = JSON.stringify(answer.body);
    }
    const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    meter.count(ctx, durationMs);
    if (requestLog.level !== app.log.level) requestLog.level = app.log.level; // changed while the server runs
    requestLog.info({ requestId, method: req.method, path, status: res.statusCode, durationMs }, 'request');
    send(ctx, body);
  };
}

const jsonType = 'application/json; charset=utf-8';

/** The JSON or text of the body that a handler has set; undefined if there is none, or if it is a stream or buffer. */
function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (body === null || typeof body !== 'object' || body instanceof Stream || Buffer.isBuffer(body)) return undefined;
  return stringify(body);
}

/** @throws invalid for an address such as `http://[`, or one without a path such as `http://?x` */
function pathOf({ request }: Context): string {
  const path = parsedPath(request);
  if (path === null) throw new AppError('invalid', 'The address of this request is not a valid URL.');
  return path;
}

function parsedPath(request: Context['request']): string | null {
  try {
    return request.path; // null where parseurl finds no path
  } catch {
    return null;
  }
}

const requestIdPattern = /^[\x21-\x7e][\x20-\x7e]{0,127}$/;

/** The caller's `X-Request-Id` if it is valid, else a new one. */
function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && requestIdPattern.test(sent) ? sent : randomUUID();
}

/** Probes are answered in every state. */
const probePaths = new Set(['/ready', '/livez']);
const isProbe = (path: string): boolean => probePaths.has(path.replace(/\/$/, ''));

function refuseUnlessReady(path: string, health: Health): void {
  const state = health.readiness();
  if (state.status === 'ready' || state.status === 'degraded' || isProbe(path)) return;
  throw new AppError('unavailable', `The server is ${state.status}; try again shortly.`, {
    headers: { 'Retry-After': '1', Connection: 'close' },
  });
}
