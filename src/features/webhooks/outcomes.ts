import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import * as endpoints from '../endpoints/service.ts';
import type { AttemptOutcome } from './attempt.ts';
import { afterAttempt, maySend, type Transition } from './delivery.ts';
import type { DeliveryWithEndpoint } from './delivery-store.ts';
import * as deliveries from './delivery-store.ts';
import { endpointFailing } from './events.ts';
import { sendAt } from './queue.ts';
import { startSweeps } from './sweep.ts';

/**
 * Records an attempt and everything that follows from it. It reads the current delivery and endpoint, because the URL may have been
 * saved again or removed since the attempt started.
 */
export async function recordOutcome(
  app: App,
  tx: Tx,
  id: string,
  outcome: AttemptOutcome,
  jitter: number,
): Promise<void> {
  const before = await deliveries.deliveryWithEndpoint(tx, id);
  if (!before) return; // deleted meanwhile because its retention ended
  const now = app.clock.now();
  const transition = afterAttempt(before, outcome.result, now, jitter);
  const number = before.attemptCount + 1;
  const failures = outcome.result.ok ? 0 : before.failures + 1;
  await deliveries.insertAttempts(tx, [{ deliveryId: id, number, attempt: outcome.attempt }]);
  await deliveries.updateDelivery(tx, id, { ...transition, attemptCount: number, failures }, now);
  const { error } = outcome.attempt;
  if (error !== null) await endpoints.countFailure(tx, before.endpointId, error);
  else if (before.endpointError !== null) await endpoints.clearFailures(tx, before.endpointId);
  const heldChange = Number(transition.status === 'held') - Number(before.isCountedAsHeld);
  if (heldChange !== 0) await endpoints.addHeld(tx, before.endpointId, heldChange);
  await updateEndpoint(app, tx, before, transition, { error: error ?? '', failures });
  if (transition.nextAttemptAt !== null) await sendAt(app, tx, before, transition.nextAttemptAt);
}

/** A successful attempt of a delivery. */
export type SuccessfulAttempt = { id: string; attempt: AttemptOutcome['attempt'] };

/** Records successful attempts. Most of them change nothing but their delivery, and those are written in one statement. */
export async function recordSuccesses(app: App, tx: Tx, successes: readonly SuccessfulAttempt[]): Promise<void> {
  const ids = successes.map(({ id }) => id);
  const numbers = await deliveries.markDelivered(tx, ids, app.clock.now());
  const recorded: deliveries.AttemptOfDelivery[] = [];
  for (const { id, attempt } of successes) {
    const number = numbers.get(id);
    if (number === undefined) await recordOutcome(app, tx, id, { attempt, result: { ok: true } }, 0);
    else recorded.push({ deliveryId: id, number, attempt });
  }
  await deliveries.insertAttempts(tx, recorded);
}

async function updateEndpoint(
  app: App,
  tx: Tx,
  delivery: DeliveryWithEndpoint,
  transition: Transition,
  { error, failures }: { error: string; failures: number },
): Promise<void> {
  if (transition.endpoint === 'resume') await resumeEndpoint(app, tx, delivery.endpointId);
  if (transition.endpoint !== 'pause') return;
  await pauseEndpoint(app, tx, delivery);
  await app.events.emit(app, tx, endpointFailing, {
    orgId: delivery.orgId,
    endpointId: delivery.endpointId,
    agentId: delivery.agentId,
    url: delivery.url,
    error,
    failures,
    probeAt: transition.nextAttemptAt ?? app.clock.now(),
  });
}

/** Marks the endpoint as failing and holds everything scheduled for it, except the delivery that will probe it. */
async function pauseEndpoint(app: App, tx: Tx, probe: DeliveryWithEndpoint): Promise<void> {
  await endpoints.markFailing(app, tx, probe.endpointId);
  await deliveries.markSwept(tx, probe.id);
  await startSweeps(app, tx, [probe.endpointId]);
}

/** Pauses an endpoint by hand: holds everything that is scheduled for it, and what comes. */
export async function pauseByHand(app: App, tx: Tx, endpointId: string, reason: string | null): Promise<void> {
  await endpoints.markPaused(app, tx, endpointId, reason);
  await startSweeps(app, tx, [endpointId]);
}

/** Marks the endpoint as delivering and sends everything that waits for it or was exhausted, oldest first. */
export async function resumeEndpoint(app: App, tx: Tx, endpointId: string): Promise<void> {
  await endpoints.markDelivering(tx, endpointId);
  await startSweeps(app, tx, [endpointId]);
}

/**
 * Ends a job that sent nothing, because its delivery was not scheduled when it started or because it threw. If the delivery is
 * scheduled now, enqueues a new job that runs at `notBefore` at the earliest.
 */
export async function requeueIfScheduled(app: App, tx: Tx, id: string, notBefore: number): Promise<void> {
  const delivery = await deliveries.deliveryWithEndpoint(tx, id);
  if (!delivery || !maySend(delivery)) return;
  await sendAt(app, tx, delivery, Math.max(delivery.nextAttemptAt ?? 0, notBefore));
}
