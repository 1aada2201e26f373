import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { crawlable } from './web/links.ts';
import { type Crawl, maxPagesKnown, maxSitemaps, newPage } from './crawl.ts';
import { countsOf, insertPage, knownUrls, pageByUrl } from './page-store.ts';

/** Remembers sitemaps of the site that were not known in this round. */
export async function addSitemaps(app: App, tx: Tx, crawl: Crawl, urls: readonly string[]): Promise<void> {
  let { sitemaps } = await countsOf(tx, crawl.sourceId);
  for (const given of urls) {
    const url = URL.parse(given);
    if (!url || url.host !== crawl.host || sitemaps >= maxSitemaps) continue;
    if (await pageByUrl(tx, crawl.sourceId, 'sitemap', url.href)) continue;
    await insertPage(tx, newPage(app, crawl, { kind: 'sitemap', url: url.href, depth: 1 }));
    sitemaps += 1;
  }
}

/** Remembers pages of the site that were not known; which of them are asked for is decided when all is recorded. */
export async function addLinks(app: App, tx: Tx, crawl: Crawl, links: readonly string[], depth: number): Promise<void> {
  if (depth > crawl.maxDepth) return;
  const known = await knownUrls(tx, crawl.sourceId);
  for (const link of links) {
    if (known.size >= maxPagesKnown(crawl)) return;
    const url = crawlable(link, crawl.host);
    if (url === undefined || known.has(url)) continue;
    known.add(url);
    await insertPage(tx, newPage(app, crawl, { kind: 'page', url, depth }));
  }
}
