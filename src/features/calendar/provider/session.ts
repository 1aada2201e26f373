import pRetry from 'p-retry';
import { monotonicMs, pause } from '../../../base/clock.ts';
import { OutboundError, type OutboundResponse } from '../../../base/outbound/client.ts';
import type { App } from '../../../kernel/app.ts';
import { userAgent } from '../../../kernel/user-agent.ts';
import type { Static, TSchema } from '../../../kernel/schema.ts';
import { dataOf } from './answer.ts';
import { ProviderFailure } from './failure.ts';

/** A key and the time that is left to ask with it: all requests of a session together have one time-out. Network time is real. */
export type Session = {
  app: App;
  key: string;
  patienceMs: number;
  /** On the monotonic clock. */
  deadlineMs: number;
  /** How often a request that changes nothing is repeated at once. */
  retries: number;
  signal: AbortSignal | undefined;
};

export type SessionOptions = { patienceMs?: number; retries?: number; signal?: AbortSignal };

export function openSession(app: App, key: string, options: SessionOptions = {}): Session {
  const patienceMs = options.patienceMs ?? app.config.calendar.timeout_ms;
  const deadlineMs = monotonicMs() + patienceMs;
  return { app, key, patienceMs, deadlineMs, retries: options.retries ?? 2, signal: options.signal };
}

type Asking<S extends TSchema> = { path: string; version: string; schema: S };

/** More than a person's event types take together; a longer answer is cut off, and then no JSON. */
const maxResponseBytes = 8 * 1024 * 1024;
/** A provider that wants to be left alone for longer is not asked again in the same breath. */
const longestPauseMs = 2000;
const quickRetries = { minTimeout: 100, factor: 4, unref: true };

/** @throws ProviderFailure */
export async function get<S extends TSchema>(session: Session, asking: Asking<S>): Promise<Static<S>> {
  const attempt = async (): Promise<Static<S>> =>
    dataOf(await send(session, { ...asking, method: 'GET' }), asking.schema, session.key);
  return pRetry(attempt, {
    ...quickRetries,
    retries: session.retries,
    maxRetryTime: leftMs(session),
    ...(session.signal ? { signal: session.signal } : {}),
    shouldRetry: ({ error }) => hasPassed(session, error),
  });
}

/** Asks once, come what may: whether a request without an answer was heard is not known. @throws ProviderFailure */
export async function post<S extends TSchema>(
  session: Session,
  asking: Asking<S> & { body: unknown },
): Promise<Static<S>> {
  const response = await send(session, { ...asking, method: 'POST', body: JSON.stringify(asking.body) });
  return dataOf(response, asking.schema, session.key);
}

const leftMs = ({ deadlineMs }: Session): number => Math.max(0, deadlineMs - monotonicMs());

type Message = { method: 'GET' | 'POST'; path: string; version: string; body?: string };

async function send(session: Session, { method, path, version, body }: Message): Promise<OutboundResponse> {
  const { app, key, patienceMs } = session;
  const timeoutMs = Math.ceil(leftMs(session));
  if (timeoutMs === 0) throw tooSlow(patienceMs);
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
    if (error.reason === 'timeout') throw tooSlow(patienceMs, error);
    throw new ProviderFailure('failed', `The calendar provider is out of reach. ${error.message}`, {
      passing: error.reason === 'connect' || error.reason === 'dns',
      unheard: !error.sent,
      cause: error,
    });
  }
}

const baseUrl = (app: App): string => app.config.calendar.base_url.replace(/\/+$/, '');

const tooSlow = (patienceMs: number, cause?: OutboundError): ProviderFailure =>
  new ProviderFailure('failed', `The calendar provider did not answer within ${patienceMs / 1000} s.`, {
    unheard: cause === undefined || !cause.sent,
    cause,
  });

/** Whether it is worth asking again; waits first as long as the provider wants to be left alone. */
async function hasPassed(session: Session, error: Error): Promise<boolean> {
  if (!(error instanceof ProviderFailure) || !error.options.passing) return false;
  const waitMs = error.options.retryAfterMs ?? 0;
  if (waitMs > Math.min(longestPauseMs, leftMs(session))) return false;
  if (waitMs > 0) await pause(waitMs);
  return true;
}
