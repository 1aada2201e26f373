import { dayMs, minuteMs } from '../../../base/clock.ts';
import { memoize } from '../../../base/memoize.ts';
import { offsetSpanAt } from '../../../base/zones.ts';

/**
 * The hours in which a campaign may call (docs/api/campaigns.md, "Window"): half-open `[windowStart, windowEnd)`, `HH:mm` in wall-clock
 * time of `timezone`, on `windowDays` (1 = Monday to 7 = Sunday). If the start is after the end, the window crosses midnight and belongs
 * to the weekday on which it opens. Without hours it is open all day. If only one bound is given, midnight is the other; equal bounds,
 * which validation refuses, never open. `timezone` is the contact's own if it has one.
 *
 * Only the local wall-clock time of an instant decides whether the window is open. When clocks change, an hour that is skipped is never
 * reached, and an hour that is repeated counts twice. "The day before" is the calendar's, even if a time zone skipped that whole day.
 *
 * All functions take and return Unix milliseconds. They throw a RangeError for an unknown time zone or a malformed time of day.
 */
export type CallingWindow = {
  timezone: string;
  windowStart: string | null;
  windowEnd: string | null;
  windowDays: readonly number[];
};

/**
 * The window in *local milliseconds*: wall-clock time read as if it were UTC. If the bit of its weekday is set, day `d` opens at
 * `d * dayMs + startMs` for `lengthMs`, at most a day. So the openings are in order, never overlap, and touch only if they are whole days.
 */
type Rule = { startMs: number; lengthMs: number; weekdays: number };

const everyWeekday = 0b1111_1110;

/** Whether the window is open at an instant. */
export function isOpen(window: CallingWindow, atMs: number): boolean {
  const rule = ruleOf(window);
  const localMs = atMs + offsetSpanAt(window.timezone, atMs).offsetMs;
  const day = Math.floor(localMs / dayMs);
  return covers(rule, day, localMs) || covers(rule, day - 1, localMs);
}

/**
 * The first instant, at or after `atMs`, at which the window is closed: `atMs` itself if it is closed then. Null if the window never closes
 * (every day, no hours).
 */
export function closesAt(window: CallingWindow, atMs: number): number | null {
  const rule = ruleOf(window);
  if (rule.lengthMs === dayMs && rule.weekdays === everyWeekday) return null;
  return firstInstantWhere(window.timezone, atMs, (localMs) => nextClosed(rule, localMs));
}

/**
 * The first instant, at or after `fromMs`, at which the window is open. An opening at a skipped wall-clock time moves to the first instant
 * after the gap, provided that the window is still open then. Null if the window never opens (no days, or equal bounds).
 */
export function nextOpening(window: CallingWindow, fromMs: number): number | null {
  const rule = ruleOf(window);
  if (rule.lengthMs === 0 || rule.weekdays === 0) return null;
  return firstInstantWhere(window.timezone, fromMs, (localMs) => nextOpen(rule, localMs));
}

/**
 * Converts the local time that `next` finds to an instant, one period of constant UTC offset after another. If `next` finds a time beyond
 * the period, the search continues from the local time at which the next period begins. Thus skipped hours are left out and repeated hours
 * count twice. It terminates because `next` looks at most eight days ahead and the last period of every zone is infinite.
 */
function firstInstantWhere(timezone: string, fromMs: number, next: (localMs: number) => number): number {
  for (let atMs = fromMs; ;) {
    const { offsetMs, untilMs } = offsetSpanAt(timezone, atMs);
    const foundMs = next(atMs + offsetMs) - offsetMs;
    if (foundMs < untilMs) return foundMs;
    atMs = untilMs;
  }
}

/** The first open local time at or after `localMs`. The window must open on at least one weekday, or the loop never ends. */
function nextOpen(rule: Rule, localMs: number): number {
  let day = Math.floor(localMs / dayMs) - 1;
  while (!opensOn(rule, day) || localMs >= closeOf(rule, day)) day += 1;
  return Math.max(localMs, openOf(rule, day));
}

/** The first closed local time at or after `localMs`. The window must close at least once a week, or the loop never ends. */
function nextClosed(rule: Rule, localMs: number): number {
  let closedMs = localMs;
  for (let day = Math.floor(localMs / dayMs) - 1; openOf(rule, day) <= closedMs; day += 1) {
    if (covers(rule, day, closedMs)) closedMs = closeOf(rule, day);
  }
  return closedMs;
}

const openOf = (rule: Rule, day: number): number => day * dayMs + rule.startMs;
const closeOf = (rule: Rule, day: number): number => openOf(rule, day) + rule.lengthMs;

/** Whether the opening that begins on this day contains this local time. */
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

/** `HH:mm` → milliseconds after midnight. The cache fits all 1,440 valid times. */
const timeOfDayMs = memoize(1440, (text) => {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) throw new RangeError(`not a time of day as HH:mm: ${text}`);
  return (Number(hours) * 60 + Number(minutes)) * minuteMs;
});
