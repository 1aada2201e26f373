import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { ask } from './request.ts';
import { countRequest, moveCrawl, type Permission, permissionOf, putPermission } from './crawl-store.ts';
import { addLinks, addSitemaps } from './discover.ts';
import { dropPage, forgetDocument } from './failure.ts';
import { goOn } from './frontier.ts';
import { judgePage } from './decide.ts';
import { keepPage } from './page-document.ts';
import type { Crawl, PageInHand } from './crawl.ts';
import { pagesIn, unblockPage, updatePage } from './page-store.ts';
import { followRedirect } from './redirect.ts';
import type { Visit } from './visit.ts';

/**
 * Writes what came of a page (its passages unless they are staged), asks for what follows from it, and ends the round when nothing is
 * left to ask for.
 */
export async function recordVisit(app: App, tx: Tx, page: PageInHand, visit: Visit, staged = false): Promise<void> {
  await countRequest(tx, page.sourceId);
  await record(app, tx, page, visit, staged);
  await goOn(app, tx, page.sourceId);
}

async function record(app: App, tx: Tx, page: PageInHand, visit: Visit, staged: boolean): Promise<void> {
  const { crawl } = page;
  switch (visit.found) {
    case 'robots':
      return recordRobots(app, tx, page, visit.permission);
    case 'sitemap': {
      await updatePage(tx, page.id, { state: 'followed' });
      await addSitemaps(app, tx, crawl, visit.sitemap.sitemaps);
      // A sitemap stands for links on the start page.
      return addLinks(app, tx, crawl, visit.sitemap.pages, 1);
    }
    case 'redirect':
      return followRedirect(app, tx, page, visit.to);
    case 'unchanged':
      await updatePage(tx, page.id, { state: page.documentId === null ? 'followed' : 'kept', reason: null });
      return afterStart(app, tx, page);
    case 'nothing':
      return dropPage(app, tx, crawl, page, visit);
    case 'page':
      return recordPage(app, tx, page, visit, staged);
  }
}

async function recordPage(
  app: App,
  tx: Tx,
  page: PageInHand,
  visit: Visit & { found: 'page' },
  staged: boolean,
): Promise<void> {
  const { crawl } = page;
  const { extracted, directives, etag, lastModified } = visit;
  const judged = await judgePage(tx, page, visit);
  await updatePage(tx, page.id, { etag, lastModified, round: crawl.round });
  if (judged.verdict === 'keep') {
    await keepPage(app, tx, page, { extracted, canonical: judged.canonical, staged });
  } else {
    await forgetDocument(app, tx, crawl, page);
    const state = judged.verdict === 'drop' ? 'dropped' : 'followed';
    await updatePage(tx, page.id, { state, reason: judged.reason });
  }
  await afterStart(app, tx, page);
  if (!directives.nofollow) await addLinks(app, tx, crawl, extracted.pageMetadata?.links ?? [], page.depth + 1);
}

async function recordRobots(app: App, tx: Tx, page: PageInHand, permission: Permission): Promise<void> {
  const { crawl } = page;
  const { origin } = new URL(page.url);
  await putPermission(tx, page.sourceId, origin, permission);
  await updatePage(tx, page.id, { state: 'followed' });
  for (const blocked of await pagesIn(tx, page.sourceId, 'blocked')) {
    if (new URL(blocked.url).origin !== origin) continue;
    if (blocked.isStart) await ask(app, tx, crawl, blocked);
    else await unblockPage(tx, blocked);
  }
}

/** Once the start page was read it is settled on which host the site is, and where its sitemaps are. */
async function afterStart(app: App, tx: Tx, page: PageInHand): Promise<void> {
  const { crawl } = page;
  if (!page.isStart) return;
  await moveCrawl(tx, page.sourceId, crawl.host);
  if (crawl.documentId !== null || crawl.maxDepth === 0) return;
  const { origin } = new URL(page.url);
  const declared = await declaredSitemaps(tx, crawl, origin);
  await addSitemaps(app, tx, crawl, declared.length > 0 ? declared : [`${origin}/sitemap.xml`]);
}

async function declaredSitemaps(tx: Tx, crawl: Crawl, origin: string): Promise<string[]> {
  const permission = await permissionOf(tx, crawl.sourceId, origin);
  return permission && 'robots' in permission ? permission.robots.sitemaps : [];
}
