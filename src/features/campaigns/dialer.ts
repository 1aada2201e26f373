import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { paceAfter, slotFrom } from '../calls/pacing.ts';
import { createCall } from '../calls/service.ts';
import type { Campaign, CampaignContact } from './campaign.ts';
import { completeIfDone, endPending } from './completion.ts';
import * as campaignContacts from './campaign-contacts-store.ts';
import { factsOf } from './contact-facts.ts';
import { type Dialing, dialingOf } from './dialing-store.ts';
import { campaignObstacles, contactObstacles, decisive, type Obstacle } from './eligibility.ts';
import { tickAt } from './kinds.ts';
import { startOf, windowOf } from './schedule.ts';
import * as store from './store.ts';
import { isOpen, nextOpening } from './window.ts';

/** Contacts that one tick finds must not be called; the next tick continues, so that a long run does not block the database. */
const maxEndedPerTick = 100;

/**
 * Starts the campaign's next call if one is due, and schedules the next tick. Schedules none if only an event can change the situation (no
 * capacity, no pending contact, an INACTIVE agent): the event does. Its cost does not depend on the number of contacts.
 */
export async function tick(app: App, tx: Tx, campaignId: string): Promise<void> {
  const dialing = await dialingOf(tx, campaignId);
  if (dialing?.campaign.executionStatus !== 'running') return;
  const { campaign } = dialing;
  const now = app.clock.now();
  const start = startOf(campaign.schedule);
  if (start !== null && now < start) return tickAt(app, tx, campaignId, start);
  if (await completeIfDone(app, tx, campaign)) return;
  if (campaign.stats.pending === 0) return;
  const { max_concurrent: orgMaxConcurrent } = app.config.limits.organization;
  const obstacles = campaignObstacles(dialing, { orgMaxConcurrent }, now);
  await rememberBottleneck(tx, campaign, obstacles);
  if (obstacles.length > 0) {
    const ends = obstacles.map(({ until }) => until ?? Infinity);
    if (!ends.includes(Infinity)) await tickAt(app, tx, campaignId, Math.max(...ends));
    return;
  }
  const origin = { ...dialing, agent: dialing.agent!, number: dialing.number! };
  const slot = slotFrom(now, [campaign.paceAt, origin.number.paceAt, origin.org.paceAt]);
  if (slot > now) return tickAt(app, tx, campaignId, slot);
  await dialNext(app, tx, origin);
}

/** A campaign that may call: it has an agent and a number. */
type CallOrigin = Dialing & { agent: NonNullable<Dialing['agent']>; number: NonNullable<Dialing['number']> };

/** Remembers whose limit of concurrent calls stops the campaign, so that the end of a call wakes it. */
async function rememberBottleneck(tx: Tx, campaign: Campaign, obstacles: readonly Obstacle[]): Promise<void> {
  const isLasting = obstacles.some(({ bottleneck, until }) => bottleneck === undefined && until === undefined);
  if (isLasting) return;
  const waitingFor = obstacles.find(({ bottleneck }) => bottleneck !== undefined)?.bottleneck ?? null;
  if (waitingFor !== campaign.waitingFor) await store.updateCampaign(tx, campaign.id, { waiting_for: waitingFor });
}

async function dialNext(app: App, tx: Tx, origin: CallOrigin): Promise<void> {
  const { campaign, carrier } = origin;
  const now = app.clock.now();
  const zones = (await campaignContacts.pendingZones(tx, campaign.id)).map((zone) => zone.timezone);
  const open = zones.filter((zone) => isOpen(windowOf(campaign, zone), now));
  for (let ended = 0; ended < maxEndedPerTick; ended++) {
    // A probe takes the next contact: the one that has just failed may be the reason.
    const untried =
      carrier.pause === null ? undefined : await nextContact(tx, campaign.id, open, now, carrier.resumptions);
    const contact = untried ?? (await nextContact(tx, campaign.id, open, now));
    if (!contact) return tickWhenDue(app, tx, campaign, zones, now);
    const obstacle = decisive(contactObstacles(campaign, contact, await factsOf(tx, campaign, contact), now));
    if (!obstacle || obstacle.becomes === 'pending') return startAttempt(app, tx, contact, origin);
    await endPending(tx, contact, obstacle.becomes, obstacle.becomes === 'cancelled' ? obstacle.reason : undefined);
  }
  return tickAt(app, tx, campaign.id, now);
}

/** Due retries come before first attempts, which come in the order of adding (contract, section 6, "Dialing"). */
async function nextContact(
  tx: Tx,
  campaignId: string,
  openZones: readonly string[],
  now: number,
  resumptions: number | null = null,
): Promise<CampaignContact | undefined> {
  const heads: CampaignContact[] = [];
  for (const zone of openZones) {
    const head = await campaignContacts.nextInZone(tx, { campaignId, zone }, now, resumptions);
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

/** Writes the attempt. A job enqueued in the same transaction hands it to the carrier, so a crash never dials twice. */
async function startAttempt(
  app: App,
  tx: Tx,
  contact: CampaignContact,
  { campaign, agent, number, org }: CallOrigin,
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
