import { ConfigError } from '../../base/config/faults.ts';
import type { Config } from '../../base/config/schema.ts';
import type { Fault } from '../../base/errors.ts';

/**
 * How often and when a person may be called (docs/calling.md, "Limits of calls to one number"): the server's rules and the organization's
 * own, which are stricter. Pure.
 */

/** Limits of the calls to one phone number; null: no limit. */
export type ContactLimits = { maxPerDay: number | null; maxPerWeek: number | null; minGapMin: number | null };

/** Hours in the person's time zone, half-open `[start, end)`, that no campaign leaves. `days`: 1 is Monday. */
export type GuardHours = { start: string; end: string; days: readonly number[] };

/** What an organization has set for itself, as its columns hold it. */
export type StoredRules = { contact_limits: string | null; guard_hours: string | null };

/** The rules that hold. `limits` is null where none is set; a campaign calls while all `guards` are open. */
export type ContactRules = { limits: ContactLimits | null; guards: readonly GuardHours[] };

export const noLimits: ContactLimits = { maxPerDay: null, maxPerWeek: null, minGapMin: null };

export const limitsIn = (stored: string | null): ContactLimits =>
  stored === null ? noLimits : (JSON.parse(stored) as ContactLimits);
export const guardIn = (stored: string | null): GuardHours | null =>
  stored === null ? null : (JSON.parse(stored) as GuardHours);

const serverLimits = ({ limits: { contact } }: Config): ContactLimits => ({
  maxPerDay: contact.max_per_day,
  maxPerWeek: contact.max_per_week,
  minGapMin: contact.min_gap_min,
});

export const everyDay = [1, 2, 3, 4, 5, 6, 7];

const serverGuard = ({ limits: { guard_hours: guard } }: Config): GuardHours | null =>
  guard && { days: everyDay, ...guard };

const hasLimit = ({ maxPerDay, maxPerWeek, minGapMin }: ContactLimits): boolean =>
  maxPerDay !== null || maxPerWeek !== null || minGapMin !== null;

const stricter = (pick: (...values: number[]) => number, a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : pick(a, b);

/** The rules for an organization; null if there are none. Looked up for each call, so it costs nothing where nothing is set. */
export function contactRules(config: Config, stored: StoredRules): ContactRules | null {
  const server = serverLimits(config);
  const isSet = hasLimit(server) || config.limits.guard_hours !== null;
  if (!isSet && stored.contact_limits === null && stored.guard_hours === null) return null;
  const own = limitsIn(stored.contact_limits);
  const limits = {
    maxPerDay: stricter(Math.min, server.maxPerDay, own.maxPerDay),
    maxPerWeek: stricter(Math.min, server.maxPerWeek, own.maxPerWeek),
    minGapMin: stricter(Math.max, server.minGapMin, own.minGapMin),
  };
  const guards = [serverGuard(config), guardIn(stored.guard_hours)].filter((guard) => guard !== null);
  return { limits: hasLimit(limits) ? limits : null, guards };
}

const hoursText = ({ start, end, days }: GuardHours): string =>
  `${start} to ${end}${days.length === 7 ? '' : ` on the days ${days.toSorted((a, b) => a - b).join(', ')}`}`;

/** What is wrong with hours by themselves. */
const hoursFault = ({ start, end, days }: GuardHours): string | undefined => {
  if (start >= end) return 'start must be before end';
  return days.length === 0 ? 'days must name a day' : undefined;
};

/** @throws ConfigError when the server's guard hours cannot be hours of a day */
export function requireGuardHours(config: Config): void {
  const guard = serverGuard(config);
  const wrong = guard && hoursFault(guard);
  if (!wrong) return;
  const setting = 'limits.guard_hours';
  throw new ConfigError([{ setting, message: `${setting}: ${wrong}.`, origin: { kind: 'default' } }]);
}

/** Why rules of an organization are refused: they must not be looser than the server's. */
export function looserThanServer(config: Config, limits: ContactLimits, guard: GuardHours | null): Fault[] {
  const server = serverLimits(config);
  const faults: Fault[] = [];
  const atMost = (name: string, own: number | null, most: number | null): void => {
    if (own !== null && most !== null && own > most)
      faults.push({ path: `contact_limits.${name}`, message: `must be at most ${most}, which the server sets` });
  };
  atMost('max_per_day', limits.maxPerDay, server.maxPerDay);
  atMost('max_per_week', limits.maxPerWeek, server.maxPerWeek);
  if (limits.minGapMin !== null && server.minGapMin !== null && limits.minGapMin < server.minGapMin) {
    const message = `must be at least ${server.minGapMin}, which the server sets`;
    faults.push({ path: 'contact_limits.min_gap_min', message });
  }
  const wrong = guard && hoursFault(guard);
  if (wrong) faults.push({ path: 'guard_hours', message: wrong });
  const outer = serverGuard(config);
  if (guard && outer && !wrong && !isWithin(guard, outer)) {
    faults.push({ path: 'guard_hours', message: `must lie within the server's: ${hoursText(outer)}` });
  }
  return faults;
}

const isWithin = (inner: GuardHours, outer: GuardHours): boolean =>
  inner.start >= outer.start && inner.end <= outer.end && inner.days.every((day) => outer.days.includes(day));
