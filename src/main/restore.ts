import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Config } from '../base/config/schema.ts';
import { messageOf } from '../base/errors.ts';
import { copyPrivateFile, makePrivateDirectory } from '../base/files.ts';
import { loadSecrets } from '../base/secrets.ts';
import { DatabaseInUse, lockDatabase } from '../db/sqlite/file-lock.ts';
import { isParleyDatabase } from '../db/sqlite/open.ts';
import { peek } from '../db/sqlite/peek.ts';
import { pauseEveryCampaign } from '../features/campaigns/service.ts';
import { endAllSessionsAndLinks } from '../features/organizations/sessions/end-all.ts';
import { bringBackRecordings } from '../features/calls/recordings/copies.ts';
import { recordingsDirectory } from '../features/calls/recordings/files.ts';
import { type EarlierErasure, type EarlierState, replayErasures } from '../features/privacy/replay.ts';
import { secretsFit } from '../kernel/secrets-check.ts';
import { recordingsOf, secretsFileOf } from './backup-files.ts';
import { type DataDirectory, databaseFileIn, openDataDirectory } from './data-directory.ts';
import { integrityFinding } from './diagnostics.ts';
import { lockDirectory } from './directory-lock.ts';
import { dataChecks } from './kept-numbers.ts';
import { forgetMove } from './moved.ts';
import { withStore } from './offline.ts';
import { finishRestore, replaceData, stagingOf } from './restore-swap.ts';
import { copyStore } from './store-copy.ts';
import { type RestoredAccess, restoredAccess } from './restored-access.ts';

export type RestoreOptions = { nowMs: number; keepRunning?: boolean };

export type Restored = {
  /** The new names of the files that were there before. */
  keptAs: string[];
  /** Names of the campaigns that were active in the backup and that the restore has paused. */
  paused: string[];
  /** Access that is valid now and was not before the restore, such as revoked keys. */
  validAgain: RestoredAccess;
  /** How many recordings of calls came back from beside the backup. */
  recordings: number;
};

/**
 * Replaces the database and secrets of a data directory by a backup; the old files stay beside it under other names. The backup is upgraded
 * to this version and examined first. After a crash at any moment, the directory holds either the old data or the restored data.
 * @throws an Error with a sentence when a process has the data directory, or when the backup cannot be used; nothing has changed then
 */
export async function restoreBackup(config: Config, file: string, options: RestoreOptions): Promise<Restored> {
  requireBackup(file);
  if (config.store.url !== null) return restoreOnServer(config, { url: config.store.url }, file, options);
  const directory = openDataDirectory(config.data);
  const lock = lockDirectory(directory);
  try {
    directory.markHeld();
    finishRestore(directory);
    return await restoreInto(directory, config, file, options);
  } finally {
    directory.release();
    lock.release();
  }
}

function requireBackup(file: string): void {
  const secrets = secretsFileOf(file);
  for (const path of [file, secrets])
    if (!existsSync(path)) throw new Error(`${path} does not exist; a backup consists of FILE and FILE.secrets.json`);
  loadSecrets(secrets); // throws when it is damaged
  if (!isParleyDatabase(file)) throw new Error(`${file} is not a backup of parley`);
}

export type CheckedBackup = {
  /** Name of the newest migration of the database: it says which builds wrote it. */
  schema: string;
  /** Of the database file. */
  bytes: number;
  counts: { organizations: number; agents: number; contacts: number; campaigns: number; calls: number };
  /** Access that would be valid again; null while a process has the data directory, whose access cannot be read then. */
  validAgain: RestoredAccess | null;
};

/**
 * Finds out whether a backup could be restored, on a copy in a temporary directory; neither the backup nor the data directory changes.
 * @throws an Error with a sentence that says why it could not be restored
 */
export async function checkBackup(config: Config, file: string, nowMs: number): Promise<CheckedBackup> {
  requireBackup(file);
  const staging = mkdtempSync(join(tmpdir(), 'parley-check-'));
  try {
    const staged = copyBackup(file, staging);
    // From the copy: SQLite makes files beside a database that it reads.
    const [schema] = await onCopy(file, staged, async () => {
      const found = peek<{ name: string }>(staged.databaseFile, schemaQuery);
      await prepare(inDirectory(config, staging), true);
      return found;
    });
    const [counts] = peek<CheckedBackup['counts']>(staged.databaseFile, countsQuery);
    const current = config.store.url === null ? openedIfFree(config) : { databaseFile: null, release: () => undefined };
    try {
      const validAgain = current && restoredAccess(staged.databaseFile, current.databaseFile, nowMs);
      return { schema: schema!.name, bytes: statSync(file).size, counts: counts!, validAgain };
    } finally {
      current?.release();
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

const schemaQuery = "SELECT printf('%04d_%s', id, name) AS name FROM schema_migrations ORDER BY id DESC LIMIT 1";

const countsQuery = `SELECT ${['organizations', 'agents', 'contacts', 'campaigns', 'calls']
  .map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`)
  .join(', ')}`;

/** The data directory's database, held for as long as it is read; null when a process has it. */
function openedIfFree({ data }: Config): { databaseFile: string; release(): void } | null {
  const databaseFile = databaseFileIn(data);
  if (!existsSync(databaseFile)) return { databaseFile, release: () => undefined };
  try {
    const lock = lockDatabase(databaseFile);
    return { databaseFile, release: () => lock.release() };
  } catch (error) {
    if (error instanceof DatabaseInUse) return null;
    throw error;
  }
}

/** Puts a backup into an empty database on a server, and its secrets where the node has them. */
async function restoreOnServer(
  config: Config,
  target: { url: string },
  file: string,
  { nowMs, keepRunning = false }: RestoreOptions,
): Promise<Restored> {
  const directory = openDataDirectory(config.data, config.secrets.file);
  const staging = stagingOf(directory);
  rmSync(staging, { recursive: true, force: true }); // of a restore that was killed
  try {
    makePrivateDirectory(staging);
    const staged = copyBackup(file, staging);
    const stagedConfig = inDirectory(config, staging);
    const { paused } = await onCopy(file, staged, () => prepare(stagedConfig, keepRunning));
    await requireFittingSecrets(directory, stagedConfig);
    const recordings = await bringBack(config, directory, file);
    await copyStore(config, { from: { directory: staging }, to: target, nowMs, onTable: () => undefined });
    if (!existsSync(directory.secretsFile)) copyPrivateFile(staged.secretsFile, directory.secretsFile);
    const validAgain = restoredAccess(staged.databaseFile, null, nowMs);
    return { keptAs: [], paused, validAgain, recordings };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The configuration for an SQLite database and secrets in a directory. */
const inDirectory = (config: Config, data: string): Config => ({
  ...config,
  data,
  store: { ...config.store, url: null },
  secrets: { ...config.secrets, file: null },
});

/** @throws an Error when the node has a secrets file that does not open what the backup holds */
async function requireFittingSecrets({ secretsFile }: DataDirectory, config: Config): Promise<void> {
  if (!existsSync(secretsFile) || loadSecrets(secretsFile).isFirstStart()) return;
  if (!(await withStore(config, ({ app }) => secretsFit(app.db, loadSecrets(secretsFile)))))
    throw new Error(
      `${secretsFile} does not open what the backup holds. Nothing was changed; move it away, and the backup's secrets are put there`,
    );
}

const bringBack = async (config: Config, directory: DataDirectory, file: string): Promise<number> =>
  existsSync(recordingsOf(file))
    ? bringBackRecordings(recordingsOf(file), recordingsDirectory(config, directory.path))
    : 0;

async function restoreInto(
  directory: DataDirectory,
  config: Config,
  file: string,
  { nowMs, keepRunning = false }: RestoreOptions,
): Promise<Restored> {
  const staging = stagingOf(directory);
  try {
    makePrivateDirectory(staging);
    const staged = copyBackup(file, staging);
    // Not before the backup was found sound: reading a database makes SQLite create files beside it, which a refused restore must not leave.
    const earlier = (): EarlierState => stateIn(directory.databaseFile);
    const { paused, erasedCalls } = await onCopy(file, staged, () =>
      prepare(inDirectory(config, staging), keepRunning, earlier),
    );
    const validAgain = restoredAccess(staged.databaseFile, directory.databaseFile, nowMs);
    const needed = new Set([staged.databaseFile, staged.secretsFile]);
    for (const path of readdirSync(staging).map((name) => join(staging, name)))
      if (!needed.has(path)) rmSync(path, { recursive: true });
    // Before the point of no return, so that a full disk changes nothing but files that no call knows.
    const recordings = await bringBack(config, directory, file);
    forgetRecordings(recordingsDirectory(config, directory.path), erasedCalls);
    return { keptAs: replaceData(directory, staging, nowMs), paused, validAgain, recordings };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

type Copy = Pick<DataDirectory, 'path' | 'databaseFile' | 'secretsFile'>;

/** Copies a backup into an empty directory. */
function copyBackup(file: string, staging: string): Copy {
  const copy = openDataDirectory(staging);
  copyPrivateFile(file, copy.databaseFile);
  copyPrivateFile(secretsFileOf(file), copy.secretsFile);
  return copy;
}

/** Runs work on a copy. @throws Error that names the backup, not its copy, when it cannot be used */
async function onCopy<T>(file: string, copy: Copy, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = messageOf(error)
      .replaceAll(copy.databaseFile, file)
      .replaceAll(copy.secretsFile, secretsFileOf(file));
    throw new Error(`${file} cannot be used: ${message}`, { cause: error });
  }
}

/**
 * Upgrades and examines the copied backup, ends its sessions and links, and pauses its campaigns: those who opted out since it was made must
 * not be called.
 */
const prepare = (
  config: Config,
  keepRunning: boolean,
  earlier: () => EarlierState = () => noState,
): Promise<{ paused: string[]; erasedCalls: string[] }> =>
  withStore(config, async ({ app, database }) => {
    const { status, message } = integrityFinding(await database.examine({ checks: dataChecks('sqlite') }));
    if (status !== 'ok') throw new Error(message);
    await forgetMove(app.db);
    await endAllSessionsAndLinks(app);
    const erasedCalls = await replayErasures(app, earlier());
    const paused = keepRunning ? [] : (await pauseEveryCampaign(app)).map(({ name }) => name);
    return { paused, erasedCalls };
  });

const noState: EarlierState = { erasures: [], listed: () => [] };

/** What the data directory knows; nothing if it has no database, or one that cannot be read. */
function stateIn(file: string): EarlierState {
  if (!existsSync(file)) return noState;
  try {
    return { erasures: peek<EarlierErasure>(file, erasuresQuery), listed: () => listedIn(file) };
  } catch {
    return noState; // damaged, which is why it is being replaced
  }
}

const erasuresQuery = `SELECT id, organization_id, requested_at, done_at, keep_do_not_call, contact_hash, phone_hash, counts
  FROM erasures ORDER BY id`;

const listedQuery = `SELECT organization_id, phone FROM do_not_call WHERE (organization_id, phone) > (?, ?)
  ORDER BY organization_id, phone LIMIT 10000`;

function* listedIn(file: string): Generator<Array<{ organization_id: string; phone: string }>> {
  let after = ['', ''];
  for (;;) {
    const part = peek<{ organization_id: string; phone: string }>(file, listedQuery, after);
    if (part.length === 0) return;
    yield part;
    const { organization_id: orgId, phone } = part.at(-1)!;
    after = [orgId, phone];
  }
}

/** Deletes the recordings of erased calls, which the backup may have brought back. */
function forgetRecordings(directory: string, callIds: readonly string[]): void {
  if (callIds.length === 0 || !existsSync(directory)) return;
  const erased = new Set(callIds);
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    if (erased.has(basename(name).replace(/\..*$/, ''))) rmSync(join(directory, name), { force: true });
}
