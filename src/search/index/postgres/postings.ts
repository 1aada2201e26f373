import { sql } from 'kysely';
import { prepared, sent } from '../../../db/prepared.ts';
import { recordsOf, rowsOf } from '../../../db/sql.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { splitTerms } from '../passage.ts';
import { decode, frequencies, lengths } from '../posting-code.ts';
import type { Posting } from '../search-index.ts';

type Term = { term: string; frequency: number };

const insertTerms = sent(
  (_db, p: { baseId: number; id: number; length: number; terms: readonly Term[] }) => sql`
    INSERT INTO retrieval_postings (base_id, term, passage_id, frequency, length)
    SELECT ${p.baseId}, term, ${p.id}, frequency, ${p.length}
    FROM ${recordsOf(p.terms, { term: 'text', frequency: 'integer' })} AS given`,
);

/** The lists have the terms of a passage by their frequency. */
export async function addTerms(
  tx: Tx,
  { baseId, id, length }: { baseId: number; id: number; length: number },
  lists: readonly string[],
): Promise<void> {
  const terms = lists.flatMap((list, index) => splitTerms(list).map((term) => ({ term, frequency: index + 1 })));
  await insertTerms(tx, { baseId, id, length: Math.min(length, lengths - 1), terms });
}

/** All postings of a term as one JSON array, because a row for each takes longer to read. */
const selectPostings = prepared(
  (_db, p: { bases: readonly number[]; terms: readonly string[] }) => sql<{ term: string; postings: string }>`
    SELECT wanted.value AS term, (
      SELECT coalesce(json_agg(${frequencies} * (passage_id * ${lengths} + length) + frequency)::text, '[]')
      FROM retrieval_postings
      WHERE base_id = ANY (ARRAY(SELECT value FROM ${rowsOf(p.bases, 'integer')} AS base)) AND term = wanted.value
    ) AS postings
    FROM ${rowsOf(p.terms)} AS wanted`,
);

/** The passages that have a term, for each of the terms. */
export async function postings(
  db: Queryable,
  bases: readonly number[],
  terms: readonly string[],
): Promise<Map<string, Posting[]>> {
  const { rows } = await selectPostings(db, { bases, terms });
  return new Map(rows.map(({ term, postings: found }) => [term, (JSON.parse(found) as number[]).map(decode)]));
}
