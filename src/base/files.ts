import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from './errors.ts';

/**
 * Writes a file that only its owner may read. Atomic: readers see the old file or the whole new one. Survives a power cut unless
 * `durable` is false, which suits files that mean nothing after the process ends, such as the ready file. By hand, because no
 * dependency has it and packages such as write-file-atomic do not sync the directory.
 * @throws an Error that names the file
 */
export function writePrivateFile(path: string, content: string, { durable = true } = {}): void {
  const partial = `${path}.${process.pid}.partial`;
  const flush = durable ? fsyncSync : () => undefined;
  try {
    // Not `writeSync`: on a nearly full disk it may write only a part and report that merely by its return value.
    withFile(partial, 'w', (file) => {
      writeFileSync(file, content);
      flush(file);
    });
    renameSync(partial, path);
    withFile(dirname(path), 'r', flush);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new Error(`${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

/** Waits until a file's content, or a directory's list of files, is on disk. */
export const flushToDisk = (path: string): void => withFile(path, 'r', fsyncSync);

function withFile(path: string, flags: string, act: (file: number) => void): void {
  const file = openSync(path, flags, 0o600);
  try {
    act(file);
  } finally {
    closeSync(file);
  }
}

/** Creates a directory, and its parents, that only the owner may enter. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
