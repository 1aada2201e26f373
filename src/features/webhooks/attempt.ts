import { OutboundError, type OutboundResponse } from '../../base/outbound/client.ts';
import type { App } from '../../kernel/app.ts';
import { userAgent } from '../../kernel/user-agent.ts';
import type { Attempt, AttemptResult } from './delivery.ts';
import type { Shipment } from './delivery-store.ts';
import { retryAfterMs } from './retry.ts';
import { secretsAt } from './secrets.ts';
import { signatureHeaders } from './signature.ts';

/** An attempt that was made: what is kept of it, and what it means. */
export type Outcome = { attempt: Omit<Attempt, 'number'>; result: AttemptResult };

/**
 * Posts an event to an endpoint once. Whatever the endpoint does is an outcome; a time-out is real time.
 * @throws an OutboundError `aborted` when the process stops meanwhile: that says nothing about the endpoint
 */
export async function attempt(app: App, shipment: Shipment): Promise<Outcome> {
  const at = app.clock.now();
  const body = Buffer.from(shipment.body);
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent(app),
    ...signatureHeaders(secretsAt(app, shipment, at), {
      id: shipment.eventId,
      timestampSec: Math.floor(at / 1000),
      body,
    }),
  };
  try {
    const timeoutMs = app.config.webhooks.timeout_ms;
    return answered(at, await app.outbound.post(shipment.url, { headers, body, timeoutMs }), app.clock.now());
  } catch (error) {
    if (!(error instanceof OutboundError) || error.reason === 'aborted') throw error;
    return unanswered(at, error);
  }
}

function answered(at: number, response: OutboundResponse, now: number): Outcome {
  const { statusCode, durationMs, responseStart: responseBody } = response;
  if (statusCode >= 200 && statusCode < 300) {
    return { attempt: { at, durationMs, statusCode, error: null, responseBody }, result: { ok: true } };
  }
  const asksToWait = statusCode === 429 || statusCode === 503;
  return {
    attempt: { at, durationMs, statusCode, error: faultOf(statusCode), responseBody },
    result: {
      ok: false,
      gone: statusCode === 410,
      retryAfterMs: asksToWait ? retryAfterMs(response.headers['retry-after'], now) : null,
    },
  };
}

function faultOf(statusCode: number): string {
  if (statusCode >= 300 && statusCode < 400) {
    return `The endpoint answered ${statusCode}; redirects are not followed, so save the URL that it redirects to.`;
  }
  if (statusCode === 410) return 'The endpoint answered 410: it is gone and wants no more events.';
  return `The endpoint answered ${statusCode}; a status from 200 to 299 is a success.`;
}

const unanswered = (at: number, error: OutboundError): Outcome => ({
  attempt: {
    at,
    durationMs: error.durationMs,
    statusCode: error.statusCode,
    error: error.message,
    responseBody: null,
  },
  result: { ok: false, gone: false, retryAfterMs: null },
});
