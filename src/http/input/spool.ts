import { createHash, randomUUID } from 'node:crypto';
import { unlinkSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { tooLarge } from './bodies.ts';

const chunkBytes = 65_536;

/** An uploaded file on disk, kept until the request has been answered. */
export type Spool = {
  /** @throws too_large */
  add(bytes: Buffer): void;
  /** For reading by position. */
  descriptor: number;
  /** Reads the file in chunks; each call starts from the beginning. */
  read: () => AsyncIterable<Buffer>;
  size(): number;
  /** SHA-256 of the whole file. */
  digest(): Buffer;
  close(): Promise<void>;
};

/**
 * Opens a file in the system's temporary directory and unlinks it at once, so that nothing stays behind however the process ends.
 * Writes are synchronous: they only reach the operating system's page cache, and the receiver needs no back pressure.
 */
export async function openSpool(maxBytes: number): Promise<Spool> {
  const path = join(tmpdir(), `parley-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600).catch(refuseForLackOfSpace);
  unlinkSync(path);
  const hash = createHash('sha256');
  let digest: Buffer | undefined;
  let size = 0;

  return {
    add(bytes) {
      size += bytes.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      hash.update(bytes);
      for (let written = 0; written < bytes.length;) {
        try {
          written += writeSync(file.fd, bytes, written);
        } catch (error) {
          refuseForLackOfSpace(error);
        }
      }
    },
    descriptor: file.fd,
    read: () => chunksOf(file),
    size: () => size,
    digest: () => (digest ??= hash.digest()),
    close: () => file.close(),
  };
}

/** By hand, because a stream created from a file handle closes the handle at its end, and the file may be read again. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

function refuseForLackOfSpace(cause: unknown): never {
  throw new AppError(
    'unavailable',
    'The server has no disk space for the file right now. Nothing was changed; try again later.',
    { cause },
  );
}
