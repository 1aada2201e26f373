import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { requestPage } from './request.ts';
import { recordFailure, removePageDocument } from './failure.ts';
import { crawlableUrl } from './web/links.ts';
import { maxRedirects, maxSitemaps, newPage, type RequestedPage } from './crawl.ts';
import { countPages, insertPage, findPageByUrl, updatePage } from './page-store.ts';

/**
 * Follows a redirect. The target is a page of its own, subject to the outbound guard and to its host's robots.txt. The
 * start page may redirect to another host, which then is the site's; other pages that leave the site are dropped. The
 * target of the start page is requested at once, any other joins the frontier.
 */
export async function followRedirect(app: App, tx: Tx, page: RequestedPage, to: string): Promise<void> {
  const { crawl } = page;
  const { host } = new URL(to);
  const drop = (reason: string): Promise<void> => recordFailure(app, tx, crawl, page, { reason, temporary: false });
  if (page.redirects >= maxRedirects) return drop(`It redirects more than ${maxRedirects} times.`);
  if (page.kind === 'sitemap' ? host !== crawl.host : !page.isStart && crawlableUrl(to, crawl.host) === undefined) {
    return drop(`It redirects to ${host}, which is outside the site.`);
  }
  if (page.kind === 'sitemap' && (await countPages(tx, page.sourceId)).sitemaps >= maxSitemaps) {
    return drop(`It redirects, but no more than ${maxSitemaps} sitemaps are read per site.`);
  }
  const existing = await findPageByUrl(tx, page.sourceId, page.kind, to);
  if (existing && existing.round === crawl.round && page.isStart && existing.isStart)
    return drop('It redirects in a circle.');
  await removePageDocument(app, tx, crawl, page);
  await updatePage(tx, page.id, { state: 'dropped', reason: `It redirects to ${to}.` });
  const position = { isStart: page.isStart, depth: page.depth, redirects: page.redirects + 1 };
  if (existing && !page.isStart) return;
  const target = existing
    ? { ...existing, ...position }
    : newPage(app, crawl, { kind: page.kind, url: to, ...position });
  if (existing) await updatePage(tx, existing.id, position);
  else await insertPage(tx, target);
  if (page.isStart) await requestPage(app, tx, crawl, target);
}
