import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';

/** Pages of four kilobytes, about, that are merged at once: half a millisecond's worth. */
const mergedAtOnce = 8;

const mergeWords = prepared(
  (_db, p: { pages: number }) => sql`INSERT INTO retrieval_words (retrieval_words, rank) VALUES ('merge', ${p.pages})`,
);

const mergeTrigrams = prepared(
  (_db, p: { pages: number }) =>
    sql`INSERT INTO retrieval_trigrams (retrieval_trigrams, rank) VALUES ('merge', ${p.pages})`,
);

const totalChanges = prepared((_db, _p: object) => sql<{ n: number }>`SELECT total_changes() AS n`);
const changesOn = async (db: Queryable): Promise<number> => (await totalChanges(db, {})).rows[0]!.n;

/**
 * Merges a little of the index, so that nobody has to merge much of it at once (sql/sqlite/0008_merging.sql): with each insertion, or
 * after it for as long as there is something to merge. Whether there was.
 */
export async function mergeSome(tx: Tx): Promise<boolean> {
  const before = await changesOn(tx);
  await mergeWords(tx, { pages: mergedAtOnce });
  await mergeTrigrams(tx, { pages: mergedAtOnce });
  // Each command counts as one change when there is nothing to merge (https://www.sqlite.org/fts5.html#the_merge_command).
  return (await changesOn(tx)) - before > 2;
}
