import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { enqueue } from '../../kernel/queue.ts';
import { paceAfter, slotFrom } from '../calls/pacing.ts';
import { createCall } from '../calls/service.ts';
import { isDoNotCall } from '../contacts/service.ts';
import type { OrganizationUsage } from '../organizations/service.ts';
import type { Campaign, CampaignContact, Bottleneck } from './campaign.ts';
import { completeIfDone } from './completion.ts';
import * as campaignContacts from './campaign-contacts-store.ts';
import { type Dialing, dialingOf } from './dialing-store.ts';
import { campaignTick } from './kinds.ts';
import { endOf, startOf, windowOf } from './schedule.ts';
import * as store from './store.ts';
import { isOpen, nextOpening } from './window.ts';

/** Contacts on the do-not-call list that one tick cancels; the next tick continues, so that a long run does not block the database. */
const maxOptOutsPerTick = 100;

/** Schedules the campaign's next tick, unless an earlier one is already scheduled. */
export const tickAt = (app: App, tx: Tx, campaignId: string, dueAt: number): Promise<void> =>
  enqueue(app, tx, campaignTick, { key: campaignId, dueAt, payload: { campaignId } });

/**
 * Starts the campaign's next call if one is due, and schedules the next tick. Schedules none if only an event can change the situation (no
 * capacity, no pending contact, an INACTIVE agent): the event does. Its cost does not depend on the number of contacts.
 */
export async function tick(app: App, tx: Tx, campaignId: string): Promise<void> {
  const dialing = await dialingOf(tx, campaignId);
  if (dialing?.campaign.executionStatus !== 'running') return;
  const { campaign, org } = dialing;
  const now = app.clock.now();
  const start = startOf(campaign.schedule);
  if (start !== null && now < start) return tickAt(app, tx, campaignId, start);
  if (await completeIfDone(app, tx, campaign)) return;
  const end = endOf(campaign.schedule);
  if (campaign.stats.pending === 0 || (end !== null && now >= end)) return;
  const origin = await originWithCapacity(app, tx, dialing);
  if (!origin) return;
  const slot = slotFrom(now, [campaign.paceAt, origin.number.paceAt, org.paceAt]);
  if (slot > now) return tickAt(app, tx, campaignId, slot);
  await dialNext(app, tx, campaign, origin);
}

/** Who calls, and from where. */
type CallOrigin = {
  agent: NonNullable<Dialing['agent']>;
  number: NonNullable<Dialing['number']>;
  org: OrganizationUsage;
};

/** Undefined if the agent or the number cannot call, or a limit of concurrent calls is reached; remembers which one. */
async function originWithCapacity(
  app: App,
  tx: Tx,
  { campaign, agent, number, org }: Dialing,
): Promise<CallOrigin | undefined> {
  if (agent?.status !== 'ACTIVE' || number?.status !== 'active') return undefined;
  const waitingFor = bottleneckOf(app, campaign, { agent, number, org });
  if (waitingFor !== campaign.waitingFor) await store.updateCampaign(tx, campaign.id, { waiting_for: waitingFor });
  return waitingFor === null ? { agent, number, org } : undefined;
}

function bottleneckOf(app: App, campaign: Campaign, { number, org }: CallOrigin): Bottleneck | null {
  if (campaign.stats.inProgress >= campaign.schedule.maxConcurrent) return 'campaign';
  if (number.inFlight >= number.maxConcurrent) return 'number';
  return org.inFlight >= app.config.limits.organization.max_concurrent ? 'organization' : null;
}

async function dialNext(app: App, tx: Tx, campaign: Campaign, origin: CallOrigin): Promise<void> {
  const now = app.clock.now();
  const zones = (await campaignContacts.pendingZones(tx, campaign.id)).map((zone) => zone.timezone);
  const open = zones.filter((zone) => isOpen(windowOf(campaign, zone), now));
  for (let optOuts = 0; optOuts < maxOptOutsPerTick; optOuts++) {
    const contact = await nextContact(tx, campaign.id, open, now);
    if (!contact) return tickWhenDue(app, tx, campaign, zones, now);
    if (!(await isDoNotCall(tx, campaign.orgId, contact.phone, contact.contactId))) {
      return startAttempt(app, tx, campaign, contact, origin);
    }
    await optOut(tx, contact);
  }
  return tickAt(app, tx, campaign.id, now);
}

/** Due retries come before first attempts, which come in the order of adding (contract, section 6, "Dialing"). */
async function nextContact(
  tx: Tx,
  campaignId: string,
  openZones: readonly string[],
  now: number,
): Promise<CampaignContact | undefined> {
  const heads: CampaignContact[] = [];
  for (const zone of openZones) {
    const head = await campaignContacts.nextInZone(tx, campaignId, zone, now);
    if (head) heads.push(head);
  }
  const dueAt = ({ nextRetryAt }: CampaignContact): number => nextRetryAt ?? Number.MAX_SAFE_INTEGER;
  return heads.toSorted((a, b) => dueAt(a) - dueAt(b) || a.position - b.position)[0];
}

/** Schedules the tick for when nobody is due: at the next opening of a time zone or the next retry, whichever is first. */
async function tickWhenDue(app: App, tx: Tx, campaign: Campaign, zones: readonly string[], now: number): Promise<void> {
  const instants: number[] = [];
  for (const zone of zones) {
    const window = windowOf(campaign, zone);
    const dueAt = isOpen(window, now)
      ? await campaignContacts.nextRetryAt(tx, campaign.id, zone, now)
      : nextOpening(window, now);
    if (dueAt !== null) instants.push(nextOpening(window, dueAt) ?? dueAt);
  }
  if (instants.length > 0) await tickAt(app, tx, campaign.id, Math.min(...instants));
  else await completeIfDone(app, tx, (await store.campaignById(tx, campaign.id))!);
}

/** Cancels a contact that got on the do-not-call list after it joined (contract, section 5). */
async function optOut(tx: Tx, contact: CampaignContact): Promise<void> {
  const reason = 'On the do-not-call list.';
  await campaignContacts.update(tx, contact.id, { status: 'cancelled', next_retry_at: null, error_message: reason });
  await campaignContacts.addPending(tx, contact.campaignId, contact.timezone, -1);
  await store.addStats(tx, contact.campaignId, { pending: -1, failed: 1 });
}

/** Writes the attempt. A job enqueued in the same transaction hands it to the carrier, so a crash never dials twice. */
async function startAttempt(
  app: App,
  tx: Tx,
  campaign: Campaign,
  contact: CampaignContact,
  { agent, number, org }: CallOrigin,
): Promise<void> {
  const now = app.clock.now();
  const attempt = contact.attemptCount + 1;
  const paceAt = paceAfter(campaign.paceAt, now, campaign.maxCps);
  const numberPaceAt = paceAfter(number.paceAt, now, number.maxCps);
  const orgPaceAt = paceAfter(org.paceAt, now, app.config.limits.organization.max_cps);
  const callId = await createCall(
    app,
    tx,
    {
      numberPaceAt,
      orgPaceAt,
      orgId: campaign.orgId,
      agent,
      phoneNumberId: number.id,
      from: number.phone,
      to: contact.phone,
      attempt,
      campaignId: campaign.id,
      campaignContactId: contact.id,
      contactId: contact.contactId,
      callerName: contact.name,
      callerEmail: contact.email,
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
  await store.addStats(tx, campaign.id, { pending: -1, inProgress: 1 }, paceAt);
  const slot = slotFrom(now, [paceAt, numberPaceAt, orgPaceAt]);
  // If number or organization set the pace, tick one millisecond later: other campaigns that wait for the slot go first, so all take turns.
  const yields = slot > slotFrom(now, [paceAt]) && (await store.hasOtherPending(tx, campaign));
  await tickAt(app, tx, campaign.id, yields ? slot + 1 : slot);
}
