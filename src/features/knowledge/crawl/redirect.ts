import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { ask } from './ask.ts';
import { moveCrawl } from './crawl-store.ts';
import { dropPage, forgetDocument } from './drop.ts';
import { crawlable } from './links.ts';
import { maxRedirects, newPage, type PageInHand } from './page.ts';
import { insertPage, pageByUrl, updatePage } from './pages-store.ts';

/**
 * What a page redirects to is a page of its own: judged by the guard and by the robots.txt of its host like any other. The start page
 * may lead to another host, which is the site's then; other pages that lead away from the site are left.
 */
export async function followRedirect(app: App, tx: Tx, page: PageInHand, to: string): Promise<void> {
  const { crawl } = page;
  const { host } = new URL(to);
  const drop = (reason: string): Promise<void> => dropPage(app, tx, crawl, page, { reason, passing: false });
  if (page.redirects >= maxRedirects) return drop(`It redirects more than ${maxRedirects} times.`);
  if (page.kind === 'sitemap' ? host !== crawl.host : !page.isStart && crawlable(to, crawl.host) === undefined) {
    return drop(`It redirects to ${host}, which is not the site.`);
  }
  const known = await pageByUrl(tx, page.sourceId, page.kind, to);
  if (known && known.round === crawl.round && page.isStart && known.isStart) return drop('It redirects in a circle.');
  await forgetDocument(app, tx, crawl, page);
  await updatePage(tx, page.id, { state: 'dropped', reason: `It redirects to ${to}.` });
  if (page.isStart && host !== crawl.host) await moveCrawl(tx, page.sourceId, host);
  if (known) {
    if (page.isStart) await updatePage(tx, known.id, { isStart: true, depth: 0, redirects: page.redirects + 1 });
    return;
  }
  const target = newPage(app, crawl, {
    kind: page.kind,
    url: to,
    depth: page.depth,
    isStart: page.isStart,
    redirects: page.redirects + 1,
  });
  await insertPage(tx, target);
  await ask(app, tx, { ...crawl, host: page.isStart ? host : crawl.host }, target);
}
