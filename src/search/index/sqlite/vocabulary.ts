import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import { listOf, rowsOf } from '../../../db/sql.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { trigramsOf } from '../../analysis/trigrams.ts';
import type { VocabularyWord } from '../passages.ts';
import { maxWordsOfPrefix, minSharedTrigrams } from '../search-index.ts';
import { matchTerm, scopedTerms } from './scoped-terms.ts';

const insertNewWords = prepared(
  (_db, p: { baseId: number; words: readonly string[] }) => sql<{ id: number; word: string }>`
    INSERT INTO retrieval_vocabulary (base_id, word) SELECT ${p.baseId}, value FROM ${rowsOf(p.words)} WHERE true
    ON CONFLICT DO NOTHING RETURNING id, word`,
);

const insertTrigrams = prepared(
  (_db, p: { id: number; trigrams: string }) => sql`
    INSERT INTO retrieval_trigrams (rowid, trigrams) VALUES (${p.id}, ${p.trigrams})`,
);

/** Adds the words that are new to a knowledge base to its vocabulary. */
export async function addToVocabulary(tx: Tx, baseId: number, words: readonly string[]): Promise<void> {
  const { rows } = await insertNewWords(tx, { baseId, words });
  await addTrigrams(tx, baseId, rows);
}

/** Adds the trigrams of words of the vocabulary. */
export async function addTrigrams(tx: Tx, baseId: number, words: readonly VocabularyWord[]): Promise<void> {
  for (const { id, word } of words)
    await insertTrigrams(tx, { id, trigrams: scopedTerms(baseId, trigramsOf(word).join(' ')) });
}

const selectWordsWithPrefixes = prepared(
  (_db, p: { bases: readonly number[]; prefixes: readonly string[]; limit: number }) => sql<{
    prefix: string;
    words: string;
  }>`
    SELECT wanted.value AS prefix, (
      SELECT json_group_array(word) FROM (
        SELECT known.word FROM ${rowsOf(p.bases, 'integer')} AS base CROSS JOIN retrieval_vocabulary AS known
        ON known.base_id = base.value AND known.word >= wanted.value AND known.word < wanted.value || char(1114111)
        LIMIT ${p.limit}
      )
    ) AS words FROM ${rowsOf(p.prefixes)} AS wanted`,
);

/** The words that begin with a prefix, for each of the prefixes. */
export async function wordsWithPrefixes(
  db: Queryable,
  baseIds: readonly number[],
  prefixes: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await selectWordsWithPrefixes(db, { bases: baseIds, prefixes, limit: maxWordsOfPrefix });
  return new Map(rows.map(({ prefix, words }) => [prefix, [...new Set(JSON.parse(words) as string[])]]));
}

/** Ids as a JSON array in one row, because a row for each id takes ten times as long. */
const selectIdsWithTrigrams = prepared(
  (_db, p: { matches: readonly string[] }) => sql<{ ids: string }>`
    SELECT (SELECT json_group_array(rowid) FROM retrieval_trigrams WHERE retrieval_trigrams MATCH wanted.value) AS ids
    FROM ${rowsOf(p.matches)} AS wanted`,
);

const selectWordsById = prepared(
  (_db, p: { ids: readonly number[] }) => sql<{ word: string }>`
    SELECT DISTINCT word FROM retrieval_vocabulary WHERE id IN ${listOf(p.ids, 'integer')}`,
);

/** Up to `limit` words that share at least a quarter of a word's trigrams, and at least two: those that share most. */
export async function wordsSharingTrigrams(
  db: Queryable,
  baseIds: readonly number[],
  word: string,
  limit: number,
): Promise<string[]> {
  const trigrams = trigramsOf(word);
  const { rows } = await selectIdsWithTrigrams(db, { matches: trigrams.map((one) => matchTerm(baseIds, one)) });
  const sharedCounts = new Map<number, number>();
  for (const id of rows.flatMap(({ ids }) => JSON.parse(ids) as number[])) {
    sharedCounts.set(id, (sharedCounts.get(id) ?? 0) + 1);
  }
  const minShared = minSharedTrigrams(trigrams.length);
  const ids = [...sharedCounts]
    .filter(([, count]) => count >= minShared)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, limit)
    .map(([id]) => id);
  return (await selectWordsById(db, { ids })).rows.map((row) => row.word);
}
