import pLimit from 'p-limit';
import { AppError, invalidAt } from '../../../base/errors.ts';
import { transact, unguarded } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { FormFile } from '../../../kernel/route.ts';
import { writeFilePieceTask } from '../ingestion/background-tasks.ts';
import { deleteFile } from './file-store.ts';
import { detectFormat } from '../../../extraction/detect-format.ts';

/** A file whose bytes are in the database under the id of a document that does not exist yet. */
export type StagedFile = { documentId: string; name: string };

/** Validating and storing a file holds it in memory whole, so one is handled at a time. Other uploads wait on disk. */
export const limitToOneFile = pLimit(1);

/** One transaction writes this many bytes, in about a millisecond, so that other writers do not wait noticeably. */
const pieceBytes = 262_144;

/**
 * Reads an uploaded file into memory and checks its format by its content.
 * @throws invalid when it is empty, unsupported_media_type when its format is not supported
 */
export async function validateFile(file: FormFile): Promise<Buffer> {
  if (file.size === 0) throw invalidAt('file', 'is empty');
  const bytes = await readWhole(file);
  if (detectFormat(bytes, file.name ?? undefined, file.contentType ?? undefined) === undefined) {
    throw new AppError(
      'unsupported_media_type',
      'The content of the file is not PDF, DOCX, PPTX, XLSX, CSV, HTML, Markdown or plain text. Upload one of these formats.',
    );
  }
  return bytes;
}

/** Writes a file into the database piece by piece. It is not visible until a document is created with its id. */
export async function stageFile(app: App, orgId: string, { name }: FormFile, bytes: Buffer): Promise<StagedFile> {
  const documentId = app.ids.make();
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const chunk = new Uint8Array(bytes.subarray(at, at + pieceBytes)); // a copy, because its buffer is transferred to the thread
      await app.background.run(writeFilePieceTask, {
        orgId,
        piece: { documentId, position: at / pieceBytes, bytes: chunk },
      });
    }
  } catch (error) {
    await unguarded(() => transact(app.db, orgId, (tx) => deleteFile(tx, documentId)));
    throw error;
  }
  return { documentId, name: fileName(name) };
}

async function readWhole(file: FormFile): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(file.size);
  let at = 0;
  for await (const piece of file.read()) at += piece.copy(bytes, at);
  return bytes;
}

/** Strips the folders that some browsers send. */
const fileName = (name: string | null): string => name?.split(/[/\\]/).at(-1)?.trim() || 'File';
