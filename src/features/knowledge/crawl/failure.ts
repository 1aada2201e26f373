import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { documentById } from '../documents/store.ts';
import { removeDocument } from '../removal.ts';
import type { Crawl, CrawlPage } from './crawl.ts';
import { updatePage } from './page-store.ts';

/** Why a page brought nothing. `passing`: it may be otherwise another time. */
export type Failure = { reason: string; passing: boolean };

/** Of a page that was kept before, the document goes when it is gone for good, and stays when the site is merely ailing. */
export async function dropPage(
  app: App,
  tx: Tx,
  crawl: Crawl,
  page: CrawlPage,
  { reason, passing }: Failure,
): Promise<void> {
  const { round } = crawl;
  if (passing && (await wasKept(tx, page))) return updatePage(tx, page.id, { state: 'kept', reason, round });
  await forgetDocument(app, tx, crawl, page);
  return updatePage(tx, page.id, { state: passing ? 'unreachable' : 'dropped', reason, round });
}

/** A document that was begun when the process died has nothing to keep. */
const wasKept = async (tx: Tx, { documentId }: CrawlPage): Promise<boolean> =>
  documentId !== null && (await documentById(tx, documentId))?.status === 'complete';

/** Takes its document from a page of a site; a document that somebody upserted is not the crawl's to remove. */
export async function forgetDocument(app: App, tx: Tx, crawl: Crawl, page: CrawlPage): Promise<void> {
  if (page.documentId === null) return;
  if (crawl.documentId === null) await removeDocument(app, tx, { id: page.documentId, baseId: crawl.baseId });
  await updatePage(tx, page.id, { documentId: null, canonical: null, etag: null, lastModified: null });
}
