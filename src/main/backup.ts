import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, conflict, messageOf } from '../base/errors.ts';
import { createPrivateFile, flushToDisk, writePrivateFile } from '../base/files.ts';
import { recordBackup } from './backup-record.ts';
import type { TaskContext } from './task-context.ts';

/** A backup keeps the installation's secrets in a separate file, so that the two can be stored in different places. */
export const secretsFileOf = (file: string): string => `${file}.secrets.json`;

/**
 * Copies the database as it is at one moment, while work goes on, and the secrets beside it; both files have mode 0600. The database gets
 * its name last, when the backup is complete. One that fails leaves no file behind.
 * @throws conflict when one of the files exists, or another backup to the same file is under way; else an Error that names file and cause
 */
export const backUp = (context: TaskContext, file: string): Promise<{ files: string[] }> =>
  recordBackup(context.app, file, async () => {
    try {
      return await copyFiles(context, file);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new Error(`no backup was written to ${file}: ${messageOf(error)}`, { cause: error });
    }
  });

async function copyFiles({ copyTo, directory }: TaskContext, file: string): Promise<{ files: string[] }> {
  const files = [file, secretsFileOf(file)];
  for (const path of files) if (existsSync(path)) throw taken(path);
  const partial = `${file}.${randomUUID()}.partial`;
  createPrivateFile(partial); // SQLite would create it readable for everybody.
  try {
    reserve(secretsFileOf(file));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  try {
    await copyTo(partial);
    // After the copy: while a rotation goes on, the file has all keys that the copy needs, and before it might not.
    writePrivateFile(secretsFileOf(file), readFileSync(directory.secretsFile, 'utf8'));
    if (existsSync(file)) throw taken(file);
    renameSync(partial, file);
    flushToDisk(dirname(file));
  } catch (error) {
    for (const path of [partial, `${partial}-journal`, secretsFileOf(file)]) rmSync(path, { force: true });
    throw error;
  }
  return { files };
}

/** Creates the file. Of two backups to it at the same time only one goes on, because the file system lets only one create it. */
function reserve(path: string): void {
  try {
    createPrivateFile(path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? taken(path) : error;
  }
}

const taken = (path: string) => conflict(`${path} already exists; a backup never overwrites a file`);
