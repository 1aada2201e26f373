import type { Log } from '../base/log.ts';
import type { Serving } from './pass.ts';

/** Passes whose commit may not be on disk yet. */
export type Unsettled = {
  /** Resolves when the next pass may run. */
  follow(serving: Serving): Promise<void>;
  isEmpty(): boolean;
  /** Resolves when all passes until now have settled or failed. */
  settled(): Promise<unknown>;
};

/** @param onSettled called when a pass has settled or failed */
export function createUnsettled(log: Log, onSettled: () => void): Unsettled {
  const passes = new Set<Promise<void>>();
  return {
    async follow({ committed, settled }) {
      let isCommitted = false; // until then, whoever waits for the commit gets the error
      const following = settled
        .catch((err: unknown) => {
          if (isCommitted) log.warn({ err }, 'a commit of the job runner may not be on disk');
        })
        .finally(() => {
          passes.delete(following);
          onSettled();
        });
      passes.add(following);
      await committed;
      isCommitted = true;
    },
    isEmpty: () => passes.size === 0,
    settled: () => Promise.all(passes),
  };
}
