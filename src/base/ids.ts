import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

export type Ids = { make(): string };

/**
 * UUIDv7 (RFC 9562, section 5.7) that sort in the order they were made: the clock's milliseconds, then a 26-bit counter
 * (method 1 of section 6.2), then 48 random bits. By hand because libraries keep that order for the system's clock only,
 * and lists here are ordered by id under a clock that may stand still.
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

/** Sorts before every id that is made at an instant or later, and behind those made earlier. */
export const idsFrom = (ms: number): string => format(ms, 0).slice(0, 14);

function format(ms: number, counter: number): string {
  const third = (0x7000 | ((counter >>> 14) & 0xfff)).toString(16);
  const fourth = (0x8000 | (counter & 0x3fff)).toString(16);
  return `${timeOf(ms)}-${third}-${fourth}-${randomHex(6)}`;
}

/** Many ids are made in one millisecond. */
let lastTime = { ms: -1, text: '' };

function timeOf(ms: number): string {
  if (ms === lastTime.ms) return lastTime.text;
  const time = ms.toString(16).padStart(12, '0');
  lastTime = { ms, text: `${time.slice(0, 8)}-${time.slice(8)}` };
  return lastTime.text;
}

/** Random bytes for many ids at once: asking the system for them costs as much as all the rest. */
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

/** Any UUID in its textual form; case does not matter. */
export const isUuid = (value: string): boolean => uuidPattern.test(value);
