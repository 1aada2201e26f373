/** What SQLite says when its files cannot be written: the disk is full, broken, or mounted read-only. */
const refusals = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/;

/** Whether an error means that the storage refuses writes; nothing of the failed transaction is kept then. */
export function isStorageRefusal(error: unknown): error is Error & { code: string } {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && refusals.test(code);
}

/** For what need not succeed: a refusal is told to whoever writes next. */
export function ignoringRefusal(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isStorageRefusal(error)) throw error;
  }
}

/** Whether the storage takes writes, as far as the last of them showed. */
export type StorageState = {
  /** Why it refused the last write; null when it took it. */
  refusal(): string | null;
  refused(error: unknown): void;
  succeeded(): void;
};

export function createStorageState(): StorageState {
  let refusal: string | null = null;
  return {
    refusal: () => refusal,
    refused(error) {
      if (isStorageRefusal(error)) refusal = `${error.message} (${error.code})`;
    },
    succeeded() {
      refusal = null;
    },
  };
}
