import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../base/config/schema.ts';
import { parleyVersion } from '../base/version.ts';
import { copyPrivateFile, flushToDisk, makePrivateDirectory } from '../base/files.ts';
import { loadSecrets } from '../base/secrets.ts';
import type { CopySource, Loading } from '../db/copy/tables.ts';
import { lastNumbersIn, loadFile } from '../db/sqlite/load.ts';
import { installation, type Queryable, transact, type Tx } from '../db/transaction.ts';
import { neededSecrets, secretsFit } from '../kernel/secrets-check.ts';
import { openStore, postgresSettings } from './app.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { lockDirectory } from './directory-lock.ts';
import { finishRestore, stagingOf } from './restore-swap.ts';

/** Where the database of an installation is or will be: in a data directory, or on a PostgreSQL server. */
export type Place = { directory: string } | { url: string };

/** `markMoved` changes the source. Call it after the copy is complete. */
export type OpenSource = CopySource & { mark(run: (tx: Tx) => Promise<void>): Promise<void> };

/**
 * Reads a database that nobody serves and, until `run` has ended, nobody can.
 * @throws an Error when a process or node has it
 */
export async function withSource<T>(
  config: Config,
  place: Place,
  { nowMs, run }: { nowMs: number; run: (source: OpenSource) => Promise<T> },
): Promise<T> {
  if ('url' in place) {
    const { readUnserved } = await import('../db/postgres/unserved.ts');
    const options = {
      settings: postgresSettings(config.store, place.url),
      anyServer: config.store.any_server,
      nowMs,
      version: parleyVersion,
    };
    return readUnserved(options, ({ tx, lastNumbers }) => run({ db: tx, lastNumbers, mark: (change) => change(tx) }));
  }
  const directory = openDataDirectory(place.directory);
  if (!existsSync(directory.databaseFile)) throw new Error(`there is no data in ${directory.path}`);
  const database = await openStore(directory, { nowMs, throwAway: false, tell: () => undefined });
  try {
    const { db } = database;
    return await run({
      db,
      lastNumbers: () => lastNumbersIn(db),
      mark: (change) => transact(db, installation, change),
    });
  } finally {
    await database.close();
  }
}

/**
 * Fills an empty database. It is there with everything once this has resolved, and not at all if `load` fails or the process is killed.
 * @throws an Error when it is not empty
 */
export async function withTarget<T>(
  config: Config,
  place: Place,
  { source, nowMs, load }: { source: Queryable; nowMs: number; load: (loading: Loading) => Promise<T> },
): Promise<T> {
  if ('url' in place) {
    const { loadPostgres } = await import('../db/postgres/load.ts');
    const settings = postgresSettings(config.store, place.url);
    return loadPostgres({ settings, anyServer: config.store.any_server, nowMs, version: parleyVersion }, load);
  }
  const directory = openDataDirectory(place.directory);
  const lock = lockDirectory(directory);
  const staging = stagingOf(directory);
  try {
    finishRestore(directory);
    requireEmpty(directory);
    const secrets = await secretsFor(config, directory, source);
    makePrivateDirectory(staging);
    const file = join(staging, 'parley.db');
    const loaded = await loadFile(file, { nowMs }, load);
    if (secrets !== null) copyPrivateFile(secrets, directory.secretsFile);
    flushToDisk(directory.path);
    renameSync(file, directory.databaseFile);
    flushToDisk(directory.path);
    return loaded;
  } finally {
    rmSync(staging, { recursive: true, force: true });
    lock.release();
  }
}

function requireEmpty({ databaseFile }: DataDirectory): void {
  if (existsSync(databaseFile) && statSync(databaseFile).size > 0)
    throw new Error(`${databaseFile} exists. Nothing was changed; name another directory, or move the file away`);
}

/**
 * The secrets file of the installation, to be copied beside the new database; null if it is there, or nobody knows where it is.
 * @throws an Error when there is one that belongs to another installation
 */
async function secretsFor(config: Config, target: DataDirectory, source: Queryable): Promise<string | null> {
  if ((await neededSecrets(source)) === undefined) return null;
  if (existsSync(target.secretsFile)) {
    if (await secretsFit(source, loadSecrets(target.secretsFile))) return null;
    throw new Error(`${target.secretsFile} belongs to another installation. Nothing was changed; move it away`);
  }
  const own = secretsFileOf(config);
  return existsSync(own) && (await secretsFit(source, loadSecrets(own))) ? own : null;
}

/** The secrets file of the node with this configuration. */
export const secretsFileOf = (config: Config): string => config.secrets.file ?? join(config.data, 'secrets.json');
