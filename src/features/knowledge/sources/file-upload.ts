import pLimit from 'p-limit';
import { AppError, invalidAt } from '../../../base/errors.ts';
import { transact } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { FormFile } from '../../../kernel/route.ts';
import { writePiece } from '../ingestion/background-tasks.ts';
import { deleteFile } from './file-store.ts';
import { detectFormat } from '../../../extraction/detect-format.ts';

/** A file whose bytes are in the database, waiting for its document. */
export type StagedFile = { documentId: string; name: string };

/** While a file is judged and written it is in memory whole. Others wait for their turn where they arrived, on disk. */
export const oneFileAtATime = pLimit(1);

/** Of one transaction, about a millisecond's worth: others who write wait for it no longer than for any other. */
const pieceBytes = 262_144;

/**
 * The bytes of a file that can be read.
 * @throws invalid for an empty file, unsupported_media_type for one whose content is none of the formats
 */
export async function judgeFile(file: FormFile): Promise<Buffer> {
  if (file.size === 0) throw invalidAt('file', 'is empty');
  const bytes = await wholeOf(file);
  if (detectFormat(bytes, file.name ?? undefined, file.contentType ?? undefined) === undefined) {
    throw new AppError(
      'unsupported_media_type',
      'The file is not a PDF, DOCX, PPTX, XLSX, CSV, HTML, Markdown or plain text file, going by its content.',
    );
  }
  return bytes;
}

/** Writes a file into the database, piece by piece, where nobody sees it until a document has its id. */
export async function stageFile(app: App, orgId: string, { name }: FormFile, bytes: Buffer): Promise<StagedFile> {
  const documentId = app.ids.make();
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const chunk = new Uint8Array(bytes.subarray(at, at + pieceBytes)); // alone: the whole of its buffer is handed over
      await app.background.run(writePiece, {
        orgId,
        piece: { documentId, position: at / pieceBytes, bytes: chunk },
      });
    }
  } catch (error) {
    await transact(app.db, orgId, (tx) => deleteFile(tx, documentId));
    throw error;
  }
  return { documentId, name: fileName(name) };
}

async function wholeOf(file: FormFile): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(file.size);
  let at = 0;
  for await (const piece of file.read()) at += piece.copy(bytes, at);
  return bytes;
}

/** Without folders, as some browsers send them. */
const fileName = (name: string | null): string => name?.split(/[/\\]/).at(-1)?.trim() || 'File';
