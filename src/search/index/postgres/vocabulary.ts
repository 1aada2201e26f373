import { sql } from 'kysely';
import { prepared, sent } from '../../../db/prepared.ts';
import { recordsOf, rowsOf } from '../../../db/sql.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { trigramsOf } from '../../analysis/trigrams.ts';
import type { VocabularyWord } from '../passages.ts';
import { maxWordsOfPrefix, minSharedTrigrams } from '../search-index.ts';

const insertNewWords = prepared(
  (_db, p: { baseId: number; words: readonly string[] }) => sql<{ id: number; word: string }>`
    INSERT INTO retrieval_vocabulary (base_id, word) SELECT ${p.baseId}, value FROM ${rowsOf(p.words)} AS word
    ON CONFLICT DO NOTHING RETURNING id, word`,
);

type Trigram = { trigram: string; id: number };

const insertTrigrams = sent(
  (_db, p: { baseId: number; trigrams: readonly Trigram[] }) => sql`
    INSERT INTO retrieval_trigrams (base_id, trigram, word_id)
    SELECT ${p.baseId}, trigram, id FROM ${recordsOf(p.trigrams, { trigram: 'text', id: 'integer' })} AS given`,
);

/** Adds the words that are new to a knowledge base to its vocabulary. */
export async function addToVocabulary(tx: Tx, baseId: number, words: readonly string[]): Promise<void> {
  const { rows } = await insertNewWords(tx, { baseId, words });
  if (rows.length > 0) await addTrigrams(tx, baseId, rows);
}

/** Adds the trigrams of words of the vocabulary. */
export async function addTrigrams(tx: Tx, baseId: number, words: readonly VocabularyWord[]): Promise<void> {
  const trigrams = words.flatMap(({ id, word }) => trigramsOf(word).map((trigram) => ({ trigram, id })));
  await insertTrigrams(tx, { baseId, trigrams });
}

const selectWordsWithPrefixes = prepared(
  (_db, p: { bases: readonly number[]; prefixes: readonly string[]; limit: number }) => sql<{
    prefix: string;
    words: string;
  }>`
    SELECT wanted.value AS prefix, (
      SELECT coalesce(json_agg(word)::text, '[]') FROM (
        SELECT known.word FROM retrieval_vocabulary AS known
        WHERE known.base_id = ANY (ARRAY(SELECT value FROM ${rowsOf(p.bases, 'integer')} AS base))
          AND known.word >= wanted.value AND known.word < wanted.value || chr(1114111)
        LIMIT ${p.limit}
      ) AS found
    ) AS words FROM ${rowsOf(p.prefixes)} AS wanted`,
);

/** The words that begin with a prefix, for each of the prefixes. */
export async function wordsWithPrefixes(
  db: Queryable,
  bases: readonly number[],
  prefixes: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await selectWordsWithPrefixes(db, { bases, prefixes, limit: maxWordsOfPrefix });
  return new Map(rows.map(({ prefix, words }) => [prefix, [...new Set(JSON.parse(words) as string[])]]));
}

const selectSharing = prepared(
  (_db, p: { bases: readonly number[]; trigrams: readonly string[]; minShared: number; limit: number }) => sql<{
    word: string;
  }>`
    SELECT word FROM (
      SELECT word_id, count(*) AS shared FROM retrieval_trigrams
      WHERE base_id = ANY (ARRAY(SELECT value FROM ${rowsOf(p.bases, 'integer')} AS base))
        AND trigram = ANY (ARRAY(SELECT value FROM ${rowsOf(p.trigrams)} AS one))
      GROUP BY word_id HAVING count(*) >= ${p.minShared} ORDER BY shared DESC, word_id LIMIT ${p.limit}
    ) AS sharing JOIN retrieval_vocabulary ON id = word_id ORDER BY shared DESC, word_id`,
);

/** Up to `limit` words that share enough of a word's trigrams: those that share most. */
export async function wordsSharingTrigrams(
  db: Queryable,
  bases: readonly number[],
  word: string,
  limit: number,
): Promise<string[]> {
  const trigrams = trigramsOf(word);
  const { rows } = await selectSharing(db, { bases, trigrams, minShared: minSharedTrigrams(trigrams.length), limit });
  return [...new Set(rows.map((row) => row.word))];
}
