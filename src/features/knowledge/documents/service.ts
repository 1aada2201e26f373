import { conflict, type Fault, invalid, notFound } from '../../../base/errors.ts';
import { emptyObject, type JsonObject } from '../../../base/json.ts';
import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Page, Paged } from '../../../kernel/paging.ts';
import { findBase, countDocuments, touchBase } from '../bases/store.ts';
import { excludePage } from '../crawl/page-store.ts';
import { fetchDocumentPage, cancelCrawl } from '../crawl/start.ts';
import { type Document, nameFrom, titleIn } from './document.ts';
import * as store from './store.ts';
import type { KnowledgeBase } from '../bases/knowledge-base.ts';
import { removeDocument } from '../removal.ts';
import { enqueueIngestion, newDocument, newSource, removeSource } from '../sources/service.ts';
import { insertSource, updateSource } from '../sources/store.ts';
import { normalizePageUrl, validatePageUrl } from '../page-url.ts';

/**
 * Lists show the first 2,000 characters of a text, because 500 whole texts could be gigabytes. Triggers store that beginning
 * (sql/sqlite/0001_baseline.sql).
 */
export const maxListedTextChars = 2000;

export type DocumentInput = {
  kbId: string;
  docId?: string;
  text?: string;
  /** Null removes the URL. */
  url?: string | null;
  metadata?: JsonObject;
};

/** @throws notFound when there is no such document in the organization */
export async function requireDocument(app: App, orgId: string, docId: string): Promise<Document> {
  const document = await store.findByDocId(app.db, orgId, docId);
  if (!document) throw notFound('document');
  return document;
}

/** Lists the documents of one base or of all, newest first. */
export async function listDocuments(
  app: App,
  orgId: string,
  baseId: string | undefined,
  page: Page,
): Promise<Paged<Document>> {
  const base = baseId === undefined ? undefined : await findBase(app.db, orgId, baseId);
  if (baseId !== undefined && !base) return { items: [], total: 0 };
  const total = base ? base.documentCount : await countDocuments(app.db, orgId);
  return store.listDocuments(app.db, orgId, { baseId: base?.id, page, total });
}

/** Checks what the schema cannot: that the base exists and the URL is public. */
export async function validateDocument(app: App, orgId: string, input: Partial<DocumentInput>): Promise<Fault[]> {
  const isUnknownBase = input.kbId !== undefined && !(await findBase(app.db, orgId, input.kbId));
  return [...(isUnknownBase ? [unknownBaseFault] : []), ...validateUrl(app, input)];
}

export const textOrUrlFaults: readonly Fault[] = [
  { path: 'text', message: 'is required, or url' },
  { path: 'url', message: 'is required, or text' },
];

/**
 * A document needs a text or a URL to fetch it from. Not checked for documents of other sources: `refuseUnchangeable`
 * rejects those with a better message.
 */
export function lacksTextAndUrl({ text, url }: Partial<DocumentInput>, existing?: Document): boolean {
  if (existing && existing.sourceType !== 'document') return false;
  return (text ?? existing?.text ?? null) === null && (url === undefined ? (existing?.url ?? null) : url) === null;
}

const unknownBaseFault: Fault = { path: 'kb_id', message: 'no such knowledge base' };

const validateUrl = (app: App, { url }: Partial<DocumentInput>): Fault[] =>
  typeof url === 'string' ? validatePageUrl(app, 'url', url) : [];

/**
 * Creates a document, or updates the submitted fields of the one with the same `doc_id` (docs/api/knowledge.md, "Sources and documents").
 * @throws invalid when the base is unknown, the URL is refused, or the document would have neither text nor URL
 * @throws conflict when the `doc_id` belongs to another base or to a document that was not upserted
 */
export function upsertDocument(app: App, orgId: string, input: DocumentInput): Promise<Document> {
  return transact(app.db, orgId, async (tx) => {
    const base = await findBase(tx, orgId, input.kbId);
    const faults = [...(base ? [] : [unknownBaseFault]), ...validateUrl(app, input)];
    const existing = input.docId === undefined ? undefined : await store.findByDocId(tx, orgId, input.docId);
    if (lacksTextAndUrl(input, existing)) faults.push(...textOrUrlFaults);
    if (!base || faults.length > 0) throw invalid(faults);
    if (!existing) return addDocument(app, tx, base, input);
    refuseUnchangeable(existing, base);
    return changeDocument(app, tx, existing, input);
  });
}

function refuseUnchangeable({ docId, baseId, sourceType }: Document, base: KnowledgeBase): void {
  if (baseId !== base.id) {
    throw conflict(`The document ${docId} is in the knowledge base ${baseId}. Delete it there first.`);
  }
  if (sourceType !== 'document') {
    throw conflict(
      `The document ${docId} belongs to a source of type ${sourceType}. Only upserted documents can be changed.`,
    );
  }
}

async function addDocument(app: App, tx: Tx, base: KnowledgeBase, input: DocumentInput): Promise<Document> {
  const id = app.ids.make();
  const { docId = id, text = null, metadata = emptyObject } = input;
  const url = input.url ?? null;
  await store.releaseDocId(tx, base.orgId, docId, app.clock.now());
  const source = newSource(app, base, { type: 'document', name: nameFrom(titleIn(metadata), url, docId), url });
  await insertSource(tx, source);
  const document = newDocument(source, { id, docId, text, url, metadata });
  await store.insertDocument(tx, document);
  await touchBase(tx, base.id, app.clock.now(), 1);
  if (text === null) await fetchDocumentPage(app, tx, source, { url: normalizePageUrl(url!), documentId: id });
  else await enqueueIngestion(app, tx, document);
  return document;
}

async function changeDocument(app: App, tx: Tx, before: Document, input: DocumentInput): Promise<Document> {
  const now = app.clock.now();
  const { url = before.url, text = before.text, metadata = before.metadata } = input;
  const fetches = input.text === undefined && typeof input.url === 'string';
  // A new text, or removing the URL, cancels a pending fetch.
  const endsFetch = input.text !== undefined || input.url === null;
  const isUnchanged =
    text === null ||
    (text === before.text &&
      (!endsFetch || before.status === 'complete') &&
      titleIn(metadata) === titleIn(before.metadata));
  const pending = fetches || !isUnchanged;
  const changes = {
    // Until the new page is read, its old text stays searchable and must cite the old URL.
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
  if (endsFetch) await cancelCrawl(tx, document.sourceId);
  const source = { id: document.sourceId, orgId: document.orgId, baseId: document.baseId };
  if (fetches) await fetchDocumentPage(app, tx, source, { url: normalizePageUrl(url!), documentId: document.id });
  else if (pending) await enqueueIngestion(app, tx, document);
  return document;
}

/**
 * Deletes a document, and its source unless that is a site. Later crawls of the site do not bring the page back.
 * @throws notFound when there is no such document in the organization
 */
export function deleteDocument(app: App, orgId: string, docId: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const document = await store.findByDocId(tx, orgId, docId);
    if (!document) throw notFound('document');
    if (document.sourceType !== 'url') {
      await removeSource(app, tx, { id: document.sourceId, baseId: document.baseId });
      return;
    }
    await removeDocument(app, tx, document);
    await excludePage(tx, document.id);
  });
}
