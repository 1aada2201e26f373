import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Queryable } from '../../../db/transaction.ts';
import { inBase } from './bases.ts';

/** As JSON in one row: a row per id costs ten times as much. */
type Ids = { ids: string };

/** A phrase of FTS5: nothing in it is syntax. */
const quoted = (token: string): string => `"${token.replaceAll('"', '""')}"`;

const inAnyOf = (baseIds: readonly number[], words: readonly string[]): string =>
  words.flatMap((word) => baseIds.map((baseId) => quoted(inBase(baseId, word)))).join(' OR ');

const idsOf = ({ rows }: { rows: readonly Ids[] }): number[] => JSON.parse(rows[0]!.ids) as number[];

const matching = prepared(
  (_db, p: { match: string; limit: number }) => sql<Ids>`
    SELECT json_group_array(rowid) AS ids FROM (
      SELECT rowid FROM retrieval_words WHERE retrieval_words MATCH ${p.match} LIMIT ${p.limit}
    )`,
);

const matches = prepared(
  (_db, p: { match: string }) => sql<{ count: number }>`
    SELECT count(*) AS count FROM retrieval_words WHERE retrieval_words MATCH ${p.match}`,
);

/** Words that some bases are asked for; a passage needs one of them. */
export type Wanted = { baseIds: readonly number[]; words: readonly string[] };

const matchOf = ({ baseIds, words }: Wanted): string => `(${inAnyOf(baseIds, words)})`;

/** Passages with one of the words, ascending, up to a limit. */
export const passagesWith = async (db: Queryable, wanted: Wanted, limit: number): Promise<number[]> =>
  idsOf(await matching(db, { match: matchOf(wanted), limit }));

/** Those that are about it: it is in their title or headings, or often in the text. */
export const passagesAbout = async (db: Queryable, wanted: Wanted, limit: number): Promise<number[]> =>
  idsOf(await matching(db, { match: `salient : ${matchOf(wanted)}`, limit }));

/** Passages that have something of each. */
export const passagesWithAll = async (db: Queryable, all: readonly Wanted[], limit: number): Promise<number[]> =>
  idsOf(await matching(db, { match: all.map(matchOf).join(' AND '), limit }));

/** How many passages have one of the words. */
export const countWith = async (db: Queryable, wanted: Wanted): Promise<number> =>
  (await matches(db, { match: matchOf(wanted) })).rows[0]!.count;

const withTrigram = prepared(
  (_db, p: { match: string }) => sql<Ids>`
    SELECT json_group_array(rowid) AS ids FROM retrieval_trigrams WHERE retrieval_trigrams MATCH ${p.match}`,
);

/** The words in the vocabularies of some bases that have a trigram. */
export const wordsWith = async (db: Queryable, baseIds: readonly number[], trigram: string): Promise<number[]> =>
  idsOf(await withTrigram(db, { match: inAnyOf(baseIds, [trigram]) }));

type Word = { word: string };

const spelling = ({ rows }: { rows: readonly Word[] }): string[] => rows.map(({ word }) => word);

const wordsById = prepared(
  (_db, p: { ids: string }) => sql<Word>`
    SELECT DISTINCT word FROM retrieval_vocabulary WHERE id IN (SELECT value FROM json_each(${p.ids}))`,
);

export const spellingsOf = async (db: Queryable, ids: readonly number[]): Promise<string[]> =>
  spelling(await wordsById(db, { ids: JSON.stringify(ids) }));

const wordsFrom = prepared(
  (_db, p: { bases: string; beginning: string; limit: number }) => sql<Word>`
    SELECT DISTINCT known.word FROM json_each(${p.bases}) AS base CROSS JOIN retrieval_vocabulary AS known
    ON known.base_id = base.value AND known.word >= ${p.beginning} AND known.word < ${p.beginning} || char(1114111)
    LIMIT ${p.limit}`,
);

/** Words of the vocabularies of some bases that begin so, up to a limit. */
export const wordsBeginning = async (
  db: Queryable,
  baseIds: readonly number[],
  beginning: string,
  limit: number,
): Promise<string[]> => spelling(await wordsFrom(db, { bases: JSON.stringify(baseIds), beginning, limit }));

const knownWords = prepared(
  (_db, p: { bases: string; words: string }) => sql<Word>`
    SELECT DISTINCT known.word FROM json_each(${p.bases}) AS base CROSS JOIN json_each(${p.words}) AS asked
    CROSS JOIN retrieval_vocabulary AS known ON known.base_id = base.value AND known.word = asked.value`,
);

/** Those of the words that one of the bases has, or once had. */
export const knownOf = async (
  db: Queryable,
  baseIds: readonly number[],
  words: readonly string[],
): Promise<ReadonlySet<string>> =>
  new Set(spelling(await knownWords(db, { bases: JSON.stringify(baseIds), words: JSON.stringify(words) })));

type Begun = Word & { beginning: string };

const begunWords = prepared(
  (_db, p: { bases: string; beginnings: string; limit: number }) => sql<Begun>`
    SELECT DISTINCT asked.value AS beginning, known.word FROM json_each(${p.bases}) AS base
    CROSS JOIN json_each(${p.beginnings}) AS asked CROSS JOIN retrieval_vocabulary AS known
    ON known.base_id = base.value AND known.word >= asked.value AND known.word < asked.value || char(1114111)
    LIMIT ${p.limit}`,
);

const mostBegun = 2000;

/** Words of the vocabularies of some bases, by which of some beginnings they have, up to a limit in all. */
export async function wordsBeginningWith(
  db: Queryable,
  baseIds: readonly number[],
  beginnings: readonly string[],
): Promise<Begun[]> {
  if (beginnings.length === 0) return [];
  const asked = { bases: JSON.stringify(baseIds), beginnings: JSON.stringify(beginnings), limit: mostBegun };
  return (await begunWords(db, asked)).rows;
}
