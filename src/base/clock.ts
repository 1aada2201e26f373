/**
 * The only source of time, so that a test clock can replace it (docs/api/process.md, "Test clock"); nothing else may read the system's
 * time. Instants are Unix milliseconds. Rules that need a time zone convert them with Temporal.
 */
export type Clock = {
  now(): number;
  /** Calls back once, at the instant or soon after; at once if it has passed. Returns a function that cancels. */
  alarm(atMs: number, callback: () => void): () => void;
};

/** A clock that stands still until `set` moves it (`--test-clock`). */
export type TestClock = Clock & {
  /** Moves forward to an instant and rings the alarms up to it, in order of their time. */
  set(atMs: number): void;
};

export const isTestClock = (clock: Clock): clock is TestClock => 'set' in clock;

/** The longest timer that Node supports; a longer wait takes several. */
const maxTimerMs = 2 ** 31 - 1;

/** The system's clock. Its timers are unreferenced, so that an alarm for later work does not keep a stopping process alive. */
export function systemClock(): Clock {
  const now = (): number => Date.now();
  return {
    now,
    alarm(atMs, callback) {
      let timer: NodeJS.Timeout;
      const arm = (): void => {
        const waitMs = Math.max(0, atMs - now());
        const fits = waitMs <= maxTimerMs;
        timer = setTimeout(fits ? callback : arm, fits ? waitMs : maxTimerMs);
        timer.unref();
      };
      arm();
      return () => clearTimeout(timer);
    },
  };
}

/** A test clock. By default it starts at the current full second, so that timestamps in answers are easy to read. */
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

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
const digits = (count: number): string[] =>
  Array.from({ length: 10 ** count }, (_, number) => String(number).padStart(count, '0'));
const twoDigits = digits(2);
const threeDigits = digits(3);

/** The last day that was formatted; most timestamps in a list fall on the same few days. */
let lastDay = { number: Number.NaN, text: '' };

function formatDay(number: number): string {
  if (number === lastDay.number) return lastDay.text;
  const text = new Date(number * dayMs).toISOString().slice(0, -'00:00:00.000Z'.length);
  lastDay = { number, text };
  return text;
}

/**
 * ISO 8601 in UTC with milliseconds and `Z`. By hand, because `toISOString` takes four times as long and was a sixth of the time of a list
 * request.
 */
export function isoOf(atMs: number): string {
  const whole = Math.trunc(atMs);
  const day = Math.floor(whole / dayMs);
  const ofDay = whole - day * dayMs;
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const time = `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`;
  return `${formatDay(day)}${time}.${threeDigits[ofDay % 1000]}Z`;
}

/** Null stays null, for events that have not happened. */
export const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoOf(atMs));

/** Monotonic milliseconds of real time, for time-outs and for durations of network requests. */
export const monotonicMs = (): number => performance.now();

/**
 * Unix milliseconds of real time, also under a test clock: for timestamps that others compare with their own clocks (docs/api/process.md,
 * "Test clock").
 */
export const realTimeMs = (): number => Date.now();

/** For libraries that need a Date. */
export const dateOf = (atMs: number): Date => new Date(atMs);

/** Waits in real time: for back-off after errors, and at shutdown. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls back every `ms` of real time until the returned function is called. Does not keep the process alive. */
export function every(ms: number, callback: () => void): () => void {
  const timer = setInterval(callback, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/** Calls back after pending I/O events have been handled. */
export const afterIo = (callback: () => void): void => void setImmediate(callback);

/** Lets I/O events in. A loop that only awaits database queries never leaves the microtask queue. */
export const nextMacrotask = (): Promise<void> => new Promise(afterIo);

/**
 * Calls back once after `ms` of real time, for technical limits. Returns a function that cancels. Does not keep the process alive unless
 * `keepsAlive` is set.
 */
export function after(ms: number, callback: () => void, { keepsAlive = false } = {}): () => void {
  const timer = setTimeout(callback, ms);
  if (!keepsAlive) timer.unref();
  return () => clearTimeout(timer);
}

/** The result of `work`, or that of `late` when `work` takes more than `ms` of real time. `work` itself goes on. */
export async function within<T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | Awaited<L>> {
  const limit = Promise.withResolvers<Awaited<L>>();
  const cancel = after(ms, () => limit.resolve(Promise.try(late)));
  try {
    return await Promise.race([work, limit.promise]);
  } finally {
    cancel();
  }
}
