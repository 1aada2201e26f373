import type { Tables } from '../db/schema.generated.ts';

/**
 * A table that keeps sealed texts (`app.secrets.seal`), so that all of them can be sealed anew under another key: its columns that
 * are sealed or null, its primary key, and the context in which a row's texts were sealed.
 */
export type SealedTable = {
  table: keyof Tables;
  columns: readonly string[];
  key: readonly string[];
  contextOf(row: Readonly<Record<string, string>>): string;
};
