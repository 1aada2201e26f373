import type { Queryable } from '../../db/transaction.ts';
import { countWith, type Wanted } from '../index/sqlite/lookups.ts';

/** How many passages had a word, and of how many. */
type Counted = { having: number; all: number };

const kept = new WeakMap<Queryable, Map<string, Counted>>();
const mostKept = 10_000;
/** A count holds until the base has so many more or fewer passages. */
const drift = 0.02;

/**
 * How many of `all` passages have a common word. Counting takes milliseconds, and the words are few and asked for often, so counts are
 * kept in memory; the share of passages that have such a word hardly changes with single documents.
 */
export async function commonness(db: Queryable, wanted: Wanted, all: number): Promise<number> {
  const counts = kept.get(db) ?? new Map<string, Counted>();
  kept.set(db, counts);
  const key = `${wanted.baseIds.join(',')} ${wanted.words.join(' ')}`;
  const known = counts.get(key);
  if (known && Math.abs(known.all - all) <= known.all * drift) return (known.having * all) / known.all;
  const having = await countWith(db, wanted);
  if (counts.size >= mostKept) counts.clear();
  counts.set(key, { having, all });
  return having;
}
