import { StorageRefusal } from '../storage.ts';

/** SQLite's codes for files that cannot be written: the disk is full, broken, or mounted read-only. */
const refusalCodes = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/;

/** SQLite's error codes for a failed sync. */
const syncCodes = /^SQLITE_IOERR_(DIR_)?FSYNC$/;

/** The error as a StorageRefusal if its code says that the storage refused a write; any other error as it is. */
export function storageRefusalFrom(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (error instanceof StorageRefusal || typeof code !== 'string' || !refusalCodes.test(code)) return error;
  return new StorageRefusal((error as Error).message, code, { cause: error, isUncertain: syncCodes.test(code) });
}

/** Runs a write and ignores a StorageRefusal, because the next write meets the same refusal and reports it. Throws any other error. */
export function ignoringRefusal(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(storageRefusalFrom(error) instanceof StorageRefusal)) throw error;
  }
}

/** Shared by both threads: 1 once the storage is distrusted. */
export type Distrust = Int32Array<SharedArrayBuffer>;

export const createDistrust = (): Distrust => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Whether the storage accepts writes, as far as the most recent write showed. After a failed sync it is distrusted until the process ends:
 * the operating system may have dropped the pages that it could not write, so a later sync that succeeds proves nothing about them. The
 * next start reads the log anew and checks it (open.ts).
 */
export type StorageState = {
  /** Why writes are refused, or null if the last one succeeded. */
  refusal(): string | null;
  /** Records the error if it is a refusal. Returns the error to throw. */
  failed(error: unknown): unknown;
  succeeded(): void;
  distrust(): void;
  isDistrusted(): boolean;
  /** @throws StorageRefusal when the storage is distrusted */
  requireTrust(): void;
};

export function createStorageState(distrust: Distrust = createDistrust()): StorageState {
  let refusal: string | null = null;
  const isDistrusted = (): boolean => Atomics.load(distrust, 0) === 1;
  const state: StorageState = {
    refusal() {
      if (!isDistrusted()) return refusal;
      return `${refusal ?? 'a sync failed'}; restart parley when the disk works again`;
    },
    failed(thrown) {
      const error = storageRefusalFrom(thrown);
      if (!(error instanceof StorageRefusal)) return error;
      if (!isDistrusted()) refusal = `${error.message} (${error.code})`;
      if (error.isUncertain) state.distrust();
      return error;
    },
    succeeded() {
      if (!isDistrusted()) refusal = null;
    },
    distrust: () => void Atomics.store(distrust, 0, 1),
    isDistrusted,
    requireTrust() {
      if (isDistrusted()) throw new StorageRefusal(state.refusal()!, 'SQLITE_READONLY');
    },
  };
  return state;
}
