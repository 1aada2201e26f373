import { every, isoOf, monotonicMs, type TestClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Runner } from './runner.ts';

export type Advancing = { clock: TestClock; runner: Runner; log: Log };

/**
 * How long (real time) an instant may take before it is logged what it waits for, again and again; and how long no job may come to an
 * end before it is given up: longer than what talks to the outside waits for an answer.
 */
const patience = { tellAfterMs: 5000, giveUpAfterMs: 120_000 };
export type Patience = typeof patience;

/**
 * Turns a test clock forward (contract, section 3): everything that falls due on the way runs in the order of its instants, each
 * at its own, and what that makes due runs too, before the clock moves on. Answers how many jobs ran, by kind.
 * @throws unavailable when the work of an instant does not come to an end; the clock stays there
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

/** `runner.settled`, but `tell` is called while that takes long; what it answers is the error's message in the end. */
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
