import { monotonicMs, pause } from '../../base/clock.ts';
import { type Queryable, staged, transactStaged, type Tx, writeBack } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Document } from './document.ts';
import { versionOf } from './document-store.ts';
import { mergeSome } from './retrieval/merging.ts';
import { deleteSomePassagesOf, hasManyPassages } from './retrieval/passage-store.ts';
import { passagesIn, type Portion } from './retrieval/portions.ts';
import { addPassages, type Placed } from './retrieval/service.ts';

/** After each transaction so many times what it took (real time): others have two thirds of the process, however slow it is. */
const restShare = 2;

/** Portions after which the index is merged: each is a segment of it, and fewer than four SQLite does not merge. */
const mergedTogether = 4;
/** What is added to a large index is merged some five times until it has come to rest: for one portion in three or four steps. */
const mostMerges = 4 * mergedTogether;

/** Portions after which what was written is copied from the log into the file: some three hundred pages. */
const writtenTogether = 16;

/** Portions that go in with the rest in one transaction. */
const fewPortions = 2;

export type Indexed = Pick<Document, 'id' | 'orgId' | 'baseId' | 'version'>;

/** Whether passages go in at once with the rest of what is recorded of a document: few, in the place of few. */
export const areFew = async (
  db: Queryable,
  documentId: string | null,
  portions: readonly Portion[],
): Promise<boolean> =>
  portions.length <= fewPortions && (documentId === null || !(await hasManyPassages(db, documentId)));

/** What the search is told of a document. */
export const placed = ({ orgId, baseId, id }: Indexed, title: string, portions: readonly Portion[]): Placed => ({
  organizationId: orgId,
  knowledgeBaseId: baseId,
  documentId: id,
  title,
  passages: portions.flatMap(passagesIn),
});

/**
 * Replaces the passages of a document that is long, or was, a few in each transaction: it becomes findable bit by bit. False when the
 * document changed meanwhile. @throws the signal's reason once it is aborted
 */
export async function writePassages(
  app: App,
  document: Indexed,
  title: string,
  portions: readonly Portion[],
  signal: AbortSignal,
): Promise<boolean> {
  const inTurn = async (write: (tx: Tx) => Promise<boolean>): Promise<boolean> => {
    signal.throwIfAborted();
    let startedAt = 0;
    const goesOn = await transactStaged(app.db, async (tx) => {
      startedAt = monotonicMs(); // not before: to wait for one's turn is rest already
      return (await isUnchanged(tx, document)) && write(tx);
    });
    await pause(restShare * (monotonicMs() - startedAt));
    return goesOn;
  };
  while (await inTurn((tx) => deleteSomePassagesOf(tx, document.id)));
  for (const [index, portion] of portions.entries()) {
    const some = placed(document, title, [portion]);
    if (!(await inTurn((tx) => addPassages(app, tx, some).then(() => true)))) return false;
    const written = index + 1;
    if (written % mergedTogether === 0 || written === portions.length) {
      for (let merges = 0; merges < mostMerges && (await inTurn(mergeSome)); merges += 1);
    }
    if (written % writtenTogether === 0) await writeBack(app.db);
  }
  await staged(app.db);
  return true;
}

const isUnchanged = async (tx: Tx, { id, version }: Indexed): Promise<boolean> => (await versionOf(tx, id)) === version;
