/**
 * The storage refused a write: the disk is full, broken or mounted read-only. Nothing of the failed transaction was kept, and the same
 * work succeeds once the storage takes writes again. Only when a sync fails (`isUncertain`) may the transaction have been kept.
 */
export class StorageRefusal extends Error {
  /** The database's own code, such as `SQLITE_FULL`. */
  readonly code: string;
  /** The disk failed to sync: what was written may be there after a restart, or not. */
  readonly isUncertain: boolean;

  constructor(message: string, code: string, { isUncertain = false, ...options }: RefusalOptions = {}) {
    super(message, options);
    this.name = 'StorageRefusal';
    this.code = code;
    this.isUncertain = isUncertain;
  }
}

type RefusalOptions = ErrorOptions & { isUncertain?: boolean };

/** Begins the message of a refusal where not even reads work. */
export const unreachable = 'the database cannot be reached: ';

/** Whether writes succeed. */
export type Storage = {
  /** Why writes are refused, or null if the last one succeeded. */
  refusal(): string | null;
  /** Whether only another statement can tell if the database still answers. */
  isStale?(): boolean;
  /** Writes a page, to learn whether storage that refused a write accepts writes again. After a failed sync only a restart can tell. */
  probe(): Promise<void>;
};
