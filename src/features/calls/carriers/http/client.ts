import pRetry from 'p-retry';
import { OutboundError, type OutboundResponse } from '../../../../base/outbound/client.ts';
import { signatureHeaders } from '../../../../base/standard-webhooks.ts';
import type { App } from '../../../../kernel/app.ts';
import { userAgent } from '../../../../kernel/user-agent.ts';
import type { VoiceRuntime } from './settings.ts';

type Message = {
  method: 'GET' | 'POST';
  url: string;
  /** `webhook-id`, and for a POST the `Idempotency-Key`: the same whenever the same thing is said again. */
  id: string;
  /** Empty for a GET. */
  body: string;
};

/** More than any sensible answer; one that is cut off does not read as JSON. */
const keepBytes = 64 * 1024;

/** Tries right after one another, for the moment in which a runtime restarts; whoever asked tries again later by rows. */
const quickRetries = { retries: 2, minTimeout: 50, factor: 3, unref: true };

/** Whether the runtime certainly has not heard of the request. */
export const isUnheard = (error: unknown): error is OutboundError => error instanceof OutboundError && !error.sent;

/** Failures that come at once and may be over at once. */
const isRefused = (error: Error): boolean => isUnheard(error) && (error.reason === 'connect' || error.reason === 'dns');

/**
 * Sends a signed request to the voice runtime; any status is an answer. Only what was never sent is sent again.
 * @throws an OutboundError
 */
export function send(
  app: App,
  { secret, timeoutMs }: VoiceRuntime,
  { method, url, id, body }: Message,
): Promise<OutboundResponse> {
  const sendOnce = (): Promise<OutboundResponse> => {
    const timestampSec = Math.floor(app.clock.now() / 1000);
    const headers = {
      accept: 'application/json',
      'user-agent': userAgent(app),
      ...(method === 'POST' ? { 'content-type': 'application/json', 'idempotency-key': id } : {}),
      ...signatureHeaders([secret], { id, timestampSec, body }),
    };
    const content = method === 'POST' ? { body } : {};
    return app.upstream.request(url, { method, headers, ...content, timeoutMs, keepBytes });
  };
  return pRetry(sendOnce, { ...quickRetries, maxRetryTime: timeoutMs, shouldRetry: ({ error }) => isRefused(error) });
}
