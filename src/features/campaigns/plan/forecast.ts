import { daysAround } from '../../calls/contact-caps.ts';
import type { ContactLimits } from '../../organizations/contact-rules.ts';
import { type Pace, nextStartAfter, startsIn } from '../dialing/capacity.ts';

/** Plays the rest of a campaign (docs/api/campaigns.md, "Forecast"). Pure. */

/** A period in which calls can be made. */
export type Span = { opensAt: number; closesAt: number };

/** Contacts that wait for the same attempt. */
export type Waiting = {
  count: number;
  /** Number of the attempt. */
  attempt: number;
  /** When they may be called; null for those that have their place in the queue, behind all retries. */
  notBefore: number | null;
  /** Calls to each of them that limits count, today and this week. */
  today?: number;
  thisWeek?: number;
};

/** Contacts that may be called at the same hours. Limits count the days of `timezone`. */
export type Cohort = { openings: readonly Span[]; timezone: string; waiting: readonly Waiting[] };

export type ForecastRules = {
  pace: Pace;
  /** The share of contacts that are called again after an attempt, 0 to 1, by its number; 0 for those beyond. */
  again: readonly number[];
  /** How long calls last, as a multiple of the pace's mean, by attempt; those beyond are as the last one. */
  lengths: readonly number[];
  /** From the end of an attempt to the next one. */
  gapMs: number;
  limits: ContactLimits | null;
};

export type Forecast = {
  /** `expected`: the calls that are likely in it; `left`: contacts that are left at its end. */
  openings: Array<Span & { expected: number; left: number }>;
  /** When the last contact is reached; null if the openings do not suffice, or nobody is to be called. */
  finishesAt: number | null;
  /**
   * Calls made from the first opening on, and contacts left, at instants of equal distance up to the finish or the last closing; empty
   * where it is not wanted.
   */
  course: CoursePoint[];
};
export type CoursePoint = { at: number; calls: number; left: number };

const coursePoints = 61;

/** Fewer contacts than this are nobody. */
const nobody = 0.5;
/** Parts of a contact smaller than this come from rounding, and count as none. */
const nothing = 1e-6;

/** A step takes a part of the time in which all calls fit at full pace. After much work, steps grow longer. */
const stepsAtFullPace = 400;
const maxCallsOfStep = 5_000;
const [minStepMs, maxStepMs] = [1_000, 900_000];

/** The periods in which at least one of the cohorts may be called. */
export function unionOf(cohorts: ReadonlyArray<Pick<Cohort, 'openings'>>): Span[] {
  const spans = cohorts.flatMap(({ openings }) => openings).toSorted((a, b) => a.opensAt - b.opensAt);
  const union: Span[] = [];
  for (const { opensAt, closesAt } of spans) {
    const last = union.at(-1);
    if (last && opensAt <= last.closesAt) last.closesAt = Math.max(last.closesAt, closesAt);
    else union.push({ opensAt, closesAt });
  }
  return union;
}

/**
 * In each step, due retries go first; then the open cohorts share the rest of the pace in proportion to their contacts, as if these were mixed
 * evenly in the queue. Openings after the finish are left out.
 */
export function forecast(cohorts: readonly Cohort[], rules: ForecastRules, withCourse = true): Forecast {
  const course = withCourse ? [] : null;
  const play: Play = { rules, lines: cohorts.map(lineOf), left: 0, calls: 0, steps: 0, stepMs: 0, course };
  play.left = sumOf(cohorts.flatMap(({ waiting }) => waiting.map(({ count }) => count)));
  const work = cohorts.flatMap(({ waiting }) => waiting.map(({ count, attempt }) => count * callsFrom(attempt, rules)));
  const atFullPace = nextStartAfter(rules.pace, Math.ceil(sumOf(work)));
  play.stepMs = Math.min(Math.max(atFullPace / stepsAtFullPace, minStepMs), maxStepMs);
  const openings: Forecast['openings'] = [];
  const isEmpty = play.left < nobody;
  for (const span of unionOf(cohorts)) {
    const before = Math.round(play.calls);
    note(play, span.opensAt);
    const finishesAt = isEmpty ? null : playOpening(play, span);
    note(play, finishesAt ?? span.closesAt);
    openings.push({ ...span, expected: Math.round(play.calls) - before, left: Math.round(play.left) });
    if (finishesAt !== null) return { openings, finishesAt, course: thinned(play.course) };
  }
  return { openings, finishesAt: null, course: isEmpty ? [] : thinned(play.course) };
}

const note = ({ course, calls, left }: Play, at: number): void => void course?.push({ at, calls, left });

/** Few points of a long course, read between its own. */
function thinned(course: readonly CoursePoint[] | null): CoursePoint[] {
  if (course === null) return [];
  const [first, last] = [course[0], course.at(-1)];
  if (!first || !last || first.at === last.at) return [];
  let next = 1;
  return Array.from({ length: coursePoints }, (_, index) => {
    const at = Math.round(first.at + ((last.at - first.at) * index) / (coursePoints - 1));
    while (next < course.length - 1 && course[next]!.at < at) next += 1;
    const [from, to] = [course[next - 1]!, course[next]!];
    const share = to.at === from.at ? 1 : Math.min(1, (at - from.at) / (to.at - from.at));
    const between = (one: number, other: number): number => Math.round(one + (other - one) * share);
    return { at, calls: between(from.calls, to.calls), left: between(from.left, to.left) };
  });
}

type Retry = Required<Waiting> & { notBefore: number; day: number; week: number };
type Line = {
  openings: readonly Span[];
  timezone: string;
  /** Which of the openings is the present or next one. */
  at: number;
  /** Contacts in the queue, by attempt. */
  queue: Map<number, number>;
  /** Contacts that wait for an instant, the first to be due in front. */
  retries: Retry[];
  days: ReturnType<typeof daysAround> | null;
};
type Play = {
  rules: ForecastRules;
  lines: Line[];
  left: number;
  calls: number;
  steps: number;
  stepMs: number;
  course: CoursePoint[] | null;
};

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);

/** How many calls a contact is likely to get from this attempt on. */
function callsFrom(attempt: number, { again }: ForecastRules): number {
  let [calls, share] = [0, 1];
  for (let each = attempt; share > 0; each++) {
    calls += share;
    share *= again[each] ?? 0;
  }
  return calls;
}

const lengthOf = ({ lengths }: ForecastRules, attempt: number): number => lengths[attempt] ?? lengths.at(-1) ?? 1;

function lineOf({ openings, timezone, waiting }: Cohort): Line {
  const line: Line = { openings, timezone, at: 0, queue: new Map(), retries: [], days: null };
  for (const { count, attempt, notBefore, today = 0, thisWeek = 0 } of waiting) {
    if (notBefore === null) line.queue.set(attempt, (line.queue.get(attempt) ?? 0) + count);
    else line.retries.push({ count, attempt, notBefore, today, thisWeek, ...daysOf(line, notBefore) });
  }
  line.retries.sort((a, b) => a.notBefore - b.notBefore);
  return line;
}

/** The calendar day of an instant, which may have fractions of a millisecond; mostly that of the last one asked for. */
function daysOf(line: Line, at: number): ReturnType<typeof daysAround> {
  if (line.days === null || at < line.days.day || at >= line.days.nextDay)
    line.days = daysAround(Math.floor(at), line.timezone);
  return line.days;
}

/** Plays the calls in one opening, and returns when the last contact is reached, if that is in it. */
function playOpening(play: Play, { opensAt, closesAt }: Span): number | null {
  const { pace } = play.rules;
  for (let from = opensAt; from < closesAt;) {
    const open = openLines(play.lines, from);
    const bound = Math.min(closesAt, ...play.lines.map((line) => boundAfter(line, from)));
    if (!open.some((line) => isDue(line, from))) {
      note(play, from);
      from = Math.min(bound, ...open.map(({ retries }) => retries[0]?.notBefore ?? Infinity));
      continue;
    }
    if (++play.steps % maxCallsOfStep === 0) play.stepMs *= 2;
    const to = Math.min(bound, from + Math.ceil(play.stepMs));
    const before = startsIn(pace, from - opensAt);
    const used = callIn(play, open, from, startsIn(pace, to - opensAt) - before);
    if (play.left < nobody) return Math.min(bound, opensAt + nextStartAfter(pace, before + Math.ceil(used - nothing)));
    note(play, to);
    from = to;
  }
  return null;
}

/** The lines whose hours are open; moves all lines on to the opening of that instant, or the next one. */
function openLines(lines: readonly Line[], now: number): Line[] {
  for (const line of lines) while ((line.openings[line.at]?.closesAt ?? Infinity) <= now) line.at += 1;
  return lines.filter(({ openings, at }) => (openings[at]?.opensAt ?? Infinity) <= now);
}

function boundAfter({ openings, at }: Line, now: number): number {
  const { opensAt, closesAt } = openings[at] ?? { opensAt: Infinity, closesAt: Infinity };
  return opensAt > now ? opensAt : closesAt;
}

const isDue = ({ queue, retries }: Line, now: number): boolean =>
  queue.size > 0 || (retries[0]?.notBefore ?? Infinity) <= now;

/** Makes the calls for which there is room, and returns how much of it they use. Room is counted in calls of the mean length. */
function callIn(play: Play, open: readonly Line[], now: number, room: number): number {
  let free = room;
  for (const { line, retry } of dueRetries(open, now)) {
    if (free <= nothing) break;
    const length = lengthOf(play.rules, retry.attempt);
    const count = Math.min(retry.count, free / length);
    free -= count * length;
    retry.count -= count;
    if (retry.count <= nothing) line.retries.splice(line.retries.indexOf(retry), 1);
    call(play, line, { ...retry, count }, now);
  }
  let wanted = 0;
  for (const { queue } of open) for (const [attempt, n] of queue) wanted += n * lengthOf(play.rules, attempt);
  const share = wanted === 0 ? 0 : Math.min(1, free / wanted);
  for (const line of share <= 0 ? [] : open) {
    for (const [attempt, count] of line.queue) {
      if (share === 1) line.queue.delete(attempt);
      else line.queue.set(attempt, count * (1 - share));
      call(play, line, { count: count * share, attempt, notBefore: now, ...uncounted }, now);
    }
  }
  return share === 0 ? room - free : room - free + wanted * share;
}

const uncounted = { today: 0, thisWeek: 0, day: 0, week: 0 };

/** Retries that are due, the first to be due in front. */
function dueRetries(open: readonly Line[], now: number): Array<{ line: Line; retry: Retry }> {
  const due: Array<{ line: Line; retry: Retry }> = [];
  for (const line of open) {
    for (const retry of line.retries) {
      if (retry.notBefore > now) break;
      due.push({ line, retry });
    }
  }
  return due.toSorted((a, b) => a.retry.notBefore - b.retry.notBefore);
}

/** Counts these calls, and puts the contacts that are likely to be called again among the retries. */
function call(play: Play, line: Line, { count, attempt, ...counted }: Retry, now: number): void {
  const { gapMs, limits, pace } = play.rules;
  const again = count * (play.rules.again[attempt] ?? 0);
  play.calls += count;
  play.left -= count - again;
  if (++play.steps % maxCallsOfStep === 0) play.stepMs *= 2;
  if (again <= nothing) return;
  let due = now + lengthOf(play.rules, attempt) * pace.meanCallSec * 1000 + gapMs;
  let days = { day: 0, week: 0, today: 0, thisWeek: 0 };
  if (limits !== null) {
    const { day, nextDay, week, nextWeek } = daysOf(line, now);
    const today = counted.day === day ? counted.today + 1 : 1;
    const thisWeek = counted.week === week ? counted.thisWeek + 1 : 1;
    days = { day, week, today, thisWeek };
    if (today >= (limits.maxPerDay ?? Infinity)) due = Math.max(due, nextDay);
    if (thisWeek >= (limits.maxPerWeek ?? Infinity)) due = Math.max(due, nextWeek);
  }
  addRetry(line, { count: again, attempt: attempt + 1, notBefore: due, ...days }, play.stepMs);
}

/** Keeps retries in the order in which they are due. One that is due within a step of the one before it joins it. */
function addRetry({ retries }: Line, added: Retry, stepMs: number): void {
  const after = retries.findLastIndex(({ notBefore }) => notBefore <= added.notBefore);
  const before = retries[after];
  if (before && isSame(before, added) && added.notBefore - before.notBefore < stepMs) before.count += added.count;
  else retries.splice(after + 1, 0, added);
}

const isSame = (one: Retry, other: Retry): boolean =>
  one.attempt === other.attempt &&
  one.day === other.day &&
  one.week === other.week &&
  one.today === other.today &&
  one.thisWeek === other.thisWeek;
