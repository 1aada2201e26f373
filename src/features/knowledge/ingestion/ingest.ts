import { nextMacrotask } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { faultPoint } from '../../../base/fault-points.ts';
import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { type Completion, type Job, nothingToWrite } from '../../../kernel/queue.ts';
import { busyWaitMs, isBusy, refuseDeadly } from './retries.ts';
import { touchBase } from '../bases/store.ts';
import { contentDigest, type DocumentFacts, nameFrom } from '../documents/document.ts';
import { documentById, hasText, textOf, updateDocument } from '../documents/store.ts';
import { deleteFile, readFile } from '../sources/file-store.ts';
import { areFew, placed } from './passages.ts';
import { removeLater } from '../removal.ts';
import { replacePassages } from '../../../search/service.ts';
import { enqueueIngestion } from '../sources/service.ts';
import { updateSource } from '../sources/store.ts';
import { ExtractionError } from '../../../extraction/errors.ts';
import type { Extractor, LazyInput, ReadDocument } from '../reading/extractor.ts';
import { writeLong } from './long-documents.ts';

type IngestJob = Job<unknown>;

/** What became of a document's text or file. */
type Outcome = { extracted: ReadDocument } | { failure: string };

/**
 * Reads a document and makes it findable. That may be repeated: it replaces what an earlier run wrote. A document that changed
 * meanwhile is read again.
 */
export async function runIngestion(
  app: App,
  extractor: Extractor,
  job: IngestJob,
  signal: AbortSignal,
): Promise<Completion> {
  await refuseDeadly(app, job);
  const document = await documentById(app.db, job.key);
  if (!document || document.status === 'complete') return nothingToWrite;
  try {
    return await ingested(app, extractor, document, signal);
  } catch (error) {
    if (!isBusy(error)) throw error;
    return { write: (tx) => enqueueIngestion(app, tx, document, busyWaitMs) };
  }
}

async function ingested(
  app: App,
  extractor: Extractor,
  document: DocumentFacts,
  signal: AbortSignal,
): Promise<Completion> {
  const outcome = await outcomeOf(app, extractor, document, signal);
  const staged = await stageLong(app, document, outcome, signal);
  faultPoint('ingestion.unrecorded');
  return { write: (tx) => record(app, tx, document, { ...outcome, staged }) };
}

/** Writes a long document before it is recorded, which would hold up everybody else. Whether it did. */
async function stageLong(app: App, document: DocumentFacts, outcome: Outcome, signal: AbortSignal): Promise<boolean> {
  if ('failure' in outcome) return false;
  const { portions, text } = outcome.extracted;
  if (await areFew(app.db, document.id, portions)) return false;
  // What somebody wrote stays as it was written.
  const said = document.sourceType === 'file' ? text : null;
  return writeLong(app, document, { title: nameOf(document, outcome), text: said, portions }, signal);
}

async function outcomeOf(
  app: App,
  extractor: Extractor,
  document: DocumentFacts,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const extracted = await extractor.extract(await inputOf(app, document), signal);
    if (extracted.portions.length > 0) return { extracted };
    return { failure: 'There is no text in it.' };
  } catch (error) {
    if (error instanceof ExtractionError) return { failure: error.message };
    throw error;
  }
}

async function inputOf(app: App, document: DocumentFacts): Promise<LazyInput> {
  if (document.sourceType !== 'file') return () => givenText(app, document);
  await nextMacrotask(); // whoever added it is answered first
  await transact(app.db, document.orgId, (tx) => markProcessing(app, tx, document));
  return () => fileOf(app, document);
}

async function fileOf(app: App, { id, name }: DocumentFacts): ReturnType<LazyInput> {
  const bytes = await readFile(app.db, id);
  if (!bytes) throw new ExtractionError('The file is not there any more; add it again.');
  return { bytes, name };
}

async function givenText(app: App, document: DocumentFacts): ReturnType<LazyInput> {
  const title = titleOf(document);
  return {
    bytes: new TextEncoder().encode((await textOf(app.db, document.id)) ?? ''),
    contentType: 'text/markdown; charset=utf-8',
    ...(title === undefined ? {} : { title }),
  };
}

/** Files take their time, which their owner sees. */
async function markProcessing(app: App, tx: Tx, { id, sourceId }: DocumentFacts): Promise<void> {
  await updateDocument(tx, id, { status: 'processing' });
  await updateSource(tx, sourceId, { status: 'processing' }, app.clock.now());
}

/** The title that its owner gave, if any: an upserted document's is in its metadata. */
function titleOf({ sourceType, name, metadata }: DocumentFacts): string | undefined {
  if (sourceType === 'text') return name;
  return typeof metadata['title'] === 'string' ? nameFrom(metadata['title']) : undefined;
}

/** A file keeps its name, a text its title. */
function nameOf(document: DocumentFacts, outcome: Outcome): string {
  if (document.sourceType !== 'document') return document.name;
  const title = 'extracted' in outcome ? outcome.extracted.title : null;
  return nameFrom(document.metadata['title'], title, document.url, document.docId);
}

/** `staged`: what it says and its passages are written already. */
async function record(app: App, tx: Tx, read: DocumentFacts, outcome: Outcome & { staged: boolean }): Promise<void> {
  const document = await documentById(tx, read.id);
  if (!document) return;
  if (document.version !== read.version) {
    if (document.status === 'pending' && (await hasText(tx, document.id))) await enqueueIngestion(app, tx, document);
    return;
  }
  const now = app.clock.now();
  const name = nameOf(document, outcome);
  if ('failure' in outcome) {
    await fail(app, tx, document, outcome.failure);
  } else {
    const { text, portions } = outcome.extracted;
    await updateDocument(tx, document.id, {
      name,
      status: 'complete',
      error: null,
      contentHash: contentDigest({ name, text }),
      updatedAt: now,
      ...(document.sourceType === 'file' && !outcome.staged ? { text } : {}),
    });
    await updateSource(tx, document.sourceId, { name, status: 'complete', error: null }, now);
    if (!outcome.staged) await replacePassages(app, tx, placed(document, name, portions));
  }
  await deleteFile(tx, document.id);
  await touchBase(tx, document.baseId, now);
}

/** A bad document is an error with a reason, and hurts nothing else (contract, section 10). Nothing of it is found any more. */
async function fail(app: App, tx: Tx, document: DocumentFacts, error: string): Promise<void> {
  const now = app.clock.now();
  await updateDocument(tx, document.id, { status: 'error', error, contentHash: null, updatedAt: now });
  await updateSource(tx, document.sourceId, { status: 'error', error }, now);
  await removeLater(app, tx, 'passages', document.id);
}

/** After repeated defects, or a process that died over it again and again, a document is left. */
export async function giveIngestionUp(app: App, tx: Tx, job: IngestJob, error: unknown): Promise<void> {
  app.log.error({ err: error, document: job.key }, `a document could not be read: ${messageOf(error)}`);
  const document = await documentById(tx, job.key);
  if (!document) return;
  await fail(app, tx, document, 'It could not be read for a fault of parley itself; the log says more.');
}
