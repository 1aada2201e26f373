import type { EndpointStatus } from './endpoint.ts';
import { probeDelayMs, retryDelayMs } from './retry.ts';

/** One event on its way to one endpoint. */
export type Delivery = {
  id: string;
  eventId: string;
  endpointId: string;
  agentId: string;
  url: string;
  event: string;
  status: DeliveryStatus;
  /** All attempts ever made. */
  attemptCount: number;
  nextAttemptAt: number | null;
  createdAt: number;
  deliveredAt: number | null;
};

export type Attempt = {
  number: number;
  /** When it began, by the domain's clock. */
  at: number;
  /** Real milliseconds. */
  durationMs: number;
  statusCode: number | null;
  /** Null for a success. */
  error: string | null;
  /** The start of the response; null when there was none. */
  responseBody: string | null;
};

/**
 * - `pending`: to be sent as soon as its turn comes
 * - `delivering`: being sent just now (known to the sending process, not stored)
 * - `retrying`: failed, and to be sent again at `nextAttemptAt`; while the endpoint is failing, the one delivery that probes it
 * - `held`: waits until its failing endpoint heals
 * - `delivered`, `exhausted` (the probe failed too), `cancelled` (the URL was removed): nothing more happens by itself
 */
export const deliveryStatuses = [
  'pending',
  'delivering',
  'delivered',
  'retrying',
  'held',
  'exhausted',
  'cancelled',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
export type StoredStatus = Exclude<DeliveryStatus, 'delivering'>;

/** Whether a job stands behind it, or runs. */
export const isDue = (status: StoredStatus): status is 'pending' | 'retrying' =>
  status === 'pending' || status === 'retrying';

/** Where a delivery and its endpoint stand when an attempt ends, which may not be where they stood when it began. */
export type Standing = {
  status: StoredStatus;
  /** Failed attempts since it last started afresh, without this one. */
  failures: number;
  endpointStatus: EndpointStatus;
  endpointRemoved: boolean;
};

/** What an attempt came to. `gone`: the endpoint answered 410. */
export type AttemptResult = { ok: true } | { ok: false; gone: boolean; retryAfterMs: number | null };

/** What follows for the delivery, and for its endpoint. */
export type Verdict = {
  status: StoredStatus;
  nextAttemptAt: number | null;
  /** The endpoint turns failing, or heals; null: it stays as it is. */
  endpoint: 'fails' | 'heals' | null;
};

/**
 * The delivery rules of contract section 11. Only the probe, or saving the URL again, heals an endpoint: a delivery that somebody
 * sends by hand while the endpoint is paused is delivered or held, and changes nothing else.
 */
export function afterAttempt(standing: Standing, result: AttemptResult, nowMs: number, jitter: number): Verdict {
  const isProbe = standing.endpointStatus === 'failing' && standing.status === 'retrying';
  if (result.ok) return { status: 'delivered', nextAttemptAt: null, endpoint: isProbe ? 'heals' : null };
  if (standing.endpointRemoved) return { status: 'cancelled', nextAttemptAt: null, endpoint: null };
  if (isProbe) return { status: 'exhausted', nextAttemptAt: null, endpoint: null };
  if (standing.endpointStatus === 'failing') return { status: 'held', nextAttemptAt: null, endpoint: null };
  const delayMs = result.gone
    ? null
    : retryDelayMs(standing.failures + 1, { retryAfterMs: result.retryAfterMs, jitter });
  if (delayMs === null) return { status: 'retrying', nextAttemptAt: nowMs + probeDelayMs, endpoint: 'fails' };
  return { status: 'retrying', nextAttemptAt: nowMs + delayMs, endpoint: null };
}
