import { type Fault, invalid, notFound } from '../../../base/errors.ts';
import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { enqueue } from '../../../kernel/queue.ts';
import { touchBase } from '../bases/store.ts';
import { crawlSite, forgetCrawl } from '../crawl/start.ts';
import { nameFrom, type Document } from '../documents/document.ts';
import { insertDocument, markDocumentsOfSourceRemoved } from '../documents/store.ts';
import type { StagedFile } from './file-upload.ts';
import { ingestDocument } from '../job-kinds.ts';
import type { KnowledgeBase, Source } from '../bases/knowledge-base.ts';
import { removeLater } from '../removal.ts';
import { baseOf, type FurnishedBase, furnishedBase } from '../bases/service.ts';
import * as store from './store.ts';
import { pageUrl, urlFaults } from '../page-url.ts';

/** What a call of add-sources brings; the names are the body's, which faults repeat. */
export type SourcesInput = {
  knowledge_base_texts?: ReadonlyArray<{ title: string; text: string }>;
  knowledge_base_urls?: readonly string[];
};

/** The base as it is then, and the ids of the sources that crawl the URLs given. */
export type Added = FurnishedBase & { urlSourceIds: ReadonlySet<string> };

/** What is wrong with a call beyond its form: how many, how large, and URLs that nobody may read. */
export function sourcesFaults(app: App, input: SourcesInput): Fault[] {
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
    ...urls.flatMap((url, index) => urlFaults(app, `knowledge_base_urls[${index}]`, url)),
  ];
}

const tooMany = (path: string, given: number, most: number): Fault[] =>
  given > most ? [{ path, message: `must have at most ${most} entries` }] : [];

/**
 * Adds all of it or nothing (contract, section 10). A URL that the base crawls already is crawled again by its source.
 * @throws invalid for a faulty entry or none, notFound
 */
export function addSources(app: App, orgId: string, baseId: string, input: SourcesInput): Promise<Added> {
  return transact(app.db, orgId, async (tx) => {
    const { knowledge_base_texts: texts = [], knowledge_base_urls: urls = [] } = input;
    const faults = sourcesFaults(app, input);
    if (texts.length + urls.length === 0) {
      faults.push({ path: '', message: 'Give knowledge_base_texts or knowledge_base_urls, or both, with an entry.' });
    }
    if (faults.length > 0) throw invalid(faults);
    const base = await baseOf(tx, orgId, baseId);
    for (const { title, text } of texts) await addDocumentSource(app, tx, base, { type: 'text', name: title, text });
    const urlSourceIds = new Set<string>();
    for (const url of urls) urlSourceIds.add(await addSite(app, tx, base, url));
    await touchBase(tx, base.id, app.clock.now(), texts.length);
    return { ...(await furnishedBase(tx, orgId, base.id)), urlSourceIds };
  });
}

/** Adds a file whose bytes wait in the database. @throws notFound */
export function addFile(app: App, orgId: string, baseId: string, file: StagedFile): Promise<Added> {
  return transact(app.db, orgId, async (tx) => {
    const base = await baseOf(tx, orgId, baseId);
    await addDocumentSource(app, tx, base, { type: 'file', name: file.name, documentId: file.documentId, text: null });
    await touchBase(tx, base.id, app.clock.now(), 1);
    return { ...(await furnishedBase(tx, orgId, base.id)), urlSourceIds: new Set<string>() };
  });
}

type OneDocument = { type: 'text' | 'file'; name: string; documentId?: string; text: string | null };

async function addDocumentSource(app: App, tx: Tx, base: KnowledgeBase, given: OneDocument): Promise<void> {
  const source = newSource(app, base, { type: given.type, name: nameFrom(given.name), url: null });
  await store.insertSource(tx, source);
  const id = given.documentId ?? app.ids.make();
  await insertDocument(tx, newDocument(source, { id, docId: id, text: given.text, url: null, metadata: {} }));
  await enqueueIngestion(app, tx, { id, orgId: base.orgId });
}

async function addSite(app: App, tx: Tx, base: KnowledgeBase, url: string): Promise<string> {
  const address = pageUrl(url);
  const known = (await store.sitesOf(tx, base.id)).find((site) => pageUrl(site.url!) === address);
  const source = known ?? newSource(app, base, { type: 'url', name: nameFrom(url), url });
  if (!known) await store.insertSource(tx, source);
  await crawlSite(app, tx, source, address);
  return source.id;
}

export const newSource = (app: App, base: KnowledgeBase, given: Pick<Source, 'type' | 'name' | 'url'>): Source => ({
  ...given,
  id: app.ids.make(),
  orgId: base.orgId,
  baseId: base.id,
  status: 'pending',
  error: null,
  createdAt: app.clock.now(),
});

type NewDocument = Pick<Document, 'id' | 'docId' | 'text' | 'url' | 'metadata'>;

export const newDocument = (source: Source, given: NewDocument): Document => ({
  ...given,
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

/** An organization's documents are read a few at a time, so that its archive does not hold up everybody else's text. */
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

/** Nobody finds anything of it any more; its rows go afterwards. @throws notFound */
export function deleteSource(app: App, orgId: string, baseId: string, sourceId: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const base = await baseOf(tx, orgId, baseId);
    const source = await store.sourceById(tx, base.id, sourceId);
    if (!source) throw notFound('source');
    await removeSource(app, tx, source);
  });
}

/** With all its documents. */
export async function removeSource(app: App, tx: Tx, source: Pick<Source, 'id' | 'baseId'>): Promise<void> {
  const now = app.clock.now();
  await store.markSourceRemoved(tx, source.id, now);
  const documents = await markDocumentsOfSourceRemoved(tx, source.id, now);
  await touchBase(tx, source.baseId, now, -documents);
  await forgetCrawl(tx, source.id);
  await removeLater(app, tx, 'source', source.id);
}
