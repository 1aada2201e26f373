import { setTimeout } from 'node:timers/promises';

/** Rejects if a promise does not settle in time. Crash tests use real time, because a test clock does not survive a crash. */
export async function within<T>(limitMs: number, what: string, promise: Promise<T>): Promise<T> {
  const giveUp = new AbortController();
  const late = setTimeout(limitMs, undefined, { signal: giveUp.signal }).then(() => {
    throw new Error(`${what}: not within ${limitMs / 1000} s`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    giveUp.abort();
    late.catch(() => undefined); // `late` was cancelled, or its error has been thrown above
  }
}

/** A short pause between requests to a server that refuses them. */
export const aMoment = (): Promise<void> => setTimeout(100);

/** A pause while the server works for minutes: asking it ten times a second would take more of the processor than its work. */
export const aWhile = (): Promise<void> => setTimeout(1_000);

/** Polls until a condition holds, where no event announces it. */
export async function until(
  limitMs: number,
  what: string,
  holds: () => Promise<boolean>,
  pause: () => Promise<void> = aMoment,
): Promise<void> {
  const giveUp = new AbortController();
  const looking = async (): Promise<void> => {
    while (!giveUp.signal.aborted && !(await holds())) await pause();
  };
  try {
    await within(limitMs, what, looking());
  } finally {
    giveUp.abort();
  }
}

/** Counts events. `more(n)` resolves after n further ones. */
export type Tally = { add(): void; count(): number; more(many: number): Promise<void> };

export function createTally(): Tally {
  let count = 0;
  let waiting: Array<{ at: number; tell: () => void }> = [];
  return {
    add() {
      count += 1;
      const due = waiting.filter(({ at }) => at <= count);
      waiting = waiting.filter(({ at }) => at > count);
      for (const { tell } of due) tell();
    },
    count: () => count,
    more: (many) => new Promise((tell) => waiting.push({ at: count + many, tell })),
  };
}
