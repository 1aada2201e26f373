import { readSync } from 'node:fs';

/** A complete uploaded file. The descriptor is read by position, so several readers, also of other threads, do not disturb each other. */
export type UploadedFile = { descriptor: number; size: number };

const chunkBytes = 65_536;

/** Reads the file in chunks of 64 KiB from a position on. Synchronous: the bytes are in the operating system's page cache. */
export function* chunksOf({ descriptor }: UploadedFile, from = 0): Generator<Buffer> {
  for (let position = from; ;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const bytesRead = readSync(descriptor, chunk, 0, chunkBytes, position);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
    position += bytesRead;
  }
}

export const firstChunk = (file: UploadedFile): Buffer => chunksOf(file).next().value ?? Buffer.alloc(0);

export const wholeFile = (file: UploadedFile): Buffer => Buffer.concat([...chunksOf(file)]);
