import type { TestClock } from '../base/clock.ts';
import type { Runner } from './runner.ts';

/**
 * Turns a test clock forward (contract, section 3): everything that falls due on the way runs in the order of its instants, each
 * at its own, and what that makes due runs too, before the clock moves on. Answers how many jobs ran, by kind.
 */
export async function advance(clock: TestClock, runner: Runner, to: number): Promise<Record<string, number>> {
  const before = new Map(runner.ran());
  for (;;) {
    const next = await runner.settled();
    if (next === undefined || next > to) break;
    clock.set(next);
  }
  clock.set(Math.max(to, clock.now()));
  await runner.settled();
  const ran = [...runner.ran()].map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)] as const);
  return Object.fromEntries(ran.filter(([, count]) => count > 0));
}
