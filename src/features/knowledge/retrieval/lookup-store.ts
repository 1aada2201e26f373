import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Queryable } from '../../../db/transaction.ts';
import { inBase } from './bases.ts';

/** As JSON in one row: a row per id costs ten times as much. */
type Ids = { ids: string };

const withWord = prepared(
  (_db, p: { match: string }) => sql<Ids>`
    SELECT json_group_array(rowid) AS ids FROM retrieval_words WHERE retrieval_words MATCH ${p.match}`,
);

const withTrigram = prepared(
  (_db, p: { match: string }) => sql<Ids>`
    SELECT json_group_array(rowid) AS ids FROM retrieval_trigrams WHERE retrieval_trigrams MATCH ${p.match}`,
);

/** A phrase of FTS5: nothing in it is syntax. */
const quoted = (token: string): string => `"${token.replaceAll('"', '""')}"`;

const inAnyOf = (baseIds: readonly number[], word: string): string =>
  baseIds.map((baseId) => quoted(inBase(baseId, word))).join(' OR ');

const idsOf = ({ rows }: { rows: readonly Ids[] }): number[] => JSON.parse(rows[0]!.ids) as number[];

/** The passages of some bases that have a word; only those in which it is `salient`, on demand. Ascending. */
export async function passagesWith(
  db: Queryable,
  baseIds: readonly number[],
  word: string,
  column: 'salient' | 'plain' = 'plain',
): Promise<number[]> {
  return idsOf(await withWord(db, { match: `${column} : (${inAnyOf(baseIds, word)})` }));
}

/** The words in the vocabularies of some bases that have a trigram. */
export async function wordsWith(db: Queryable, baseIds: readonly number[], trigram: string): Promise<number[]> {
  return idsOf(await withTrigram(db, { match: inAnyOf(baseIds, trigram) }));
}

const wordsById = prepared(
  (_db, p: { ids: string }) => sql<{ word: string }>`
    SELECT DISTINCT word FROM retrieval_vocabulary WHERE id IN (SELECT value FROM json_each(${p.ids}))`,
);

export async function spellingsOf(db: Queryable, ids: readonly number[]): Promise<string[]> {
  return (await wordsById(db, { ids: JSON.stringify(ids) })).rows.map(({ word }) => word);
}

const knownWords = prepared(
  (_db, p: { bases: string; words: string }) => sql<{ word: string }>`
    SELECT DISTINCT word FROM retrieval_vocabulary
    WHERE base_id IN (SELECT value FROM json_each(${p.bases})) AND word IN (SELECT value FROM json_each(${p.words}))`,
);

/** Those of the words that one of the bases has, or once had. */
export async function knownOf(
  db: Queryable,
  baseIds: readonly number[],
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await knownWords(db, { bases: JSON.stringify(baseIds), words: JSON.stringify(words) });
  return new Set(rows.map(({ word }) => word));
}
