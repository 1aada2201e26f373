import { conflict, type Fault, invalid, notFound } from '../../../base/errors.ts';
import { emptyObject } from '../../../base/json.ts';
import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Page, Paged } from '../../../kernel/paging.ts';
import { enqueue } from '../../../kernel/queue.ts';
import { touchBase } from '../bases/store.ts';
import { cancelCrawl, crawlSite, restartCrawl } from '../crawl/start.ts';
import { nameFrom, type Document } from '../documents/document.ts';
import { insertDocument, markDocumentsOfSourceRemoved } from '../documents/store.ts';
import type { StagedFile } from './file-upload.ts';
import { ingestDocument } from '../job-kinds.ts';
import {
  type CountedSource,
  isUrlSource,
  type KnowledgeBase,
  type Source,
  type UrlSource,
} from '../bases/knowledge-base.ts';
import { removeLater } from '../removal.ts';
import { requireBase, type KnowledgeBaseWithSources, knowledgeBaseWithSources } from '../bases/service.ts';
import { countedSources, listSources as listOfBase, type SourceFilter, sitesOf } from './list-store.ts';
import * as store from './store.ts';
import { normalizePageUrl, validatePageUrl } from '../page-url.ts';

/** A base's sites are all read whenever one is added, and shown in each answer about the base. */
const maxSites = 500;

/** Input of add-sources, with the field names of the request body, because faults name them. */
export type SourcesInput = {
  knowledge_base_texts?: ReadonlyArray<{ title: string; text: string }>;
  knowledge_base_urls?: readonly string[];
};

/** The base after adding, and the sources that crawl the submitted URLs. */
export type AddedSources = KnowledgeBaseWithSources & { urlSources: UrlSource[] };

/** Checks what the schema cannot: the number of entries, the size of texts, and that URLs are public. */
export function validateSources(app: App, input: SourcesInput): Fault[] {
  const { knowledge_base_texts: texts = [], knowledge_base_urls: urls = [] } = input;
  const limits = app.config.knowledge;
  return [
    ...tooMany('knowledge_base_texts', texts.length, limits.max_texts),
    ...tooMany('knowledge_base_urls', urls.length, limits.max_urls),
    ...texts.flatMap(({ text }, index) =>
      Buffer.byteLength(text) > limits.max_text_bytes
        ? [{ path: `knowledge_base_texts[${index}].text`, message: `must have at most ${limits.max_text_bytes} bytes` }]
        : [],
    ),
    ...urls.flatMap((url, index) => validatePageUrl(app, `knowledge_base_urls[${index}]`, url)),
  ];
}

const tooMany = (path: string, count: number, max: number): Fault[] =>
  count > max ? [{ path, message: `must have at most ${max} entries` }] : [];

/**
 * Adds all entries or none. A URL that the base already has is crawled again by its existing source.
 * @throws invalid when there are no entries, too many or a faulty one; notFound when the organization has no such base; conflict when the
 * base would crawl more sites than it may
 */
export function addSources(app: App, orgId: string, baseId: string, input: SourcesInput): Promise<AddedSources> {
  return transact(app.db, orgId, async (tx) => {
    const { knowledge_base_texts: texts = [], knowledge_base_urls: urls = [] } = input;
    const faults = validateSources(app, input);
    if (texts.length + urls.length === 0) {
      const message = 'provide at least one entry in knowledge_base_texts or knowledge_base_urls';
      faults.push(...['knowledge_base_texts', 'knowledge_base_urls'].map((path) => ({ path, message })));
    }
    if (faults.length > 0) throw invalid(faults);
    const base = await requireBase(tx, orgId, baseId);
    for (const { title, text } of texts) await addDocumentSource(app, tx, base, { type: 'text', name: title, text });
    const urlSourceIds = new Set<string>();
    if (urls.length > 0) {
      const sites = await sitesByUrl(tx, base.id);
      for (const url of urls) urlSourceIds.add(await addUrlSource(app, tx, base, sites, url));
    }
    await touchBase(tx, base.id, app.clock.now(), texts.length);
    const urlSources = (await countedSources(tx, base.id, [...urlSourceIds])).filter(isUrlSource);
    return { ...(await knowledgeBaseWithSources(tx, orgId, base.id)), urlSources };
  });
}

/** Adds a file that was staged in the database. @throws notFound when the organization has no such base */
export function addFile(app: App, orgId: string, baseId: string, file: StagedFile): Promise<AddedSources> {
  return transact(app.db, orgId, async (tx) => {
    const base = await requireBase(tx, orgId, baseId);
    await addDocumentSource(app, tx, base, { type: 'file', name: file.name, documentId: file.documentId, text: null });
    await touchBase(tx, base.id, app.clock.now(), 1);
    return { ...(await knowledgeBaseWithSources(tx, orgId, base.id)), urlSources: [] };
  });
}

type DocumentSource = { type: 'text' | 'file'; name: string; documentId?: string; text: string | null };

async function addDocumentSource(app: App, tx: Tx, base: KnowledgeBase, input: DocumentSource): Promise<void> {
  const source = newSource(app, base, { type: input.type, name: nameFrom(input.name), url: null });
  await store.insertSource(tx, source);
  const id = input.documentId ?? app.ids.make();
  await insertDocument(tx, newDocument(source, { id, docId: id, text: input.text, url: null, metadata: emptyObject }));
  await enqueueIngestion(app, tx, { id, orgId: base.orgId });
}

/** The sites that a base crawls, by their normalized URLs. */
const sitesByUrl = async (tx: Tx, baseId: string): Promise<Map<string, Source>> =>
  new Map((await sitesOf(tx, baseId)).map((site) => [normalizePageUrl(site.url), site]));

async function addUrlSource(
  app: App,
  tx: Tx,
  base: KnowledgeBase,
  sites: Map<string, Source>,
  url: string,
): Promise<string> {
  const pageUrl = normalizePageUrl(url);
  const existing = sites.get(pageUrl);
  if (!existing && sites.size >= maxSites) {
    throw conflict(
      `A knowledge base crawls ${maxSites} sites at most; remove some of its sources, or make another base.`,
    );
  }
  const source = existing ?? newSource(app, base, { type: 'url', name: nameFrom(url), url });
  if (!existing) await store.insertSource(tx, source);
  sites.set(pageUrl, source);
  await crawlSite(app, tx, source, pageUrl);
  return source.id;
}

export const newSource = (app: App, base: KnowledgeBase, fields: Pick<Source, 'type' | 'name' | 'url'>): Source => ({
  ...fields,
  id: app.ids.make(),
  orgId: base.orgId,
  baseId: base.id,
  status: 'pending',
  error: null,
  createdAt: app.clock.now(),
  updatedAt: app.clock.now(),
});

type NewDocument = Pick<Document, 'id' | 'docId' | 'text' | 'url' | 'metadata'>;

export const newDocument = (source: Source, fields: NewDocument): Document => ({
  ...fields,
  orgId: source.orgId,
  baseId: source.baseId,
  sourceId: source.id,
  sourceType: source.type,
  name: source.name,
  status: 'pending',
  error: null,
  version: 1,
  createdAt: source.createdAt,
  updatedAt: source.createdAt,
});

/** Enqueues reading a document. Each organization has its own lane, so that a large upload does not delay others. */
export const enqueueIngestion = (
  app: App,
  tx: Tx,
  { id, orgId }: Pick<Document, 'id' | 'orgId'>,
  waitMs = 0,
): Promise<void> =>
  enqueue(app, tx, ingestDocument, {
    key: id,
    lane: `knowledge:${orgId}`,
    dueAt: app.clock.now() + waitMs,
    payload: {},
  });

/** Sources of a base, newest first. @throws notFound when the organization has no such base */
export async function listSources(
  app: App,
  orgId: string,
  baseId: string,
  filter: SourceFilter,
  page: Page,
): Promise<Paged<CountedSource>> {
  const base = await requireBase(app.db, orgId, baseId);
  return listOfBase(app.db, base.id, filter, page);
}

/**
 * Reads the pages of a source again, now.
 * @throws notFound when the organization has no such base, or the base no such source; conflict for a text or file
 */
export function refreshSource(app: App, orgId: string, baseId: string, sourceId: string): Promise<CountedSource> {
  return transact(app.db, orgId, async (tx) => {
    const { base, source } = await requireSource(tx, orgId, baseId, sourceId);
    if (source.url === null || !(await restartCrawl(app, tx, source, normalizePageUrl(source.url)))) {
      throw conflict(
        'Only sources that were read from a web page can be refreshed. To change a text or a file, delete it and add it again.',
      );
    }
    await touchBase(tx, base.id, app.clock.now());
    const [refreshed] = await countedSources(tx, base.id, [sourceId]);
    return refreshed!;
  });
}

/**
 * Hides a source and its documents at once; a job then deletes the rows in batches.
 * @throws notFound when the organization has no such base, or the base no such source
 */
export function deleteSource(app: App, orgId: string, baseId: string, sourceId: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const { source } = await requireSource(tx, orgId, baseId, sourceId);
    await removeSource(app, tx, source);
  });
}

async function requireSource(
  tx: Tx,
  orgId: string,
  baseId: string,
  sourceId: string,
): Promise<{ base: KnowledgeBase; source: Source }> {
  const base = await requireBase(tx, orgId, baseId);
  const source = await store.findSource(tx, base.id, sourceId);
  if (!source) throw notFound('source');
  return { base, source };
}

/** Marks a source and its documents removed, stops its crawl and enqueues the deletion of the rows. */
export async function removeSource(app: App, tx: Tx, source: Pick<Source, 'id' | 'baseId'>): Promise<void> {
  const now = app.clock.now();
  await store.markSourceRemoved(tx, source.id, now);
  const documents = await markDocumentsOfSourceRemoved(tx, source.id, now);
  await touchBase(tx, source.baseId, now, -documents);
  await cancelCrawl(tx, source.id);
  await removeLater(app, tx, 'source', source.id);
}
