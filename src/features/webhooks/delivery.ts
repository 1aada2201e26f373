import type { WebhookEventName } from '../agents/agent.ts';
import type { EndpointStatus, Sweep } from '../endpoints/endpoint.ts';
import type { Headers } from './attempt-headers.ts';
import { probeDelayMs, retryDelayMs } from './retry.ts';

/** The delivery of one event to one endpoint. */
export type Delivery = {
  id: string;
  eventId: string;
  endpointId: string;
  agentId: string;
  url: string;
  event: WebhookEventName;
  status: DeliveryStatus;
  /** Number of all attempts ever made, including those before a manual retry. */
  attemptCount: number;
  nextAttemptAt: number | null;
  /** The attempts still to come if each of them fails; empty while the delivery waits for its endpoint to recover. */
  schedule: readonly number[];
  createdAt: number;
  deliveredAt: number | null;
};

export type Attempt = {
  number: number;
  /** When the attempt started, by the domain clock. */
  at: number;
  /** Real milliseconds, also under the test clock. */
  durationMs: number;
  statusCode: number | null;
  /** Null for a success. */
  error: string | null;
  /** The first 4 KiB of the response; null without a response. */
  responseBody: string | null;
  /** Null for attempts of releases that did not keep them. */
  requestHeaders: Headers | null;
  /** Null without a response. */
  responseHeaders: Headers | null;
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

/**
 * The status of a delivery that a sweep of its endpoint has not reached yet. Readers see it as soon as the sweep begins, although the stored
 * status changes batch by batch.
 */
export function statusUnder(sweep: Sweep | null, status: StoredStatus): StoredStatus {
  if (sweep === null || !sweptStatuses[sweep].includes(status)) return status;
  return statusAfter[sweep];
}

/** Which deliveries each sweep changes, and what they become. */
export const sweptStatuses: Readonly<Record<Sweep, readonly StoredStatus[]>> = {
  hold: ['pending', 'retrying', 'held'],
  release: ['pending', 'retrying', 'held', 'exhausted'],
  cancel: ['pending', 'retrying', 'held'],
};
export const statusAfter = { hold: 'held', release: 'pending', cancel: 'cancelled' } as const satisfies Record<
  Sweep,
  StoredStatus
>;

/** Whether a job may send the delivery now. */
export const maySend = ({ status, sweep }: { status: StoredStatus; sweep: Sweep | null }): boolean =>
  sweep === null && isScheduled(status);

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
 * The rules of docs/api/webhooks.md. Only the probe, saving the URL again or somebody's resuming ends the state of a failing endpoint, and only
 * the last that of a paused one. Any other delivery sent to it by hand is delivered or held and leaves the endpoint unchanged.
 */
export function afterAttempt(state: DeliveryState, result: AttemptResult, nowMs: number, jitter: number): Transition {
  const isProbe = state.endpointStatus === 'failing' && state.status === 'retrying';
  if (result.ok) return { status: 'delivered', nextAttemptAt: null, endpoint: isProbe ? 'resume' : null };
  if (state.endpointRemoved) return { status: 'cancelled', nextAttemptAt: null, endpoint: null };
  if (isProbe) return { status: 'exhausted', nextAttemptAt: null, endpoint: null };
  if (state.endpointStatus !== 'delivering') return { status: 'held', nextAttemptAt: null, endpoint: null };
  const delayMs = result.gone ? null : retryDelayMs(state.failures + 1, { retryAfterMs: result.retryAfterMs, jitter });
  if (delayMs === null) return { status: 'retrying', nextAttemptAt: nowMs + probeDelayMs, endpoint: 'pause' };
  return { status: 'retrying', nextAttemptAt: nowMs + delayMs, endpoint: null };
}

/**
 * When the attempts of a delivery will start if each of them fails at once, without jitter. The first is `nextAttemptAt`, unless that attempt
 * is running.
 */
export function scheduleOf(
  state: DeliveryState & { nextAttemptAt: number | null },
  { now, isRunning }: { now: number; isRunning: boolean },
): number[] {
  if (!isScheduled(state.status) || state.nextAttemptAt === null) return [];
  const times: number[] = [];
  let next: DeliveryState & { nextAttemptAt: number | null } = state;
  for (let at: number | null = state.nextAttemptAt; at !== null; at = next.nextAttemptAt) {
    times.push(at);
    const { status, nextAttemptAt, endpoint } = afterAttempt(
      next,
      { ok: false, gone: false, retryAfterMs: null },
      at,
      0,
    );
    const endpointStatus = endpoint === 'pause' ? 'failing' : next.endpointStatus;
    next = { ...next, status, nextAttemptAt, endpointStatus, failures: next.failures + 1 };
  }
  const late = Math.max(0, now - times[0]!);
  return (isRunning ? times.slice(1) : times).map((at) => (at === times[0] ? at : at + late));
}
