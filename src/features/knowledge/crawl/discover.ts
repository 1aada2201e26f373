import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { crawlableUrl } from './web/links.ts';
import { type Crawl, maxDiscoveredPages, maxSitemaps, newPage } from './crawl.ts';
import { countPages, insertPage, knownPageUrls, findPageByUrl } from './page-store.ts';

/** Adds sitemaps of the site that this round has not seen yet. */
export async function addSitemaps(app: App, tx: Tx, crawl: Crawl, urls: readonly string[]): Promise<void> {
  let { sitemaps } = await countPages(tx, crawl.sourceId);
  for (const link of urls) {
    const url = URL.parse(link);
    if (!url || url.host !== crawl.host || sitemaps >= maxSitemaps) continue;
    if (await findPageByUrl(tx, crawl.sourceId, 'sitemap', url.href)) continue;
    await insertPage(tx, newPage(app, crawl, { kind: 'sitemap', url: url.href, depth: 1 }));
    sitemaps += 1;
  }
}

/** Adds new pages of the site to the frontier; `advanceCrawl` decides which of them to request. */
export async function addLinks(app: App, tx: Tx, crawl: Crawl, links: readonly string[], depth: number): Promise<void> {
  if (depth > crawl.maxDepth) return;
  const known = await knownPageUrls(tx, crawl.sourceId);
  for (const link of links) {
    if (known.size >= maxDiscoveredPages(crawl)) return;
    const url = crawlableUrl(link, crawl.host);
    if (url === undefined || known.has(url)) continue;
    known.add(url);
    await insertPage(tx, newPage(app, crawl, { kind: 'page', url, depth }));
  }
}
