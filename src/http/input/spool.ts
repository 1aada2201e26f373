import { createHash, randomUUID } from 'node:crypto';
import { unlinkSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, invalidAt } from '../../base/errors.ts';
import { tooLarge } from './bodies.ts';

const pieceBytes = 65_536;

/** A file that came with a request and is kept on disk until the request is answered. */
export type Spool = {
  /** @throws too_large, or invalid for bytes that are not UTF-8 where only text is taken */
  add(bytes: Buffer): void;
  /** Nothing more comes. @throws invalid when the last character is cut off */
  finish(): void;
  /** The bytes from the beginning, as often as wanted. */
  read: () => AsyncIterable<Buffer>;
  size(): number;
  /** SHA-256 of all of it. */
  digest(): Buffer;
  close(): Promise<void>;
};

/**
 * A file without a name in the system's temporary directory, so that nothing is left behind however the process ends. Written
 * synchronously, as the database is: the bytes go no further than the system's memory, and a receiver needs no back pressure.
 */
export async function openSpool(maxBytes: number, { onlyText }: { onlyText: boolean }): Promise<Spool> {
  const path = join(tmpdir(), `parley-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600).catch(refuse);
  unlinkSync(path);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const hash = createHash('sha256');
  let digest: Buffer | undefined;
  let size = 0;

  const check = (bytes?: Buffer): void => {
    if (!onlyText) return;
    try {
      decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw invalidAt('', 'The file is not UTF-8 text.');
    }
  };

  return {
    add(bytes) {
      size += bytes.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      check(bytes);
      hash.update(bytes);
      for (let written = 0; written < bytes.length;) {
        try {
          written += writeSync(file.fd, bytes, written);
        } catch (error) {
          refuse(error);
        }
      }
    },
    finish: () => check(),
    read: () => piecesOf(file),
    size: () => size,
    digest: () => (digest ??= hash.digest()),
    close: () => file.close(),
  };
}

/** By hand, because a stream made from a file handle closes it for those that read it again. */
async function* piecesOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

function refuse(cause: unknown): never {
  throw new AppError('unavailable', 'There is no room for the file just now; nothing was changed.', { cause });
}
