import { dayMs, hourMs } from '../../base/clock.ts';
import { offsetSpanAt } from '../../base/zones.ts';

/** Steps of wall-clock time in a time zone. All of them begin with a quarter of an hour. Instants are Unix milliseconds. */

export const stepNames = ['hour', 'day', 'week'] as const;
export type Step = (typeof stepNames)[number];

export const quarterMs = 900_000;

const zoned = (at: number, timezone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);

/** The beginning of the step that contains an instant. */
export function startOfStep(at: number, step: Step, timezone: string): number {
  if (step === 'hour') {
    const local = (quarter: number): number => quarter + offsetSpanAt(timezone, quarter).offsetMs;
    let quarter = at - (at % quarterMs);
    // An hour that is cut by a change of clocks begins with the change.
    while (local(quarter) % hourMs !== 0 && local(quarter - quarterMs) === local(quarter) - quarterMs)
      quarter -= quarterMs;
    return quarter;
  }
  const day = zoned(at, timezone);
  return (step === 'day' ? day : day.subtract({ days: day.dayOfWeek - 1 })).startOfDay().epochMilliseconds;
}

export function nextStep(start: number, step: Step, timezone: string): number {
  if (step !== 'hour') {
    return zoned(start, timezone)
      .add(step === 'day' ? { days: 1 } : { weeks: 1 })
      .startOfDay().epochMilliseconds;
  }
  let at = start + quarterMs;
  while (startOfStep(at, 'hour', timezone) !== at) at += quarterMs;
  return at;
}

export const addDays = (start: number, days: number, timezone: string): number =>
  zoned(start, timezone).add({ days }).startOfDay().epochMilliseconds;

/** The beginnings of the steps from `from` up to `to`; undefined if there are more than `max`. */
export function stepsBetween(
  { from, to, step, timezone }: { from: number; to: number; step: Step; timezone: string },
  max: number,
): number[] | undefined {
  const starts: number[] = [];
  for (let at = from; at < to; at = nextStep(at, step, timezone)) {
    if (starts.length === max) return undefined;
    starts.push(at);
  }
  return starts;
}

/** A stretch of time with one UTC offset. */
export type OffsetSpan = { from: number; to: number; offsetMs: number };

export function spansBetween(from: number, to: number, timezone: string): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  for (let at = from; at < to;) {
    const { offsetMs, untilMs } = offsetSpanAt(timezone, at);
    const end = Math.min(untilMs, to);
    spans.push({ from: at, to: end, offsetMs });
    at = end;
  }
  return spans;
}

/** Milliseconds of the local time that a step's number counts, and what is added to the days so that weeks begin on Monday. */
export const localUnits: Readonly<Record<Step, { ms: number; shiftMs: number }>> = {
  hour: { ms: hourMs, shiftMs: 0 },
  day: { ms: dayMs, shiftMs: 0 },
  week: { ms: 7 * dayMs, shiftMs: 3 * dayMs },
};
