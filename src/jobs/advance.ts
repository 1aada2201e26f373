import { every, isoOf, monotonicMs, type TestClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Runner } from './runner.ts';

export type Advancing = { clock: TestClock; runner: Runner; log: Log };

/**
 * In real time. When the jobs due at one instant of the test clock take longer than `tellAfterMs`, the log says which of them run; this
 * repeats at the same interval. When no job ends for `giveUpAfterMs`, advancing fails; that is longer than any network time-out.
 */
const patience = { tellAfterMs: 5000, giveUpAfterMs: 120_000 };
export type Patience = typeof patience;

/**
 * Moves a test clock forward to `to`. It stops at each instant at which jobs fall due, and moves on when these jobs and all that they made
 * due have run. Returns how many jobs ran, by kind.
 * @throws unavailable when no job ends for `limits.giveUpAfterMs`; the clock stays at the instant that it had reached
 */
export async function advance(
  { clock, runner, log }: Advancing,
  to: number,
  limits: Patience = patience,
): Promise<Record<string, number>> {
  const before = new Map(runner.ran());
  const settled = watched(runner, limits, (waitsFor) => {
    log.warn({ clock: isoOf(clock.now()), waitsFor }, 'the test clock waits for jobs that are due');
    return `The clock stands at ${isoOf(clock.now())} and waits for ${waitsFor.join(', ')}.`;
  });
  for (;;) {
    const next = await settled();
    if (next === undefined || next > to) break;
    clock.set(next);
  }
  clock.set(Math.max(to, clock.now()));
  await settled();
  const ran = [...runner.ran()].map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)] as const);
  return Object.fromEntries(ran.filter(([, count]) => count > 0));
}

/**
 * Returns a function that waits like `runner.settled`, and calls `tell` every `tellAfterMs` meanwhile. It throws `unavailable` when no
 * job has ended for `giveUpAfterMs`; the message is the text that `tell` returned last.
 */
function watched(runner: Runner, { tellAfterMs, giveUpAfterMs }: Patience, tell: (waitsFor: string[]) => string) {
  return async (): Promise<number | undefined> => {
    const stuck = Promise.withResolvers<never>();
    let done = jobsRun(runner);
    let doneAt = monotonicMs();
    const stopTelling = every(tellAfterMs, () => {
      const message = tell(runner.waitsFor());
      if (jobsRun(runner) !== done) {
        done = jobsRun(runner);
        doneAt = monotonicMs();
      } else if (monotonicMs() - doneAt >= giveUpAfterMs) stuck.reject(new AppError('unavailable', message));
    });
    try {
      return await Promise.race([runner.settled(), stuck.promise]);
    } finally {
      stopTelling();
    }
  };
}

const jobsRun = (runner: Runner): number => [...runner.ran().values()].reduce((sum, count) => sum + count, 0);
