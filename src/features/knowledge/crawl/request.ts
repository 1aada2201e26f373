import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { enqueue } from '../../../kernel/queue.ts';
import { crawlPage } from '../job-kinds.ts';
import { type Permission, permissionOf, takeTurn } from './crawl-store.ts';
import { dropPage } from './failure.ts';
import { type Crawl, type CrawlPage, laneOf, newPage } from './crawl.ts';
import { insertPage, pageByUrl, updatePage } from './page-store.ts';
import { isAllowed } from './web/robots.ts';

/** Asks for a page as soon as its host lets: after its robots.txt is known, and not before the pause that it wants. */
export async function ask(app: App, tx: Tx, crawl: Crawl, page: CrawlPage): Promise<void> {
  const url = new URL(page.url);
  const permission = await permissionOf(tx, crawl.sourceId, url.origin);
  if (!permission) {
    await updatePage(tx, page.id, { state: 'blocked' });
    return askForRobots(app, tx, crawl, url.origin);
  }
  if ('forbidden' in permission) {
    return dropPage(app, tx, crawl, page, { reason: permission.forbidden, passing: true });
  }
  if (!isAllowed(permission.robots, url)) {
    const reason = `The robots.txt of ${url.host} does not allow parley to read ${url.pathname}.`;
    return dropPage(app, tx, crawl, page, { reason, passing: false });
  }
  await updatePage(tx, page.id, { state: 'asking', round: crawl.round });
  return send(app, tx, page, await turnOf(app, tx, page, permission, app.clock.now()));
}

/** When a page may be asked for, not before an instant: at a host that wants a pause the next turn, which is taken by this. */
async function turnOf(
  app: App,
  tx: Tx,
  { url }: CrawlPage,
  permission: Permission | undefined,
  notBefore: number,
): Promise<number> {
  const wantedMs = permission && 'robots' in permission ? permission.robots.delayMs : 0;
  const delayMs = Math.min(wantedMs, app.config.knowledge.crawl.max_delay_ms);
  return delayMs > 0 ? takeTurn(tx, new URL(url).host, notBefore, delayMs) : notBefore;
}

async function askForRobots(app: App, tx: Tx, crawl: Crawl, origin: string): Promise<void> {
  const url = `${origin}/robots.txt`;
  if (await pageByUrl(tx, crawl.sourceId, 'robots', url)) return;
  const page = newPage(app, crawl, { kind: 'robots', url, depth: 0, state: 'asking' });
  await insertPage(tx, page);
  await send(app, tx, page, app.clock.now());
}

const send = (app: App, tx: Tx, page: CrawlPage, dueAt: number): Promise<void> =>
  enqueue(app, tx, crawlPage, {
    key: page.id,
    lane: laneOf(new URL(page.url).host),
    dueAt,
    payload: {},
    onConflict: 'replace',
  });

/** Once more, for a page that another round began to ask for while it was asked for, or that nobody has time to read before a while. */
export async function askAgain(app: App, tx: Tx, page: CrawlPage, waitMs = 0): Promise<void> {
  const permission = await permissionOf(tx, page.sourceId, new URL(page.url).origin);
  await send(app, tx, page, await turnOf(app, tx, page, permission, app.clock.now() + waitMs));
}
