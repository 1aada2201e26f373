import { onUndone, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { nodeState } from '../../../kernel/node.ts';
import type { Campaign, CampaignContact } from '../campaign.ts';
import * as campaignContacts from '../contacts/store.ts';
import type { QueueEntry, ZoneHead } from '../contacts/store.ts';
import { windowOf } from '../schedule/schedule.ts';
import { closesAt, isOpen, nextOpening } from '../schedule/window.ts';

/**
 * While some time zones of a campaign are closed, remembers for each open one which contact is first in its queue. Without this, each tick
 * would read the queues of hundreds of zones, although only that of the last call has changed.
 *
 * Call `changePending` or `forgetQueues` in each transaction that changes which contacts are pending, or when or where they may be called.
 * If the transaction is undone, its campaign is forgotten, because a tick inside it may have remembered the changes.
 */

/** Zones of all campaigns together. This many take about 20 MB. */
const maxZones = 50_000;

type ZoneQueue = {
  zone: string;
  /** Whether the calling window is open, from `fromMs` to `untilMs`. */
  isOpen: boolean;
  fromMs: number;
  untilMs: number;
  /** Undefined if it has to be read. */
  head: ZoneHead | undefined;
};

/** `hours`: the calling hours for which the zones' windows were computed. */
type Queues = { hours: string; zones: Map<string, ZoneQueue> };

const queuesOf = nodeState('zoneQueues', () => new Map<string, Queues>());

/** Adds `by` to the number of a zone's pending contacts, and has the next tick read the zone's queue again. */
export async function changePending(app: App, tx: Tx, campaignId: string, zone: string, by: number): Promise<void> {
  const zones = queuesOf(app).get(campaignId)?.zones;
  if (zones) {
    const queue = zones.get(zone);
    if (queue) queue.head = undefined;
    else zones.set(zone, newQueue(zone));
    onUndone(tx, () => queuesOf(app).delete(campaignId));
  }
  await campaignContacts.addPending(tx, campaignId, zone, by);
}

/** Call it after a change of pending contacts that leaves their numbers as they are, such as of the instants of retries. */
export const forgetQueues = (app: App, campaignId: string): void => void queuesOf(app).delete(campaignId);

/** A queue whose window the next tick computes, and whose head it reads. */
const newQueue = (zone: string): ZoneQueue => ({
  zone,
  isOpen: false,
  fromMs: Infinity,
  untilMs: Infinity,
  head: undefined,
});

/** Remembers the campaign's zones from now on. */
export async function rememberQueues(app: App, tx: Tx, campaign: Campaign): Promise<void> {
  const campaigns = queuesOf(app);
  const zones = await campaignContacts.pendingZones(tx, campaign.id);
  makeRoom(campaigns, zones.length);
  const queues = zones.map(({ timezone }) => [timezone, newQueue(timezone)] as const);
  campaigns.set(campaign.id, { hours: hoursOf(campaign), zones: new Map(queues) });
  onUndone(tx, () => campaigns.delete(campaign.id));
}

/** Forgets the campaigns that were remembered first. */
function makeRoom(campaigns: Map<string, Queues>, needed: number): void {
  let total = needed;
  for (const { zones } of campaigns.values()) total += zones.size;
  for (const [id, { zones }] of campaigns) {
    if (total <= maxZones) return;
    campaigns.delete(id);
    total -= zones.size;
  }
}

const hoursOf = (campaign: Campaign): string => JSON.stringify(windowOf(campaign, ''));

/**
 * The next contact to call in the open zones of a remembered campaign. Undefined if the campaign is not remembered, no zone is closed any
 * more, or no contact is due: then the campaign is forgotten, and the caller reads the database.
 */
export async function nextRemembered(
  app: App,
  tx: Tx,
  campaign: Campaign,
  now: number,
): Promise<CampaignContact | undefined> {
  const queues = queuesOf(app).get(campaign.id);
  if (!queues) return undefined;
  const next = queues.hours === hoursOf(campaign) ? await nextIn(tx, campaign, queues.zones, now) : undefined;
  if (!next) forgetQueues(app, campaign.id);
  return next;
}

async function nextIn(
  tx: Tx,
  campaign: Campaign,
  zones: ReadonlyMap<string, ZoneQueue>,
  now: number,
): Promise<CampaignContact | undefined> {
  let isAnyClosed = false;
  const unread: string[] = [];
  for (const queue of zones.values()) {
    if (now < queue.fromMs || now >= queue.untilMs) computeWindow(campaign, queue, now);
    if (!queue.isOpen) isAnyClosed = true;
    else if (!queue.head) unread.push(queue.zone);
  }
  if (!isAnyClosed) return undefined;
  const read = unread.length === 0 ? [] : await campaignContacts.headsOfZones(tx, campaign.id, unread);
  for (const head of read) zones.get(head.zone)!.head = head;
  let first: QueueEntry | null = null;
  for (const { isOpen: open, head } of zones.values()) {
    const entry = open ? entryOf(head!, now) : null;
    if (entry && (!first || comesBefore(entry, first))) first = entry;
  }
  const contact = first && (await campaignContacts.findById(tx, first.id));
  // Even if a change was not reported here, a contact must not be called twice.
  return contact?.status === 'pending' && (contact.nextRetryAt ?? Infinity) === first!.dueAt ? contact : undefined;
}

const entryOf = ({ retry, firstAttempt }: ZoneHead, now: number): QueueEntry | null =>
  retry && retry.dueAt <= now ? retry : firstAttempt;

const comesBefore = (one: QueueEntry, other: QueueEntry): boolean =>
  one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.position < other.position);

function computeWindow(campaign: Campaign, queue: ZoneQueue, now: number): void {
  const window = windowOf(campaign, queue.zone);
  queue.isOpen = isOpen(window, now);
  queue.fromMs = now;
  queue.untilMs = (queue.isOpen ? closesAt(window, now) : nextOpening(window, now)) ?? Infinity;
}
