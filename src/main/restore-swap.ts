import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isoOf } from '../base/clock.ts';
import { type FaultPoint, faultPoint } from '../base/fault-points.ts';
import { flushToDisk, writePrivateFile } from '../base/files.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';

/**
 * Replaces database and secrets so that a crash leaves either the old pair or the new one. The new pair is prepared in its own directory.
 * Renaming that directory is the point of no return: before it, the old pair stays in use; after it, the next process that opens the data
 * directory finishes the moves. The caller must hold the lock of the data directory.
 */

/** Where a restore prepares its files. If the process ends before the point of no return, the next start deletes them. */
export const stagingOf = ({ path }: DataDirectory): string => join(path, 'restoring');

const suffixFile = 'suffix';

/** Replaces the old files by the database and the secrets in `staging`. Returns the new names of the old files. */
export function replaceData(directory: DataDirectory, staging: string, nowMs: number): string[] {
  writePrivateFile(join(staging, suffixFile), unusedSuffix(directory, nowMs));
  for (const name of ['parley.db', 'secrets.json']) flushToDisk(join(staging, name));
  faultPoint('restore.staged');
  renameSync(staging, directory.restored);
  flushToDisk(directory.path);
  faultPoint('restore.decided');
  return finishRestore(directory);
}

/**
 * Finishes a restore that was killed after the point of no return, and deletes the files of a restore that was killed before it. Call it
 * before the database is opened. Returns the new names of the old files.
 */
export function finishRestore(directory: DataDirectory): string[] {
  rmSync(stagingOf(directory), { recursive: true, force: true });
  const suffixPath = join(directory.restored, suffixFile);
  if (!existsSync(suffixPath)) {
    rmSync(directory.restored, { recursive: true, force: true }); // An earlier run was killed in its last step, below.
    return [];
  }
  const suffix = readFileSync(suffixPath, 'utf8');
  const restored = openDataDirectory(directory.restored);
  const { databaseFile, secretsFile } = directory;
  if (existsSync(restored.databaseFile)) {
    rmSync(`${databaseFile}-shm`, { force: true }); // SQLite rebuilds it from the log.
    for (const tail of ['-wal', '']) keep(databaseFile + tail, databaseFile + suffix + tail);
    moveInto(directory, restored.databaseFile, databaseFile, 'restore.database-kept');
    faultPoint('restore.database-placed');
  }
  if (existsSync(restored.secretsFile)) {
    keep(secretsFile, secretsFile + suffix);
    moveInto(directory, restored.secretsFile, secretsFile, 'restore.secrets-kept');
  }
  faultPoint('restore.placed');
  rmSync(directory.restored, { recursive: true, force: true });
  return [databaseFile + suffix, `${databaseFile}${suffix}-wal`, secretsFile + suffix].filter((file) =>
    existsSync(file),
  );
}

/** Gives an old file its new name. Deletes it if it is empty, as the log of a properly closed database is. */
function keep(from: string, to: string): void {
  if (!existsSync(from)) return;
  if (statSync(from).size === 0) rmSync(from);
  else renameSync(from, to);
}

/** Moves a file into place. Flushes the directory first, so that no power cut keeps this move but undoes the renaming of the old file. */
function moveInto(directory: DataDirectory, from: string, to: string, point: FaultPoint): void {
  flushToDisk(directory.path);
  faultPoint(point);
  renameSync(from, to);
  flushToDisk(directory.path);
}

/** The ending of the kept files' new names. It is unused, so that two restores within a second do not overwrite each other's files. */
function unusedSuffix({ databaseFile, secretsFile }: DataDirectory, nowMs: number): string {
  const first = `.before-restore-${isoOf(nowMs).replaceAll(/[-:]|\.\d+/g, '')}`;
  const isUsed = (suffix: string): boolean =>
    [databaseFile, secretsFile].some((file) => existsSync(file + suffix) || existsSync(`${file}${suffix}-wal`));
  let suffix = first;
  for (let number = 2; isUsed(suffix); number += 1) suffix = `${first}-${number}`;
  return suffix;
}
