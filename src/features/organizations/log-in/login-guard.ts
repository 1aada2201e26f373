import { monotonicMs } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { nodeState } from '../../../kernel/node.ts';
import { createRecentTimes } from './recent-times.ts';

/**
 * This many failures with an e-mail address from one sender lock this pair until the first of them leaves the window (docs/operations.md,
 * "Keys, people, audit").
 */
export const maxFailures = 10;
/** After this many failures from anywhere, log-ins with an e-mail address are slowed down. */
const maxFailuresOfEmail = 100;
const windowMs = 15 * 60_000;
/** More keys than passwords can be hashed in a window, so that a flood of failures never pushes a lock out of memory. */
const maxKeys = 100_000;

/** Slowed-down log-ins with one e-mail address are this far apart, in real time. The first one also waits this long. */
const slowedMs = 1000;
/** A log-in that would have to wait longer than this is refused at once. */
const maxWaitMs = 8000;

/** A log-in under way. It counts as a failure from its start, so that parallel ones cannot exceed the limit. */
export type Attempt = {
  /** Whether this is the failure that locks the pair, unless it succeeds. */
  locks: boolean;
  /** Call it if the password was right: forgets the pair's failures. */
  succeeded(): void;
  /** Call it if the password could not be verified: the attempt then does not count as a failure. */
  abandoned(): void;
};

export type LoginGuard = {
  /** Undefined while this e-mail address is locked for this sender. */
  begin(email: string, sender: string, now: number): Attempt | undefined;
  /**
   * How long a log-in that has begun has to wait, in real milliseconds: 0 unless too many have failed with this e-mail address.
   * @throws rate_limited when too many wait already
   */
  delayMs(email: string, now: number): number;
  /** Forgets all failures with an e-mail address, and so every lock of it. */
  unlock(email: string): void;
};

export function createLoginGuard(realMs: () => number = monotonicMs): LoginGuard {
  const ofPair = createRecentTimes({ windowMs, maxTimes: maxFailures, maxKeys });
  const ofEmail = createRecentTimes({ windowMs, maxTimes: maxFailuresOfEmail + 1, maxKeys });
  /** When the next slowed-down log-in with an e-mail address may go on, in real time. */
  const nextAt = new Map<string, number>();

  return {
    begin(email, sender, now) {
      const pair = `${sender} ${email}`;
      const failures = ofPair.count(pair, now);
      if (failures >= maxFailures) return undefined;
      ofPair.add(pair, now);
      ofEmail.add(email, now);
      return {
        locks: failures + 1 === maxFailures,
        succeeded() {
          ofPair.clear(pair);
          ofEmail.remove(email, now);
        },
        abandoned() {
          ofPair.remove(pair, now);
          ofEmail.remove(email, now);
        },
      };
    },
    delayMs(email, now) {
      // The count includes the attempt that asks: it has begun already.
      if (ofEmail.count(email, now) <= maxFailuresOfEmail) return 0;
      const realNow = realMs();
      for (const [other, at] of nextAt) if (at <= realNow) nextAt.delete(other);
      const at = Math.max(realNow, nextAt.get(email) ?? 0) + slowedMs;
      if (at - realNow > maxWaitMs) throw tooManyWait();
      nextAt.set(email, at);
      return at - realNow;
    },
    unlock(email) {
      ofPair.clearWhere((pair) => pair.endsWith(` ${email}`));
      ofEmail.clear(email);
      nextAt.delete(email);
    },
  };
}

const tooManyWait = (): AppError =>
  new AppError('rate_limited', 'Too many log-ins with this e-mail address failed; try again in a minute.', {
    headers: { 'Retry-After': '60' },
  });

export const loginGuard = nodeState('failedLogIns', () => createLoginGuard());
