import { monotonicMs, nextMacrotask } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { StorageRefusal } from '../storage.ts';
import type { StorageState } from './storage.ts';

/**
 * Lets commits share a sync of the write-ahead log. SQLite can sync in each COMMIT, but that blocks the event loop for as long as the disk
 * takes, and one client's commit after another. Here a commit only writes the log, and whoever acts on it waits for `synced`.
 */
export type LogSync = {
  /** To be called when a transaction that changed something has been committed. */
  committed(): void;
  /**
   * Resolves when every commit made so far is on disk.
   * @throws StorageRefusal when a sync has failed, now or earlier
   */
  synced(): Promise<void>;
};

/** For connections whose commits do not wait for the disk. */
export const noLogSync: LogSync = { committed: () => undefined, synced: () => Promise.resolve() };

export type LogSyncParts = {
  /** Writes to disk what the log's file holds when it is called. */
  sync: () => Promise<void>;
  /** Transactions are waiting to run. */
  isMoreComing: () => boolean;
  storage: StorageState;
  /** Learns how long each sync took, in seconds. */
  onSync?: (seconds: number) => void;
};

/** Longest real time that a sync waits for transactions that are about to commit. */
const maxGatherMs = 2;

export function createLogSync({ sync, isMoreComing, storage, onSync }: LogSyncParts): LogSync {
  let commits = 0;
  let onDisk = 0;
  let covered = 0;
  /** The sync under way, or the last one. It covers the first `covered` commits. */
  let running = Promise.resolve();
  /** The next sync. It covers every commit made before it starts. */
  let upcoming: Promise<void> | undefined;

  async function gather(): Promise<void> {
    const until = monotonicMs() + maxGatherMs;
    while (isMoreComing() && monotonicMs() < until) await nextMacrotask();
  }

  async function start(): Promise<void> {
    const covers = commits;
    const startedMs = monotonicMs();
    try {
      await sync();
      onSync?.((monotonicMs() - startedMs) / 1000);
    } catch (error) {
      throw storage.failed(syncFailure(error));
    }
    onDisk = covers;
  }

  async function syncNext(): Promise<void> {
    await running;
    await gather();
    upcoming = undefined;
    covered = commits;
    running = start();
    return running;
  }

  return {
    committed: () => void (commits += 1),
    async synced() {
      storage.requireTrust();
      if (onDisk === commits) return undefined;
      if (upcoming === undefined && covered === commits) return running;
      return (upcoming ??= syncNext());
    },
  };
}

/** The code is SQLite's own for a sync that fails. */
const syncFailure = (error: unknown): StorageRefusal =>
  new StorageRefusal(`the disk failed to sync: ${messageOf(error)}`, 'SQLITE_IOERR_FSYNC', {
    cause: error,
    isUncertain: true,
  });
