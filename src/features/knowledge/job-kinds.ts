import { jobKind } from '../../kernel/queue.ts';

/** Makes what a document says findable; the key is its id. */
export const ingestDocument = jobKind<Record<string, never>>('knowledge.ingest');

/** Asks for one page, sitemap or robots.txt of a crawl; the key is its id. */
export const crawlPage = jobKind<Record<string, never>>('knowledge.crawl');

/** Crawls a site again; the key is its source's id. */
export const refreshSite = jobKind<Record<string, never>>('knowledge.refresh');

/** What the key of a removal names; passages are those of a document that could not be read. */
export type Removed = 'base' | 'source' | 'document' | 'passages';

/** Deletes, batch by batch, the rows of something that nobody sees any more; the key is its id. */
export const removeRows = jobKind<{ what: Removed }>('knowledge.remove');
