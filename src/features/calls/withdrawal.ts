import { messageOf, AppError } from '../../base/errors.ts';
import { within } from '../../base/clock.ts';
import { onCommit, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { appLocal, nodeState } from '../../kernel/node.ts';
import { notActive } from '../../kernel/turn.ts';
import type { Withdrawal } from '../../telephony/dialog/reports.ts';
import { findNumber } from '../numbers/service.ts';
import { type Call, plainOutcome } from './call.ts';
import { canWithdraw, mayWithdraw, withdrawFrom } from './carriers/placing.ts';
import type { CampaignCalls } from './last-look.ts';
import { reasonAgainst } from './place.ts';
import { endCall, recordNotHandedOver } from './service.ts';
import * as store from './store.ts';

/**
 * Keeps calls from ringing that were handed to their carrier and may not ring any more (docs/calling.md, "Until the telephone rings"). A
 * carrier that sends more than once before it rings asks `refusalOf` each time; after a change that may forbid calls, `lookAgain` tells the
 * carrier which ones to take back. Both decide with `reasonNotToRing`, and the carrier reports what it took back with `takeBack`.
 */

const campaignsOf = appLocal((): { calls: CampaignCalls | undefined } => ({ calls: undefined }));

/** Calls must not import campaigns, so the composition root passes their functions in. */
export const setCampaignCalls = (app: App, calls: CampaignCalls): void => void (campaignsOf(app).calls = calls);

/** Why a call that has not rung may not ring any more, as a sentence; undefined if it may. */
async function reasonNotToRing(app: App, tx: Tx, call: Call): Promise<string | undefined> {
  if (call.state === 'ended') return 'The call has ended.';
  if (call.campaignContactId !== null) return campaignsOf(app).calls!.reasonNotToRing(app, tx, call);
  const [number, reason] = await Promise.all([findNumber(tx, call.orgId, call.phoneNumberId), reasonAgainst(tx, call)]);
  return number ? reason(number) : 'The caller number is gone.';
}

/** Why a call may not ring any more; null if it may. A carrier asks this before each message that could make a telephone ring. Never rejects. */
export async function refusalOf(app: App, callId: string): Promise<string | null> {
  try {
    const call = await store.callById(app.db, callId);
    if (!call) return 'The call was taken back.';
    const refusal = await transact(app.db, call.orgId, async (tx) => {
      const present = await store.callById(tx, callId);
      return present ? ((await reasonNotToRing(app, tx, present)) ?? null) : 'The call was taken back.';
    });
    return refusal ?? (app.mayAct() ? null : notActive().message);
  } catch (error) {
    app.log.warn({ callId, error: messageOf(error) }, 'it could not be decided whether a call may still ring');
    return 'Internal error while deciding whether the call may still be made.';
  }
}

/**
 * Undoes a call that was taken back before it rang: an attempt of a campaign as if it had not been made, without an event; a single call
 * fails.
 */
export async function takeBack(app: App, tx: Tx, call: Call, reason: string): Promise<void> {
  if (call.state === 'ended') return;
  if (call.campaignContactId !== null) return campaignsOf(app).calls!.takeBack(app, tx, call);
  await recordNotHandedOver(tx, call.id);
  await endCall(app, tx, call, plainOutcome('failed', { errorMessage: reason }));
}

/** Whether a call of which no ring was reported may not ring any more. */
export const isForbidden = async (app: App, tx: Tx, call: Call): Promise<boolean> =>
  call.state === 'dialing' && (await reasonNotToRing(app, tx, call)) !== undefined;

/** For a call that its carrier lost before any ring was reported: takes it back if it may not ring any more. Returns whether it did. */
export async function takeBackIfForbidden(app: App, tx: Tx, call: Call): Promise<boolean> {
  if (call.state !== 'dialing') return false;
  const reason = await reasonNotToRing(app, tx, call);
  if (reason !== undefined) await takeBack(app, tx, call, reason);
  return reason !== undefined;
}

/** The withdrawals that carriers have not confirmed, by organization. */
const unconfirmed = nodeState('unconfirmedWithdrawals', () => new Map<string, Set<Promise<void>>>());

/** After the commit, withdraws the organization's calls that have not rung and may not ring any more. For changes that may forbid calls. */
export const lookAgain = (app: App, tx: Tx, orgId: string): void =>
  onCommit(tx, () => {
    if (!mayWithdraw(app)) return;
    const withdrawing = withdrawForbidden(app, orgId);
    const known = unconfirmed(app).get(orgId) ?? new Set();
    unconfirmed(app).set(orgId, known.add(withdrawing));
    const forget = (): void => {
      known.delete(withdrawing);
      if (known.size === 0) unconfirmed(app).delete(orgId);
    };
    withdrawing.then(forget, (error: unknown) => {
      forget();
      app.log.warn({ orgId, error: messageOf(error) }, 'calls that have not rung could not be withdrawn');
    });
  });

/** Calls that are looked at in one transaction, in some 5 ms. */
const batchSize = 50;

async function withdrawForbidden(app: App, orgId: string): Promise<void> {
  let after = '';
  for (;;) {
    const { calls, found } = await transact(app.db, orgId, (tx) => forbiddenAfter(app, tx, orgId, after));
    const byDriver = Map.groupBy(found, ({ driver }) => driver);
    await Promise.all([...byDriver].map(([driver, withdrawals]) => withdrawFrom(app, driver, withdrawals)));
    if (calls.length < batchSize) return;
    after = calls.at(-1)!.id;
  }
}

type Found = { calls: readonly Call[]; found: Array<Withdrawal & { driver: string }> };

async function forbiddenAfter(app: App, tx: Tx, orgId: string, after: string): Promise<Found> {
  const calls = await store.callsBeforeRinging(tx, orgId, after, batchSize);
  const found: Found['found'] = [];
  for (const call of calls) {
    const reason = await reasonNotToRing(app, tx, call);
    if (reason !== undefined) found.push({ callId: call.id, reason, driver: call.driver });
  }
  return { calls, found };
}

/** Resolves when the withdrawals of the organization that have begun are confirmed or have failed. */
export const withdrawalsSettled = async (app: App, orgId: string): Promise<void> =>
  void (await Promise.allSettled([...(unconfirmed(app).get(orgId) ?? [])]));

/** Whether the carrier takes the call back by itself once it may not ring any more. */
export const isTakenBackByCarrier = (app: App, call: Call): boolean =>
  call.state === 'dialing' && call.handedOverAt !== null && canWithdraw(app, call.driver);

/** How long a request whose change withdraws calls waits until the carrier has confirmed it. */
const confirmMs = 1000;

/**
 * Resolves when carriers have confirmed the withdrawals of the organization that have begun: nothing of those calls rings any more.
 * @throws unavailable when that takes longer than a second
 */
export async function withdrawalsConfirmed(app: App, orgId: string): Promise<void> {
  const pending = unconfirmed(app).get(orgId);
  if (!pending) return;
  const confirmed = await within(
    confirmMs,
    Promise.all(pending).then(
      () => true,
      () => false,
    ),
    () => false,
  );
  if (confirmed) return;
  throw new AppError(
    'unavailable',
    'The change is made, but the carrier has not confirmed within 1 s that it takes back the calls that have not rung. ' +
      'It does so as soon as it answers; send the same request again to know when.',
    { headers: { 'Retry-After': '1' } },
  );
}
