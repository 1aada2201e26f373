import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { baseById } from '../bases/store.ts';
import { nameFrom } from '../documents/document.ts';
import { documentById, updateDocument } from '../documents/store.ts';
import type { Source } from '../bases/knowledge-base.ts';
import { markProcessing, updateSource } from '../sources/store.ts';
import { ask } from './request.ts';
import { crawlOf, finishCrawl, isPaced } from './crawl-store.ts';
import { type Crawl, type CrawlPage, isOpen, maxRequests } from './crawl.ts';
import { type Counts, countsOf, firstToAsk, othersToAsk, startPage } from './page-store.ts';
import { refreshLater } from './refresh.ts';

/** Asks for pages that are known and fit in; without any left to wait for, the round is over. */
export async function goOn(app: App, tx: Tx, sourceId: string): Promise<void> {
  const crawl = await crawlOf(tx, sourceId);
  if (!crawl) return;
  await markProcessing(tx, sourceId, app.clock.now());
  for (;;) {
    const counts = await countsOf(tx, sourceId);
    const next = await pagesToAsk(tx, crawl, counts);
    if (next.length === 0) return counts.open > 0 ? undefined : finish(app, tx, crawl);
    for (const page of next) await ask(app, tx, crawl, page);
  }
}

/**
 * The start page goes before all others, since it says on which host the site is; a document has no others. Of a host that wants a
 * pause one page at a time is asked for: its turns are shared by all who crawl it, and taken ahead they would be lost with a crawl that
 * ends early.
 */
async function pagesToAsk(tx: Tx, crawl: Crawl, { open, taken }: Counts): Promise<CrawlPage[]> {
  const start = await startPage(tx, crawl.sourceId);
  if (crawl.documentId !== null || (start && isOpen(start))) return [];
  const atOnce = (await isPaced(tx, crawl.sourceId)) ? 1 - open : Infinity;
  const atMost = Math.min(atOnce, maxRequests(crawl) - crawl.requests - open);
  if (atMost <= 0) return [];
  const first = await firstToAsk(tx, crawl, atMost);
  const room = Math.min(atMost, crawl.maxPages - taken);
  return first.length > 0 || room <= 0 ? first : othersToAsk(tx, crawl, room);
}

async function finish(app: App, tx: Tx, crawl: Crawl): Promise<void> {
  const now = app.clock.now();
  const start = await startPage(tx, crawl.sourceId);
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
