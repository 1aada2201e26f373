import { copyFileSync, existsSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs';
import type { Config } from '../base/config/schema.ts';
import { isoOf } from '../base/clock.ts';
import { writePrivateFile } from '../base/files.ts';
import { loadSecrets } from '../base/secrets.ts';
import { isParleyDatabase, openDatabase } from '../db/sqlite/open.ts';
import { DirectoryInUse, openStore } from './app.ts';
import { secretsBeside } from './backup.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { integrityFinding } from './diagnostics.ts';

/**
 * Replaces the database and secrets of a data directory by those of a backup, and keeps the old files under other names. Before it
 * touches them it migrates a copy of the backup to this version's schema and checks its integrity.
 * @throws Error with a message for the operator, if a server holds the directory or the backup is unusable
 */
export async function restoreBackup(config: Config, file: string, nowMs: number): Promise<{ keptAs: string[] }> {
  const secrets = readSecrets(file);
  if (!isParleyDatabase(file)) throw new Error(`${file} is not a backup of parley`);
  const directory = openDataDirectory(config.data);
  await refuseWhileHeld(directory, nowMs);
  const staged = `${directory.databaseFile}.restoring`;
  try {
    copyFileSync(file, staged);
    await migrateAndCheck(staged, file, nowMs);
    const keptAs = renameOldFiles(directory, nowMs);
    renameSync(staged, directory.databaseFile);
    writePrivateFile(directory.secretsFile, secrets);
    return { keptAs };
  } finally {
    for (const left of globSync(`${staged}*`)) rmSync(left);
  }
}

function readSecrets(file: string): string {
  const beside = secretsBeside(file);
  for (const path of [file, beside])
    if (!existsSync(path)) throw new Error(`${path} does not exist; a backup consists of FILE and FILE.secrets.json`);
  loadSecrets(beside); // throws if the file is damaged
  return readFileSync(beside, 'utf8');
}

/** Other errors are ignored: a database that cannot be opened may be the reason for the restore. */
async function refuseWhileHeld(directory: DataDirectory, nowMs: number): Promise<void> {
  if (!existsSync(directory.databaseFile)) return;
  try {
    (await openStore(directory, { nowMs, throwAway: false, tell: () => undefined })).close();
  } catch (error) {
    if (error instanceof DirectoryInUse) throw new Error(`${error.message}: stop it first`, { cause: error });
  }
}

async function migrateAndCheck(staged: string, file: string, nowMs: number): Promise<void> {
  const database = await openDatabase({ file: staged, nowMs });
  try {
    const { status, message } = await integrityFinding(database.db);
    if (status !== 'ok') throw new Error(`${file} cannot be used: ${message}`);
  } finally {
    database.close();
  }
}

function renameOldFiles(directory: DataDirectory, nowMs: number): string[] {
  const suffix = `.before-restore-${isoOf(nowMs).replaceAll(/[-:]|\.\d+/g, '')}`;
  const { databaseFile: database, secretsFile } = directory;
  const present = [database, `${database}-wal`, `${database}-shm`, secretsFile].filter((path) => existsSync(path));
  for (const path of present) renameSync(path, path + suffix);
  return present.map((path) => path + suffix);
}
