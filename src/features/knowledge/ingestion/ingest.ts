import { nextMacrotask } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { faultPoint } from '../../../base/fault-points.ts';
import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { type Completion, type Job, nothingToWrite } from '../../../kernel/queue.ts';
import { fullQueueDelayMs, internalError, isQueueFull, refuseCrashLoop } from './retries.ts';
import { touchBase } from '../bases/store.ts';
import { contentDigest, type DocumentWithoutText, nameFrom, titleIn } from '../documents/document.ts';
import { findDocument, hasText, findText, updateDocument } from '../documents/store.ts';
import { deleteFile, readFile } from '../sources/file-store.ts';
import { fitOneTransaction, searchDocument } from './passages.ts';
import { removeLater } from '../removal.ts';
import { replacePassages } from '../../../search/service.ts';
import { enqueueIngestion } from '../sources/service.ts';
import { updateSource } from '../sources/store.ts';
import { ExtractionError } from '../../../extraction/errors.ts';
import type { Extractor, LazyInput, ReadDocument } from '../reading/extractor.ts';
import { writeLongDocument } from './long-documents.ts';

type IngestJob = Job<unknown>;

/** The extracted document, or why extraction failed. */
type Outcome = { extracted: ReadDocument } | { failure: string };

/**
 * Reads a document and indexes it for search. Idempotent: a repeated run replaces what an earlier one wrote. A document that changed while
 * it was read is enqueued again, if it has a text that waits to be indexed.
 */
export async function runIngestion(
  app: App,
  extractor: Extractor,
  job: IngestJob,
  signal: AbortSignal,
): Promise<Completion> {
  await refuseCrashLoop(app, job);
  const document = await findDocument(app.db, job.key);
  if (!document || document.status === 'complete') return nothingToWrite;
  try {
    return await ingest(app, extractor, document, signal);
  } catch (error) {
    if (!isQueueFull(error)) throw error;
    // The extractor's queue is full, which is not the document's fault: requeue it without counting an attempt.
    return { write: (tx) => enqueueIngestion(app, tx, document, fullQueueDelayMs) };
  }
}

async function ingest(
  app: App,
  extractor: Extractor,
  document: DocumentWithoutText,
  signal: AbortSignal,
): Promise<Completion> {
  const outcome = await extractDocument(app, extractor, document, signal);
  const staged = await stageLongDocument(app, document, outcome, signal);
  faultPoint('ingestion.unrecorded');
  return { write: (tx) => record(app, tx, document, { ...outcome, staged }) };
}

/**
 * Writes a long document in the background, in many small transactions, because recording it in one would delay all
 * other writers.
 * @returns whether it was written; a short one is written with the completion of the job
 */
async function stageLongDocument(
  app: App,
  document: DocumentWithoutText,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<boolean> {
  if ('failure' in outcome) return false;
  const { portions, text } = outcome.extracted;
  if (await fitOneTransaction(app.db, document.id, portions)) return false;
  // Only a file's text comes from extraction; a submitted text stays as it was submitted.
  const newText = document.sourceType === 'file' ? text : null;
  return writeLongDocument(app, document, { title: nameOf(document, outcome), text: newText, portions }, signal);
}

async function extractDocument(
  app: App,
  extractor: Extractor,
  document: DocumentWithoutText,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const extracted = await extractor.extract(document.orgId, await prepareInput(app, document), signal);
    if (extracted.portions.length > 0) return { extracted };
    return { failure: 'The document contains no text.' };
  } catch (error) {
    if (error instanceof ExtractionError) return { failure: error.message };
    throw error;
  }
}

async function prepareInput(app: App, document: DocumentWithoutText): Promise<LazyInput> {
  if (document.sourceType !== 'file') return () => textInput(app, document);
  await nextMacrotask(); // lets the request that added it be answered first
  await transact(app.db, document.orgId, (tx) => markProcessing(app, tx, document));
  return () => fileInput(app, document);
}

async function fileInput(app: App, { id, name }: DocumentWithoutText): ReturnType<LazyInput> {
  const bytes = await readFile(app.db, id);
  if (!bytes) throw new ExtractionError('The uploaded file is no longer stored. Add it again.');
  return { bytes, name };
}

async function textInput(app: App, document: DocumentWithoutText): ReturnType<LazyInput> {
  const title = ownerTitle(document);
  return {
    bytes: new TextEncoder().encode((await findText(app.db, document.id)) ?? ''),
    contentType: 'text/markdown; charset=utf-8',
    ...(title === undefined ? {} : { title }),
  };
}

/** Shows the owner that a file, which may take long, is being read. */
async function markProcessing(app: App, tx: Tx, { id, sourceId }: DocumentWithoutText): Promise<void> {
  await updateDocument(tx, id, { status: 'processing' });
  await updateSource(tx, sourceId, { status: 'processing' }, app.clock.now());
}

/** The title that the owner set, if any. For an upserted document it is `metadata.title`. */
function ownerTitle({ sourceType, name, metadata }: DocumentWithoutText): string | undefined {
  if (sourceType === 'text') return name;
  const title = titleIn(metadata);
  return title === undefined ? undefined : nameFrom(title);
}

/** A file keeps its name and a text its title; an upserted document is named by its title, URL or id. */
function nameOf(document: DocumentWithoutText, outcome: Outcome): string {
  if (document.sourceType !== 'document') return document.name;
  const title = 'extracted' in outcome ? outcome.extracted.title : null;
  return nameFrom(titleIn(document.metadata), title, document.url, document.docId);
}

/** @param outcome `staged` if text and passages are already written */
async function record(
  app: App,
  tx: Tx,
  before: DocumentWithoutText,
  outcome: Outcome & { staged: boolean },
): Promise<void> {
  const document = await findDocument(tx, before.id);
  if (!document) return;
  if (document.version !== before.version) {
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
    if (!outcome.staged) await replacePassages(app, tx, searchDocument(document, name, portions));
  }
  await deleteFile(tx, document.id);
  await touchBase(tx, document.baseId, now);
}

/** Records why a document failed and removes its passages from search. */
async function fail(app: App, tx: Tx, document: DocumentWithoutText, error: string): Promise<void> {
  const now = app.clock.now();
  await updateDocument(tx, document.id, { status: 'error', error, contentHash: null, updatedAt: now });
  await updateSource(tx, document.sourceId, { status: 'error', error }, now);
  await removeLater(app, tx, 'passages', document.id);
}

/** Gives up on a document after repeated internal errors or crashes. */
export async function abandonIngestion(app: App, tx: Tx, job: IngestJob, error: unknown): Promise<void> {
  app.log.error({ err: error, document: job.key }, `giving up on a document: ${messageOf(error)}`);
  const document = await findDocument(tx, job.key);
  if (!document) return;
  await fail(app, tx, document, internalError('document', document.id));
}
