import { jobKind } from '../../kernel/queue.ts';

/** Reads and indexes a document; the key is its id. */
export const ingestDocument = jobKind<Record<string, never>>('knowledge.ingest');

/** Fetches one page, sitemap or robots.txt of a crawl; the key is its id. */
export const crawlPage = jobKind<Record<string, never>>('knowledge.crawl');

/** Starts the next round of a crawl; the key is the source id. */
export const refreshSite = jobKind<Record<string, never>>('knowledge.refresh');

/** Schedules the next rounds of all finished crawls of a base, in batches; the key is its id. `after`: the last source of the batch before. */
export const scheduleRounds = jobKind<{ after: string }>('knowledge.schedule');

/** The kinds of things that a removal deletes; `passages`: the passages of a document that could not be read. */
export type Removed = 'base' | 'source' | 'document' | 'passages';

/** Deletes the rows of something already hidden, in batches; the key is its id. */
export const removeRows = jobKind<{ what: Removed }>('knowledge.remove');
