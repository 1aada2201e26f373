import type { Clock } from '../base/clock.ts';

/** Between passes nothing sleeps longer than this, in case the machine's clock was set back. */
const maxSleepMs = 30_000;

export type Wakeup = {
  /** After this, a call of `now` also ends a sleep that begins later. Call it before a pass, so that no wake-up during the pass is lost. */
  arm(): void;
  now(): void;
  /** Whether `now` was called since `arm`. */
  pending(): boolean;
  /** Wakes at an instant of the domain's clock. */
  at(dueAt: number): void;
  sleep(until: number | undefined): Promise<void>;
};

export function createWakeup(clock: Clock): Wakeup {
  let pending = false;
  let wakeSleeper: (() => void) | undefined;
  let sleepingUntil = Number.POSITIVE_INFINITY;
  const now = (): void => {
    pending = true;
    wakeSleeper?.();
  };
  return {
    arm() {
      pending = false;
    },
    now,
    pending: () => pending,
    at(dueAt) {
      // Otherwise the sleeper wakes before `dueAt` anyway, and then learns of it.
      if (dueAt <= clock.now() || dueAt < sleepingUntil) now();
    },
    async sleep(until) {
      if (pending) return;
      sleepingUntil = until ?? Number.POSITIVE_INFINITY;
      const wakeAt = Math.min(sleepingUntil, clock.now() + maxSleepMs);
      await new Promise<void>((resolve) => {
        const cancelAlarm = clock.alarm(wakeAt, resolve);
        wakeSleeper = () => {
          cancelAlarm();
          resolve();
        };
      });
      wakeSleeper = undefined;
      sleepingUntil = Number.POSITIVE_INFINITY;
    },
  };
}
