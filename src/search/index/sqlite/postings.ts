import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Queryable } from '../../../db/transaction.ts';
import { matchAny } from './scoped-terms.ts';

/** Ids as a JSON array in one row: a row for each id takes ten times as long. */
type IdList = { ids: string };

export const parseIds = ({ rows }: { rows: readonly IdList[] }): number[] => JSON.parse(rows[0]!.ids) as number[];

const matchingPassages = prepared(
  (_db, p: { match: string; limit: number }) => sql<IdList>`
    SELECT json_group_array(rowid) AS ids FROM (
      SELECT rowid FROM retrieval_words WHERE retrieval_words MATCH ${p.match} LIMIT ${p.limit}
    )`,
);

const passagesMatching = async (db: Queryable, match: string, limit: number): Promise<number[]> =>
  parseIds(await matchingPassages(db, { match, limit }));

/** Passages with any of the words. */
export const postings = (
  db: Queryable,
  baseIds: readonly number[],
  words: readonly string[],
  limit: number,
): Promise<number[]> => passagesMatching(db, matchAny(baseIds, words), limit);

/** Passages with any of the words in the column of salient words. */
export const salientPostings = (
  db: Queryable,
  baseIds: readonly number[],
  words: readonly string[],
  limit: number,
): Promise<number[]> => passagesMatching(db, `salient : ${matchAny(baseIds, words)}`, limit);

/** Passages with a word of every group. */
export const postingsOfAll = (
  db: Queryable,
  baseIds: readonly number[],
  groups: ReadonlyArray<readonly string[]>,
  limit: number,
): Promise<number[]> => passagesMatching(db, groups.map((words) => matchAny(baseIds, words)).join(' AND '), limit);
