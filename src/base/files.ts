import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from './errors.ts';

/**
 * Writes a file that only its owner may read, whole or not at all: a reader never sees half of it.
 * @throws an Error that names the file
 */
export function writePrivateFile(path: string, content: string): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    // All of it: one write to a disk that is nearly full may take only a part, and say so by nothing but a count.
    synced(partial, 'w', (file) => writeFileSync(file, content));
    renameSync(partial, path);
    synced(dirname(path), 'r');
  } catch (error) {
    rmSync(partial, { force: true });
    throw new Error(`${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

/** Opens a file or directory, does something with it, and sees to it that it survives a power cut. */
function synced(path: string, flags: string, act: (file: number) => void = () => undefined): void {
  const file = openSync(path, flags, 0o600);
  try {
    act(file);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a directory, and those above it, that only its owner may enter. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
