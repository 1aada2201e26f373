import { afterIo } from '../../base/clock.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { carrierStateOf, takeProbe } from '../numbers/carrier-reach.ts';
import * as numbers from '../numbers/service.ts';
import * as organizations from '../organizations/service.ts';
import { type Call, plainOutcome, startOf } from './call.ts';
import { lateMs, maxWaitMs, nextSlot, reasonToFail, waitedTooLong } from './place.ts';
import { endCall } from './service.ts';
import * as store from './store.ts';

/** The decision about a call whose dial job runs. */
export type Look =
  | { next: 'dial'; call: Call }
  /** The call was handed over before, and it is unknown whether the carrier has it. */
  | { next: 'ask'; call: Call }
  | { next: 'wait'; until: number }
  /** The call has ended or was withdrawn, or the carrier has already reported on it. */
  | { next: 'nothing'; call?: Call };

/** Functions of campaigns that decide about their attempts. Passed in, because calls must not import campaigns. */
export type CampaignCalls = {
  /** Whether the attempt may be dialed now. If not, it has been withdrawn in this transaction. */
  mayDial(app: App, tx: Tx, call: Call): Promise<boolean>;
  /** Withdraws an attempt that the carrier certainly does not have because it was out of reach; fails it if that has happened too often. */
  outOfReach(app: App, tx: Tx, call: Call, reason: string): Promise<void>;
  /** Why an attempt that the carrier has, and that has not rung, may not ring any more, as a sentence; undefined if it may. */
  reasonNotToRing(app: App, tx: Tx, call: Call): Promise<string | undefined>;
  /** Undoes an attempt that the carrier took back before it rang. */
  takeBack(app: App, tx: Tx, call: Call): Promise<void>;
};

/** How often a waiting single call checks whether the carrier is in reach again. */
const lookAgainMs = 5_000;

/**
 * Decides whether a call may be dialed now, and if so marks it as handed over. Runs directly before every `carrier.dial`: between the
 * decision to call somebody and the call, the person may have opted out, the window may have closed, or the server may have been down for
 * a day. The mark is committed before the carrier gets the call, so a crash never dials twice.
 */
async function look(app: App, tx: Tx, campaigns: CampaignCalls, call: Call | undefined): Promise<Look> {
  if (!call) return { next: 'nothing' };
  if (call.state !== 'dialing') return { next: 'nothing', call };
  if (call.handedOverAt !== null) return { next: 'ask', call };
  if (call.campaignContactId === null) {
    const refused = await lookAtSingleCall(app, tx, call);
    if (refused) return refused;
  } else if (!(await campaigns.mayDial(app, tx, call))) return { next: 'nothing' };
  const handedOverAt = app.clock.now();
  await store.updateCall(tx, call.id, { handed_over_at: handedOverAt });
  return { next: 'dial', call: { ...call, handedOverAt } };
}

/** The decision about a single call that may not be dialed now; undefined if it may. A call that may never be dialed has failed then. */
async function lookAtSingleCall(app: App, tx: Tx, call: Call): Promise<Look | undefined> {
  const now = app.clock.now();
  const [number, reason, state] = await Promise.all([
    numbers.numberOf(tx, call.orgId, call.phoneNumberId),
    reasonToFail(app, tx, call),
    carrierStateOf(tx, call.phoneNumberId),
  ]);
  const errorMessage =
    reason(number) ?? (hasWaitedTooLong(call, now) ? (state.pause?.reason ?? waitedTooLong) : undefined);
  if (errorMessage !== undefined) {
    await endCall(app, tx, call, plainOutcome('failed', { errorMessage }));
    return { next: 'nothing' };
  }
  const { pause } = state;
  if (pause !== null && now < pause.probeAt) return waitUntil(app, call, pause.probeAt);
  if (now < startOf(call) || now - startOf(call) >= lateMs) {
    const { startAt, numberPaceAt, orgPaceAt } = nextSlot(
      app,
      number,
      (await organizations.usageOf(tx, call.orgId)).paceAt,
    );
    await numbers.setPaceAt(tx, number.id, numberPaceAt);
    await organizations.setPace(tx, call.orgId, orgPaceAt);
    await store.updateCall(tx, call.id, { started_at: startAt });
    if (startAt > now) return { next: 'wait', until: Math.min(startAt, deadlineOf(call)) };
  }
  const mayTry = await takeProbe(app, tx, { orgId: call.orgId, numberId: number.id }, state);
  return mayTry ? undefined : waitUntil(app, call, now + lookAgainMs);
}

const deadlineOf = (call: Call): number => (call.slotAt ?? call.createdAt) + maxWaitMs;

/** Whether a single call has waited to be handed over for as long as it may, and must fail. */
export const hasWaitedTooLong = (call: Call, now: number): boolean => now >= deadlineOf(call);

/** When a waiting single call is checked again: at `at`, in five seconds, or when it must fail, whichever is first. */
export const nextLookAt = (app: App, call: Call, at: number): number =>
  Math.min(at, app.clock.now() + lookAgainMs, deadlineOf(call));

const waitUntil = (app: App, call: Call, at: number): Look => ({ next: 'wait', until: nextLookAt(app, call, at) });

type Waiter = { callId: string; resolve: (look: Look) => void; reject: (error: unknown) => void };

/**
 * Returns a function that takes the last look at a call. Many dial jobs start together, so all looks of an organization that are requested
 * before the transaction of the first one begins share it, which costs hardly more than a transaction for one. If it fails, each call gets
 * its own transaction, so that one faulty call does not stop the others.
 */
export function lastLooks(app: App, campaigns: CampaignCalls): (orgId: string, callId: string) => Promise<Look> {
  const waiting = new Map<string, Waiter[]>();
  /** All that wait when the transaction begins, which waits for others of the organization. */
  function take(orgId: string): Waiter[] {
    const waiters = waiting.get(orgId) ?? [];
    waiting.delete(orgId);
    return waiters;
  }
  async function answer(orgId: string, waiters: Waiter[]): Promise<void> {
    try {
      const looks = await transact(app.db, orgId, async (tx) => {
        waiters.push(...take(orgId));
        const found: Look[] = [];
        // Together: a look changes no other call that waits for one.
        const calls = await Promise.all(waiters.map(({ callId }) => store.callById(tx, callId)));
        for (const call of calls) found.push(await look(app, tx, campaigns, call));
        return found;
      });
      for (const [index, { resolve }] of waiters.entries()) resolve(looks[index]!);
    } catch (error) {
      if (waiters.length === 0) waiters.push(...take(orgId));
      if (waiters.length > 1) for (const waiter of waiters) await answer(orgId, [waiter]);
      else waiters[0]?.reject(error);
    }
  }
  return (orgId, callId) =>
    new Promise((resolve, reject) => {
      const waiter = { callId, resolve, reject };
      const known = waiting.get(orgId);
      if (known) known.push(waiter);
      else {
        waiting.set(orgId, [waiter]);
        afterIo(() => void answer(orgId, []));
      }
    });
}
