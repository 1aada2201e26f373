import { after, monotonicMs } from '../../base/clock.ts';

/**
 * Transactions that share one COMMIT, which writes each page once however many of them changed it. The first one begins the transaction
 * of SQLite, the later ones are savepoints in it.
 */
export type CommitGroup = {
  /** Whether the connection is inside a transaction with the work of transactions that have ended. */
  isOpen(): boolean;
  /** Whether a transaction that ends now should leave the COMMIT to a later one: the last COMMIT was a moment ago. */
  shouldWait(): boolean;
  /** Opens the group, unless it is open: `flush` is called when the COMMIT is due. */
  open(): void;
  /** Resolves with the COMMIT of the open group, or at once if none is open. Rejects when the COMMIT fails. */
  committed(): Promise<void>;
  /** To be called when the COMMIT has succeeded, with the real time (ms) that it took, or failed with an error. */
  end(outcome: { tookMs: number } | { error: unknown }): void;
};

/**
 * Real time (ms) between two commits, if nobody asks for one sooner, after a COMMIT that took `commitMs`. 0 commits every transaction by
 * itself.
 */
export type CommitGap = (commitMs: number) => number;

export function createCommitGroup({ gap, flush }: { gap: CommitGap; flush: () => void }): CommitGroup {
  let committedMs = Number.NEGATIVE_INFINITY;
  let gapMs = gap(0);
  let group: { commit: PromiseWithResolvers<void>; cancelFlush: () => void } | undefined;
  const leftMs = (): number => committedMs + gapMs - monotonicMs();
  return {
    isOpen: () => group !== undefined,
    shouldWait: () => leftMs() > 0,
    open() {
      if (group) return;
      const commit = Promise.withResolvers<void>();
      commit.promise.catch(() => undefined); // those who wait for it get the error
      // Whoever stops the process may be waiting for this COMMIT.
      group = { commit, cancelFlush: after(Math.max(0, leftMs()), flush, { keepsAlive: true }) };
    },
    committed: () => group?.commit.promise ?? Promise.resolve(),
    end(outcome) {
      const ended = group;
      group = undefined;
      ended?.cancelFlush();
      if ('error' in outcome) {
        ended?.commit.reject(outcome.error);
        return;
      }
      committedMs = monotonicMs();
      gapMs = gap(outcome.tookMs);
      ended?.commit.resolve();
    },
  };
}
