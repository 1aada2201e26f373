import { nextMacrotask } from '../../../base/clock.ts';
import { transact, type Tx, syncAndCheckpoint } from '../../../db/transaction.ts';
import { type BackgroundApp, backgroundWrite } from '../../../kernel/background.ts';
import { putText, versionOf } from '../documents/store.ts';
import { insertPiece, type Piece } from '../sources/file-store.ts';
import { type Indexed, placed } from './passages.ts';
import type { Portion } from '../../../search/index/portions.ts';
import { addPassages, deletePassageBatch, mergeIndex } from '../../../search/service.ts';

/** Portions after which the index is merged: each is a segment of it, and fewer than four SQLite does not merge. */
const mergedTogether = 4;
/** What is added to a large index is merged some five times until it has come to rest: for one portion in three or four steps. */
const mostMerges = 4 * mergedTogether;

/** Does something to a document unless it has changed or gone; whether it did. Others have a turn to write before the next one. */
async function inTurn(
  app: BackgroundApp,
  { id, orgId, version }: Indexed,
  write: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const goesOn = await transact(app.db, orgId, async (tx) => (await versionOf(tx, id)) === version && write(tx));
  await nextMacrotask();
  return goesOn;
}

const done = (work: Promise<unknown>): Promise<true> => work.then(() => true);

/** Puts what a document says; whether it is still that document. */
export const writeText = backgroundWrite(
  'knowledge.text',
  async (app, { document, text }: { document: Indexed; text: string }) => {
    const isSame = await inTurn(app, document, (tx) => done(putText(tx, document.id, text)));
    await syncAndCheckpoint(app.db);
    return isSame;
  },
);

/** Deletes some of a document's passages; whether there may be more. */
export const forgetSome = backgroundWrite('knowledge.forget', async (app, { document }: { document: Indexed }) => {
  const goesOn = await inTurn(app, document, (tx) => deletePassageBatch(tx, document.id));
  if (goesOn) await syncAndCheckpoint(app.db);
  return goesOn;
});

/** Adds passages, a portion in each transaction, so that others who write never wait long; whether it is still that document. */
export const writeSome = backgroundWrite(
  'knowledge.passages',
  async (app, { document, title, portions }: { document: Indexed; title: string; portions: readonly Portion[] }) => {
    for (const [index, portion] of portions.entries()) {
      const some = placed(document, title, [portion]);
      if (!(await inTurn(app, document, (tx) => done(addPassages(app, tx, some))))) return false;
      const written = index + 1;
      if (written % mergedTogether === 0 || written === portions.length) {
        for (let merges = 0; merges < mostMerges && (await inTurn(app, document, mergeIndex)); merges += 1);
      }
    }
    await syncAndCheckpoint(app.db);
    return true;
  },
);

/** Adds a piece of a file's bytes, on disk when it answers. */
export const writePiece = backgroundWrite(
  'knowledge.piece',
  async (app, { orgId, piece }: { orgId: string; piece: Piece }) => {
    await transact(app.db, orgId, (tx) => insertPiece(tx, piece));
    await syncAndCheckpoint(app.db);
  },
);
