import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

export type Ids = { make(): string };

/**
 * Makes UUIDv7 (RFC 9562, section 5.7) that sort in the order of their creation: the clock's milliseconds, a 26-bit counter (section
 * 6.2, method 1) and 48 random bits. By hand, because `crypto.randomUUIDv7` takes the system's time, and lists are ordered by id even
 * under a test clock that stands still.
 */
export function createIds(clock: Clock): Ids {
  let lastMs = -1;
  let counter = 0;
  return {
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

/** The prefix that sorts before every id made at or after an instant, and after every earlier one. */
export const idsFrom = (ms: number): string => format(ms, 0).slice(0, 14);

function format(ms: number, counter: number): string {
  const third = (0x7000 | ((counter >>> 14) & 0xfff)).toString(16);
  const fourth = (0x8000 | (counter & 0x3fff)).toString(16);
  return `${formatTime(ms)}-${third}-${fourth}-${randomHex(6)}`;
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
