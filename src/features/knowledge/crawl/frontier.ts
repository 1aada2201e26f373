import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { findBase } from '../bases/store.ts';
import { nameFrom } from '../documents/document.ts';
import { findDocument, updateDocument } from '../documents/store.ts';
import type { Source } from '../bases/knowledge-base.ts';
import { markSourceProcessing, updateSource } from '../sources/store.ts';
import { requestPage } from './request.ts';
import { findCrawl, markCrawlFinished, hasCrawlDelay } from './crawl-store.ts';
import { type Crawl, type CrawlPage, isPending, maxPending, maxRequests } from './crawl.ts';
import { type PageCounts, countPages, priorityPages, frontierPages, findStartPage } from './page-store.ts';
import { scheduleRefresh } from './refresh.ts';

/** Requests the next pages of the frontier; if none are left and none are pending, finishes the round. */
export async function advanceCrawl(app: App, tx: Tx, sourceId: string): Promise<void> {
  const crawl = await findCrawl(tx, sourceId);
  if (!crawl) return;
  await markSourceProcessing(tx, sourceId, app.clock.now());
  for (;;) {
    const counts = await countPages(tx, sourceId);
    const next = await nextPages(tx, crawl, counts);
    if (next.length === 0) return counts.pending > 0 ? undefined : finishRound(app, tx, crawl);
    for (const page of next) await requestPage(app, tx, crawl, page);
  }
}

/**
 * Chooses the next pages to request. The start page comes first, because its redirects decide the host; a document has
 * no other page. On a host with a crawl delay only one page is requested at a time: all crawls share the host's slots,
 * and slots reserved ahead would be wasted if the crawl ended early.
 */
async function nextPages(tx: Tx, crawl: Crawl, { pending, keptOrPending }: PageCounts): Promise<CrawlPage[]> {
  const start = await findStartPage(tx, crawl.sourceId);
  if (crawl.documentId !== null || (start && isPending(start))) return [];
  const maxConcurrent = (await hasCrawlDelay(tx, crawl.sourceId)) ? 1 : maxPending;
  const limit = Math.min(maxConcurrent - pending, maxRequests(crawl) - crawl.requests - pending);
  if (limit <= 0) return [];
  const priority = await priorityPages(tx, crawl, limit);
  const room = Math.min(limit, crawl.maxPages - keptOrPending);
  return priority.length > 0 || room <= 0 ? priority : frontierPages(tx, crawl, room);
}

async function finishRound(app: App, tx: Tx, crawl: Crawl): Promise<void> {
  const now = app.clock.now();
  const start = await findStartPage(tx, crawl.sourceId);
  await markCrawlFinished(tx, crawl.sourceId, now);
  const outcome =
    crawl.documentId === null ? await siteOutcome(tx, crawl, start) : await documentOutcome(app, tx, crawl, start);
  await updateSource(tx, crawl.sourceId, outcome, now);
  const base = await findBase(tx, crawl.orgId, crawl.baseId);
  if (base?.enableAutoRefresh) await scheduleRefresh(app, tx, crawl.sourceId);
}

type Outcome = Pick<Source, 'status' | 'error'> & Partial<Pick<Source, 'name'>>;

/** The outcome of a site's crawl: an error if no page is kept. Failed pages are no error if other pages are kept. */
async function siteOutcome(tx: Tx, crawl: Crawl, start: CrawlPage | undefined): Promise<Outcome> {
  const { kept } = await countPages(tx, crawl.sourceId);
  const reason = start?.reason ?? null;
  // A start page kept from an earlier round has a reason if it could not be read this time.
  const failed = reason !== null && start?.state !== 'followed';
  if (kept === 0) return { status: 'error', error: reason ?? 'No page of the site has text to keep.' };
  const document = start?.documentId ? await findDocument(tx, start.documentId) : undefined;
  const named = document ? { name: nameFrom(document.name) } : {};
  return {
    status: 'complete',
    error: failed ? `The start page could not be read this time: ${reason}` : null,
    ...named,
  };
}

async function documentOutcome(app: App, tx: Tx, crawl: Crawl, page: CrawlPage | undefined): Promise<Outcome> {
  const document = await findDocument(tx, crawl.documentId!);
  if (page?.state === 'kept' && document) return { status: 'complete', error: null, name: document.name };
  const error = page?.reason ?? 'The page could not be read.';
  // Keep the text that was read before.
  if (document?.status === 'complete') return { status: 'complete', error };
  await updateDocument(tx, crawl.documentId!, { status: 'error', error, updatedAt: app.clock.now() });
  return { status: 'error', error };
}
