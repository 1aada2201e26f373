/**
 * The only place that reads the system's time (contract, section 12: "under the test clock every domain time is the clock's").
 * Instants are Unix milliseconds; wall-clock rules convert them with Temporal where they need a time zone.
 */
export type Clock = {
  now(): number;
  /** Calls back once, at or after the instant (at once when it has passed). Returns the way to cancel it. */
  alarm(atMs: number, callback: () => void): () => void;
};

/** Time that stands still until told (`--test-clock`). */
export type TestClock = Clock & {
  /** Moves to an instant that is not before now and rings every alarm on the way, in order. */
  set(atMs: number): void;
};

/** Timers longer than this overflow a 32-bit count; a longer wait is re-armed on the way. */
const longestTimerMs = 2 ** 31 - 1;

/** The machine's clock. Timers are unreferenced: waiting for later work does not keep a stopping process alive. */
export function systemClock(): Clock {
  const now = (): number => Date.now();
  return {
    now,
    alarm(atMs, callback) {
      let timer: NodeJS.Timeout;
      const arm = (): void => {
        const waitMs = Math.max(0, atMs - now());
        const last = waitMs <= longestTimerMs;
        timer = setTimeout(last ? callback : arm, last ? waitMs : longestTimerMs);
        timer.unref();
      };
      arm();
      return () => clearTimeout(timer);
    },
  };
}

/** A clock at a fixed instant; without one, at the present full second, so that answers read well. */
export function testClock(startMs: number = Math.floor(Date.now() / 1000) * 1000): TestClock {
  let nowMs = startMs;
  const alarms = new Set<{ atMs: number; callback: () => void }>();
  const ring = (): void => {
    const due = [...alarms].filter((alarm) => alarm.atMs <= nowMs).toSorted((a, b) => a.atMs - b.atMs);
    for (const alarm of due) {
      alarms.delete(alarm);
      alarm.callback();
    }
  };
  return {
    now: () => nowMs,
    alarm(atMs, callback) {
      const alarm = { atMs, callback };
      alarms.add(alarm);
      if (atMs <= nowMs) queueMicrotask(ring);
      return () => alarms.delete(alarm);
    },
    set(atMs) {
      if (atMs < nowMs) throw new RangeError('a test clock only moves forward');
      nowMs = atMs;
      ring();
    },
  };
}

export const dayMs = 86_400_000;
const digits = (count: number): string[] =>
  Array.from({ length: 10 ** count }, (_, number) => String(number).padStart(count, '0'));
const twoDigits = digits(2);
const threeDigits = digits(3);

/** The day that was written last: the instants of a list are mostly of few days. */
let lastDay = { number: Number.NaN, text: '' };

function textOfDay(number: number): string {
  if (number === lastDay.number) return lastDay.text;
  const text = new Date(number * dayMs).toISOString().slice(0, -'00:00:00.000Z'.length);
  lastDay = { number, text };
  return text;
}

/**
 * ISO 8601 UTC with milliseconds and `Z` (contract, section 1); the year stays within four digits for any stored instant. By hand,
 * because `toISOString` takes four times as long, and of a list's time that was a sixth.
 */
export function isoOf(atMs: number): string {
  const whole = Math.trunc(atMs);
  const day = Math.floor(whole / dayMs);
  const ofDay = whole - day * dayMs;
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const time = `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`;
  return `${textOfDay(day)}${time}.${threeDigits[ofDay % 1000]}Z`;
}

/** The same for what may not have happened. */
export const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoOf(atMs));

/** Monotonic milliseconds of real time, for durations of network exchanges and real-time limits. */
export const monotonicMs = (): number => performance.now();

/** For libraries that take a Date. */
export const dateOf = (atMs: number): Date => new Date(atMs);

/** Real time to wait, for backing off from an error and for waiting at shutdown. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls back again and again, so many real milliseconds apart, until the function it returns is called. Keeps no process alive. */
export function every(ms: number, callback: () => void): () => void {
  const timer = setInterval(callback, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/** Calls back when I/O had its turn. */
export const afterIo = (callback: () => void): void => void setImmediate(callback);

/** Lets I/O happen: a loop of awaited queries alone would never leave the microtask queue. */
export const nextMacrotask = (): Promise<void> => new Promise(afterIo);

/** Calls back once after so much real time, for limits that work outside of the domain has. Returns the way to cancel it. */
export function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  timer.unref();
  return () => clearTimeout(timer);
}
