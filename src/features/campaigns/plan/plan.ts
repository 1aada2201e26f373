import { dayMs } from '../../../base/clock.ts';
import { invalid } from '../../../base/errors.ts';
import type { App } from '../../../kernel/app.ts';
import type { CapCode } from '../../calls/contact-caps.ts';
import { carrierStateOf } from '../../numbers/carrier-reach.ts';
import { findNumber } from '../../numbers/service.ts';
import type { ContactRules } from '../../organizations/contact-rules.ts';
import { contactRulesOf } from '../../organizations/service.ts';
import { playForecast } from '../background-tasks.ts';
import type { Campaign } from '../campaign.ts';
import { type Pace, startsIn } from '../dialing/capacity.ts';
import { guardWindow } from '../dialing/held.ts';
import { type Missing, missingFor } from '../dialing/readiness.ts';
import type { SkipCode } from '../dialing/reason-codes.ts';
import { endOf, startOf, windowOf } from '../schedule/schedule.ts';
import { isOpen, nextOpening } from '../schedule/window.ts';
import { commonOpenings, nextAllowed } from '../schedule/windows.ts';
import { getCampaign, limitsOf } from '../service.ts';
import { blankSettings, type CampaignChanges, type Settings, settingsAfter } from '../settings.ts';
import { planFactsOf } from './cache.ts';
import type { CoursePoint, Forecast, Span } from './forecast.ts';
import type { Hours, OpenGroup } from './play.ts';
import type { Group, PlanFacts } from './store.ts';

/** How far a plan looks ahead. */
const horizonMs = 14 * dayMs;

export type Plan = {
  openings: Array<Span & { capacity: number; expected: number; left: number }>;
  eligible: number;
  skipped: Array<{ reason: string; code: SkipCode; count: number }>;
  finishesAt: number | null;
  course: CoursePoint[];
  /** What keeps the campaign from calling anybody; nothing if it is ready. */
  missing: Missing[];
  /** The contacts that can be called in each time zone, and its next opening. */
  byZone: Array<{ timezone: string; contacts: number; opensAt: number | null; closesAt: number | null }>;
  /** The caller number and the reason, while its carrier is out of reach. */
  outOfReach: { phone: string; reason: string; probeAt: number } | null;
};

/** A campaign, or settings of one that does not exist yet. */
type Planned = Settings & Pick<Campaign, 'orgId' | 'status'> & { stats: Pick<Campaign['stats'], 'pending'> };

/**
 * The next openings in the time zones of the pending contacts (in the campaign's if there are none), how many contacts each could reach at
 * the present pace, how many calls are likely in it, and when the campaign would finish. While the carrier is out of reach, the openings
 * begin with its next probe.
 * `changes` are settings that are not saved yet.
 * @throws notFound when the organization has no such campaign; invalid with every fault of `changes`
 */
export async function planOf(app: App, orgId: string, id: string, changes: CampaignChanges = {}): Promise<Plan> {
  const saved = await getCampaign(app, orgId, id);
  const { settings, faults } = await settingsAfter(app.db, orgId, saved, changes);
  if (faults.length > 0) throw invalid(faults);
  const rules = await contactRulesOf(app, app.db, orgId);
  return planWith(app, { ...saved, ...settings }, await planFactsOf(app, saved, rules), rules);
}

/** When a campaign would finish, as planned; null if not within the horizon. */
export async function finishOf(app: App, campaign: Campaign): Promise<number | null> {
  const rules = await contactRulesOf(app, app.db, campaign.orgId);
  const facts = await planFactsOf(app, campaign, rules);
  return (await play(app, campaign, facts, rules, { withCourse: false })).played.finishesAt;
}

/**
 * The plan of a campaign that does not exist yet, with this many contacts, all in its time zone.
 * @throws invalid with every fault of the settings
 */
export async function planOfNew(app: App, orgId: string, contacts: number, changes: CampaignChanges): Promise<Plan> {
  const { settings, faults } = await settingsAfter(app.db, orgId, blankSettings, changes);
  if (faults.length > 0) throw invalid(faults);
  const rules = await contactRulesOf(app, app.db, orgId);
  const facts: PlanFacts = {
    zones: [{ timezone: '', pending: contacts, doNotCall: 0, capped: {} }],
    groups: contacts === 0 ? [] : [{ timezone: '', country: '', attempt: 1, notBefore: null, count: contacts }],
    removed: 0,
    expired: 0,
    past: [],
  };
  return planWith(app, { ...settings, orgId, status: 'draft', stats: { pending: contacts } }, facts, rules);
}

type Played = {
  groups: OpenGroup[];
  outOfReach: Plan['outOfReach'];
  played: Forecast & { pace: Pace };
};

/** Plays the campaign from now on. */
async function play(
  app: App,
  campaign: Planned,
  facts: PlanFacts,
  rules: ContactRules | null,
  { withCourse }: { withCourse: boolean },
): Promise<Played> {
  const outOfReach = await outOfReachOf(app, campaign);
  const now = app.clock.now();
  const groups = hoursOf(campaign, facts, rules, Math.max(now, outOfReach?.probeAt ?? 0));
  const { orgId, schedule, retryOn } = campaign;
  const limits = await limitsOf(app, campaign);
  const question = { orgId, own: facts.past, groups, schedule, retryOn, rules, limits, now, withCourse };
  return { groups, outOfReach, played: await app.background.run(playForecast, question, orgId) };
}

async function planWith(app: App, campaign: Planned, facts: PlanFacts, rules: ContactRules | null): Promise<Plan> {
  const { groups, outOfReach, played } = await play(app, campaign, facts, rules, { withCourse: true });
  const { openings, finishesAt, course, pace } = played;
  const free = groups.filter(({ isLive = false, isCapped = false }) => !isLive && !isCapped);
  const waiting = free.filter(({ isNever }) => !isNever);
  const now = app.clock.now();
  return {
    openings: openings.map((opening) => ({
      ...opening,
      capacity: startsIn(pace, opening.closesAt - opening.opensAt),
    })),
    eligible: sumOf(waiting),
    skipped: skippedOf(facts, sumOf(free.filter((group) => isGuarded(group, now)))),
    finishesAt,
    course,
    missing: await missingOf(app, campaign),
    byZone: byZone(groups, waiting),
    outOfReach,
  };
}

const sumOf = (groups: ReadonlyArray<{ count: number }>): number => groups.reduce((sum, { count }) => sum + count, 0);

/** Without contacts, there is an empty group of the campaign's zone. */
function hoursOf(campaign: Planned, facts: PlanFacts, rules: ContactRules | null, notBefore: number): OpenGroup[] {
  const from = Math.max(startOf(campaign.schedule) ?? 0, notBefore);
  const until = Math.min(from + horizonMs, endOf(campaign.schedule) ?? Number.MAX_SAFE_INTEGER);
  if (from >= until || campaign.status === 'completed') return [];
  const found = new Map<string, Hours>();
  const hoursIn = (timezone: string, person: string): Hours => {
    const key = `${timezone} ${person}`;
    const known = found.get(key);
    if (known) return known;
    const guards = (rules?.guards ?? []).map((guard) => guardWindow(guard, person));
    const windows = [windowOf(campaign, timezone), ...guards];
    const isNever = guards.length > 0 && nextAllowed(windows, from) === null;
    const hours = { windows, openings: isNever ? [] : commonOpenings(windows, from, until), isNever };
    found.set(key, hours);
    return hours;
  };
  const nobody: Group = { timezone: '', country: '', attempt: 1, notBefore: null, count: 0 };
  return (facts.zones.length === 0 ? [nobody, ...facts.groups] : facts.groups).map((group) => {
    const { timezone, country } = group;
    const person = timezone || country || campaign.schedule.timezone;
    return { ...group, ...hoursIn(timezone, person), personZone: person };
  });
}

function byZone(all: readonly OpenGroup[], waiting: readonly OpenGroup[]): Plan['byZone'] {
  const zones = new Map<string, Plan['byZone'][number]>();
  for (const { windows, openings } of all.filter(({ isLive = false }) => !isLive)) {
    const { timezone } = windows[0]!;
    const [next] = openings;
    const zone = zones.get(timezone) ?? { timezone, contacts: 0, opensAt: null, closesAt: null };
    zones.set(timezone, zone);
    if (next && next.opensAt < (zone.opensAt ?? Infinity)) Object.assign(zone, next);
  }
  for (const { windows, count } of waiting) zones.get(windows[0]!.timezone)!.contacts += count;
  return [...zones.values()];
}

async function missingOf(app: App, campaign: Planned): Promise<Missing[]> {
  const missing = await missingFor(app, app.db, campaign);
  const message = 'It has no contacts to call: add some.';
  return campaign.stats.pending > 0 ? missing : [...missing, { field: 'contacts', code: 'no_contacts', message }];
}

/** Whether the campaign would call now, or some day, if the guard hours did not forbid it. */
function isGuarded({ windows: [window, ...guards], isNever }: Hours, now: number): boolean {
  if (isNever) return nextOpening(window!, now) !== null;
  return isOpen(window!, now) && !guards.every((guard) => isOpen(guard, now));
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

async function outOfReachOf(app: App, { orgId, phoneNumberId }: Planned): Promise<Plan['outOfReach']> {
  const number = phoneNumberId === null ? undefined : await findNumber(app.db, orgId, phoneNumberId);
  const { pause } = number ? await carrierStateOf(app.db, number.id) : { pause: null };
  return number && pause ? { phone: number.phone, reason: pause.reason, probeAt: pause.probeAt } : null;
}
