import { deleteBaseBatch } from '../bases.ts';
import { addPassages, deletePassageBatch, hasManyPassages } from '../passages.ts';
import { fillIndex } from '../fill.ts';
import { openReader } from '../reader.ts';
import type { SearchIndex } from '../search-index.ts';
import { addTerms, postings } from './postings.ts';
import { addToVocabulary, addTrigrams, wordsSharingTrigrams, wordsWithPrefixes } from './vocabulary.ts';

/**
 * A full-text index in plain tables, a row for each term of a passage and for each trigram of a word. It finds the same as that of SQLite,
 * because terms and ranks are parley's own. A tsvector would be smaller, but does not tell how often a passage has a term without reading
 * each passage.
 */
export const postgresIndex: SearchIndex = {
  open: (db, knowledgeBaseIds) =>
    openReader(db, knowledgeBaseIds, { postings, wordsWithPrefixes, wordsSharingTrigrams }),
  addPassages: (tx, document, passages) => addPassages(tx, document, passages, { addToVocabulary, addTerms }),
  deletePassageBatch,
  deleteBaseBatch,
  hasManyPassages,
  fill: (tx) => fillIndex(tx, { addTrigrams, addTerms }),
  mergeStep: () => Promise.resolve(false),
};
