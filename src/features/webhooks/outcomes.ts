import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Outcome } from './attempt.ts';
import { afterAttempt, isDue, type Verdict } from './delivery.ts';
import * as deliveries from './delivery-store.ts';
import type { Situation } from './delivery-store.ts';
import * as endpoints from './endpoint-store.ts';
import { endpointFailing } from './events.ts';
import { dropAll, sendAllNow, sendAt } from './queue.ts';

/**
 * Writes down what came of an attempt and what follows from it. It looks at the delivery and its endpoint as they stand now, which
 * may not be as they stood when the attempt began: the URL may have been saved again or removed meanwhile.
 */
export async function recordOutcome(app: App, tx: Tx, id: string, outcome: Outcome, jitter: number): Promise<void> {
  const before = await deliveries.situationById(tx, id);
  if (!before) return; // its retention ended meanwhile
  const now = app.clock.now();
  const verdict = afterAttempt(before, outcome.result, now, jitter);
  const number = before.attemptCount + 1;
  await deliveries.insertAttempt(tx, id, { number, ...outcome.attempt });
  await deliveries.updateDelivery(
    tx,
    id,
    { ...verdict, attemptCount: number, failures: outcome.result.ok ? 0 : before.failures + 1 },
    now,
  );
  const { error } = outcome.attempt;
  if (error !== before.endpointError) await endpoints.setLastError(tx, before.endpointId, error);
  const held = Number(verdict.status === 'held') - Number(before.status === 'held');
  if (held !== 0) await endpoints.addHeld(tx, before.endpointId, held);
  await moveEndpoint(app, tx, before, verdict, outcome);
  if (verdict.nextAttemptAt !== null) await sendAt(app, tx, before, verdict.nextAttemptAt);
}

/** A delivery that was taken, and the attempt that brought it there. */
export type Arrival = { id: string; attempt: Outcome['attempt'] };

/** The same for attempts that succeeded. Nothing follows from most of them, and those are written together. */
export async function recordSuccesses(app: App, tx: Tx, arrivals: readonly Arrival[]): Promise<void> {
  const ids = arrivals.map(({ id }) => id);
  const attempts = await deliveries.settleOrdinary(tx, ids, app.clock.now());
  for (const { id, attempt } of arrivals) {
    const number = attempts.get(id);
    if (number === undefined) await recordOutcome(app, tx, id, { attempt, result: { ok: true } }, 0);
    else await deliveries.insertAttempt(tx, id, { number, ...attempt });
  }
}

async function moveEndpoint(app: App, tx: Tx, before: Situation, verdict: Verdict, outcome: Outcome): Promise<void> {
  if (verdict.endpoint === 'heals') await revive(app, tx, before.endpointId);
  if (verdict.endpoint !== 'fails') return;
  await pause(app, tx, before);
  await app.events.emit(app, tx, endpointFailing, {
    orgId: before.orgId,
    agentId: before.agentId,
    url: before.url,
    error: outcome.attempt.error ?? '',
    probeAt: verdict.nextAttemptAt ?? app.clock.now(),
  });
}

/** The endpoint is failing from here on; everything due to it is held but the delivery that will probe it. */
async function pause(app: App, tx: Tx, probe: Situation): Promise<void> {
  await endpoints.setFailing(tx, probe.endpointId, app.clock.now());
  const held = await deliveries.holdDue(tx, probe.endpointId, probe.id);
  await endpoints.addHeld(tx, probe.endpointId, held);
  await dropAll(tx, probe.endpointId);
}

/** The endpoint is delivering again: everything that waits for it, and what was given up, starts afresh, oldest first. */
export async function revive(app: App, tx: Tx, endpointId: string): Promise<void> {
  await endpoints.setDelivering(tx, endpointId);
  await sendAllNow(app, tx, endpointId, await deliveries.restartUndelivered(tx, endpointId, app.clock.now()));
}

/**
 * Ends a job that sent nothing, because its delivery was not due when it looked or because it broke off. Should the delivery be
 * due now, another job takes over, not before the instant given.
 */
export async function resendIfDue(app: App, tx: Tx, id: string, notBefore: number): Promise<void> {
  const situation = await deliveries.situationById(tx, id);
  if (!situation || !isDue(situation.status)) return;
  await sendAt(app, tx, situation, Math.max(situation.nextAttemptAt ?? 0, notBefore));
}
