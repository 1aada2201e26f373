import { hash } from 'node:crypto';
import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { touchBase } from '../base-store.ts';
import { type Document, nameFrom } from '../document.ts';
import { contentHashOf, documentById, insertDocument, updateDocument } from '../document-store.ts';
import { putChunks } from '../retrieval/service.ts';
import type { Extracted } from '../text/model.ts';
import type { PageInHand } from './page.ts';
import { updatePage } from './pages-store.ts';

/** Makes a page its document, or makes its document what the page says now. One that says the same stays as it is. */
export async function keepPage(
  app: App,
  tx: Tx,
  page: PageInHand,
  extracted: Extracted,
  canonical: string | null,
): Promise<void> {
  const { crawl } = page;
  const now = app.clock.now();
  const known = page.documentId ?? crawl.documentId;
  const before = known === null ? undefined : await documentById(tx, known);
  const url = canonical ?? page.url;
  const name = nameFrom(before?.metadata['title'], extracted.title, url);
  const contentHash = hash('sha256', `${name}\n${extracted.text}`);
  const said = { name, text: extracted.text, status: 'complete', error: null, updatedAt: now, contentHash } as const;
  const isNew = !before || before.status !== 'complete' || (await contentHashOf(tx, before.id)) !== contentHash;
  const documentId = before?.id ?? app.ids.make();
  if (before && isNew) {
    await updateDocument(tx, before.id, { ...said, version: before.version + 1 });
    await touchBase(tx, crawl.baseId, now);
  } else if (!before) {
    await insertDocument(tx, { ...pageDocument(page, documentId, url, now), ...said }, contentHash);
    await touchBase(tx, crawl.baseId, now, 1);
  }
  await updatePage(tx, page.id, { state: 'kept', reason: null, documentId, canonical });
  if (!isNew) return;
  await putChunks(app, tx, {
    organizationId: crawl.orgId,
    knowledgeBaseId: crawl.baseId,
    documentId,
    title: name,
    chunks: extracted.chunks,
  });
}

const pageDocument = ({ crawl }: PageInHand, id: string, url: string, now: number): Document => ({
  id,
  orgId: crawl.orgId,
  baseId: crawl.baseId,
  sourceId: crawl.sourceId,
  sourceType: 'url',
  docId: id,
  name: url,
  url,
  text: null,
  metadata: {},
  status: 'pending',
  error: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
});
