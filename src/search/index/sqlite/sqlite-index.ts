import type { Queryable } from '../../../db/transaction.ts';
import type { IndexReader, SearchIndex } from '../search-index.ts';
import { basesWithPassages, deleteBaseBatch } from './bases.ts';
import { mergeStep } from './merge.ts';
import { addPassages, deletePassageBatch, hasManyPassages, passagesById } from './passages.ts';
import { postings } from './postings.ts';
import { wordsSharingTrigrams, wordsWithPrefixes } from './vocabulary.ts';

/** A full-text index in FTS5 tables: terms by passage, and trigrams by word of the vocabulary. */
export const sqliteIndex: SearchIndex = {
  open,
  addPassages,
  deletePassageBatch,
  deleteBaseBatch,
  hasManyPassages,
  mergeStep,
};

async function open(db: Queryable, knowledgeBaseIds: readonly string[]): Promise<IndexReader | undefined> {
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
