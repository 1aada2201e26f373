import { dayMs } from '../../base/clock.ts';
import { memoize } from '../../base/memoize.ts';
import { offsetSpanAt } from '../../base/zones.ts';

/**
 * When a campaign may call (contract, section 6, "The window"): half-open `[windowStart, windowEnd)` in wall-clock time
 * of `timezone`, `HH:mm`, on `windowDays` (1 = Monday to 7 = Sunday). A start after the end crosses midnight and belongs
 * to the weekday on which it opens. Without hours the window is open all day; one bound alone reaches to its midnight;
 * equal bounds, which validation refuses, never open. For a contact with a zone of its own, put that in `timezone`.
 *
 * "Open" is decided by an instant's local wall-clock time alone: a skipped hour is never reached, a repeated hour counts
 * twice, and the day before a date is the calendar's, even where that whole day was skipped.
 *
 * Every function here takes and gives Unix milliseconds, and throws a RangeError for a zone that does not exist or a
 * time of day that is not `HH:mm`.
 */
export type CallingWindow = {
  timezone: string;
  windowStart: string | null;
  windowEnd: string | null;
  windowDays: readonly number[];
};

/** A stretch of time in which the window is open, half-open like the window. */
type Opening = { opensAt: number; closesAt: number };

/**
 * The window as numbers on the *local line*: wall-clock time read as if it were UTC, in milliseconds. Day `d` of that line
 * opens at `d * dayMs + startMs` for `lengthMs` (at most a day) when its weekday's bit is set, so the stretches are in
 * order, never overlap, and touch only when they are whole days.
 */
type Rule = { startMs: number; lengthMs: number; weekdays: number };

const minuteMs = 60_000;
const everyWeekday = 0b1111_1110;

/** Whether the window is open at an instant. */
export function isOpen(window: CallingWindow, atMs: number): boolean {
  const rule = ruleOf(window);
  const localMs = atMs + offsetSpanAt(window.timezone, atMs).offsetMs;
  const day = Math.floor(localMs / dayMs);
  return covers(rule, day, localMs) || covers(rule, day - 1, localMs);
}

/**
 * The first instant at or after `atMs` at which the window is closed: for an open instant the end of the opening it is
 * in, for a closed one `atMs` itself. Null when the window never closes (every day, no hours).
 */
export function closesAt(window: CallingWindow, atMs: number): number | null {
  const rule = ruleOf(window);
  if (rule.lengthMs === dayMs && rule.weekdays === everyWeekday) return null;
  return firstAlongZone(window.timezone, atMs, (localMs) => nextClosed(rule, localMs));
}

/**
 * The earliest instant at or after `fromMs` at which the window is open: `fromMs` itself when it is. An opening whose
 * wall-clock time is skipped moves to the first instant after the gap, if the window is still open then. Null when the
 * window can never open (no days, or equal bounds).
 */
export function nextOpening(window: CallingWindow, fromMs: number): number | null {
  const rule = ruleOf(window);
  if (rule.lengthMs === 0 || rule.weekdays === 0) return null;
  return firstAlongZone(window.timezone, fromMs, (localMs) => nextOpen(rule, localMs));
}

/** The openings within `[fromMs, toMs)`, in order, each as long as it can be and cut to that range. */
export function openings(window: CallingWindow, fromMs: number, toMs: number): Opening[] {
  const found: Opening[] = [];
  let opensMs = nextOpening(window, fromMs);
  while (opensMs !== null && opensMs < toMs) {
    const closesMs = Math.min(closesAt(window, opensMs) ?? toMs, toMs);
    found.push({ opensAt: opensMs, closesAt: closesMs });
    opensMs = nextOpening(window, closesMs);
  }
  return found;
}

/**
 * Walks the zone's spans of constant offset from `fromMs` on until one holds the local time that `next` names. Wherever the
 * offset changes the search starts again at the local time found there: that is what skips a gap and repeats an hour.
 * It ends, as `next` names a time within eight days and spans without end are longer than that.
 */
function firstAlongZone(timezone: string, fromMs: number, next: (localMs: number) => number): number {
  for (let atMs = fromMs; ;) {
    const { offsetMs, untilMs } = offsetSpanAt(timezone, atMs);
    const foundMs = next(atMs + offsetMs) - offsetMs;
    if (foundMs < untilMs) return foundMs;
    atMs = untilMs;
  }
}

/** The first local time at or after `localMs` that is open, for a rule that opens at all. */
function nextOpen(rule: Rule, localMs: number): number {
  let day = Math.floor(localMs / dayMs) - 1;
  while (!opensOn(rule, day) || localMs >= closeOf(rule, day)) day += 1;
  return Math.max(localMs, openOf(rule, day));
}

/** The first local time at or after `localMs` that is closed, for a rule that closes at all. */
function nextClosed(rule: Rule, localMs: number): number {
  let closedMs = localMs;
  for (let day = Math.floor(localMs / dayMs) - 1; openOf(rule, day) <= closedMs; day += 1) {
    if (covers(rule, day, closedMs)) closedMs = closeOf(rule, day);
  }
  return closedMs;
}

const openOf = (rule: Rule, day: number): number => day * dayMs + rule.startMs;
const closeOf = (rule: Rule, day: number): number => openOf(rule, day) + rule.lengthMs;

/** Whether the stretch that begins on this day of the local line holds this local time. */
const covers = (rule: Rule, day: number, localMs: number): boolean =>
  localMs >= openOf(rule, day) && localMs < closeOf(rule, day) && opensOn(rule, day);

/** Day 0, 1970-01-01, was a Thursday; days before it are negative. */
const opensOn = (rule: Rule, day: number): boolean => (rule.weekdays & (1 << (((((day + 3) % 7) + 7) % 7) + 1))) !== 0;

function ruleOf({ windowStart, windowEnd, windowDays }: CallingWindow): Rule {
  const startMs = windowStart === null ? 0 : timeOfDayMs(windowStart);
  const endMs = windowEnd === null ? dayMs : timeOfDayMs(windowEnd);
  let weekdays = 0;
  for (const weekday of windowDays) weekdays |= (1 << weekday) & everyWeekday;
  const lengthMs = endMs < startMs ? endMs + dayMs - startMs : endMs - startMs;
  return { startMs, lengthMs, weekdays };
}

/** `HH:mm` → milliseconds after midnight. There are 1,440 valid ones. */
const timeOfDayMs = memoize(1440, (text) => {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) throw new RangeError(`not a time of day as HH:mm: ${text}`);
  return (Number(hours) * 60 + Number(minutes)) * minuteMs;
});
