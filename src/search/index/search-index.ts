import type { Queryable, Tx } from '../../db/transaction.ts';
import type { Passage } from './passage.ts';

/** The document that passages belong to. Each knowledge base has its own vocabulary and statistics. */
export type IndexedDocument = {
  organizationId: string;
  knowledgeBaseId: string;
  documentId: string;
  title: string;
};

/** A passage that has a term, how often it has it (4 for any more), and how many terms it has in all. */
export type Posting = { id: number; frequency: number; length: number };

/** A passage to show. */
export type IndexedPassage = {
  id: number;
  documentId: string;
  heading: string | null;
  page: number | null;
  text: string;
  /** Hash of title, headings and text: passages with the same hash are duplicates. */
  contentHash: string;
};

/** The index of some knowledge bases, with their totals at the time it was opened. */
export type IndexReader = {
  readonly baseIds: readonly number[];
  readonly passageCount: number;
  /** Number of terms of an average passage. */
  readonly meanLength: number;

  /** The passages that have a term, for each of the terms. */
  postings(terms: readonly string[]): Promise<ReadonlyMap<string, readonly Posting[]>>;
  /** The words of the vocabulary that begin with a prefix, at most 1,000, for each of the prefixes. It keeps words of deleted passages. */
  wordsWithPrefixes(prefixes: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The words of the vocabulary that share at least a quarter of a word's trigrams (and at least two), those that share most first. */
  wordsSharingTrigrams(word: string, limit: number): Promise<string[]>;
  passages(ids: readonly number[]): Promise<Map<number, IndexedPassage>>;
};

/** The full-text index. Everything outside of its implementation reaches it through this interface. */
export type SearchIndex = {
  /** Undefined where none of the knowledge bases has a passage. */
  open: (db: Queryable, knowledgeBaseIds: readonly string[]) => Promise<IndexReader | undefined>;
  /** Adds passages of a document; they are findable from the commit on. Returns their ids in order. */
  addPassages: (tx: Tx, document: IndexedDocument, passages: readonly Passage[]) => Promise<number[]>;
  /** Deletes some passages of a document. Returns whether there may be more. */
  deletePassageBatch: (tx: Tx, documentId: string) => Promise<boolean>;
  /** Deletes some rows of a knowledge base's index. Returns whether there may be more. */
  deleteBaseBatch: (tx: Tx, knowledgeBaseId: string) => Promise<boolean>;
  /** Whether a document has more passages than one transaction should delete. */
  hasManyPassages: (db: Queryable, documentId: string) => Promise<boolean>;
  /** Fills the index, which is empty, from the passages and the vocabulary. */
  fill: (tx: Tx) => Promise<void>;
  /** Does a short step of the upkeep that additions leave behind, if this index needs any. Returns whether there was something to do. */
  mergeStep: (tx: Tx) => Promise<boolean>;
};

/** Rows that one transaction deletes: they take a few milliseconds, for which other writers wait. */
export const deletionBatchSize = 200;

/** More words do not begin alike, but for names and numbers that a machine made. */
export const maxWordsOfPrefix = 1000;

/** How many of its trigrams a word must share with another to be considered: a quarter, and two. */
export const minSharedTrigrams = (count: number): number => Math.max(2, Math.floor(count / 4));
