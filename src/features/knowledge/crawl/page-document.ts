import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { touchBase } from '../bases/store.ts';
import { contentDigest, type Document, type DocumentFacts, nameFrom } from '../documents/document.ts';
import { contentHashOf, documentById, insertDocument, updateDocument } from '../documents/store.ts';
import { placed } from '../ingestion/passages.ts';
import { replacePassages } from '../../../search/service.ts';
import type { ReadDocument } from '../reading/extractor.ts';
import type { PageInHand } from './crawl.ts';
import { updatePage } from './page-store.ts';

/**
 * Makes a page its document, or makes its document what the page says now. `staged`: its text and passages are written already. One
 * that says what it said before stays as it is.
 */
export async function keepPage(
  app: App,
  tx: Tx,
  page: PageInHand,
  { extracted, canonical, staged }: { extracted: ReadDocument; canonical: string | null; staged: boolean },
): Promise<void> {
  const { document, isNew } = await documentFor(app, tx, page, extracted, canonical);
  if (isNew) {
    const text = staged ? null : document.text;
    await save(tx, page, { ...document, status: 'complete', text }, contentDigest(document));
  }
  await updatePage(tx, page.id, { state: 'kept', reason: null, documentId: document.id, canonical });
  if (isNew && !staged) await replacePassages(app, tx, placed(document, document.name, extracted.portions));
}

/** The document of a long page, so that what it says can be written; undefined for one that says what it said before. */
export async function beginDocument(
  app: App,
  tx: Tx,
  page: PageInHand,
  extracted: ReadDocument,
  canonical: string | null,
): Promise<DocumentFacts | undefined> {
  const { document, isNew } = await documentFor(app, tx, page, extracted, canonical);
  if (!isNew) return undefined;
  await save(tx, page, { ...document, status: 'processing', text: null }, null);
  await updatePage(tx, page.id, { documentId: document.id });
  return document;
}

/** As the page has it now; `isNew` when that is not what is stored. */
async function documentFor(
  app: App,
  tx: Tx,
  page: PageInHand,
  extracted: ReadDocument,
  canonical: string | null,
): Promise<{ document: Document; isNew: boolean }> {
  const known = page.documentId ?? page.crawl.documentId;
  const before = known === null ? undefined : await documentById(tx, known);
  const now = app.clock.now();
  const url = canonical ?? page.url;
  const name = nameFrom(before?.metadata['title'], extracted.title, url);
  const said = { name, text: extracted.text, error: null, updatedAt: now };
  if (!before) return { document: { ...pageDocument(page, app.ids.make(), url, now), ...said }, isNew: true };
  const document = { ...before, ...said, version: before.version + 1 };
  const isSame = before.status === 'complete' && (await contentHashOf(tx, before.id)) === contentDigest(document);
  return { document: isSame ? { ...before, text: document.text } : document, isNew: !isSame };
}

/** A text that is null is left as it is. */
async function save(tx: Tx, { crawl }: PageInHand, document: Document, hashed: string | null): Promise<void> {
  if (document.version === 1) {
    await insertDocument(tx, document, hashed);
    await touchBase(tx, crawl.baseId, document.updatedAt, 1);
    return;
  }
  const { name, url, text, status, error, version, updatedAt } = document;
  await updateDocument(tx, document.id, { name, url, text, status, error, version, updatedAt, contentHash: hashed });
  await touchBase(tx, crawl.baseId, updatedAt);
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
