import { StorageRefusal } from '../storage.ts';

/** SQLite's codes for files that cannot be written: the disk is full, broken, or mounted read-only. */
const refusalCodes = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/;

/** The error as a StorageRefusal if its code says that the storage refused a write; any other error as it is. */
export function storageRefusalFrom(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (error instanceof StorageRefusal || typeof code !== 'string' || !refusalCodes.test(code)) return error;
  return new StorageRefusal((error as Error).message, code, { cause: error });
}

/** Runs a write that may fail: the next write meets the same refusal and reports it. */
export function ignoringRefusal(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(storageRefusalFrom(error) instanceof StorageRefusal)) throw error;
  }
}

/** Whether the storage accepts writes, as far as the most recent write showed. */
export type StorageState = {
  /** Why the last write was refused, or null if it succeeded. */
  refusal(): string | null;
  /** Records the error if it is a refusal. Returns the error to throw. */
  failed(error: unknown): unknown;
  succeeded(): void;
};

export function createStorageState(): StorageState {
  let refusal: string | null = null;
  return {
    refusal: () => refusal,
    failed(thrown) {
      const error = storageRefusalFrom(thrown);
      if (error instanceof StorageRefusal) refusal = `${error.message} (${error.code})`;
      return error;
    },
    succeeded() {
      refusal = null;
    },
  };
}
