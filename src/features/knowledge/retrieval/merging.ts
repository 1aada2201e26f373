import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Tx } from '../../../db/transaction.ts';

/** Pages of four kilobytes, about: a page that is added is merged some five times in a large index, and few are added at once. */
const mergedAtOnce = 16;

const mergeWords = prepared(
  (_db, p: { pages: number }) => sql`INSERT INTO retrieval_words (retrieval_words, rank) VALUES ('merge', ${p.pages})`,
);

const mergeTrigrams = prepared(
  (_db, p: { pages: number }) =>
    sql`INSERT INTO retrieval_trigrams (retrieval_trigrams, rank) VALUES ('merge', ${p.pages})`,
);

/** Merges a little of the index, so that nobody has to merge much of it at once (sql/sqlite/0008_merging.sql). With each insertion. */
export async function mergeSome(tx: Tx): Promise<void> {
  await mergeWords(tx, { pages: mergedAtOnce });
  await mergeTrigrams(tx, { pages: mergedAtOnce });
}
