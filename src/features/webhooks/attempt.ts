import { realTimeMs } from '../../base/clock.ts';
import { OutboundError, type OutboundResponse } from '../../base/outbound/client.ts';
import type { App } from '../../kernel/app.ts';
import { userAgent } from '../../kernel/user-agent.ts';
import { keptHeaders } from './attempt-headers.ts';
import type { AttemptResult } from './delivery.ts';
import type { NewAttempt, OutgoingDelivery } from './delivery-store.ts';
import { retryAfterMs } from './retry.ts';
import { signingSecretsAt } from './secrets.ts';
import { signatureHeaders } from './signature.ts';

/** A finished attempt: the record to store, and the result that decides what happens next. */
export type AttemptOutcome = { attempt: Omit<NewAttempt, 'number'>; result: AttemptResult };

/**
 * Posts an event to its endpoint once. Any response and any network error becomes an outcome. The time-out is real time.
 * @throws OutboundError `aborted` when the server stops meanwhile, which says nothing about the endpoint; Error when the signing secret is
 * missing or cannot be decrypted
 */
export async function sendAttempt(app: App, delivery: OutgoingDelivery): Promise<AttemptOutcome> {
  const at = app.clock.now();
  const body = Buffer.from(delivery.body);
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent(app),
    ...signatureHeaders(signingSecretsAt(app, delivery, at), {
      id: delivery.eventId,
      timestampSec: Math.floor(realTimeMs() / 1000),
      body,
    }),
  };
  try {
    const timeoutMs = app.config.webhooks.timeout_ms;
    const response = await app.outbound.post(delivery.url, { headers, body, timeoutMs });
    return outcomeOfResponse({ at, requestHeaders: JSON.stringify(headers) }, response, app.clock.now());
  } catch (error) {
    if (!(error instanceof OutboundError) || error.reason === 'aborted') throw error;
    return outcomeOfError({ at, requestHeaders: JSON.stringify(headers) }, error);
  }
}

type Sent = Pick<NewAttempt, 'at' | 'requestHeaders'>;

function outcomeOfResponse(sent: Sent, response: OutboundResponse, now: number): AttemptOutcome {
  const { statusCode, durationMs, responseStart: responseBody } = response;
  const attempt = { ...sent, durationMs, statusCode, responseBody, responseHeaders: keptHeaders(response.headers) };
  if (statusCode >= 200 && statusCode < 300) return { attempt: { ...attempt, error: null }, result: { ok: true } };
  const honorsRetryAfter = statusCode === 429 || statusCode === 503;
  return {
    attempt: { ...attempt, error: errorFor(statusCode) },
    result: {
      ok: false,
      gone: statusCode === 410,
      retryAfterMs: honorsRetryAfter ? retryAfterMs(response.headers['retry-after'], now) : null,
    },
  };
}

function errorFor(statusCode: number): string {
  if (statusCode >= 300 && statusCode < 400) {
    return `The endpoint answered ${statusCode}; redirects are not followed, so save the URL that it redirects to.`;
  }
  if (statusCode === 410) return 'The endpoint answered 410 Gone: it does not want any more events.';
  return `The endpoint answered ${statusCode}; only a status from 200 to 299 counts as success.`;
}

const outcomeOfError = (sent: Sent, error: OutboundError): AttemptOutcome => ({
  attempt: {
    ...sent,
    durationMs: error.durationMs,
    statusCode: error.statusCode,
    error: error.message,
    responseBody: null,
    responseHeaders: null,
  },
  result: { ok: false, gone: false, retryAfterMs: null },
});
