import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { baseById } from '../base-store.ts';
import { nameFrom } from '../document.ts';
import { documentById, updateDocument } from '../document-store.ts';
import type { Source } from '../knowledge-base.ts';
import { markProcessing, updateSource } from '../source-store.ts';
import { ask } from './ask.ts';
import { crawlOf, finishCrawl } from './crawl-store.ts';
import { type Crawl, type CrawlPage, maxRequests } from './page.ts';
import { countsOf, pagesIn, startPages } from './pages-store.ts';
import { refreshLater } from './refresh.ts';

/** Asks for pages that are known and fit in, nearest to the start first; without any left to wait for, the round is over. */
export async function goOn(app: App, tx: Tx, sourceId: string): Promise<void> {
  const crawl = await crawlOf(tx, sourceId);
  if (!crawl) return;
  await markProcessing(tx, sourceId, app.clock.now());
  for (;;) {
    const { open, taken } = await countsOf(tx, sourceId);
    const room = crawl.requests < maxRequests(crawl) ? crawl.maxPages - taken : 0;
    const next = room > 0 ? await pagesIn(tx, sourceId, 'found', { atMost: room }) : [];
    if (next.length === 0) return open > 0 ? undefined : finish(app, tx, crawl);
    for (const page of next) await ask(app, tx, crawl, page);
  }
}

async function finish(app: App, tx: Tx, crawl: Crawl): Promise<void> {
  const now = app.clock.now();
  const [start] = await startPages(tx, crawl.sourceId);
  await finishCrawl(tx, crawl.sourceId, now);
  const outcome =
    crawl.documentId === null ? await siteOutcome(tx, crawl, start) : await documentOutcome(app, tx, crawl, start);
  await updateSource(tx, crawl.sourceId, outcome, now);
  const base = await baseById(tx, crawl.orgId, crawl.baseId);
  if (base?.enableAutoRefresh) await refreshLater(app, tx, crawl.sourceId);
}

type Outcome = Pick<Source, 'status' | 'error'> & Partial<Pick<Source, 'name'>>;

/** A start URL that cannot be fetched is an error, bad pages inside a site are not (contract, section 10). */
async function siteOutcome(tx: Tx, crawl: Crawl, start: CrawlPage | undefined): Promise<Outcome> {
  const { kept } = await countsOf(tx, crawl.sourceId);
  const reason = start?.reason ?? null;
  // A page that was kept before stays, with the reason for which it was not read.
  const failed = reason !== null && start?.state !== 'followed';
  if (kept === 0) return { status: 'error', error: reason ?? 'No page of the site has a text to keep.' };
  const document = start?.documentId ? await documentById(tx, start.documentId) : undefined;
  const named = document ? { name: nameFrom(document.name) } : {};
  return { status: 'complete', error: failed ? `The start page was not read this time: ${reason}` : null, ...named };
}

async function documentOutcome(app: App, tx: Tx, crawl: Crawl, page: CrawlPage | undefined): Promise<Outcome> {
  const document = await documentById(tx, crawl.documentId!);
  if (page?.state === 'kept' && document) return { status: 'complete', error: null, name: document.name };
  const error = page?.reason ?? 'The page could not be read.';
  // What was read at an earlier time is still as good as it was.
  if (document?.status === 'complete') return { status: 'complete', error };
  await updateDocument(tx, crawl.documentId!, { status: 'error', error, updatedAt: app.clock.now() });
  return { status: 'error', error };
}
