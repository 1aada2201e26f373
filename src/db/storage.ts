/**
 * The storage refused a write: the disk is full, broken or mounted read-only. Nothing of the failed transaction was kept, and the same
 * work succeeds once the storage takes writes again.
 */
export class StorageRefusal extends Error {
  /** The database's own code, such as `SQLITE_FULL`. */
  readonly code: string;

  constructor(message: string, code: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageRefusal';
    this.code = code;
  }
}

/** Whether writes succeed. */
export type Storage = {
  /** Why the last write was refused, or null if it succeeded. */
  refusal(): string | null;
  /** Writes a page, to learn whether storage that refused a write accepts writes again. */
  probe(): Promise<void>;
};
