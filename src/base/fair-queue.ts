import { AppError } from './errors.ts';

/** Runs one piece of work at a time. Owners with waiting work take turns. */
export type FairQueue = {
  /** @throws the work's error; unavailable if too much work of `owner` is waiting; the error of `close` if closed before the work starts */
  run<R>(owner: string, work: () => Promise<R>): Promise<R>;
  /** Rejects all waiting and future work with `reason`, and resolves when the running work has ended. */
  close(reason: () => Error): Promise<void>;
};

type Waiter = PromiseWithResolvers<void>;

/**
 * Own code instead of p-limit, which has no owners and no maximum length, and cannot reject waiting work.
 * @param maxWaiting per owner
 */
export function createFairQueue(maxWaiting: number): FairQueue {
  /** The waiting work of each owner. Owners are in the order of their turns. */
  const waiting = new Map<string, Waiter[]>();
  let busy = false;
  let closed: (() => Error) | undefined;
  let idle: (() => void) | undefined;

  function wait(owner: string): Promise<void> {
    const waiters = waiting.get(owner) ?? [];
    if (waiters.length >= maxWaiting) {
      throw new AppError('unavailable', 'Too many questions are waiting for an answer; try again later.');
    }
    const waiter: Waiter = Promise.withResolvers();
    waiters.push(waiter);
    waiting.set(owner, waiters);
    return waiter.promise;
  }

  /** Takes the next waiter, and moves its owner to the end of the order. */
  function next(): Waiter | undefined {
    const [first] = waiting;
    if (!first) return undefined;
    const [owner, waiters] = first;
    const waiter = waiters.shift();
    waiting.delete(owner);
    if (waiters.length > 0) waiting.set(owner, waiters);
    return waiter;
  }

  return {
    async run(owner, work) {
      if (closed) throw closed();
      if (busy) await wait(owner);
      busy = true;
      try {
        return await work();
      } finally {
        const waiter = next();
        waiter?.resolve();
        busy = waiter !== undefined;
        if (!busy) idle?.();
      }
    },
    async close(reason) {
      closed = reason;
      for (let waiter = next(); waiter; waiter = next()) waiter.reject(reason());
      if (busy) await new Promise<void>((resolve) => (idle = resolve));
    },
  };
}
