import { isDeepStrictEqual } from 'node:util';
import { conflict, type Fault, invalid, notFound } from '../../../base/errors.ts';
import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Page, Paged } from '../../../kernel/paging.ts';
import { baseById, documentTotal, touchBase } from '../bases/store.ts';
import { excludePage } from '../crawl/page-store.ts';
import { fetchDocument, forgetCrawl } from '../crawl/start.ts';
import { type Document, nameFrom } from './document.ts';
import * as store from './store.ts';
import type { KnowledgeBase } from '../bases/knowledge-base.ts';
import { removeDocument } from '../removal.ts';
import { enqueueIngestion, newDocument, newSource, removeSource } from '../sources/service.ts';
import { insertSource, updateSource } from '../sources/store.ts';
import { pageUrl, urlFaults } from '../page-url.ts';

/** Of a text in a list: a list of 500 whole texts would be gigabytes. */
export const listedTextLength = 2000;

export type DocumentInput = {
  kbId: string;
  docId?: string;
  text?: string;
  /** Null takes a citation away. */
  url?: string | null;
  metadata?: Record<string, unknown>;
};

/** @throws notFound, the same for another organization's document */
export async function documentOf(app: App, orgId: string, docId: string): Promise<Document> {
  const document = await store.documentByDocId(app.db, orgId, docId);
  if (!document) throw notFound('document');
  return document;
}

/** Newest first, of one base or of all. */
export async function listDocuments(
  app: App,
  orgId: string,
  baseId: string | undefined,
  page: Page,
): Promise<Paged<Document>> {
  const base = baseId === undefined ? undefined : await baseById(app.db, orgId, baseId);
  if (baseId !== undefined && !base) return { items: [], total: 0 };
  const items = await store.someDocuments(app.db, orgId, { baseId: base?.id, page, textLength: listedTextLength });
  return { items, total: base ? base.documentCount : await documentTotal(app.db, orgId) };
}

/** What is wrong with a document beyond its form. */
export async function documentFaults(app: App, orgId: string, input: Partial<DocumentInput>): Promise<Fault[]> {
  const isAstray = input.kbId !== undefined && !(await baseById(app.db, orgId, input.kbId));
  return [...(isAstray ? [noBase] : []), ...addressFaults(app, input)];
}

export const eitherFaults: readonly Fault[] = [
  { path: 'text', message: 'is required, or url' },
  { path: 'url', message: 'is required, or text' },
];

/** A document has a text, or a URL to fetch it from; what came with a source is not judged, but refused. */
export function saysNothing({ text, url }: Partial<DocumentInput>, existing?: Document): boolean {
  if (existing && existing.sourceType !== 'document') return false;
  return (text ?? existing?.text ?? null) === null && (url === undefined ? (existing?.url ?? null) : url) === null;
}

const noBase: Fault = { path: 'kb_id', message: 'no such knowledge base' };

const addressFaults = (app: App, { url }: Partial<DocumentInput>): Fault[] =>
  typeof url === 'string' ? urlFaults(app, 'url', url) : [];

/**
 * Makes a document, or changes what is given of the one that has its `doc_id` (contract, section 10).
 * @throws invalid, and a conflict when the `doc_id` is another base's or not an upserted document's
 */
export function upsertDocument(app: App, orgId: string, input: DocumentInput): Promise<Document> {
  return transact(app.db, orgId, async (tx) => {
    const base = await baseById(tx, orgId, input.kbId);
    const faults = [...(base ? [] : [noBase]), ...addressFaults(app, input)];
    const existing = input.docId === undefined ? undefined : await store.documentByDocId(tx, orgId, input.docId);
    if (saysNothing(input, existing)) faults.push(...eitherFaults);
    if (!base || faults.length > 0) throw invalid(faults);
    if (!existing) return addDocument(app, tx, base, input);
    refuseForeign(existing, base);
    return changeDocument(app, tx, existing, input);
  });
}

function refuseForeign({ docId, baseId, sourceType }: Document, base: KnowledgeBase): void {
  if (baseId !== base.id) {
    throw conflict(`The document ${docId} is in the knowledge base ${baseId}; delete it there first.`);
  }
  if (sourceType !== 'document') {
    throw conflict(
      `The document ${docId} came with a source of type ${sourceType}; only upserted ones can be changed.`,
    );
  }
}

async function addDocument(app: App, tx: Tx, base: KnowledgeBase, input: DocumentInput): Promise<Document> {
  const id = app.ids.make();
  const { docId = id, text = null, metadata = {} } = input;
  const url = input.url ?? null;
  await store.releaseDocId(tx, base.orgId, docId, app.clock.now());
  const source = newSource(app, base, { type: 'document', name: nameFrom(metadata['title'], url, docId), url });
  await insertSource(tx, source);
  const document = newDocument(source, { id, docId, text, url, metadata });
  await store.insertDocument(tx, document);
  await touchBase(tx, base.id, app.clock.now(), 1);
  if (text === null) await fetchDocument(app, tx, source, { url: pageUrl(url!), documentId: id });
  else await enqueueIngestion(app, tx, document);
  return document;
}

async function changeDocument(app: App, tx: Tx, before: Document, input: DocumentInput): Promise<Document> {
  const now = app.clock.now();
  const { url = before.url, text = before.text, metadata = before.metadata } = input;
  const fetches = input.text === undefined && typeof input.url === 'string';
  // Without its URL, nothing is fetched any more, and the text that there is stands.
  const settles = input.text !== undefined || input.url === null;
  const isAsItWas =
    text === null ||
    (text === before.text &&
      (!settles || before.status === 'complete') &&
      isDeepStrictEqual(metadata['title'], before.metadata['title']));
  const pending = fetches || !isAsItWas;
  const changes = {
    // What is found until the page was read is cited with the URL it is from.
    ...(fetches ? {} : { url }),
    ...(text === before.text ? {} : { text }),
    metadata,
    updatedAt: now,
    ...(pending ? { status: 'pending' as const, error: null, version: before.version + 1 } : {}),
  };
  const document: Document = { ...before, ...changes, url };
  await store.updateDocument(tx, document.id, changes);
  await updateSource(tx, document.sourceId, { url, ...(pending ? { status: 'pending', error: null } : {}) }, now);
  await touchBase(tx, document.baseId, now);
  if (settles) await forgetCrawl(tx, document.sourceId);
  const source = { id: document.sourceId, orgId: document.orgId, baseId: document.baseId };
  if (fetches) await fetchDocument(app, tx, source, { url: pageUrl(url!), documentId: document.id });
  else if (pending) await enqueueIngestion(app, tx, document);
  return document;
}

/**
 * Deletes a document, and its source where it is all of it. A page of a site stays away as long as the site is a source.
 * @throws notFound
 */
export function deleteDocument(app: App, orgId: string, docId: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const document = await store.documentByDocId(tx, orgId, docId);
    if (!document) throw notFound('document');
    if (document.sourceType !== 'url') {
      await removeSource(app, tx, { id: document.sourceId, baseId: document.baseId });
      return;
    }
    await removeDocument(app, tx, document);
    await excludePage(tx, document.id);
  });
}
