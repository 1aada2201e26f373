import { sql } from 'kysely';
import type { Queryable, Tx } from '../../db/transaction.ts';

/** Adds one piece of a file's bytes. */
export async function insertPiece(tx: Tx, documentId: string, position: number, bytes: Buffer): Promise<void> {
  await tx.insertInto('knowledge_file_pieces').values({ document_id: documentId, position, bytes }).execute();
}

/** A file whole; undefined when there is none (any more). */
export async function readFile(db: Queryable, documentId: string): Promise<Buffer | undefined> {
  const rows = await db
    .selectFrom('knowledge_file_pieces')
    .select('bytes')
    .where('document_id', '=', documentId)
    .orderBy('position')
    .execute();
  return rows.length === 0 ? undefined : Buffer.concat(rows.map(({ bytes }) => bytes));
}

export async function deleteFile(tx: Tx, documentId: string): Promise<void> {
  await tx.deleteFrom('knowledge_file_pieces').where('document_id', '=', documentId).execute();
}

/** Deletes pieces of files whose document was never made, up to an id, and how many. */
export async function deleteStrayPieces(tx: Tx, beforeId: string, atMost: number): Promise<number> {
  const { rows: strays } = await sql<{ document_id: string; position: number }>`
    SELECT document_id, position FROM knowledge_file_pieces
    WHERE document_id < ${beforeId} AND document_id NOT IN (SELECT id FROM knowledge_documents)
    LIMIT ${atMost}`.execute(tx);
  for (const { document_id: id, position } of strays) {
    await tx
      .deleteFrom('knowledge_file_pieces')
      .where('document_id', '=', id)
      .where('position', '=', position)
      .execute();
  }
  return strays.length;
}
