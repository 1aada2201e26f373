import { dayMs } from '../../../base/clock.ts';
import { invalid } from '../../../base/errors.ts';
import type { App } from '../../../kernel/app.ts';
import { carrierStateOf } from '../../numbers/carrier-reach.ts';
import { findNumber } from '../../numbers/service.ts';
import type { CapCode } from '../../calls/contact-caps.ts';
import type { GuardHours } from '../../organizations/contact-rules.ts';
import { contactRulesOf } from '../../organizations/service.ts';
import type { Campaign } from '../campaign.ts';
import { type Pace, nextStartAfter, startsIn } from '../dialing/capacity.ts';
import { guardWindow } from '../dialing/held.ts';
import { planFactsOf } from './cache.ts';
import type { PlanFacts } from './store.ts';
import type { SkipCode } from '../dialing/reason-codes.ts';
import { endOf, startOf, windowOf } from '../schedule/schedule.ts';
import { type Missing, missingFor } from '../dialing/readiness.ts';
import { getCampaign, limitsOf } from '../service.ts';
import { type CampaignChanges, settingsAfter } from '../settings.ts';
import { isOpen, nextOpening } from '../schedule/window.ts';
import { commonOpenings, nextAllowed } from '../schedule/windows.ts';

/** How far a plan looks ahead. */
const horizonMs = 14 * dayMs;
/** Assumed length of a call until the campaign has ended calls. */
export const assumedCallSec = 60;

/** A period in which calls can be made. */
type Span = { opensAt: number; closesAt: number };

/** The contacts of one time zone: how many are to be called, and when they can be. */
export type ZonePlan = { eligible: number; openings: readonly Span[] };

export type Plan = {
  openings: Array<Span & { capacity: number }>;
  eligible: number;
  skipped: Array<{ reason: string; code: SkipCode; count: number }>;
  finishesAt: number | null;
  /** What keeps the campaign from calling anybody; nothing if it is ready. */
  missing: Missing[];
  /** The contacts that can be called in each time zone, and its next opening. */
  byZone: Array<{ timezone: string; contacts: number; opensAt: number | null; closesAt: number | null }>;
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
 * When the last contact is reached, or null if the openings do not suffice. In each stretch between two consecutive openings or closings,
 * the open time zones share the pace in proportion to their remaining contacts, as if these were mixed evenly in the queue.
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

/** The union of all openings, cut wherever any time zone opens or closes. `opensAt` is when the whole period of the union began. */
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
 * the present pace, and when the campaign would finish. Future retries are not included, because nobody knows which calls will fail. While
 * the carrier is out of reach, the openings begin with its next probe.
 * `changes` are settings that are not saved yet.
 * @throws notFound when the organization has no such campaign; invalid with every fault of `changes`
 */
export async function planOf(app: App, orgId: string, id: string, changes: CampaignChanges = {}): Promise<Plan> {
  const saved = await getCampaign(app, orgId, id);
  const { settings, faults } = await settingsAfter(app.db, orgId, saved, changes);
  if (faults.length > 0) throw invalid(faults);
  const campaign = { ...saved, ...settings };
  const rules = await contactRulesOf(app, app.db, orgId);
  const facts = await planFactsOf(app, saved, rules?.limits ?? null);
  const pace = { ...(await limitsOf(app, campaign)), meanCallSec: facts.meanCallSec ?? assumedCallSec };
  const outOfReach = await outOfReachOf(app, campaign);
  const now = app.clock.now();
  const guards = rules?.guards ?? [];
  const zones = zonePlans(campaign, facts, guards, Math.max(now, outOfReach?.probeAt ?? 0));
  const eligible = zones.reduce((sum, zone) => sum + zone.eligible, 0);
  return {
    openings: unionOf(zones).map((span) => ({ ...span, capacity: startsIn(pace, span.closesAt - span.opensAt) })),
    eligible,
    skipped: skippedOf(facts, countGuarded(campaign, facts, guards, now)),
    finishesAt: eligible === 0 ? null : finishOf(zones, pace),
    missing: await missingOf(app, campaign),
    byZone: zones.map(({ timezone, eligible: contacts, openings: [next] }) => ({
      timezone,
      contacts,
      opensAt: next?.opensAt ?? null,
      closesAt: next?.closesAt ?? null,
    })),
    outOfReach,
  };
}

async function missingOf(app: App, campaign: Campaign): Promise<Missing[]> {
  const missing = await missingFor(app, app.db, campaign);
  const message = 'It has no contacts to call: add some.';
  return campaign.stats.pending > 0 ? missing : [...missing, { field: 'contacts', code: 'no_contacts', message }];
}

const callable = ({ pending, doNotCall, capped }: PlanFacts['zones'][number]): number =>
  pending - doNotCall - Object.values(capped).reduce((sum, count) => sum + count, 0);

/** The contacts that the campaign would call now, or some day, if the guard hours did not forbid it. Takes the campaign's zone for contacts without one. */
function countGuarded(campaign: Campaign, { zones }: PlanFacts, guards: readonly GuardHours[], now: number): number {
  if (guards.length === 0) return 0;
  const isGuarded = (timezone: string): boolean => {
    const window = windowOf(campaign, timezone);
    const all = [window, ...guards.map((guard) => guardWindow(guard, window.timezone))];
    if (nextAllowed(all, now) === null) return nextOpening(window, now) !== null;
    return isOpen(window, now) && !all.every((one) => isOpen(one, now));
  };
  return zones.filter(({ timezone }) => isGuarded(timezone)).reduce((sum, zone) => sum + callable(zone), 0);
}

function skippedOf({ zones, removed, expired }: PlanFacts, guarded: number): Plan['skipped'] {
  const doNotCall = zones.reduce((sum, zone) => sum + zone.doNotCall, 0);
  const capped = (code: CapCode): number => zones.reduce((sum, zone) => sum + (zone.capped[code] ?? 0), 0);
  const skipped: Plan['skipped'] = [
    { reason: 'on the do-not-call list', code: 'do_not_call', count: doNotCall },
    { reason: 'called as often today as the limits allow', code: 'capped_day', count: capped('capped_day') },
    { reason: 'called as often this week as the limits allow', code: 'capped_week', count: capped('capped_week') },
    { reason: 'called too short a time ago', code: 'gap', count: capped('gap') },
    { reason: 'outside of the hours in which people may be called', code: 'guard_hours', count: guarded },
    { reason: 'removed or opted out', code: 'removed', count: removed },
    { reason: 'the campaign ended first', code: 'expired', count: expired },
  ];
  return skipped.filter(({ count }) => count > 0);
}

async function outOfReachOf(app: App, { orgId, phoneNumberId }: Campaign): Promise<Plan['outOfReach']> {
  const number = phoneNumberId === null ? undefined : await findNumber(app.db, orgId, phoneNumberId);
  const { pause } = number ? await carrierStateOf(app.db, number.id) : { pause: null };
  return number && pause ? { phone: number.phone, reason: pause.reason, probeAt: pause.probeAt } : null;
}

type NamedZone = ZonePlan & { timezone: string };

function zonePlans(
  campaign: Campaign,
  facts: PlanFacts,
  guards: readonly GuardHours[],
  notBefore: number,
): NamedZone[] {
  const from = Math.max(startOf(campaign.schedule) ?? 0, notBefore);
  const until = Math.min(from + horizonMs, endOf(campaign.schedule) ?? Number.MAX_SAFE_INTEGER);
  if (from >= until || campaign.status === 'completed') return [];
  const zones = facts.zones.length > 0 ? facts.zones : [{ timezone: '', pending: 0, doNotCall: 0, capped: {} }];
  return zones.map((zone) => {
    const window = windowOf(campaign, zone.timezone);
    const all = [window, ...guards.map((guard) => guardWindow(guard, window.timezone))];
    const isNever = guards.length > 0 && nextAllowed(all, from) === null;
    const eligible = isNever ? 0 : callable(zone);
    return { timezone: window.timezone, eligible, openings: commonOpenings(all, from, until) };
  });
}
