import type { EndpointStatus } from '../endpoints/endpoint.ts';
import { probeDelayMs, retryDelayMs } from './retry.ts';

/** The delivery of one event to one endpoint. */
export type Delivery = {
  id: string;
  eventId: string;
  endpointId: string;
  agentId: string;
  url: string;
  event: string;
  status: DeliveryStatus;
  /** All attempts ever made, including those before a manual retry. */
  attemptCount: number;
  nextAttemptAt: number | null;
  createdAt: number;
  deliveredAt: number | null;
};

export type Attempt = {
  number: number;
  /** When it started, by the domain clock. */
  at: number;
  /** Real milliseconds, also under the test clock. */
  durationMs: number;
  statusCode: number | null;
  /** Null for a success. */
  error: string | null;
  /** The first 4 KiB of the response; null without a response. */
  responseBody: string | null;
};

/**
 * - `pending`: waits in the queue and is sent as soon as possible
 * - `delivering`: an attempt is running (never stored; only the sending process knows)
 * - `retrying`: failed, and is sent again at `nextAttemptAt`; while the endpoint is failing, only its probe has this status
 * - `held`: waits until its failing endpoint recovers
 * - `delivered`, `exhausted` (the probe failed too), `cancelled` (the URL was removed): final, unless somebody retries it by hand
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

/** Whether the delivery has a job, waiting or running. */
export const isScheduled = (status: StoredStatus): status is 'pending' | 'retrying' =>
  status === 'pending' || status === 'retrying';

/** A delivery and its endpoint when an attempt ends. Both may have changed since the attempt started. */
export type DeliveryState = {
  status: StoredStatus;
  /** Failed attempts since the schedule last restarted, without the attempt that just ended. */
  failures: number;
  endpointStatus: EndpointStatus;
  endpointRemoved: boolean;
};

/** `gone`: the endpoint answered 410. */
export type AttemptResult = { ok: true } | { ok: false; gone: boolean; retryAfterMs: number | null };

/** How an attempt changes its delivery and its endpoint. */
export type Transition = {
  status: StoredStatus;
  nextAttemptAt: number | null;
  /** Whether the endpoint is paused (it becomes failing) or resumed; null leaves it unchanged. */
  endpoint: 'pause' | 'resume' | null;
};

/**
 * The delivery rules of contract section 11. Only the probe, or saving the URL again, resumes a failing endpoint. Any other delivery
 * sent to it by hand is delivered or held and leaves the endpoint unchanged.
 */
export function afterAttempt(state: DeliveryState, result: AttemptResult, nowMs: number, jitter: number): Transition {
  const isProbe = state.endpointStatus === 'failing' && state.status === 'retrying';
  if (result.ok) return { status: 'delivered', nextAttemptAt: null, endpoint: isProbe ? 'resume' : null };
  if (state.endpointRemoved) return { status: 'cancelled', nextAttemptAt: null, endpoint: null };
  if (isProbe) return { status: 'exhausted', nextAttemptAt: null, endpoint: null };
  if (state.endpointStatus === 'failing') return { status: 'held', nextAttemptAt: null, endpoint: null };
  const delayMs = result.gone ? null : retryDelayMs(state.failures + 1, { retryAfterMs: result.retryAfterMs, jitter });
  if (delayMs === null) return { status: 'retrying', nextAttemptAt: nowMs + probeDelayMs, endpoint: 'pause' };
  return { status: 'retrying', nextAttemptAt: nowMs + delayMs, endpoint: null };
}
