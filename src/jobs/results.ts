import type { Scope } from '../db/transaction.ts';
import { type Finished, takeUpTo } from './completion.ts';

/** Limit of one commit (cost of results), so that it does not take more than a few milliseconds of the main thread. */
const maxResults = 64;

/** The results of finished jobs that await their commit. */
export type Results = {
  add(result: Finished): void;
  /** Takes results of the scope, as many as fit into one commit. */
  take(scope: Scope): Finished[];
  has(scope: Scope): boolean;
  scopes(): Scope[];
};

export function createResults(): Results {
  const results = new Map<Scope, Finished[]>();
  return {
    add(result) {
      const { scope } = result.job;
      const known = results.get(scope);
      if (known) known.push(result);
      else results.set(scope, [result]);
    },
    take(scope) {
      const ready = results.get(scope) ?? [];
      const taken = takeUpTo(ready, maxResults);
      if (ready.length === 0) results.delete(scope);
      return taken;
    },
    has: (scope) => results.has(scope),
    scopes: () => [...results.keys()],
  };
}
