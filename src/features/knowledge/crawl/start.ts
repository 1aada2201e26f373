import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { cancel } from '../../../kernel/queue.ts';
import { crawlPage, refreshSite } from '../job-kinds.ts';
import type { Source } from '../bases/knowledge-base.ts';
import { updateSource } from '../sources/store.ts';
import { ask } from './request.ts';
import { crawlOf, deleteCrawl, forgetRobots, putCrawl } from './crawl-store.ts';
import { type Crawl, type CrawlPage, newPage } from './crawl.ts';
import { deletePages, insertPage, pageByUrl, pagesIn, prepareRound, updatePage } from './page-store.ts';

/** Whose crawl it is: a site's, or that of the one page of a document. */
export type Crawled = Pick<Source, 'id' | 'orgId' | 'baseId'>;

/** Crawls a site from its start URL, from the beginning or once more. The first request goes out after the commit. */
export async function crawlSite(app: App, tx: Tx, source: Crawled, url: string): Promise<void> {
  await updateSource(tx, source.id, { status: 'pending', error: null }, app.clock.now());
  await startRound(app, tx, source, { url, documentId: null });
}

/** Fetches the page that a document is to have its text from, whatever was fetched for it before. */
export async function fetchDocument(
  app: App,
  tx: Tx,
  source: Crawled,
  from: { url: string; documentId: string },
): Promise<void> {
  await forgetCrawl(tx, source.id);
  await startRound(app, tx, source, from);
}

/** What was read before is asked for with its conditions, so that what did not change costs little. */
export async function startRound(
  app: App,
  tx: Tx,
  source: Crawled,
  { url, documentId }: { url: string; documentId: string | null },
): Promise<void> {
  const limits = app.config.knowledge.crawl;
  const before = await crawlOf(tx, source.id);
  const crawl: Crawl = {
    sourceId: source.id,
    orgId: source.orgId,
    baseId: source.baseId,
    documentId,
    // What was kept is where it was until it is settled where the start URL leads now.
    host: before?.host ?? new URL(url).host,
    round: (before?.round ?? 0) + 1,
    maxPages: documentId === null ? limits.max_pages : 1,
    maxDepth: documentId === null ? limits.max_depth : 0,
    requests: 0,
  };
  await putCrawl(tx, crawl);
  await forgetRobots(tx, source.id);
  await prepareRound(tx, crawl);
  await ask(app, tx, crawl, await placeStart(app, tx, crawl, url));
}

async function placeStart(app: App, tx: Tx, crawl: Crawl, url: string): Promise<CrawlPage> {
  const known = await pageByUrl(tx, crawl.sourceId, 'page', url);
  const page = known ?? newPage(app, crawl, { kind: 'page', url, depth: 0 });
  if (!known) await insertPage(tx, page);
  const place = { isStart: true, depth: 0, redirects: 0 };
  await updatePage(tx, page.id, place);
  return { ...page, ...place };
}

/** Ends a crawl where it is; what it kept stays. */
export async function forgetCrawl(tx: Tx, sourceId: string): Promise<void> {
  for (const { id } of await pagesIn(tx, sourceId, 'asking')) await cancel(tx, crawlPage, id);
  await cancel(tx, refreshSite, sourceId);
  await deletePages(tx, sourceId);
  await deleteCrawl(tx, sourceId);
}
