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
  /** To be called when the COMMIT has succeeded after `tookMs`. */
  succeeded(tookMs: number): void;
  /** To be called when the COMMIT has failed. */
  failed(error: unknown): void;
};

/**
 * Real time (ms) between two commits, if nobody asks for one sooner, given how long (ms) the last few took on average. 0 commits every
 * transaction by itself.
 */
export type CommitGap = (averageMs: number) => number;

/** Recent COMMITs weigh this much in the average, so that one that the disk delayed does not delay many. */
const newWeight = 0.25;

export function createCommitGroup({ gap, flush }: { gap: CommitGap; flush: () => void }): CommitGroup {
  let committedMs = Number.NEGATIVE_INFINITY;
  let averageMs = 0;
  let group: { commit: PromiseWithResolvers<void>; cancelFlush: () => void } | undefined;
  const leftMs = (): number => committedMs + gap(averageMs) - monotonicMs();
  function close(): typeof group {
    const closed = group;
    group = undefined;
    closed?.cancelFlush();
    return closed;
  }
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
    succeeded(tookMs) {
      committedMs = monotonicMs();
      averageMs += newWeight * (tookMs - averageMs);
      close()?.commit.resolve();
    },
    failed(error) {
      close()?.commit.reject(error);
    },
  };
}
