import { hash, randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

export type Ids = {
  make(): string;
  /** What everything random but secrets is drawn from; null: from the system. */
  seed: number | null;
};

/**
 * Makes UUIDv7 (RFC 9562, section 5.7) that sort in the order of their creation: the clock's milliseconds, a 26-bit counter (section
 * 6.2, method 1) and 48 random bits. By hand, because `crypto.randomUUIDv7` takes the system's time, and lists are ordered by id even
 * under a test clock that stands still.
 */
export function createIds(clock: Clock): Ids {
  let lastMs = -1;
  let counter = 0;
  return {
    seed: null,
    make() {
      const nowMs = clock.now();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        counter = Number.parseInt(randomHex(2), 16);
      } else if (++counter >= 2 ** 26) {
        lastMs += 1;
        counter = 0;
      }
      return format(lastMs, counter);
    },
  };
}

export type SeededIdsOptions = {
  seed: number;
  /** Whether the time in ids is the clock's, which a test clock makes reproducible. Otherwise it counts from `seededStartMs`. */
  followsClock: boolean;
  /** Whether the running code answers a request. */
  isInRequest: () => boolean;
};

/** Where the time in ids begins if it does not follow the clock: 2026-01-01. */
const seededStartMs = 1_767_225_600_000;

/**
 * Ids that depend on the seed and the order of requests alone. Jobs run beside requests at instants that the machine chooses, so ids made
 * in requests and in jobs are drawn from streams of their own, and an id made in a job never changes one made in a request: each request id
 * begins a new millisecond, and those of jobs count within the last one.
 */
export function createSeededIds(clock: Clock, { seed, followsClock, isInRequest }: SeededIdsOptions): Ids {
  const nowMs = followsClock ? () => clock.now() : () => seededStartMs;
  const drawn = { request: 0, job: 0 };
  let lastMs = -1;
  let counter = 0;
  return {
    seed,
    make() {
      const stream = isInRequest() ? 'request' : 'job';
      if (nowMs() > lastMs) [lastMs, counter] = [nowMs(), 0];
      else if (stream === 'request' || ++counter >= 2 ** 26) [lastMs, counter] = [lastMs + 1, 0];
      const id = format(lastMs, counter, hash('sha256', `${seed}/${stream}/${drawn[stream]++}`).slice(0, 12));
      if (!followsClock) mark(clock.now(), id);
      return id;
    },
  };
}

/** A number from 0 to 1 that only the seed and the name decide. */
export const seededShare = (seed: number, name: string): number =>
  Number.parseInt(hash('sha256', `${seed}/${name}`).slice(0, 8), 16) / 2 ** 32;

/** The first id of each millisecond, if ids do not follow the clock. */
let marks: Array<{ ms: number; id: string }> = [];
const maxMarks = 200_000;

function mark(ms: number, id: string): void {
  if (ms <= (marks.at(-1)?.ms ?? -1)) return;
  marks.push({ ms, id });
  if (marks.length > maxMarks) marks = marks.slice(maxMarks / 2);
}

/** The prefix that sorts before every id made at or after an instant, and after every earlier one. */
export function idsFrom(ms: number): string {
  if (marks.length === 0) return format(ms, 0).slice(0, 14);
  return marks.find((one) => one.ms >= ms)?.id ?? 'g';
}

function format(ms: number, counter: number, tail = randomHex(6)): string {
  const third = (0x7000 | ((counter >>> 14) & 0xfff)).toString(16);
  const fourth = (0x8000 | (counter & 0x3fff)).toString(16);
  return `${formatTime(ms)}-${third}-${fourth}-${tail}`;
}

/** The last time that was formatted; many ids are made within one millisecond. */
let lastTime = { ms: -1, text: '' };

function formatTime(ms: number): string {
  if (ms === lastTime.ms) return lastTime.text;
  const time = ms.toString(16).padStart(12, '0');
  lastTime = { ms, text: `${time.slice(0, 8)}-${time.slice(8)}` };
  return lastTime.text;
}

/** Random bytes for many ids: a call to the system per id would double the cost of an id. */
const pool = Buffer.alloc(2048);
let used = pool.length;

function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID, of any version, in either case. */
export const isUuid = (value: string): boolean => uuidPattern.test(value);
