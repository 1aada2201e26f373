import { nextMacrotask } from '../../base/clock.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Document } from './document.ts';
import { versionOf } from './document-store.ts';
import { addChunks, removeSomeChunks } from './retrieval/service.ts';
import type { Chunk } from './text/model.ts';

/** Passages of one transaction: each costs most of a millisecond, and others wait for it no longer than for other work. */
const passagesAtOnce = 10;
const removedAtOnce = 200;

export type Indexed = Pick<Document, 'id' | 'orgId' | 'baseId' | 'version'>;

/** Whether passages go in at once with the rest of what is recorded of a document. */
export const areFew = (chunks: readonly Chunk[]): boolean => chunks.length <= passagesAtOnce;

/** What the search is told of a document. */
export const placed = ({ orgId, baseId, id }: Indexed, title: string, chunks: readonly Chunk[]) => ({
  organizationId: orgId,
  knowledgeBaseId: baseId,
  documentId: id,
  title,
  chunks: [...chunks],
});

/**
 * Replaces the passages of a long document, a few in each transaction: it becomes findable bit by bit. False when the document changed
 * meanwhile. @throws the signal's reason once it is aborted
 */
export async function writePassages(
  app: App,
  document: Indexed,
  title: string,
  chunks: readonly Chunk[],
  signal: AbortSignal,
): Promise<boolean> {
  const inTurn = async (write: (tx: Tx) => Promise<boolean>): Promise<boolean> => {
    signal.throwIfAborted();
    const goesOn = await transact(app.db, async (tx) => (await isUnchanged(tx, document)) && write(tx));
    await nextMacrotask();
    return goesOn;
  };
  while (await inTurn(async (tx) => (await removeSomeChunks(tx, document.id, removedAtOnce)) === removedAtOnce));
  for (let at = 0; at < chunks.length; at += passagesAtOnce) {
    const batch = placed(document, title, chunks.slice(at, at + passagesAtOnce));
    if (!(await inTurn((tx) => addChunks(app, tx, batch).then(() => true)))) return false;
  }
  return true;
}

const isUnchanged = async (tx: Tx, { id, version }: Indexed): Promise<boolean> => (await versionOf(tx, id)) === version;
