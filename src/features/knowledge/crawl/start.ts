import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { cancel } from '../../../kernel/queue.ts';
import { crawlPage, refreshSite } from '../job-kinds.ts';
import type { Source } from '../bases/knowledge-base.ts';
import { updateSource } from '../sources/store.ts';
import { requestPage } from './request.ts';
import { findCrawl, deleteCrawl, deleteRobotsAccess, putCrawl } from './crawl-store.ts';
import { type Crawl, type CrawlPage, newPage } from './crawl.ts';
import { deletePages, insertPage, findPageByUrl, pagesInState, prepareRound, updatePage } from './page-store.ts';

/** The source a crawl belongs to: a site, or a document that is fetched from one page. */
export type CrawlOwner = Pick<Source, 'id' | 'orgId' | 'baseId'>;

/** Starts a crawl of a site, or a new round if it was crawled before. The first request is sent after the commit. */
export async function crawlSite(app: App, tx: Tx, source: CrawlOwner, url: string): Promise<void> {
  await updateSource(tx, source.id, { status: 'pending', error: null }, app.clock.now());
  await startRound(app, tx, source, { url, documentId: null });
}

/** Starts a new round of a source's crawl. Returns false if the source has none: a text or a file. */
export async function restartCrawl(app: App, tx: Tx, source: CrawlOwner, url: string): Promise<boolean> {
  const crawl = await findCrawl(tx, source.id);
  if (!crawl) return false;
  await updateSource(tx, source.id, { status: 'pending', error: null }, app.clock.now());
  await startRound(app, tx, source, { url, documentId: crawl.documentId });
  return true;
}

/** Fetches the page of a document, without regard to earlier fetches. */
export async function fetchDocumentPage(
  app: App,
  tx: Tx,
  source: CrawlOwner,
  from: { url: string; documentId: string },
): Promise<void> {
  await cancelCrawl(tx, source.id);
  await startRound(app, tx, source, from);
}

/**
 * Starts a round. Pages of earlier rounds are requested conditionally, so that an unchanged page costs little.
 */
export async function startRound(
  app: App,
  tx: Tx,
  source: CrawlOwner,
  { url, documentId }: { url: string; documentId: string | null },
): Promise<void> {
  const limits = app.config.knowledge.crawl;
  const before = await findCrawl(tx, source.id);
  const crawl: Crawl = {
    sourceId: source.id,
    orgId: source.orgId,
    baseId: source.baseId,
    documentId,
    // Keep the old host until we know where the start URL redirects.
    host: before?.host ?? new URL(url).host,
    round: (before?.round ?? 0) + 1,
    maxPages: documentId === null ? limits.max_pages : 1,
    maxDepth: documentId === null ? limits.max_depth : 0,
    requests: 0,
  };
  await putCrawl(tx, crawl);
  await deleteRobotsAccess(tx, source.id);
  await prepareRound(tx, crawl);
  await requestPage(app, tx, crawl, await ensureStartPage(app, tx, crawl, url));
}

async function ensureStartPage(app: App, tx: Tx, crawl: Crawl, url: string): Promise<CrawlPage> {
  const existing = await findPageByUrl(tx, crawl.sourceId, 'page', url);
  const page = existing ?? newPage(app, crawl, { kind: 'page', url, depth: 0 });
  if (!existing) await insertPage(tx, page);
  const position = { isStart: true, depth: 0, redirects: 0 };
  await updatePage(tx, page.id, position);
  return { ...page, ...position };
}

/** Cancels a crawl and deletes its state. Documents it has stored stay. */
export async function cancelCrawl(tx: Tx, sourceId: string): Promise<void> {
  for (const { id } of await pagesInState(tx, sourceId, 'asking')) await cancel(tx, crawlPage, id);
  await cancel(tx, refreshSite, sourceId);
  await deletePages(tx, sourceId);
  await deleteCrawl(tx, sourceId);
}
