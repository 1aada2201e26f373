import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, conflict } from '../base/errors.ts';
import { faultPoint } from '../base/fault-points.ts';
import { createPrivateFile, flushToDisk, makePrivateDirectory, writePrivateFile } from '../base/files.ts';
import { fileReason } from '../base/system-errors.ts';
import { copyRecordings } from '../features/calls/recordings/copies.ts';
import { partialOf, recordingsOf, secretsFileOf } from './backup-files.ts';
import { recordBackup } from './backup-record.ts';
import type { TaskContext } from './task-context.ts';

/** The parts of an open installation that a backup needs. */
export type BackupContext = Pick<TaskContext, 'app' | 'copyTo' | 'directory'>;

type BackupOptions = {
  /** Writes the secrets beside the database; default: true. */
  secrets?: boolean;
  /** Copies the recordings of calls beside the database; default: false. */
  recordings?: boolean;
  /** Creates the directory of the file, for its owner alone, if there is none; default: false. */
  createDirectory?: boolean;
  /** Called with the complete copy before it gets its name. What it throws fails the backup. */
  check?: (copy: string) => Promise<void>;
};

/**
 * Copies the database as it is at one moment, while work goes on, and the secrets beside it; all files have mode 0600. The database gets
 * its name last, when the backup is complete. One that fails leaves no file behind.
 * @throws conflict when one of the files exists, or another backup to the same file is under way; else an Error that names file and cause
 */
export const backUp = (
  context: BackupContext,
  file: string,
  options: BackupOptions = {},
): Promise<{ files: string[] }> =>
  recordBackup(context.app, file, async () => {
    try {
      return await copyFiles(context, file, options);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new Error(`no backup was written to ${file}: ${fileReason(error)}`, { cause: error });
    }
  });

async function copyFiles(
  { app, copyTo, directory }: BackupContext,
  file: string,
  { secrets = true, recordings = false, createDirectory = false, check }: BackupOptions,
): Promise<{ files: string[] }> {
  if (createDirectory) makePrivateDirectory(dirname(file));
  if (!existsSync(dirname(file))) throw new Error('its directory does not exist');
  const secretsFile = secretsFileOf(file);
  const recordingsCopy = recordingsOf(file);
  const files = [file, ...(secrets ? [secretsFile] : []), ...(recordings ? [recordingsCopy] : [])];
  for (const path of files) if (existsSync(path)) throw taken(path);
  const partial = partialOf(file);
  createPrivateFile(partial); // SQLite would create it readable for everybody.
  try {
    if (secrets) reserve(secretsFile);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  try {
    await copyTo(partial);
    await check?.(partial);
    // After the copy: while a rotation goes on, the file has all keys that the copy needs, and before it might not.
    if (secrets) writePrivateFile(secretsFile, readFileSync(directory.secretsFile, 'utf8'));
    if (recordings) {
      makePrivateDirectory(recordingsCopy);
      await copyRecordings(app, directory.path, recordingsCopy);
    }
    faultPoint('backup.unnamed');
    if (existsSync(file)) throw taken(file);
    renameSync(partial, file);
    flushToDisk(dirname(file));
  } catch (error) {
    const beside = ['-journal', '-wal', '-shm'].map((ending) => partial + ending);
    for (const path of [partial, ...beside, ...(secrets ? [secretsFile] : [])]) rmSync(path, { force: true });
    if (recordings) rmSync(recordingsCopy, { recursive: true, force: true });
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
