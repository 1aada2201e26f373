import { nextMacrotask } from '../../../base/clock.ts';
import { persist, transact, type Tx } from '../../../db/transaction.ts';
import type { BackgroundApp } from '../../../kernel/app.ts';
import { backgroundWrite } from '../../../kernel/background.ts';
import { storeText, findVersion } from '../documents/store.ts';
import { insertPiece, type Piece } from '../sources/file-store.ts';
import { type Indexed, searchDocument } from './passages.ts';
import type { Portion } from '../../../search/index/portions.ts';
import { addPassages, deletePassageBatch, mergeIndex } from '../../../search/service.ts';

/** The index is merged after this many portions. Each portion is a segment of the index, and SQLite merges no fewer than four. */
const portionsPerMerge = 4;
/**
 * Limit on merge steps in a row. A large index needs about five rounds of three or four steps until nothing is left to
 * merge.
 */
const maxMerges = 4 * portionsPerMerge;

/**
 * Runs one small transaction on a document, then lets other writers go first.
 * @returns what `write` returned, or false without writing if the document has changed or was removed
 */
async function writeIfUnchanged(
  app: BackgroundApp,
  { id, orgId, version }: Indexed,
  write: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const result = await transact(app.db, orgId, async (tx) => (await findVersion(tx, id)) === version && write(tx));
  await nextMacrotask();
  return result;
}

const done = (work: Promise<unknown>): Promise<true> => work.then(() => true);

/** Stores a document's text. @returns false if the document has changed or was removed */
export const writeTextTask = backgroundWrite(
  'knowledge.text',
  async (app, { document, text }: { document: Indexed; text: string }) => {
    const isSame = await writeIfUnchanged(app, document, (tx) => done(storeText(tx, document.id, text)));
    await persist(app.db);
    return isSame;
  },
);

/** Deletes a batch of a document's passages. @returns whether there may be more */
export const deletePassagesTask = backgroundWrite(
  'knowledge.forget',
  async (app, { document }: { document: Indexed }) => {
    const hasMore = await writeIfUnchanged(app, document, (tx) => deletePassageBatch(tx, document.id));
    if (hasMore) await persist(app.db);
    return hasMore;
  },
);

/**
 * Adds passages, one portion per transaction, so that other writers never wait long.
 * @returns false if the document has changed or was removed
 */
export const addPassagesTask = backgroundWrite(
  'knowledge.passages',
  async (app, { document, title, portions }: { document: Indexed; title: string; portions: readonly Portion[] }) => {
    for (const [index, portion] of portions.entries()) {
      const additions = searchDocument(document, title, [portion]);
      if (!(await writeIfUnchanged(app, document, (tx) => done(addPassages(app, tx, additions))))) return false;
      const written = index + 1;
      if (written % portionsPerMerge === 0 || written === portions.length) {
        for (let merges = 0; merges < maxMerges && (await writeIfUnchanged(app, document, mergeIndex)); merges += 1);
      }
    }
    await persist(app.db);
    return true;
  },
);

/** Adds a piece of an uploaded file. */
export const writeFilePieceTask = backgroundWrite(
  'knowledge.piece',
  async (app, { orgId, piece }: { orgId: string; piece: Piece }) => {
    await transact(app.db, orgId, (tx) => insertPiece(tx, piece));
    await persist(app.db);
  },
);
