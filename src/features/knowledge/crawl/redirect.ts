import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { ask } from './request.ts';
import { dropPage, forgetDocument } from './failure.ts';
import { crawlable } from './web/links.ts';
import { maxRedirects, maxSitemaps, newPage, type PageInHand } from './crawl.ts';
import { countsOf, insertPage, pageByUrl, updatePage } from './page-store.ts';

/**
 * What a page redirects to is a page of its own: judged by the guard and by the robots.txt of its host like any other. The start page
 * may lead to another host, which is the site's then; other pages that lead away from the site are left. Where anything
 * else leads is asked for in its turn.
 */
export async function followRedirect(app: App, tx: Tx, page: PageInHand, to: string): Promise<void> {
  const { crawl } = page;
  const { host } = new URL(to);
  const drop = (reason: string): Promise<void> => dropPage(app, tx, crawl, page, { reason, passing: false });
  if (page.redirects >= maxRedirects) return drop(`It redirects more than ${maxRedirects} times.`);
  if (page.kind === 'sitemap' ? host !== crawl.host : !page.isStart && crawlable(to, crawl.host) === undefined) {
    return drop(`It redirects to ${host}, which is not the site.`);
  }
  if (page.kind === 'sitemap' && (await countsOf(tx, page.sourceId)).sitemaps >= maxSitemaps) {
    return drop(`It redirects, and only ${maxSitemaps} sitemaps are read.`);
  }
  const known = await pageByUrl(tx, page.sourceId, page.kind, to);
  if (known && known.round === crawl.round && page.isStart && known.isStart) return drop('It redirects in a circle.');
  await forgetDocument(app, tx, crawl, page);
  await updatePage(tx, page.id, { state: 'dropped', reason: `It redirects to ${to}.` });
  const place = { isStart: page.isStart, depth: page.depth, redirects: page.redirects + 1 };
  if (known && !page.isStart) return;
  const target = known ? { ...known, ...place } : newPage(app, crawl, { kind: page.kind, url: to, ...place });
  if (known) await updatePage(tx, known.id, place);
  else await insertPage(tx, target);
  if (page.isStart) await ask(app, tx, crawl, target);
}
