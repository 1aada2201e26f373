import type { Queryable } from '../../../db/transaction.ts';
import type { IndexReader, SearchIndex } from '../search-index.ts';
import { basesWithPassages, deleteBaseBatch } from './bases.ts';
import { documentFrequency } from './document-frequency.ts';
import { mergeStep } from './merge.ts';
import {
  addPassages,
  candidatesById,
  deletePassageBatch,
  deletePassages,
  hasManyPassages,
  textsById,
} from './passages.ts';
import { postings, postingsOfAll, salientPostings } from './postings.ts';
import { knownWords, wordsSharingTrigrams, wordsWithPrefix, wordsWithPrefixes } from './vocabulary.ts';

/** A full-text index in FTS5 tables: words by passage, and trigrams by word of the vocabulary. */
export const sqliteIndex: SearchIndex = {
  open,
  addPassages,
  deletePassages,
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
    wordCount: bases.reduce((sum, { words }) => sum + words, 0),
    postings: (words, limit) => postings(db, baseIds, words, limit),
    salientPostings: (words, limit) => salientPostings(db, baseIds, words, limit),
    postingsOfAll: (groups, limit) => postingsOfAll(db, baseIds, groups, limit),
    documentFrequency: (word) => documentFrequency(db, baseIds, word, passageCount),
    knownWords: (words) => knownWords(db, baseIds, words),
    wordsWithPrefix: (prefix, limit) => wordsWithPrefix(db, baseIds, prefix, limit),
    wordsWithPrefixes: (prefixes) => wordsWithPrefixes(db, baseIds, prefixes),
    wordsSharingTrigrams: (word, limit) => wordsSharingTrigrams(db, baseIds, word, limit),
    candidates: (ids) => candidatesById(db, ids),
    texts: (ids) => textsById(db, ids),
  };
}
