import { batchReads } from '../../base/batch-reads.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { carrierStateOf, takeProbe } from '../numbers/carrier-reach.ts';
import * as numbers from '../numbers/service.ts';
import * as organizations from '../organizations/service.ts';
import { type Call, plainOutcome } from './call.ts';
import { lateMs, maxWaitMs, nextSlot, reasonAgainst, waitedTooLong } from './place.ts';
import { endCall } from './service.ts';
import * as store from './store.ts';

/** What to do with a call whose dial job runs. */
export type Look =
  | { next: 'dial'; call: Call }
  /** It was handed over before: whether the carrier has it is unknown. */
  | { next: 'ask'; call: Call }
  | { next: 'wait'; until: number }
  /** It is over, withdrawn, or the carrier has reported on it. */
  | { next: 'nothing'; call?: Call };

/** The part that campaigns have in dialing their contacts; calls do not know campaigns. */
export type CampaignCalls = {
  /** Whether the attempt may be dialed now. If not, it has been withdrawn in this transaction, or its contact has got its last status. */
  mayDial(app: App, tx: Tx, call: Call): Promise<boolean>;
  /** Withdraws an attempt that its carrier, out of reach, certainly does not have. */
  outOfReach(app: App, tx: Tx, call: Call, reason: string): Promise<void>;
};

/** How often a waiting single call looks whether the carrier is in reach again. */
const lookAgainMs = 5_000;

/**
 * Decides whether a call may be dialed now, and if so marks it as handed over. Asked directly before every `carrier.dial`, whatever queued
 * it: between the decision to call somebody and the call, the person may have opted out, the window may have closed, the server may have
 * been down for a day. The mark is durable before the carrier is told, so a crash never dials twice.
 */
async function look(app: App, tx: Tx, campaigns: CampaignCalls, callId: string): Promise<Look> {
  const call = await store.callById(tx, callId);
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

/** Undefined if the single call may be dialed now. */
async function lookAtSingleCall(app: App, tx: Tx, call: Call): Promise<Look | undefined> {
  const now = app.clock.now();
  const number = await numbers.numberOf(tx, call.orgId, call.phoneNumberId);
  const errorMessage = (await reasonAgainst(tx, call, number)) ?? (await reasonOfWait(tx, call, now));
  if (errorMessage !== undefined) {
    await endCall(app, tx, call, plainOutcome('failed', { errorMessage }));
    return { next: 'nothing' };
  }
  const { pause } = await carrierStateOf(tx, number.id);
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
  const mayTry = await takeProbe(app, tx, { orgId: call.orgId, numberId: number.id });
  return mayTry ? undefined : waitUntil(app, call, now + lookAgainMs);
}

const startOf = (call: Call): number => call.startedAt ?? call.createdAt;
const deadlineOf = (call: Call): number => (call.turnAt ?? call.createdAt) + maxWaitMs;

/** Whether a single call has waited so long to be handed over that it is given up. */
export const hasWaitedTooLong = (call: Call, now: number): boolean => now >= deadlineOf(call);

async function reasonOfWait(tx: Tx, call: Call, now: number): Promise<string | undefined> {
  if (!hasWaitedTooLong(call, now)) return undefined;
  const { pause } = await carrierStateOf(tx, call.phoneNumberId);
  return pause?.reason ?? waitedTooLong;
}

/** When a waiting single call looks again: at this instant, in a few seconds, or when it is given up, whichever is first. */
export const nextLookAt = (app: App, call: Call, at: number): number =>
  Math.min(at, app.clock.now() + lookAgainMs, deadlineOf(call));

const waitUntil = (app: App, call: Call, at: number): Look => ({ next: 'wait', until: nextLookAt(app, call, at) });

type Answered = { look: Look } | { error: unknown };

/**
 * Looks at calls. Up to 256 dial jobs start together, and a transaction costs as much for all of them as for one: those of an organization
 * share it. If one fails, each gets its own.
 */
export function lastLooks(app: App, campaigns: CampaignCalls): (callId: string) => Promise<Look> {
  const lookAtAll = (orgId: string, ids: readonly string[]): Promise<Array<[string, Answered]>> =>
    transact(app.db, orgId, async (tx) => {
      const looks: Array<[string, Answered]> = [];
      for (const id of ids) looks.push([id, { look: await look(app, tx, campaigns, id) }]);
      return looks;
    });
  const combined = batchReads<Answered>(async (ids) => {
    const known = await store.callsByIds(app.db, ids);
    const byOrganization = Map.groupBy(
      ids.filter((id) => known.has(id)),
      (id) => known.get(id)!.orgId,
    );
    const answers: Array<[string, Answered]> = [];
    for (const [orgId, group] of byOrganization) {
      answers.push(
        ...(await lookAtAll(orgId, group).catch(() =>
          Promise.all(
            group.map((id) =>
              lookAtAll(orgId, [id]).then(
                ([one]) => one!,
                (error: unknown): [string, Answered] => [id, { error }],
              ),
            ),
          ),
        )),
      );
    }
    return new Map(answers);
  });
  return async (callId) => {
    const answer = await combined(callId);
    if (answer === undefined) return { next: 'nothing' };
    if ('error' in answer) throw answer.error;
    return answer.look;
  };
}
