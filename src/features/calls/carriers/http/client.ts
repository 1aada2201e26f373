import pRetry from 'p-retry';
import { realTimeMs } from '../../../../base/clock.ts';
import { OutboundError, type OutboundResponse } from '../../../../base/outbound/client.ts';
import { signatureHeaders } from '../../../../base/standard-webhooks.ts';
import type { App } from '../../../../kernel/app.ts';
import { userAgent } from '../../../../kernel/user-agent.ts';
import type { VoiceRuntime } from './settings.ts';

type Message = {
  method: 'GET' | 'POST';
  url: string;
  /** Sent as `webhook-id` and, with a POST, as `Idempotency-Key`: a repeated message has the same id. */
  id: string;
  /** Empty for a GET. */
  body: string;
};

/** Far above any sensible answer. A longer one is cut off here and then fails to parse as JSON. */
const keepBytes = 64 * 1024;

/** Enough for a runtime that restarts; after longer outages the job tries again. Times are in milliseconds. */
const quickRetries = { retries: 2, minTimeout: 50, factor: 3, unref: true };

/** Whether the request certainly never reached the runtime. */
export const wasNotSent = (error: unknown): error is OutboundError => error instanceof OutboundError && !error.sent;

/** Whether trying again at once may succeed: the connection was refused, or the host name was not found. */
const isConnectFailure = (error: Error): boolean =>
  wasNotSent(error) && (error.reason === 'connect' || error.reason === 'dns');

/**
 * Sends a signed request to the voice runtime and returns the answer, whatever its status. Never sends the request again, because a dial
 * needs a new decision before each try.
 * @throws {OutboundError} when no answer came
 */
export function sendOnce(
  app: App,
  { secret, timeoutMs }: VoiceRuntime,
  { method, url, id, body }: Message,
): Promise<OutboundResponse> {
  const timestampSec = Math.floor(realTimeMs() / 1000);
  const headers = {
    accept: 'application/json',
    'user-agent': userAgent(app),
    ...(method === 'POST' ? { 'content-type': 'application/json', 'idempotency-key': id } : {}),
    ...signatureHeaders([secret], { id, timestampSec, body }),
  };
  const content = method === 'POST' ? { body } : {};
  return app.upstream.request(url, { method, headers, ...content, timeoutMs, keepBytes });
}

/**
 * Like `sendOnce`, but makes up to two more tries if no connection could be made. For requests that are safe to repeat.
 * @throws {OutboundError} when no answer came
 */
export const send = (app: App, runtime: VoiceRuntime, message: Message): Promise<OutboundResponse> =>
  pRetry(() => sendOnce(app, runtime, message), {
    ...quickRetries,
    maxRetryTime: runtime.timeoutMs,
    shouldRetry: ({ error }) => isConnectFailure(error),
  });
