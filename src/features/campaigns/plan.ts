import { dayMs } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import type { Campaign } from './campaign.ts';
import { type Pace, nextStartAfter, startsIn } from './capacity.ts';
import * as campaignContacts from './campaign-contacts-store.ts';
import { endOf, startOf, windowOf } from './schedule.ts';
import { getCampaign, limitsOf } from './service.ts';
import { openings } from './window.ts';

/** How far a plan looks ahead (contract, section 6). */
const horizonMs = 14 * dayMs;
/** A call's length until the campaign has calls of its own to average. */
const assumedCallSec = 60;

type Span = { opensAt: number; closesAt: number };

/** The contacts that share a wall clock: how many are to be called, and when they can be. */
export type ZonePlan = { eligible: number; openings: readonly Span[] };

export type Plan = {
  openings: Array<Span & { capacity: number }>;
  eligible: number;
  skipped: Array<{ reason: string; count: number }>;
  finishesAt: number | null;
};

/** The stretches in which at least one of several zones is open. */
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
 * When the last contact is reached; null when the openings do not suffice. Between any two bounds of openings the zones that are open
 * share the pace, each by what it has left, as they do when contacts of all zones are mixed in the queue.
 */
export function finishOf(zones: readonly ZonePlan[], pace: Pace): number | null {
  const ahead = zones.map(({ eligible, openings: spans }) => ({ left: eligible, spans, at: 0 }));
  for (const { opensAt, from, to } of stretchesOf(zones)) {
    for (const zone of ahead) while ((zone.spans[zone.at]?.closesAt ?? Infinity) <= from) zone.at += 1;
    const open = ahead.filter(({ left, spans, at }) => left > 0 && (spans[at]?.opensAt ?? Infinity) <= from);
    const wanted = open.reduce((sum, { left }) => sum + left, 0);
    const before = startsIn(pace, from - opensAt);
    const reached = startsIn(pace, to - opensAt) - before;
    for (const zone of open) zone.left = reached >= wanted ? 0 : zone.left - reached * (zone.left / wanted);
    if (wanted > 0 && ahead.every(({ left }) => left === 0)) {
      return Math.min(to, opensAt + nextStartAfter(pace, before + Math.ceil(wanted)));
    }
  }
  return null;
}

/** Time cut at every bound of an opening, without what is closed to all; each with when the union it lies in opened. */
function stretchesOf(zones: readonly ZonePlan[]): Array<{ opensAt: number; from: number; to: number }> {
  const bounds = zones.flatMap((zone) => zone.openings.flatMap(({ opensAt, closesAt }) => [opensAt, closesAt]));
  const ordered = [...new Set(bounds)].toSorted((a, b) => a - b);
  return unionOf(zones).flatMap(({ opensAt, closesAt }) => {
    const inside = ordered.filter((bound) => bound >= opensAt && bound <= closesAt);
    return inside.slice(1).map((to, index) => ({ opensAt, from: inside[index]!, to }));
  });
}

/**
 * The next openings on the wall clocks of the contacts that wait (the campaign's own when nobody does), what each could reach at the
 * present pace, and when the campaign would be through. Retries to come are not in it: nobody knows them yet.
 */
export async function planOf(app: App, orgId: string, id: string): Promise<Plan> {
  const campaign = await getCampaign(app, orgId, id);
  const meanCallSec = (await campaignContacts.meanCallSec(app.db, id)) ?? assumedCallSec;
  const pace = { ...(await limitsOf(app, campaign)), meanCallSec };
  const offLimits = await campaignContacts.doNotCallByZone(app.db, orgId, id);
  const zones = await zonePlans(app, campaign, offLimits);
  const eligible = zones.reduce((sum, zone) => sum + zone.eligible, 0);
  const skipped = [
    { reason: 'on the do-not-call list', count: [...offLimits.values()].reduce((sum, count) => sum + count, 0) },
    { reason: 'removed or opted out', count: await campaignContacts.countWithStatus(app.db, id, 'cancelled') },
    { reason: 'the campaign ended before', count: await campaignContacts.countWithStatus(app.db, id, 'expired') },
  ].filter(({ count }) => count > 0);
  return {
    openings: unionOf(zones).map((span) => ({ ...span, capacity: startsIn(pace, span.closesAt - span.opensAt) })),
    eligible,
    skipped,
    finishesAt: eligible === 0 ? null : finishOf(zones, pace),
  };
}

async function zonePlans(app: App, campaign: Campaign, offLimits: ReadonlyMap<string, number>): Promise<ZonePlan[]> {
  const from = Math.max(app.clock.now(), startOf(campaign.schedule) ?? 0);
  const until = Math.min(from + horizonMs, endOf(campaign.schedule) ?? Number.MAX_SAFE_INTEGER);
  if (from >= until || campaign.status === 'completed') return [];
  const pending = await campaignContacts.pendingZones(app.db, campaign.id);
  const zones = pending.length > 0 ? pending : [{ timezone: '', pending: 0 }];
  return zones.map((zone) => ({
    eligible: zone.pending - (offLimits.get(zone.timezone) ?? 0),
    openings: openings(windowOf(campaign, zone.timezone), from, until),
  }));
}
