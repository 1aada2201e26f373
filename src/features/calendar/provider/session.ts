import pRetry from 'p-retry';
import { monotonicMs, pause } from '../../../base/clock.ts';
import { OutboundError, type OutboundResponse } from '../../../base/outbound/client.ts';
import type { App } from '../../../kernel/app.ts';
import { userAgent } from '../../../kernel/user-agent.ts';
import type { Static, TSchema } from '../../../kernel/schema.ts';
import { dataOf } from './answer.ts';
import { ProviderFailure } from './failure.ts';

/** A key, and one time-out for all requests made with it. Time-outs are real time, also under the test clock. */
export type Session = {
  app: App;
  key: string;
  timeoutMs: number;
  /** When the time-out ends, by the monotonic clock of the process. */
  deadlineMs: number;
  /** How often a GET is retried. */
  retries: number;
  signal: AbortSignal | undefined;
};

export type SessionOptions = { timeoutMs?: number; retries?: number; signal?: AbortSignal };

export function openSession(app: App, key: string, options: SessionOptions = {}): Session {
  const timeoutMs = options.timeoutMs ?? app.config.calendar.timeout_ms;
  const deadlineMs = monotonicMs() + timeoutMs;
  return { app, key, timeoutMs, deadlineMs, retries: options.retries ?? 2, signal: options.signal };
}

type ProviderRequest<S extends TSchema> = { path: string; version: string; schema: S };

/** More bytes than all event types of a person take. A longer response is cut off and then fails to parse as JSON. */
const maxResponseBytes = 1024 * 1024;
/** Requests are not retried when the provider asks to wait longer than this. */
const maxRetryAfterMs = 2000;
const quickRetries = { minTimeout: 100, factor: 4, unref: true };

/** @throws ProviderFailure when the provider cannot be reached, times out, or does not answer as expected, after the retries */
export async function get<S extends TSchema>(session: Session, request: ProviderRequest<S>): Promise<Static<S>> {
  const attempt = async (): Promise<Static<S>> =>
    dataOf(await send(session, { ...request, method: 'GET' }), request.schema, session.key);
  return pRetry(attempt, {
    ...quickRetries,
    retries: session.retries,
    maxRetryTime: remainingMs(session),
    ...(session.signal ? { signal: session.signal } : {}),
    shouldRetry: ({ error }) => shouldRetry(session, error),
  });
}

/**
 * Sends a POST once and never again: without a response, the provider may or may not have acted on the request.
 * @throws ProviderFailure when the provider cannot be reached, times out, or does not answer as expected
 */
export async function post<S extends TSchema>(
  session: Session,
  request: ProviderRequest<S> & { body: unknown },
): Promise<Static<S>> {
  const response = await send(session, { ...request, method: 'POST', body: JSON.stringify(request.body) });
  return dataOf(response, request.schema, session.key);
}

const remainingMs = ({ deadlineMs }: Session): number => Math.max(0, deadlineMs - monotonicMs());

type Message = { method: 'GET' | 'POST'; path: string; version: string; body?: string };

async function send(session: Session, { method, path, version, body }: Message): Promise<OutboundResponse> {
  const { app, key } = session;
  const timeoutMs = Math.ceil(remainingMs(session));
  if (timeoutMs === 0) throw timedOut(session);
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${key}`,
    'cal-api-version': version,
    'user-agent': userAgent(app),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const limits = { timeoutMs, maxResponseBytes, keepBytes: maxResponseBytes };
  const content = body === undefined ? {} : { body };
  try {
    return await app.upstream.request(`${baseUrl(app)}/v2${path}`, { method, headers, ...content, ...limits });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.reason === 'timeout') throw timedOut(session, error);
    throw new ProviderFailure('failed', `The calendar provider is out of reach. ${error.message}`, {
      temporary: error.reason === 'connect' || error.reason === 'dns',
      notSent: !error.sent,
      cause: error,
    });
  }
}

const baseUrl = (app: App): string => app.config.calendar.base_url.replace(/\/+$/, '');

const timedOut = (session: Session, cause?: OutboundError): ProviderFailure =>
  new ProviderFailure('failed', `The calendar provider did not answer within ${session.timeoutMs / 1000} s.`, {
    notSent: cause === undefined || !cause.sent,
    cause,
  });

/** Whether to retry after an error; waits first if the provider asks for a short delay. */
async function shouldRetry(session: Session, error: Error): Promise<boolean> {
  if (!(error instanceof ProviderFailure) || !error.options.temporary) return false;
  const waitMs = error.options.retryAfterMs ?? 0;
  if (waitMs > Math.min(maxRetryAfterMs, remainingMs(session))) return false;
  if (waitMs > 0) await pause(waitMs);
  return true;
}
