import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import { rowsOf } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/transaction.ts';
import type { Posting } from '../search-index.ts';
import { decode, frequencies } from '../posting-code.ts';
import { scopedTerm } from './scoped-terms.ts';

/** All postings of a term as one JSON array, because a row for each takes ten times as long. */
const selectPostings = prepared(
  (_db, p: { terms: readonly string[] }) => sql<{ postings: string }>`
    SELECT (
      SELECT json_group_array(
        ${frequencies} * doc + CASE col WHEN 'once' THEN 1 WHEN 'twice' THEN 2 WHEN 'thrice' THEN 3 ELSE 4 END)
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
  const found = new Map(terms.map((term) => [term, [] as Posting[]]));
  for (const [index, { term }] of lookups.entries()) {
    const ofTerm = found.get(term)!;
    for (const posting of JSON.parse(rows[index]!.postings) as number[]) ofTerm.push(decode(posting));
  }
  return found;
}
