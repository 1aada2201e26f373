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
  /** To be called when the COMMIT has succeeded, or failed with an error. */
  end(error?: unknown): void;
};

/** `gapMs`: real time between two commits, if nobody asks for one sooner. 0 commits every transaction by itself. */
export function createCommitGroup({ gapMs, flush }: { gapMs: number; flush: () => void }): CommitGroup {
  let committedMs = Number.NEGATIVE_INFINITY;
  let group: { commit: PromiseWithResolvers<void>; cancelFlush: () => void } | undefined;
  const leftMs = (): number => committedMs + gapMs - monotonicMs();
  return {
    isOpen: () => group !== undefined,
    shouldWait: () => gapMs > 0 && leftMs() > 0,
    open() {
      if (group) return;
      const commit = Promise.withResolvers<void>();
      commit.promise.catch(() => undefined); // those who wait for it get the error
      // Whoever stops the process may be waiting for this COMMIT.
      group = { commit, cancelFlush: after(Math.max(0, leftMs()), flush, { keepsAlive: true }) };
    },
    committed: () => group?.commit.promise ?? Promise.resolve(),
    end(error) {
      if (error === undefined) committedMs = monotonicMs();
      const ended = group;
      group = undefined;
      ended?.cancelFlush();
      if (error === undefined) ended?.commit.resolve();
      else ended?.commit.reject(error);
    },
  };
}
