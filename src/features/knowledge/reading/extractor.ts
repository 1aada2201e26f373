import type { ExtractInput, ExtractedDocument } from '../../../extraction/model.ts';
import type { Portion } from '../../../search/index/portions.ts';

/** An extracted document as the reading thread returns it: its chunks are already analysed for the search index. */
export type ReadDocument = Omit<ExtractedDocument, 'chunks'> & { portions: Portion[] };

/**
 * Loads the input only when a thread is free, so that queued documents take no memory. The caller must not use the
 * bytes afterwards.
 */
export type LazyInput = () => Promise<ExtractInput & { bytes: Uint8Array<ArrayBuffer> }>;

/** Extracts documents in worker threads, under limits of memory and time. */
export type Extractor = {
  /**
   * `orgId`: organizations take turns. With three or more threads, one organization never occupies them all.
   * @throws ExtractionError when the document cannot be read or exceeds a limit; trying again gives the same result
   * @throws AppError `unavailable` when the organization's queue is full or the extractor is closed
   * @throws the signal's reason once it is aborted
   */
  extract(orgId: string, input: ExtractInput | LazyInput, signal: AbortSignal): Promise<ReadDocument>;
  /** Ends the threads and rejects everything running or queued. */
  close(): Promise<void>;
};
