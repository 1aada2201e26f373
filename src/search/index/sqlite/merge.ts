import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import { totalChanges } from '../../../db/sqlite/total-changes.ts';
import type { Tx } from '../../../db/transaction.ts';

/** Pages of about 4 KiB that one step merges; they take half a millisecond. */
const pagesPerStep = 8;

const mergeWords = prepared(
  (_db, p: { pages: number }) => sql`INSERT INTO retrieval_words (retrieval_words, rank) VALUES ('merge', ${p.pages})`,
);

const mergeTrigrams = prepared(
  (_db, p: { pages: number }) =>
    sql`INSERT INTO retrieval_trigrams (retrieval_trigrams, rank) VALUES ('merge', ${p.pages})`,
);

/**
 * Merges a few pages of FTS5 segments. Called after each addition, so that no transaction has to merge much at once.
 * Returns whether there was something to merge.
 */
export async function mergeStep(tx: Tx): Promise<boolean> {
  const before = await totalChanges(tx);
  await mergeWords(tx, { pages: pagesPerStep });
  await mergeTrigrams(tx, { pages: pagesPerStep });
  // Each command counts as one change when there is nothing to merge (https://www.sqlite.org/fts5.html#the_merge_command).
  return (await totalChanges(tx)) - before > 2;
}
