import { setTimeout } from 'node:timers/promises';

/** Rejects when a promise has not settled in time. Crash tests live in real time: there is no test clock across a crash. */
export async function within<T>(limitMs: number, what: string, promise: Promise<T>): Promise<T> {
  const giveUp = new AbortController();
  const late = setTimeout(limitMs, undefined, { signal: giveUp.signal }).then(() => {
    throw new Error(`${what}: not within ${limitMs / 1000} s`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    giveUp.abort();
    late.catch(() => undefined); // called off, or told already
  }
}

/** A moment of real time, for who would else ask a server that refuses without a pause. */
export const aMoment = (): Promise<void> => setTimeout(100);

/** Looks again and again until something holds, for what no event tells. */
export async function until(limitMs: number, what: string, holds: () => Promise<boolean>): Promise<void> {
  const giveUp = new AbortController();
  const looking = async (): Promise<void> => {
    while (!giveUp.signal.aborted && !(await holds())) await aMoment();
  };
  try {
    await within(limitMs, what, looking());
  } finally {
    giveUp.abort();
  }
}

/** Counts what is seen to happen, and tells when so much more has happened. */
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
