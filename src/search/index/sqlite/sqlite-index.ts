import type { SearchIndex } from '../search-index.ts';
import { deleteBaseBatch } from '../bases.ts';
import { addPassages, deletePassageBatch, hasManyPassages } from '../passages.ts';
import { fillIndex } from '../fill.ts';
import { openReader } from '../reader.ts';
import { mergeStep } from './merge.ts';
import { postings } from './postings.ts';
import { sqliteTerms } from './terms.ts';
import { wordsSharingTrigrams, wordsWithPrefixes } from './vocabulary.ts';

/** A full-text index in FTS5 tables: terms by passage, and trigrams by word of the vocabulary. */
export const sqliteIndex: SearchIndex = {
  open: (db, knowledgeBaseIds) =>
    openReader(db, knowledgeBaseIds, { postings, wordsWithPrefixes, wordsSharingTrigrams }),
  addPassages: (tx, document, passages) => addPassages(tx, document, passages, sqliteTerms),
  deletePassageBatch,
  deleteBaseBatch,
  hasManyPassages,
  fill: (tx) => fillIndex(tx, sqliteTerms),
  mergeStep,
};
