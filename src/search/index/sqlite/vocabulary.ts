import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import { listOf, rowsOf } from '../../../db/sql.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { trigramsOf } from '../../analysis/trigrams.ts';
import { parseIds } from './postings.ts';
import { matchAny, scopedTerm } from './scoped-terms.ts';

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
  for (const { id, word } of rows) {
    const trigrams = trigramsOf(word).map((trigram) => scopedTerm(baseId, trigram));
    await insertTrigrams(tx, { id, trigrams: trigrams.join(' ') });
  }
}

type Word = { word: string };

const wordsOf = ({ rows }: { rows: readonly Word[] }): string[] => rows.map(({ word }) => word);

const selectKnownWords = prepared(
  (_db, p: { bases: readonly number[]; words: readonly string[] }) => sql<Word>`
    SELECT DISTINCT known.word FROM ${rowsOf(p.bases)} AS base CROSS JOIN ${rowsOf(p.words)} AS asked
    CROSS JOIN retrieval_vocabulary AS known ON known.base_id = base.value AND known.word = asked.value`,
);

/** The words that any of the knowledge bases has, or once had. */
export const knownWords = async (
  db: Queryable,
  baseIds: readonly number[],
  words: readonly string[],
): Promise<ReadonlySet<string>> => new Set(wordsOf(await selectKnownWords(db, { bases: baseIds, words })));

const selectWordsWithPrefix = prepared(
  (_db, p: { bases: readonly number[]; prefix: string; limit: number }) => sql<Word>`
    SELECT DISTINCT known.word FROM ${rowsOf(p.bases)} AS base CROSS JOIN retrieval_vocabulary AS known
    ON known.base_id = base.value AND known.word >= ${p.prefix} AND known.word < ${p.prefix} || char(1114111)
    LIMIT ${p.limit}`,
);

export const wordsWithPrefix = async (
  db: Queryable,
  baseIds: readonly number[],
  prefix: string,
  limit: number,
): Promise<string[]> => wordsOf(await selectWordsWithPrefix(db, { bases: baseIds, prefix, limit }));

type PrefixedWord = { prefix: string; word: string };

const selectWordsWithPrefixes = prepared(
  (_db, p: { bases: readonly number[]; prefixes: readonly string[]; limit: number }) => sql<PrefixedWord>`
    SELECT DISTINCT asked.value AS prefix, known.word FROM ${rowsOf(p.bases)} AS base
    CROSS JOIN ${rowsOf(p.prefixes)} AS asked CROSS JOIN retrieval_vocabulary AS known
    ON known.base_id = base.value AND known.word >= asked.value AND known.word < asked.value || char(1114111)
    LIMIT ${p.limit}`,
);

const maxPrefixedWords = 2000;

/** The words that begin with any of the prefixes, each with its prefix. */
export async function wordsWithPrefixes(
  db: Queryable,
  baseIds: readonly number[],
  prefixes: readonly string[],
): Promise<PrefixedWord[]> {
  if (prefixes.length === 0) return [];
  const lists = { bases: baseIds, prefixes };
  return (await selectWordsWithPrefixes(db, { ...lists, limit: maxPrefixedWords })).rows;
}

const selectIdsWithTrigram = prepared(
  (_db, p: { match: string }) => sql<{ ids: string }>`
    SELECT json_group_array(rowid) AS ids FROM retrieval_trigrams WHERE retrieval_trigrams MATCH ${p.match}`,
);

const selectWordsById = prepared(
  (_db, p: { ids: readonly number[] }) => sql<Word>`
    SELECT DISTINCT word FROM retrieval_vocabulary WHERE id IN ${listOf(p.ids)}`,
);

/** Up to `limit` words that share at least a quarter of a word's trigrams, and at least two: those that share most. */
export async function wordsSharingTrigrams(
  db: Queryable,
  baseIds: readonly number[],
  word: string,
  limit: number,
): Promise<string[]> {
  const trigrams = trigramsOf(word);
  const sharedCounts = new Map<number, number>();
  for (const trigram of trigrams) {
    const ids = parseIds(await selectIdsWithTrigram(db, { match: matchAny(baseIds, [trigram]) }));
    for (const id of ids) sharedCounts.set(id, (sharedCounts.get(id) ?? 0) + 1);
  }
  const minShared = Math.max(2, Math.floor(trigrams.length / 4));
  const ids = [...sharedCounts]
    .filter(([, count]) => count >= minShared)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, limit)
    .map(([id]) => id);
  return wordsOf(await selectWordsById(db, { ids }));
}
