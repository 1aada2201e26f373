import { sql } from 'kysely';
import { nextMacrotask } from '../../../base/clock.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';

export type Piece = { documentId: string; position: number; bytes: Uint8Array };

export async function insertPiece(tx: Tx, { documentId, position, bytes }: Piece): Promise<void> {
  const values = {
    document_id: documentId,
    position,
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
  };
  await tx.insertInto('knowledge_file_pieces').values(values).execute();
}

/** Reads a whole file, yielding between pieces so that other requests are served. Undefined if it was deleted. */
export async function readFile(db: Queryable, documentId: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces = await db
    .selectFrom('knowledge_file_pieces')
    .select(['position', sql<number>`length(bytes)`.as('length')])
    .where('document_id', '=', documentId)
    .orderBy('position')
    .execute();
  if (pieces.length === 0) return undefined;
  const file = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const { position, length } of pieces) {
    const piece = await readPiece(db, documentId, position);
    if (!piece) return undefined;
    file.set(piece, at);
    at += length;
    await nextMacrotask();
  }
  return file;
}

async function readPiece(db: Queryable, documentId: string, position: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('knowledge_file_pieces')
    .select('bytes')
    .where('document_id', '=', documentId)
    .where('position', '=', position)
    .executeTakeFirst();
  return row?.bytes;
}

export async function deleteFile(tx: Tx, documentId: string): Promise<void> {
  await tx.deleteFrom('knowledge_file_pieces').where('document_id', '=', documentId).execute();
}

/** Deletes up to `limit` file pieces whose document has an id before `beforeId` and does not exist. Returns how many. */
export async function deleteOrphanedPieces(tx: Tx, beforeId: string, limit: number): Promise<number> {
  const { rows: orphans } = await sql<{ document_id: string; position: number }>`
    SELECT document_id, position FROM knowledge_file_pieces
    WHERE document_id < ${beforeId} AND document_id NOT IN (SELECT id FROM knowledge_documents)
    LIMIT ${limit}`.execute(tx);
  for (const { document_id: id, position } of orphans) {
    await tx
      .deleteFrom('knowledge_file_pieces')
      .where('document_id', '=', id)
      .where('position', '=', position)
      .execute();
  }
  return orphans.length;
}
