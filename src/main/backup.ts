import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { conflict } from '../base/errors.ts';
import { writePrivateFile } from '../base/files.ts';
import type { TaskContext } from './task-context.ts';

/** The installation's secrets go beside a backup, not into it: so one may be kept where the other is not. */
export const secretsBeside = (file: string): string => `${file}.secrets.json`;

/**
 * Copies the database as it is at one moment, while work goes on, into a SQLite file, and the secrets into one beside it; both 0600.
 * The backup is there whole or not at all.
 * @throws conflict when there is such a file already
 */
export async function backUp({ database, directory }: TaskContext, file: string): Promise<{ files: string[] }> {
  const files = [file, secretsBeside(file)];
  for (const taken of files) {
    if (existsSync(taken)) throw conflict(`${taken} exists already; a backup replaces nothing`);
  }
  const partial = `${file}.${process.pid}.partial`;
  try {
    closeSync(openSync(partial, 'wx', 0o600)); // SQLite would make it readable for everybody
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
