import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from './errors.ts';

/**
 * Writes a file that only its owner may read, whole or not at all: a reader never sees half of it. It survives a power cut,
 * unless `durable` is false: for what says something of this process, and nothing once that has ended.
 * @throws an Error that names the file
 */
export function writePrivateFile(path: string, content: string, { durable = true } = {}): void {
  const partial = `${path}.${process.pid}.partial`;
  const flush = durable ? fsyncSync : () => undefined;
  try {
    // All of it: one write to a disk that is nearly full may take only a part, and say so by nothing but a count.
    opened(partial, 'w', (file) => {
      writeFileSync(file, content);
      flush(file);
    });
    renameSync(partial, path);
    opened(dirname(path), 'r', flush);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new Error(`${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

function opened(path: string, flags: string, act: (file: number) => void): void {
  const file = openSync(path, flags, 0o600);
  try {
    act(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a directory, and those above it, that only its owner may enter. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
