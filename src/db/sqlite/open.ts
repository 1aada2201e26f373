import { chmodSync, closeSync, existsSync, fdatasync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { ensurePrivateFile, flushToDisk } from '../../base/files.ts';
import { createStatementTimes } from '../statement-times.ts';
import { StorageRefusal } from '../storage.ts';
import type { OpenDatabase } from '../open-database.ts';
import { bindingFor } from './addon.ts';
import type { SharedDatabase } from './background-connection.ts';
import { createConnection } from './connection.ts';
import { databaseOver } from './dialect.ts';
import { createLogSync, noLogSync } from './log-sync.ts';
import { databaseInUseFrom, lockDatabase } from './file-lock.ts';
import { addFunctions } from './functions.ts';
import { examine } from './integrity.ts';
import { applicationId, migrate, type Progress } from './migrate.ts';
import type { Migration } from './migrations.generated.ts';
import { applyPragmas, pageBytes } from './pragmas.ts';
import {
  createStorageState,
  createDistrust,
  ignoringRefusal,
  type StorageState,
  storageRefusalFrom,
} from './storage.ts';
import { createWriteLock, releaseAbandoned, main, createWriteLockState } from './write-lock.ts';

export type OpenOptions = {
  /** The database file; its directory exists. */
  file: string;
  nowMs: number;
  /** Default: native code is unpacked beside the file. */
  binding?: { nativeBinding?: string };
  /** Do not wait for the disk: the database is deleted at exit and need not survive a power cut. */
  throwAway?: boolean;
  /** Replaces the sync of the write-ahead log, for tests. */
  sync?: (log: number) => Promise<void>;
  /** Replaces the migrations that parley ships, for tests. */
  migrations?: readonly Migration[];
  /** Called with each step of an upgrade. */
  onProgress?: Progress;
  /** Called once no other process can open the database, and before this process opens it. */
  onLocked?: () => void;
};

export type SqliteDatabase = Required<Omit<OpenDatabase<SharedDatabase>, 'bytes' | 'close' | 'nodes'>> & {
  close(): void;
};

/** Whether a file starts with the header of a parley database (https://www.sqlite.org/fileformat.html, section 1.3). */
export function isParleyDatabase(file: string): boolean {
  const header = Buffer.alloc(100);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, header);
  } finally {
    closeSync(opened);
  }
  return header.toString('latin1', 0, 16) === 'SQLite format 3\0' && header.readUInt32BE(68) === applicationId;
}

/**
 * Opens the database for this process alone. Every transaction that has resolved survives a power cut, unless `throwAway` is set.
 * @throws DatabaseInUse when another process has it open, or an Error that names the file when it is another program's database, was
 * written by a newer parley or an unreleased build, or cannot be written
 */
export async function openDatabase(options: OpenOptions): Promise<SqliteDatabase> {
  const durable = options.throwAway !== true;
  const { binding = bindingFor(options.file) } = options;
  const lock = lockDatabase(options.file, binding);
  const distrust = createDistrust();
  const storage = createStorageState(distrust);
  const { database, log } = await openLocked(options, binding, storage).catch((thrown: unknown) => {
    lock.release();
    const error = storageRefusalFrom(thrown);
    throw error instanceof StorageRefusal ? withFileName(error, options.file) : databaseInUseFrom(error, options.file);
  });
  const state = createWriteLockState();
  const writeLock = createWriteLock(state, main);
  const times = createStatementTimes();
  const logSync = log
    ? createLogSync({
        sync: () => log.sync(),
        isMoreComing: () => writeLock.isAwaited(),
        storage,
        onSync: (seconds) => times.syncs.observe(seconds),
      })
    : noLogSync;
  let onLargeLog = (): void => undefined;
  const connection = createConnection(database, {
    storage,
    logSync,
    writeLock,
    times,
    onLargeLog: () => onLargeLog(),
  });
  const db = databaseOver(connection);
  return {
    db,
    times,
    storage: {
      refusal: () => storage.refusal(),
      async probe() {
        await connection.alone(() => connection.probe());
        await connection.synced().catch(() => undefined); // `storage` has recorded the failure
      },
    },
    background: {
      share: () =>
        connection.betweenTransactions(() => {
          database.pragma('locking_mode = NORMAL');
          database.prepare('SELECT 1 FROM sqlite_schema').get(); // SQLite releases the lock at the next access.
          return { dialect: 'sqlite', file: options.file, binding, durable, distrust, writeLockState: state };
        }),
      reportFailure: (error) => storage.failed(error),
      onLargeLog: (handler) => void (onLargeLog = handler),
      releaseAbandoned: () => releaseAbandoned(state),
    },
    nodesWithoutKey: () => Promise.resolve([]),
    mayAct: () => true,
    turnEnds: null,
    confirmTurn: () => Promise.resolve(true),
    examine: (scope) => connection.betweenTransactions(() => examine(database, binding, scope)),
    close: () => {
      log?.close();
      // After a failed sync, what is read from the log may not be what was written. So leave it to the next start, which checks it.
      if (!storage.isDistrusted()) {
        if (durable) ignoringRefusal(() => checkpointAll(database));
        database.close();
      }
      lock.release();
    },
  };
}

/** The write-ahead log's file, for syncs. Never open the database or its `-shm` like this: closing them would drop SQLite's locks. */
type LogFile = { sync(): Promise<void>; close(): void };

function openLog({ file, sync = dataSync }: OpenOptions): LogFile {
  const log = openSync(`${file}-wal`, 'r+');
  return { sync: () => sync(log), close: () => closeSync(log) };
}

/**
 * Empties the log that an earlier process left. That process may have died because a sync failed, so the end of the log may not be on
 * disk, and no commit may be appended to it. SQLite has just checked the log's checksums, so the pages that a checkpoint copies and syncs
 * are whole. If this fails, the database can be read, but not written.
 */
function proveStorage({ file }: OpenOptions, database: Sqlite.Database, storage: StorageState): void {
  try {
    flushToDisk(dirname(file)); // The log's file may be new.
    checkpointAll(database);
  } catch (error) {
    if (!(storage.failed(error) instanceof StorageRefusal)) throw error;
    storage.distrust();
  }
}

const dataSync = promisify(fdatasync);

const checkpointAll = (database: Sqlite.Database): void => void database.pragma('wal_checkpoint(TRUNCATE)');

const withFileName = (error: StorageRefusal, file: string): Error =>
  new Error(`${file} cannot be opened: ${error.message} (${error.code}); is the disk full, or read-only?`, {
    cause: error,
  });

async function openLocked(
  options: OpenOptions,
  binding: { nativeBinding?: string },
  storage: StorageState,
): Promise<{ database: Sqlite.Database; log: LogFile | undefined }> {
  options.onLocked?.();
  const durable = options.throwAway !== true;
  const existed = existsSync(options.file);
  // SQLite creates the write-ahead log with the file's permissions.
  ensurePrivateFile(options.file);
  const database = new Sqlite(options.file, binding);
  try {
    database.pragma('busy_timeout = 1000');
    if (existed) checkFile(database, options.file); // First, because setting the journal mode writes to the file.
    database.pragma(`page_size = ${pageBytes}`);
    database.pragma('journal_mode = WAL');
    applyPragmas(database, durable ? 'NORMAL' : 'OFF');
    addFunctions(database);
    chmodSync(options.file, 0o600);
    await migrate(database, options.file, options);
    if (durable) proveStorage(options, database, storage);
    // Only after WAL mode is on: if the first access in WAL mode is exclusive, SQLite cannot share the file later.
    database.pragma('locking_mode = EXCLUSIVE');
    return { database, log: durable ? openLog(options) : undefined };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** @throws when the file is a database of another program */
function checkFile(database: Sqlite.Database, file: string): void {
  if (database.pragma('application_id', { simple: true }) === applicationId) return;
  const { n } = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get() as { n: number };
  if (n > 0) throw new Error(`${file} is a SQLite database, but not one of parley's`);
}
