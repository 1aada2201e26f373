import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { requestPage } from './request.ts';
import { countRequest, setCrawlHost, type RobotsAccess, findRobotsAccess, storeRobotsAccess } from './crawl-store.ts';
import { addFoundLinks, addSitemaps } from './discover.ts';
import { recordFailure, removePageDocument } from './failure.ts';
import { advanceCrawl } from './frontier.ts';
import { decidePage } from './decide.ts';
import { savePage } from './page-document.ts';
import type { Crawl, RequestedPage } from './crawl.ts';
import { pagesInState, unblockPage, updatePage } from './page-store.ts';
import { followRedirect } from './redirect.ts';
import type { VisitResult } from './visit.ts';

/** Whether a page's text and passages, and the links on it, are already written. */
export type Staged = { text: boolean; links: boolean };
const nothingStaged: Staged = { text: false, links: false };

/** Records the result of a fetch, requests the pages that follow from it, and finishes the round when none are left. */
export async function recordVisit(
  app: App,
  tx: Tx,
  page: RequestedPage,
  visit: VisitResult,
  staged: Staged = nothingStaged,
): Promise<void> {
  await countRequest(tx, page.sourceId);
  await record(app, tx, page, visit, staged);
  await advanceCrawl(app, tx, page.sourceId);
}

async function record(app: App, tx: Tx, page: RequestedPage, visit: VisitResult, staged: Staged): Promise<void> {
  const { crawl } = page;
  switch (visit.found) {
    case 'robots':
      return recordRobots(app, tx, page, visit.access);
    case 'sitemap': {
      await updatePage(tx, page.id, { state: 'followed' });
      await addSitemaps(app, tx, crawl, visit.sitemap.sitemaps);
      return addFoundLinks(app, tx, page, visit, staged.links);
    }
    case 'redirect':
      return followRedirect(app, tx, page, visit.to);
    case 'unchanged':
      await updatePage(tx, page.id, { state: page.documentId === null ? 'followed' : 'kept', reason: null });
      return settleStart(app, tx, page);
    case 'failure':
      return recordFailure(app, tx, crawl, page, visit);
    case 'page':
      return recordPage(app, tx, page, visit, staged);
  }
}

async function recordPage(
  app: App,
  tx: Tx,
  page: RequestedPage,
  visit: VisitResult & { found: 'page' },
  staged: Staged,
): Promise<void> {
  const { crawl } = page;
  const { extracted, etag, lastModified } = visit;
  const decision = await decidePage(tx, page, visit);
  await updatePage(tx, page.id, { etag, lastModified, round: crawl.round });
  if (decision.action === 'keep') {
    await savePage(app, tx, page, { extracted, canonical: decision.canonical, staged: staged.text });
  } else {
    await removePageDocument(app, tx, crawl, page);
    const state = decision.action === 'drop' ? 'dropped' : 'followed';
    await updatePage(tx, page.id, { state, reason: decision.reason });
  }
  await settleStart(app, tx, page);
  await addFoundLinks(app, tx, page, visit, staged.links);
}

async function recordRobots(app: App, tx: Tx, page: RequestedPage, access: RobotsAccess): Promise<void> {
  const { crawl } = page;
  const { origin } = new URL(page.url);
  await storeRobotsAccess(tx, page.sourceId, origin, access);
  await updatePage(tx, page.id, { state: 'followed' });
  for (const blocked of await pagesInState(tx, page.sourceId, 'blocked')) {
    if (new URL(blocked.url).origin !== origin) continue;
    if (blocked.isStart) await requestPage(app, tx, crawl, blocked);
    else await unblockPage(tx, blocked);
  }
}

/** After the start page was read, its host is the site's, and its sitemaps can be added. */
async function settleStart(app: App, tx: Tx, page: RequestedPage): Promise<void> {
  const { crawl } = page;
  if (!page.isStart) return;
  await setCrawlHost(tx, page.sourceId, crawl.host);
  if (crawl.documentId !== null || crawl.maxDepth === 0) return;
  const { origin } = new URL(page.url);
  const declared = await sitemapsInRobots(tx, crawl, origin);
  await addSitemaps(app, tx, crawl, declared.length > 0 ? declared : [`${origin}/sitemap.xml`]);
}

async function sitemapsInRobots(tx: Tx, crawl: Crawl, origin: string): Promise<string[]> {
  const access = await findRobotsAccess(tx, crawl.sourceId, origin);
  return access && 'robots' in access ? access.robots.sitemaps : [];
}
