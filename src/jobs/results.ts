import type { Scope } from '../db/transaction.ts';
import { createBatchDelay } from './batch-delay.ts';
import { type Finished, takeUpTo } from './completion.ts';

/** Limit of one commit (cost of results), so that it does not take more than a few milliseconds of the main thread. */
const maxResults = 64;

/** The results of finished jobs that await their commit. */
export type Results = {
  add(result: Finished): void;
  /** Takes results of the scope, as many as fit into one commit. */
  take(scope: Scope): Finished[];
  has(scope: Scope): boolean;
  /** To be called when a commit with results is over: those that follow wait for each other again. */
  restartDelay(): void;
  scopes(): Scope[];
};

/**
 * `onWork` is called with each scope that has results, when these are to be written: at once if no other job is running or about to start
 * (`isRunning`), else a little later, together with the results of others.
 */
export function createResults(options: { isRunning: () => boolean; onWork: (scope: Scope) => void }): Results {
  const results = new Map<Scope, Finished[]>();
  /** Scopes with results for which `onWork` has not been called yet. */
  const untold = new Set<Scope>();
  let count = 0;

  const delay = createBatchDelay({
    isFull: () => !options.isRunning() || count >= maxResults,
    flush() {
      untold.forEach(options.onWork);
      untold.clear();
    },
  });

  return {
    add(result) {
      const { scope } = result.job;
      const known = results.get(scope);
      if (known) known.push(result);
      else results.set(scope, [result]);
      untold.add(scope);
      count += 1;
      delay.added();
    },
    take(scope) {
      const ready = results.get(scope) ?? [];
      const taken = takeUpTo(ready, maxResults);
      if (ready.length === 0) results.delete(scope);
      count -= taken.length;
      return taken;
    },
    has: (scope) => results.has(scope),
    restartDelay: () => delay.restart(),
    scopes: () => [...results.keys()],
  };
}
