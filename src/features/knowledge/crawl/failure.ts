import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { findDocument } from '../documents/store.ts';
import { removeDocument } from '../removal.ts';
import type { Crawl, CrawlPage } from './crawl.ts';
import { updatePage } from './page-store.ts';

/** Why a page could not be read. `temporary` if a later round may succeed. */
export type Failure = { reason: string; temporary: boolean };

/** Records a failed fetch. A permanent failure removes the page's document; a temporary one keeps it. */
export async function recordFailure(
  app: App,
  tx: Tx,
  crawl: Crawl,
  page: CrawlPage,
  { reason, temporary }: Failure,
): Promise<void> {
  const { round } = crawl;
  if (temporary && (await hasReadDocument(tx, page))) return updatePage(tx, page.id, { state: 'kept', reason, round });
  await removePageDocument(app, tx, crawl, page);
  return updatePage(tx, page.id, { state: temporary ? 'unreachable' : 'dropped', reason, round });
}

/**
 * Whether the page has a document that was read completely. One that was still being written when the process died is not worth keeping.
 */
const hasReadDocument = async (tx: Tx, { documentId }: CrawlPage): Promise<boolean> =>
  documentId !== null && (await findDocument(tx, documentId))?.status === 'complete';

/** Removes the document of a site's page. An upserted document stays: only its owner may delete it. */
export async function removePageDocument(app: App, tx: Tx, crawl: Crawl, page: CrawlPage): Promise<void> {
  if (page.documentId === null) return;
  if (crawl.documentId === null) await removeDocument(app, tx, { id: page.documentId, baseId: crawl.baseId });
  await updatePage(tx, page.id, { documentId: null, canonical: null, etag: null, lastModified: null });
}
