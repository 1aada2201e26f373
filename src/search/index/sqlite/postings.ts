import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import { rowsOf } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/transaction.ts';
import { titleWeight } from '../passage.ts';
import type { Posting } from '../search-index.ts';
import { scopedTerm } from './scoped-terms.ts';

/** A row of retrieval_words has the passage's length in the lowest bits of its id, so that ranking reads no other table. */
const lengths = 1024;
export const rowidOf = (passageId: number, length: number): number =>
  passageId * lengths + Math.min(length, lengths - 1);

/** How often a passage has a term is told by the column that has it. BM25 hardly tells four times from more. */
const oftenWeight = 4;
const frequencies = 8;

/** Ids and frequencies in one JSON array, because a row for each takes ten times as long. */
const selectPostings = prepared(
  (_db, p: { terms: readonly string[] }) => sql<{ postings: string }>`
    SELECT (
      SELECT json_group_array(
        ${frequencies} * doc + CASE col WHEN 'once' THEN 1 WHEN 'twice' THEN 2 WHEN 'title' THEN ${titleWeight} ELSE ${oftenWeight} END)
      FROM retrieval_postings WHERE term = wanted.value
    ) AS postings
    FROM ${rowsOf(p.terms)} AS wanted ORDER BY wanted.key`,
);

/** The passages that have a term, for each of the terms. */
export async function postings(
  db: Queryable,
  baseIds: readonly number[],
  terms: readonly string[],
): Promise<Map<string, Posting[]>> {
  const lookups = terms.flatMap((term) => baseIds.map((baseId) => ({ term, scoped: scopedTerm(baseId, term) })));
  const { rows } = await selectPostings(db, { terms: lookups.map(({ scoped }) => scoped) });
  const found = new Map(terms.map((term) => [term, new Map<number, number>()]));
  for (const [index, { term }] of lookups.entries()) {
    const ofTerm = found.get(term)!;
    for (const posting of JSON.parse(rows[index]!.postings) as number[]) {
      const frequency = posting % frequencies;
      const rowid = (posting - frequency) / frequencies;
      ofTerm.set(rowid, (ofTerm.get(rowid) ?? 0) + frequency);
    }
  }
  return new Map(Array.from(found, ([term, ofTerm]) => [term, Array.from(ofTerm, postingOf)]));
}

const postingOf = ([rowid, frequency]: [number, number]): Posting => {
  const length = rowid % lengths;
  return { id: (rowid - length) / lengths, frequency, length };
};
