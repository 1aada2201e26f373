import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { startBatches } from '../../kernel/batch-job.ts';
import { deleteBase, touchBase } from './bases/store.ts';
import { firstDocumentId, deleteDocument, hasFailed, markDocumentRemoved } from './documents/store.ts';
import { deleteFile } from './sources/file-store.ts';
import { removeRows, type Removed } from './job-kinds.ts';
import { deletionBatchSize, deletePassageBatch, deleteBaseBatch } from '../../search/service.ts';
import { deleteSource, sourceIdBatch } from './sources/store.ts';

/** Enqueues the deletion of rows; call it in the transaction that hides them. */
export const removeLater = (app: App, tx: Tx, what: Removed, id: string): Promise<void> =>
  startBatches(app, tx, removeRows, id, { what });

/** Hides a document at once; a job then deletes its rows. */
export async function removeDocument(app: App, tx: Tx, { id, baseId }: { id: string; baseId: string }): Promise<void> {
  const now = app.clock.now();
  await markDocumentRemoved(tx, id, now);
  await touchBase(tx, baseId, now, -1);
  await removeLater(app, tx, 'document', id);
}

const documentsBy = { base: 'knowledge_base_id', source: 'source_id', document: 'id' } as const;

/** Deletes one batch. @returns whether there may be more */
export async function removeBatch(tx: Tx, what: Removed, id: string): Promise<boolean> {
  // If the document is being read again, that replaces its passages.
  if (what === 'passages') return (await hasFailed(tx, id)) && deletePassageBatch(tx, id);
  if (what === 'base' && (await deleteBaseBatch(tx, id))) return true;
  const documentId = await firstDocumentId(tx, documentsBy[what], id);
  if (documentId !== undefined) {
    if (await deletePassageBatch(tx, documentId)) return true;
    await deleteFile(tx, documentId);
    await deleteDocument(tx, documentId);
    return true;
  }
  if (what === 'document') return false;
  if (what === 'source') {
    await deleteSource(tx, id);
    return false;
  }
  const sources = await sourceIdBatch(tx, id, deletionBatchSize);
  for (const source of sources) await deleteSource(tx, source);
  if (sources.length > 0) return true;
  await deleteBase(tx, id);
  return false;
}
