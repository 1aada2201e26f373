import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { type Call, plainOutcome } from '../../calls/call.ts';
import type { CampaignCalls } from '../../calls/last-look.ts';
import { lateMs } from '../../calls/place.ts';
import { slotFrom } from '../../calls/pacing.ts';
import { callOfAttempt, endCall, recordNotHandedOver, startAnew, withdrawCall } from '../../calls/service.ts';
import { carrierInReach, pauseAfter } from '../../numbers/carrier-pause.ts';
import { carrierStateOf, takeProbe } from '../../numbers/carrier-reach.ts';
import * as numbers from '../../numbers/service.ts';
import * as organizations from '../../organizations/service.ts';
import { contactRules } from '../../organizations/contact-rules.ts';
import { counterOf } from '../campaign.ts';
import { wakeWaiting } from './capacity-queue.ts';
import { type Cause, causeNow, doNotCallCause } from '../contacts/cause.ts';
import * as campaignContacts from '../contacts/store.ts';
import { completeIfDone } from '../completion.ts';
import { type AttemptedContact, type Dialing, dialingOfAttempt } from './dialing-store.ts';
import { campaignObstacles, contactObstacles, decisive, type Obstacle } from './eligibility.ts';
import { heldBy, heldUntil, noLongerForCarrier } from './held.ts';
import { tickAt } from '../kinds.ts';
import { pacesAfter } from './pace.ts';
import { retryOpening } from './retry.ts';
import * as store from '../store.ts';

/** Why an attempt is undone, what its contact becomes, and until when that waits for the carrier, or is held back (held.ts). */
type Withdrawal = Pick<Obstacle, 'becomes' | 'reason'> & { notBefore?: number; heldUntil?: number | undefined };

/** An attempt that is stored as in progress, but that the carrier does not have. */
type Attempt = { call: Call; contact: AttemptedContact; dialing: Dialing };

/**
 * A contact fails when it has found the carrier out of reach this many times while others got through (docs/calling.md, "When the carrier
 * is out of reach").
 */
const maxUnreachable = 3;

/** Undefined if the contact or the campaign is gone. */
async function attemptOf(tx: Tx, call: Call): Promise<Attempt | undefined> {
  const found = await dialingOfAttempt(tx, call.campaignContactId!, call);
  if (found?.contact.callSessionId !== call.id || found.contact.status !== 'in_progress') return undefined;
  return { call, ...found };
}

/** Withdraws a call whose contact or campaign is gone. */
async function withdrawOrphan(app: App, tx: Tx, call: Call): Promise<void> {
  await withdrawCall(tx, call);
  await wakeWaiting(app, tx, call.orgId);
}

async function mayDial(app: App, tx: Tx, call: Call): Promise<boolean> {
  const attempt = await attemptOf(tx, call);
  if (!attempt) {
    await withdrawOrphan(app, tx, call);
    return false;
  }
  const obstacle = (await obstacleTo(app, tx, attempt)) ?? (await missedSlot(app, tx, attempt));
  if (!obstacle && (await mayProbe(app, tx, attempt))) return true;
  await withdraw(app, tx, attempt, obstacle);
  return false;
}

/** Without an obstacle, the carrier of the attempt is that of the campaign's number, whose state was read with the campaign. */
async function mayProbe(app: App, tx: Tx, { call, dialing }: Attempt): Promise<boolean> {
  if (dialing.carrier.pause === null) return true;
  const { orgId, phoneNumberId: numberId } = call;
  return takeProbe(app, tx, { orgId, numberId }, await carrierStateOf(tx, numberId));
}

async function obstacleTo(
  app: App,
  tx: Tx,
  { call, contact, dialing }: Attempt,
  { hasCall = false }: { hasCall?: boolean } = {},
): Promise<Withdrawal | undefined> {
  const { campaign } = dialing;
  const now = app.clock.now();
  const { max_concurrent: orgMaxConcurrent } = app.config.limits.organization;
  const before = await callBefore(tx, call);
  // `contact.phone` cannot tell this: a campaign contact keeps the phone, because a call in progress needs it.
  if (!contact.hasPhone) return { becomes: 'cancelled', reason: 'The contact has no phone any more.' };
  const rules = contactRules(app.config, dialing.org);
  const held = await heldBy(app, tx, rules, campaign, contact, { ofAttempt: true, hasCall });
  const { isDoNotCall } = contact;
  const facts = { isDoNotCall, lastOutcome: before?.status ?? undefined, attempt: call.attempt, held };
  const obstacles = [
    ...campaignObstacles(dialing, { orgMaxConcurrent }, now, 1),
    ...contactObstacles(campaign, contact, facts, now),
  ].filter(({ bottleneck }) => !hasCall || bottleneck === undefined);
  const found = decisive(obstacles);
  if (found) return { ...found, heldUntil: heldUntil(obstacles, now) };
  const hasChanged =
    call.agentId !== campaign.agentId ||
    !campaign.phoneNumberIds.includes(call.phoneNumberId) ||
    call.to !== contact.phone;
  return hasChanged ? outOfDate : undefined;
}

const outOfDate = { becomes: 'pending', reason: 'The attempt is out of date.' } as const;

/** The obstacle of an attempt that is late and gets no present slot, either. */
async function missedSlot(app: App, tx: Tx, attempt: Attempt): Promise<typeof outOfDate | undefined> {
  const isLate = app.clock.now() - (attempt.call.startedAt ?? attempt.call.createdAt) >= lateMs;
  return isLate && !(await takeSlot(app, tx, attempt)) ? outOfDate : undefined;
}

/**
 * Starts a late attempt anew in this millisecond, if every limit of calls per second allows a call in it; otherwise the campaign has to.
 * Taking every late attempt back would cost an overloaded server the time in which it could dial: it would dial nobody.
 */
async function takeSlot(app: App, tx: Tx, { call, contact, dialing }: Attempt): Promise<boolean> {
  const { campaign, number, org } = dialing;
  const now = app.clock.now();
  if (!number || slotFrom(now, [campaign.paceAt, number.paceAt, org.paceAt]) > now) return false;
  const { paceAt, numberPaceAt, orgPaceAt } = pacesAfter(app, dialing, number, now);
  await store.updateCampaign(tx, campaign.id, { pace_at: paceAt });
  await numbers.setPaceAt(tx, number.id, numberPaceAt);
  await organizations.setPace(tx, campaign.orgId, orgPaceAt);
  await startAnew(tx, call.id, now);
  await campaignContacts.update(tx, contact.id, { last_attempted_at: now });
  return true;
}

const callBefore = (tx: Tx, { campaignContactId, attempt }: Call): Promise<Call | undefined> =>
  attempt > 1 ? callOfAttempt(tx, campaignContactId!, attempt - 1) : Promise.resolve(undefined);

async function outOfReach(app: App, tx: Tx, call: Call, reason: string): Promise<void> {
  const attempt = await attemptOf(tx, call);
  if (!attempt) return withdrawOrphan(app, tx, call);
  const { contact, dialing } = attempt;
  const { resumptions } = await carrierStateOf(tx, call.phoneNumberId);
  const othersGotThrough = contact.unreachableResumptions !== resumptions;
  const count = contact.unreachableCount + (othersGotThrough ? 1 : 0);
  if (count >= maxUnreachable) {
    await recordNotHandedOver(tx, call.id);
    return endCall(app, tx, call, plainOutcome('failed', { errorMessage: reason }));
  }
  await campaignContacts.update(tx, contact.id, {
    unreachable_count: count,
    unreachable_resumptions: resumptions,
    unreachable_tries: contact.unreachableTries + 1,
  });
  const becomes = dialing.campaign.status === 'completed' ? 'expired' : 'pending';
  await withdraw(app, tx, attempt, { becomes, notBefore: app.clock.now() + pauseAfter(contact.unreachableTries) });
}

/**
 * What keeps an attempt that the carrier has from ringing. It has its line and was let through to the carrier before, so neither limits nor a
 * pause of the carrier concern it.
 */
const obstacleToRing = (app: App, tx: Tx, attempt: Attempt): ReturnType<typeof obstacleTo> =>
  obstacleTo(app, tx, { ...attempt, dialing: { ...attempt.dialing, carrier: carrierInReach } }, { hasCall: true });

async function reasonNotToRing(app: App, tx: Tx, call: Call): Promise<string | undefined> {
  const attempt = await attemptOf(tx, call);
  return attempt ? (await obstacleToRing(app, tx, attempt))?.reason : 'The contact or the campaign is gone.';
}

async function takeBack(app: App, tx: Tx, call: Call): Promise<void> {
  const attempt = await attemptOf(tx, call);
  if (!attempt) return withdrawOrphan(app, tx, call);
  const obstacle = await obstacleToRing(app, tx, attempt);
  await withdraw(app, tx, attempt, obstacle);
}

const causeOf = async (tx: Tx, orgId: string, contact: AttemptedContact, now: number): Promise<Cause | null> =>
  contact.hasPhone ? doNotCallCause(tx, orgId, contact) : causeNow('no_phone', now);

/**
 * Takes an attempt back as if it had never been made: the contact gets back its earlier number of attempts, call and retry, and the status
 * `becomes`. If it waits, it is not called again before `notBefore` and `heldUntil`.
 */
async function withdraw(
  app: App,
  tx: Tx,
  { call, contact, dialing: { campaign } }: Attempt,
  { becomes = 'pending', reason, notBefore = 0, heldUntil: held = 0 }: Partial<Withdrawal> = {},
): Promise<void> {
  const before = await callBefore(tx, call);
  const now = app.clock.now();
  const retry = before && (retryOpening(campaign, contact.timezone, before.endedAt ?? now) ?? before.endedAt);
  const cause = becomes === 'cancelled' ? await causeOf(tx, call.orgId, contact, now) : null;
  await withdrawCall(tx, call);
  await campaignContacts.update(tx, contact.id, {
    status: becomes,
    attempt_count: call.attempt - 1,
    call_session_id: before?.id ?? null,
    last_attempted_at: before?.startedAt ?? null,
    next_retry_at: becomes === 'pending' ? Math.max(retry ?? 0, notBefore, held) || null : null,
    ...(held > 0 ? noLongerForCarrier : {}),
    error_message: becomes === 'cancelled' ? (reason ?? null) : contact.errorMessage,
    cause: cause && JSON.stringify(cause),
  });
  if (becomes === 'pending') await campaignContacts.addPending(tx, campaign.id, contact.timezone, 1);
  await store.addStats(tx, campaign.id, { inProgress: -1, [counterOf(becomes)]: 1 });
  await wakeWaiting(app, tx, call.orgId);
  if (campaign.executionStatus === 'running') await tickAt(app, tx, campaign.id, now);
  await completeIfDone(app, tx, (await store.campaignById(tx, campaign.id))!);
}

export const campaignCalls: CampaignCalls = { mayDial, outOfReach, reasonNotToRing, takeBack };
