import { emptyObject } from '../../../base/json.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { touchBase } from '../bases/store.ts';
import { contentDigest, type Document, type DocumentWithoutText, nameFrom, titleIn } from '../documents/document.ts';
import { contentHashOf, findDocument, insertDocument, updateDocument } from '../documents/store.ts';
import { searchDocument } from '../ingestion/passages.ts';
import { replacePassages } from '../../../search/service.ts';
import type { ReadDocument } from '../reading/extractor.ts';
import type { RequestedPage } from './crawl.ts';
import { updatePage } from './page-store.ts';

/**
 * Creates or updates the document of a page; an unchanged one is not rewritten. With `staged`, text and passages are
 * already written.
 */
export async function savePage(
  app: App,
  tx: Tx,
  page: RequestedPage,
  { extracted, canonical, staged }: { extracted: ReadDocument; canonical: string | null; staged: boolean },
): Promise<void> {
  const { document, isNew } = await documentVersionFor(app, tx, page, extracted, canonical);
  if (isNew) {
    const text = staged ? null : document.text;
    await saveDocument(tx, page, { ...document, status: 'complete', text }, contentDigest(document));
  }
  await updatePage(tx, page.id, { state: 'kept', reason: null, documentId: document.id, canonical });
  if (isNew && !staged) await replacePassages(app, tx, searchDocument(document, document.name, extracted.portions));
}

/**
 * Creates or updates the document of a long page without its content, which is written next. Undefined if it is
 * unchanged.
 */
export async function startPageDocument(
  app: App,
  tx: Tx,
  page: RequestedPage,
  extracted: ReadDocument,
  canonical: string | null,
): Promise<DocumentWithoutText | undefined> {
  const { document, isNew } = await documentVersionFor(app, tx, page, extracted, canonical);
  if (!isNew) return undefined;
  await saveDocument(tx, page, { ...document, status: 'processing', text: null }, null);
  await updatePage(tx, page.id, { documentId: document.id });
  return document;
}

/** The document with the page's present content; `isNew` if it differs from the stored document. */
async function documentVersionFor(
  app: App,
  tx: Tx,
  page: RequestedPage,
  extracted: ReadDocument,
  canonical: string | null,
): Promise<{ document: Document; isNew: boolean }> {
  const documentId = page.documentId ?? page.crawl.documentId;
  const before = documentId === null ? undefined : await findDocument(tx, documentId);
  const now = app.clock.now();
  const url = canonical ?? page.url;
  const name = nameFrom(before && titleIn(before.metadata), extracted.title, url);
  const content = { name, text: extracted.text, error: null, updatedAt: now };
  if (!before) return { document: { ...pageDocument(page, app.ids.make(), url, now), ...content }, isNew: true };
  const document = { ...before, ...content, version: before.version + 1 };
  const isSame = before.status === 'complete' && (await contentHashOf(tx, before.id)) === contentDigest(document);
  return { document: isSame ? { ...before, text: document.text } : document, isNew: !isSame };
}

/** Inserts or updates the document's row. A null text leaves the stored one. */
async function saveDocument(
  tx: Tx,
  { crawl }: RequestedPage,
  document: Document,
  contentHash: string | null,
): Promise<void> {
  if (document.version === 1) {
    await insertDocument(tx, document, contentHash);
    await touchBase(tx, crawl.baseId, document.updatedAt, 1);
    return;
  }
  const { name, url, text, status, error, version, updatedAt } = document;
  await updateDocument(tx, document.id, { name, url, text, status, error, version, updatedAt, contentHash });
  await touchBase(tx, crawl.baseId, updatedAt);
}

const pageDocument = ({ crawl }: RequestedPage, id: string, url: string, now: number): Document => ({
  id,
  orgId: crawl.orgId,
  baseId: crawl.baseId,
  sourceId: crawl.sourceId,
  sourceType: 'url',
  docId: id,
  name: url,
  url,
  text: null,
  metadata: emptyObject,
  status: 'pending',
  error: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
});
