import { dayMs } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import type { Campaign } from './campaign.ts';
import { type Pace, nextStartAfter, startsIn } from './capacity.ts';
import * as campaignContacts from './campaign-contacts-store.ts';
import { dialingOf } from './dialing-store.ts';
import { endOf, startOf, windowOf } from './schedule.ts';
import { getCampaign, limitsOf } from './service.ts';
import { openings } from './window.ts';

/** How far a plan looks ahead (contract, section 6). */
const horizonMs = 14 * dayMs;
/** Assumed length of a call until the campaign has ended calls. */
const assumedCallSec = 60;

/** A period in which calls can be made. */
type Span = { opensAt: number; closesAt: number };

/** The contacts of one time zone: how many are to be called, and when they can be. */
export type ZonePlan = { eligible: number; openings: readonly Span[] };

export type Plan = {
  openings: Array<Span & { capacity: number }>;
  eligible: number;
  skipped: Array<{ reason: string; count: number }>;
  finishesAt: number | null;
  /** The caller number and the reason, while its carrier is out of reach. */
  outOfReach: { phone: string; reason: string; probeAt: number } | null;
};

/** The periods in which at least one of the time zones is open. */
export function unionOf(zones: readonly ZonePlan[]): Span[] {
  const spans = zones.flatMap((zone) => zone.openings).toSorted((a, b) => a.opensAt - b.opensAt);
  const union: Span[] = [];
  for (const { opensAt, closesAt } of spans) {
    const last = union.at(-1);
    if (last && opensAt <= last.closesAt) last.closesAt = Math.max(last.closesAt, closesAt);
    else union.push({ opensAt, closesAt });
  }
  return union;
}

/**
 * When the last contact is reached, or null if the openings do not suffice. Between two consecutive bounds of openings, the open time
 * zones share the pace in proportion to their remaining contacts, as if these were mixed evenly in the queue.
 */
export function finishOf(zones: readonly ZonePlan[], pace: Pace): number | null {
  const remaining = zones.map(({ eligible, openings: spans }) => ({ left: eligible, spans, at: 0 }));
  for (const { opensAt, from, to } of slicesOf(zones)) {
    for (const zone of remaining) while ((zone.spans[zone.at]?.closesAt ?? Infinity) <= from) zone.at += 1;
    const open = remaining.filter(({ left, spans, at }) => left > 0 && (spans[at]?.opensAt ?? Infinity) <= from);
    const wanted = open.reduce((sum, { left }) => sum + left, 0);
    const before = startsIn(pace, from - opensAt);
    const reached = startsIn(pace, to - opensAt) - before;
    for (const zone of open) zone.left = reached >= wanted ? 0 : zone.left - reached * (zone.left / wanted);
    if (wanted > 0 && remaining.every(({ left }) => left === 0)) {
      return Math.min(to, opensAt + nextStartAfter(pace, before + Math.ceil(wanted)));
    }
  }
  return null;
}

/** The union of all openings, cut at every bound of an opening. `opensAt` is when the period of the union opened. */
function slicesOf(zones: readonly ZonePlan[]): Array<{ opensAt: number; from: number; to: number }> {
  const bounds = zones.flatMap((zone) => zone.openings.flatMap(({ opensAt, closesAt }) => [opensAt, closesAt]));
  const ordered = [...new Set(bounds)].toSorted((a, b) => a - b);
  return unionOf(zones).flatMap(({ opensAt, closesAt }) => {
    const inside = ordered.filter((bound) => bound >= opensAt && bound <= closesAt);
    return inside.slice(1).map((to, index) => ({ opensAt, from: inside[index]!, to }));
  });
}

/**
 * The next openings in the time zones of the pending contacts (in the campaign's if there are none), how many contacts each could reach at
 * the present pace, and when the campaign would finish. Future retries are not included, because nobody knows which calls will fail. While the
 * carrier is out of reach, the openings begin with its next probe.
 */
export async function planOf(app: App, orgId: string, id: string): Promise<Plan> {
  const campaign = await getCampaign(app, orgId, id);
  const meanCallSec = (await campaignContacts.meanCallSec(app.db, id)) ?? assumedCallSec;
  const pace = { ...(await limitsOf(app, campaign)), meanCallSec };
  const doNotCall = await campaignContacts.doNotCallByZone(app.db, orgId, id);
  const outOfReach = await outOfReachOf(app, campaign);
  const zones = await zonePlans(app, campaign, doNotCall, outOfReach?.probeAt ?? 0);
  const eligible = zones.reduce((sum, zone) => sum + zone.eligible, 0);
  const skipped = [
    { reason: 'on the do-not-call list', count: [...doNotCall.values()].reduce((sum, count) => sum + count, 0) },
    { reason: 'removed or opted out', count: await campaignContacts.countWithStatus(app.db, id, 'cancelled') },
    { reason: 'the campaign ended first', count: await campaignContacts.countWithStatus(app.db, id, 'expired') },
  ].filter(({ count }) => count > 0);
  return {
    openings: unionOf(zones).map((span) => ({ ...span, capacity: startsIn(pace, span.closesAt - span.opensAt) })),
    eligible,
    skipped,
    finishesAt: eligible === 0 ? null : finishOf(zones, pace),
    outOfReach,
  };
}

async function outOfReachOf(app: App, campaign: Campaign): Promise<Plan['outOfReach']> {
  const dialing = await dialingOf(app.db, campaign.id);
  const pause = dialing?.carrier.pause ?? null;
  if (!dialing?.number || pause === null) return null;
  return { phone: dialing.number.phone, reason: pause.reason, probeAt: pause.probeAt };
}

async function zonePlans(
  app: App,
  campaign: Campaign,
  doNotCall: ReadonlyMap<string, number>,
  notBefore: number,
): Promise<ZonePlan[]> {
  const from = Math.max(app.clock.now(), startOf(campaign.schedule) ?? 0, notBefore);
  const until = Math.min(from + horizonMs, endOf(campaign.schedule) ?? Number.MAX_SAFE_INTEGER);
  if (from >= until || campaign.status === 'completed') return [];
  const pending = await campaignContacts.pendingZones(app.db, campaign.id);
  const zones = pending.length > 0 ? pending : [{ timezone: '', pending: 0 }];
  return zones.map((zone) => ({
    eligible: zone.pending - (doNotCall.get(zone.timezone) ?? 0),
    openings: openings(windowOf(campaign, zone.timezone), from, until),
  }));
}
