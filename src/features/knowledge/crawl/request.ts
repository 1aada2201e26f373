import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { enqueue } from '../../../kernel/queue.ts';
import { crawlPage } from '../job-kinds.ts';
import { type RobotsAccess, findRobotsAccess, reserveCrawlDelaySlot } from './crawl-store.ts';
import { recordFailure } from './failure.ts';
import { type Crawl, type CrawlPage, hostLane, newPage } from './crawl.ts';
import { insertPage, findPageByUrl, updatePage } from './page-store.ts';
import { isAllowed } from './web/robots.ts';

/**
 * Enqueues the fetch of a page; or records a failure, if its host's robots.txt forbids the page or could not be read. Until that file has
 * been fetched, the page waits as `blocked`.
 */
export async function requestPage(app: App, tx: Tx, crawl: Crawl, page: CrawlPage): Promise<void> {
  const url = new URL(page.url);
  const access = await findRobotsAccess(tx, crawl.sourceId, url.origin);
  if (!access) {
    await updatePage(tx, page.id, { state: 'blocked' });
    return requestRobots(app, tx, crawl, url.origin);
  }
  if ('forbidden' in access) {
    return recordFailure(app, tx, crawl, page, { reason: access.forbidden, temporary: true });
  }
  if (!isAllowed(access.robots, url)) {
    const reason = `The robots.txt of ${url.host} does not allow parley to read ${url.pathname}.`;
    return recordFailure(app, tx, crawl, page, { reason, temporary: false });
  }
  await updatePage(tx, page.id, { state: 'asking', round: crawl.round });
  return enqueueFetch(app, tx, page, await earliestFetchTime(app, tx, page, access, app.clock.now()));
}

/** Earliest fetch time, not before `notBefore`. If the host has a crawl delay, this reserves its next slot. */
async function earliestFetchTime(
  app: App,
  tx: Tx,
  { url }: CrawlPage,
  access: RobotsAccess | undefined,
  notBefore: number,
): Promise<number> {
  const requestedMs = access && 'robots' in access ? access.robots.delayMs : 0;
  const delayMs = Math.min(requestedMs, app.config.knowledge.crawl.max_delay_ms);
  return delayMs > 0 ? reserveCrawlDelaySlot(tx, new URL(url).host, notBefore, delayMs) : notBefore;
}

async function requestRobots(app: App, tx: Tx, crawl: Crawl, origin: string): Promise<void> {
  const url = `${origin}/robots.txt`;
  if (await findPageByUrl(tx, crawl.sourceId, 'robots', url)) return;
  const page = newPage(app, crawl, { kind: 'robots', url, depth: 0, state: 'asking' });
  await insertPage(tx, page);
  await enqueueFetch(app, tx, page, app.clock.now());
}

const enqueueFetch = (app: App, tx: Tx, page: CrawlPage, dueAt: number): Promise<void> =>
  enqueue(app, tx, crawlPage, {
    key: page.id,
    lane: hostLane(new URL(page.url).host),
    dueAt,
    payload: {},
    onConflict: 'replace',
  });

/** Enqueues a page once more: a new round asked for it during its fetch, or the extractor's queue was full. */
export async function requestAgain(app: App, tx: Tx, page: CrawlPage, delayMs = 0): Promise<void> {
  const access = await findRobotsAccess(tx, page.sourceId, new URL(page.url).origin);
  await enqueueFetch(app, tx, page, await earliestFetchTime(app, tx, page, access, app.clock.now() + delayMs));
}
