import type { Tables } from '../db/schema.generated.ts';

/** A table that stores texts encrypted by `app.secrets`. Rotating the encryption key needs to know it, to re-encrypt them. */
export type EncryptedTable = {
  table: keyof Tables;
  /** The encrypted columns; null is allowed in them. */
  columns: readonly string[];
  /** The columns of the primary key. */
  key: readonly string[];
  /** The context with which a row's texts were encrypted; computed from its key. */
  contextOf(row: Readonly<Record<string, string>>): string;
};
