import type { Queryable } from '../../db/transaction.ts';
import { basesWithPassages } from './bases.ts';
import { passagesById } from './passages.ts';
import type { IndexReader, Posting } from './search-index.ts';

type Bases = readonly number[];

/** How an index is asked for terms and words of some knowledge bases (IndexReader). */
type TermQueries = {
  postings: (db: Queryable, bases: Bases, terms: readonly string[]) => Promise<ReadonlyMap<string, readonly Posting[]>>;
  wordsWithPrefixes: (
    db: Queryable,
    bases: Bases,
    prefixes: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly string[]>>;
  wordsSharingTrigrams: (db: Queryable, bases: Bases, word: string, limit: number) => Promise<string[]>;
};

/** The index of some knowledge bases; undefined where none of them has a passage. */
export async function openReader(
  db: Queryable,
  knowledgeBaseIds: readonly string[],
  { postings, wordsWithPrefixes, wordsSharingTrigrams }: TermQueries,
): Promise<IndexReader | undefined> {
  const bases = await basesWithPassages(db, knowledgeBaseIds);
  if (bases.length === 0) return undefined;
  const baseIds = bases.map(({ id }) => id);
  const passageCount = bases.reduce((sum, { passages }) => sum + passages, 0);
  return {
    baseIds,
    passageCount,
    meanLength: bases.reduce((sum, { words }) => sum + words, 0) / passageCount,
    postings: (terms) => postings(db, baseIds, terms),
    wordsWithPrefixes: (prefixes) => wordsWithPrefixes(db, baseIds, prefixes),
    wordsSharingTrigrams: (word, limit) => wordsSharingTrigrams(db, baseIds, word, limit),
    passages: (ids) => passagesById(db, ids),
  };
}
