import type { Queryable, Tx } from '../../db/transaction.ts';
import type { Passage } from './passage.ts';

/** The document that passages belong to. Each knowledge base has its own vocabulary and statistics. */
export type IndexedDocument = {
  organizationId: string;
  knowledgeBaseId: string;
  documentId: string;
  title: string;
};

/** A passage to score. */
export type Candidate = {
  id: number;
  documentId: string;
  wordCount: number;
  /** Hash of title, headings and text: passages with the same hash are duplicates. */
  contentHash: string;
  /** Three lines (title, headings, text) of all words in order, with a blank on both sides of each word. */
  words: string;
};

/** A passage to show. */
export type PassageText = {
  id: number;
  documentId: string;
  heading: string | null;
  page: number | null;
  text: string;
};

/** The index of some knowledge bases, with their totals at the time it was opened. Lists of passage ids are ascending. */
export type IndexReader = {
  readonly baseIds: readonly number[];
  readonly passageCount: number;
  /** Number of words in all passages. */
  readonly wordCount: number;

  /** Passages that contain any of the words, up to a limit. */
  postings(words: readonly string[], limit: number): Promise<number[]>;
  /** Passages that have any of the words in their title or headings, or often in the text. */
  salientPostings(words: readonly string[], limit: number): Promise<number[]>;
  /** Passages that contain a word of every group. */
  postingsOfAll(groups: ReadonlyArray<readonly string[]>, limit: number): Promise<number[]>;
  /** How many passages contain the word; may be off by two percent. */
  documentFrequency(word: string): Promise<number>;

  /** The words that are in the vocabulary. It may keep words whose last passage was deleted. */
  knownWords(words: readonly string[]): Promise<ReadonlySet<string>>;
  wordsWithPrefix(prefix: string, limit: number): Promise<string[]>;
  /** The words that begin with any of the prefixes, each with its prefix; 2,000 at most. */
  wordsWithPrefixes(prefixes: readonly string[]): Promise<Array<{ prefix: string; word: string }>>;
  /** The words that share at least a quarter of a word's trigrams (and at least two), those that share most first. */
  wordsSharingTrigrams(word: string, limit: number): Promise<string[]>;

  /** The passages with these ids, without those of documents that were removed, or that failed and have no earlier text. */
  candidates(ids: readonly number[]): Promise<Candidate[]>;
  texts(ids: readonly number[]): Promise<Map<number, PassageText>>;
};

/** The full-text index. Everything outside of its implementation reaches it through this interface. */
export type SearchIndex = {
  /** Undefined where none of the knowledge bases has a passage. */
  open(db: Queryable, knowledgeBaseIds: readonly string[]): Promise<IndexReader | undefined>;
  /** Adds passages of a document; they are findable from the commit on. Returns their ids in order. */
  addPassages(tx: Tx, document: IndexedDocument, passages: readonly Passage[]): Promise<number[]>;
  /** Deletes all passages of a document. Call it only if `hasManyPassages` is false. */
  deletePassages(tx: Tx, documentId: string): Promise<void>;
  /** Deletes some passages of a document. Returns whether there may be more. */
  deletePassageBatch(tx: Tx, documentId: string): Promise<boolean>;
  /** Deletes some rows of a knowledge base's index. Returns whether there may be more. */
  deleteBaseBatch(tx: Tx, knowledgeBaseId: string): Promise<boolean>;
  /** Whether a document has more passages than one transaction should delete. */
  hasManyPassages(db: Queryable, documentId: string): Promise<boolean>;
  /** Merges some of the segments that additions leave behind. Returns whether there was something to merge. */
  mergeStep(tx: Tx): Promise<boolean>;
};

/** Rows that one transaction deletes: they take a few milliseconds, for which other writers wait. */
export const deletionBatchSize = 200;
