import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Queryable } from '../../../db/transaction.ts';
import { matchAny } from './scoped-terms.ts';

/** How many of `total` passages contained a word when they were counted. */
type Count = { matching: number; total: number };

const countsOf = new WeakMap<Queryable, Map<string, Count>>();
const maxCachedCounts = 10_000;
/** A count stays valid until the number of passages changes by this share. */
const maxDrift = 0.02;

const countMatches = prepared(
  (_db, p: { match: string }) => sql<{ count: number }>`
    SELECT count(*) AS count FROM retrieval_words WHERE retrieval_words MATCH ${p.match}`,
);

/**
 * How many of `total` passages contain a frequent word. Counting takes milliseconds, while frequent words are few and looked up often,
 * so counts are cached in memory: the share of passages that contain such a word hardly changes with single documents.
 */
export async function documentFrequency(
  db: Queryable,
  baseIds: readonly number[],
  word: string,
  total: number,
): Promise<number> {
  const counts = countsOf.get(db) ?? new Map<string, Count>();
  countsOf.set(db, counts);
  const key = `${baseIds.join(',')} ${word}`;
  const cached = counts.get(key);
  if (cached && Math.abs(cached.total - total) <= cached.total * maxDrift) {
    return (cached.matching * total) / cached.total;
  }
  const matching = (await countMatches(db, { match: matchAny(baseIds, [word]) })).rows[0]!.count;
  if (counts.size >= maxCachedCounts) counts.clear();
  counts.set(key, { matching, total });
  return matching;
}
