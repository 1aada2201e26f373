import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { conflict } from '../base/errors.ts';
import { writePrivateFile } from '../base/files.ts';
import type { TaskContext } from './task-context.ts';

/** A backup keeps the installation's secrets in a separate file, so that the two can be stored in different places. */
export const secretsBeside = (file: string): string => `${file}.secrets.json`;

/**
 * Copies a consistent snapshot of the database to `file` while work goes on, and the secrets to a file beside it, both with mode 0600.
 * `file` appears only when the copy is complete.
 * @throws conflict if one of the two files exists already
 */
export async function backUp({ database, directory }: TaskContext, file: string): Promise<{ files: string[] }> {
  const files = [file, secretsBeside(file)];
  for (const taken of files) {
    if (existsSync(taken)) throw conflict(`${taken} already exists; a backup never overwrites a file`);
  }
  const partial = `${file}.${process.pid}.partial`;
  try {
    closeSync(openSync(partial, 'wx', 0o600)); // SQLite would create it readable for everybody
    await database.copyTo(partial);
    chmodSync(partial, 0o600);
    sync(partial);
    writePrivateFile(secretsBeside(file), readFileSync(directory.secretsFile, 'utf8'));
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  return { files };
}

function sync(file: string): void {
  const opened = openSync(file, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
