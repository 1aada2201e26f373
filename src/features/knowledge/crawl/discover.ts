import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { inBatches, partsOf } from '../../../kernel/batches.ts';
import { crawlableUrl } from './web/links.ts';
import { type Crawl, maxDiscoveredPages, maxSitemaps, newPage, type RequestedPage } from './crawl.ts';
import { countPages, countStored, findPageByUrl, findRequestedPage, insertPage, knownPageUrls } from './page-store.ts';
import type { VisitResult } from './visit.ts';

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

/** Links that one transaction adds: with its indexes, each takes some 20 µs. */
const maxLinksAtOnce = 100;

/** The pages of the site that links lead to, without repetitions; at most as many as a crawl may find. */
function targetsOf(crawl: Crawl, links: readonly string[]): string[] {
  const targets = new Set<string>();
  for (const link of links.slice(0, maxDiscoveredPages(crawl))) {
    const url = crawlableUrl(link, crawl.host);
    if (url !== undefined) targets.add(url);
  }
  return [...targets];
}

/** Adds new pages of the site to the frontier; `advanceCrawl` decides which of them to request. */
async function addLinks(app: App, tx: Tx, crawl: Crawl, links: readonly string[], depth: number): Promise<void> {
  if (depth > crawl.maxDepth) return;
  const targets = targetsOf(crawl, links);
  const known = await knownPageUrls(tx, crawl.sourceId, targets);
  const added = targets.filter((url) => !known.has(url));
  if (added.length === 0) return;
  const room = maxDiscoveredPages(crawl) - (await countStored(tx, crawl.sourceId));
  for (const url of added.slice(0, Math.max(0, room)))
    await insertPage(tx, newPage(app, crawl, { kind: 'page', url, depth }));
}

/** The links that a visit has found, and their depth. */
function linksOf(page: RequestedPage, visit: VisitResult): { links: readonly string[]; depth: number } {
  // Pages of a sitemap count as linked from the start page: depth 1.
  if (visit.found === 'sitemap') return { links: visit.sitemap.pages, depth: 1 };
  if (visit.found !== 'page' || visit.directives.nofollow) return { links: [], depth: 0 };
  const links = visit.extracted.pageMetadata?.links ?? [];
  // Links are normalized, so those to the site contain its host. Parsing thousands of links to other sites would take longer.
  return { links: links.filter((link) => link.includes(page.crawl.host)), depth: page.depth + 1 };
}

/** A page that links to its own canonical URL must not be taken for a copy of what stands there, so that link is added last. */
const isCanonical = (visit: VisitResult, link: string): boolean =>
  visit.found === 'page' && visit.extracted.pageMetadata?.canonical === link;

/** Adds the links that a visit has found. `staged`: stageLinks() has added them. */
export async function addFoundLinks(
  app: App,
  tx: Tx,
  page: RequestedPage,
  visit: VisitResult,
  staged: boolean,
): Promise<void> {
  const { links, depth } = linksOf(page, visit);
  const left = staged ? links.filter((link) => isCanonical(visit, link)) : links;
  if (left.length > 0) await addLinks(app, tx, page.crawl, left, depth);
}

/**
 * Adds the links of a page that has many, in parts with a transaction each, before the result of its visit is recorded. Repeating it adds
 * nothing twice.
 * @returns true if they were added; false if they are few
 */
export async function stageLinks(app: App, page: RequestedPage, visit: VisitResult): Promise<boolean> {
  const { links, depth } = linksOf(page, visit);
  if (links.length <= maxLinksAtOnce) return false;
  if (depth > page.crawl.maxDepth) return true;
  const targets = targetsOf(
    page.crawl,
    links.filter((link) => !isCanonical(visit, link)),
  );
  await inBatches(app.db, partsOf(targets, maxLinksAtOnce), (part) =>
    transact(app.db, page.crawl.orgId, async (tx) => {
      const now = await findRequestedPage(tx, page.id);
      if (now?.round === page.round) await addLinks(app, tx, page.crawl, part, depth);
    }),
  );
  return true;
}
