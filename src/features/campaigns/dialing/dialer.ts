import { scopeOf, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { askForLine, lookAgainMs } from '../../calls/carrier-lines.ts';
import { slotFrom } from '../../calls/pacing.ts';
import { createCall } from '../../calls/service.ts';
import type { Bottleneck, Campaign, CampaignContact } from '../campaign.ts';
import { wakeWaiting } from './capacity-queue.ts';
import { completeIfDone, endPending } from '../completion.ts';
import { doNotCallCause } from '../contacts/cause.ts';
import * as campaignContacts from '../contacts/store.ts';
import { factsOf } from '../contacts/contact-facts.ts';
import { heldUntil, noLongerForCarrier } from './held.ts';
import { type Dialing, dialingOf } from './dialing-store.ts';
import { campaignObstacles, contactObstacles, decisive, type Obstacle } from './eligibility.ts';
import { lookForLineAt, tickAt } from '../kinds.ts';
import { hasSeveralNumbers, numberFor, withFreeNumber } from './numbers.ts';
import { nextContact } from './next-contact.ts';
import { pacesAfter } from './pace.ts';
import { openZones, startOf, windowOf } from '../schedule/schedule.ts';
import * as store from '../store.ts';
import { nextOpening } from '../schedule/window.ts';

/** One tick ends at most this many contacts that must not be called, so that it does not block the database; the next tick continues. */
const maxEndedPerTick = 100;
/** The same for contacts that limits of calls to one number or the guard hours hold back. */
const maxHeldPerTick = 25;

/**
 * Starts the campaign's next call if one is due, and schedules the next tick. If the campaign waits for an event (capacity becomes free, a
 * contact is added, the agent becomes ACTIVE), schedules none: the event's subscriber does. Its cost does not depend on the number of
 * contacts.
 */
export async function tick(app: App, tx: Tx, campaignId: string): Promise<void> {
  const found = await dialingOf(tx, campaignId);
  if (!found) return wakeWaiting(app, tx, scopeOf(tx)); // a removed campaign may have been woken
  const dialing = await withFreeNumber(app, tx, found);
  const { campaign } = dialing;
  const queuesAgain = await startNext(app, tx, dialing);
  if (queuesAgain || campaign.wakeAt !== null) await wakeWaiting(app, tx, campaign.orgId);
}

/** Returns whether the campaign queues for the next slot of its number or organization. */
async function startNext(app: App, tx: Tx, dialing: Dialing): Promise<boolean> {
  const { campaign } = dialing;
  const now = app.clock.now();
  const next = await nextStep(app, tx, dialing, now);
  if (next === 'done') return false;
  if ('origin' in next) return dialNext(app, tx, next.origin);
  await leaveQueue(tx, campaign, next.waitingFor ?? null);
  if (next.tickAt !== undefined) await tickAt(app, tx, campaign.id, next.tickAt);
  return next.isPaced ?? false;
}

/** The result of a tick's checks: the campaign may call, it must wait (for a bottleneck, or until `tickAt`), or it was completed. */
type NextStep =
  | { origin: CallOrigin }
  | { waitingFor?: Bottleneck | null; tickAt?: number; isPaced?: boolean }
  | 'done';

async function nextStep(app: App, tx: Tx, dialing: Dialing, now: number): Promise<NextStep> {
  const { campaign } = dialing;
  if (campaign.executionStatus !== 'running') return {};
  const start = startOf(campaign.schedule);
  if (start !== null && now < start) return { tickAt: start };
  if (await completeIfDone(app, tx, campaign)) return 'done';
  if (campaign.stats.pending === 0) return {};
  const { max_concurrent: orgMaxConcurrent } = app.config.limits.organization;
  const obstacles = campaignObstacles(dialing, { orgMaxConcurrent }, now);
  if (obstacles.length > 0) return waitFor(obstacles);
  // Ask this last, because a line is then kept for the organization, which others cannot use.
  const noLine = await askForLine(app, tx, { orgId: campaign.orgId, carrier: dialing.number!.carrier });
  if (noLine !== undefined) {
    await lookForLineAt(app, tx, campaign.orgId, now + lookAgainMs);
    return { waitingFor: 'organization' };
  }
  const origin = dialing as CallOrigin; // the obstacles say if agent or number are missing
  const ownSlot = slotFrom(now, [campaign.paceAt]);
  const numberSlot = slotFrom(ownSlot, [origin.number.paceAt]);
  const slot = slotFrom(numberSlot, [origin.org.paceAt]);
  if (slot === now) return { origin };
  if (slot === ownSlot) return { tickAt: slot };
  return { waitingFor: slot === numberSlot ? 'number' : 'organization', isPaced: true };
}

function waitFor(obstacles: readonly Obstacle[]): NextStep {
  const isLasting = obstacles.some(({ bottleneck, until }) => bottleneck === undefined && until === undefined);
  const bottleneck = obstacles.find((obstacle) => obstacle.bottleneck !== undefined)?.bottleneck;
  if (isLasting) return {};
  if (bottleneck !== undefined) return { waitingFor: bottleneck };
  return { tickAt: Math.max(...obstacles.map(({ until }) => until!)) };
}

/** A campaign that may call: it has an agent and a number. */
type CallOrigin = Dialing & { agent: NonNullable<Dialing['agent']>; number: NonNullable<Dialing['number']> };

/** Ends the campaign's wakeup, and records whose limit it waits for, so that the queue or the end of one of its calls wakes it. */
async function leaveQueue(tx: Tx, campaign: Campaign, waitingFor: Bottleneck | null): Promise<void> {
  if (waitingFor === campaign.waitingFor && campaign.wakeAt === null) return;
  await store.updateCampaign(tx, campaign.id, { waiting_for: waitingFor, wake_at: null });
}

async function dialNext(app: App, tx: Tx, origin: CallOrigin): Promise<boolean> {
  const { campaign, carrier } = origin;
  const now = app.clock.now();
  for (let ended = 0, held = 0; ended < maxEndedPerTick && held < maxHeldPerTick; ended++) {
    // During a pause the call is a probe. A contact that has not failed in this pause goes first: the one that failed may be the cause.
    const untried = carrier.pause === null ? undefined : await nextContact(tx, campaign, now, carrier.resumptions);
    const contact = untried ?? (await nextContact(tx, campaign, now));
    if (!contact) {
      await leaveQueue(tx, campaign, null);
      await tickWhenDue(app, tx, campaign, now);
      return false;
    }
    const obstacles = contactObstacles(campaign, contact, await factsOf(app, tx, origin, contact), now);
    const { becomes = 'pending', reason } = decisive(obstacles) ?? {};
    if (becomes === 'pending') {
      const until = heldUntil(obstacles, now);
      if (until === undefined) return startAttempt(app, tx, contact, await fromNumberFor(app, tx, origin, contact));
      await campaignContacts.update(tx, contact.id, { next_retry_at: until, ...noLongerForCarrier });
      held++;
      continue;
    }
    const cancelled = becomes === 'cancelled' && {
      reason: reason!,
      cause: await doNotCallCause(tx, campaign.orgId, contact),
    };
    await endPending(tx, contact, becomes, cancelled || {});
  }
  await leaveQueue(tx, campaign, null);
  await tickAt(app, tx, campaign.id, now);
  return false;
}

/** When no contact is due now, schedules the tick for the next opening of a time zone or the next retry, whichever is first. */
async function tickWhenDue(app: App, tx: Tx, campaign: Campaign, now: number): Promise<void> {
  const zones = (await campaignContacts.pendingZones(tx, campaign.id)).map(({ timezone }) => timezone);
  const open = new Set(openZones(campaign, zones, now));
  const instants: number[] = [];
  for (const { timezone, nextRetryAt } of await campaignContacts.nextRetries(tx, campaign.id, [...open], now)) {
    instants.push(nextOpening(windowOf(campaign, timezone), nextRetryAt) ?? nextRetryAt);
  }
  for (const zone of zones) {
    const opensAt = open.has(zone) ? null : nextOpening(windowOf(campaign, zone), now);
    if (opensAt !== null) instants.push(opensAt);
  }
  if (instants.length > 0) await tickAt(app, tx, campaign.id, Math.min(...instants));
  else await completeIfDone(app, tx, (await store.campaignById(tx, campaign.id))!);
}

/** The campaign with the one of its numbers that this contact is called from. */
async function fromNumberFor(app: App, tx: Tx, origin: CallOrigin, { phone }: CampaignContact): Promise<CallOrigin> {
  const chosen = await numberFor(app, tx, origin.campaign, phone);
  return chosen ? { ...origin, ...chosen } : origin;
}

/**
 * Writes the attempt. A job enqueued in the same transaction hands it to the carrier, so a crash never dials twice. Returns whether the
 * campaign queues for the next slot.
 */
async function startAttempt(app: App, tx: Tx, contact: CampaignContact, origin: CallOrigin): Promise<boolean> {
  const { campaign, agent, number } = origin;
  const now = app.clock.now();
  const attempt = contact.attemptCount + 1;
  const { paceAt, numberPaceAt, orgPaceAt } = pacesAfter(app, origin, number, now);
  const callId = await createCall(
    app,
    tx,
    {
      numberPaceAt,
      orgPaceAt,
      orgId: campaign.orgId,
      agent,
      phoneNumberId: number.id,
      carrier: number.carrier,
      from: number.phone,
      to: contact.phone,
      attempt,
      campaignId: campaign.id,
      campaignContactId: contact.id,
      contactId: contact.contactId,
      callerName: contact.name,
      callerEmail: contact.email,
      simulate: contact.simulate,
    },
    now,
  );
  await campaignContacts.update(tx, contact.id, {
    status: 'in_progress',
    attempt_count: attempt,
    last_attempted_at: now,
    next_retry_at: null,
    call_session_id: callId,
  });
  await campaignContacts.addPending(tx, campaign.id, contact.timezone, -1);
  // Of several numbers, the next call may come from another one.
  const slot = slotFrom(now, hasSeveralNumbers(campaign) ? [paceAt, orgPaceAt] : [paceAt, numberPaceAt, orgPaceAt]);
  const isLast = campaign.stats.pending === 1;
  const bottleneck = bottleneckAfter(app, origin);
  const queuesAgain =
    !isLast &&
    bottleneck === null &&
    (areLinesPromised(app, origin) || (slot > slotFrom(now, [paceAt]) && (await store.hasOtherPending(tx, campaign))));
  await store.recordStart(tx, campaign.id, { paceAt, waitingFor: bottleneck ?? (queuesAgain ? 'number' : null) });
  if (!isLast && bottleneck === null && !queuesAgain) await tickAt(app, tx, campaign.id, slot);
  return queuesAgain;
}

/** Whether woken campaigns need all lines that the starting call leaves free: a tick of this campaign would take one of theirs. */
function areLinesPromised(app: App, { number, org, others: { ofNumber, ofOrg } }: CallOrigin): boolean {
  const { max_concurrent: orgMaxConcurrent } = app.config.limits.organization;
  return (
    (ofNumber.isAnyWaiting && number.inFlight + 1 + ofNumber.woken >= number.maxConcurrent) ||
    (ofOrg.isAnyWaiting && org.inFlight + 1 + ofOrg.woken >= orgMaxConcurrent)
  );
}

/** The limit whose last free line the starting call takes; null if none. With a limit, the next tick is needed only once a line is free. */
function bottleneckAfter(app: App, { campaign, number, org }: CallOrigin): Bottleneck | null {
  if (campaign.stats.pending === 1) return null; // it has nobody else to call
  if (campaign.stats.inProgress + 1 >= campaign.schedule.maxConcurrent) return 'campaign';
  if (!hasSeveralNumbers(campaign) && number.inFlight + 1 >= number.maxConcurrent) return 'number';
  return org.inFlight + 1 >= app.config.limits.organization.max_concurrent ? 'organization' : null;
}
