import { chmodSync, closeSync, existsSync, openSync, readSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import pLimit from 'p-limit';
import { ensurePrivateFile } from '../../base/files.ts';
import { type Storage, StorageRefusal } from '../storage.ts';
import type { Queryable } from '../transaction.ts';
import { bindingFor } from './addon.ts';
import type { SharedDatabase } from './background-connection.ts';
import { createConnection } from './connection.ts';
import { databaseOver } from './dialect.ts';
import { databaseInUseFrom, lockDatabase } from './file-lock.ts';
import { damageIn } from './integrity.ts';
import { applicationId, migrate, type Progress } from './migrate.ts';
import { applyPragmas } from './pragmas.ts';
import { createStorageState, ignoringRefusal, storageRefusalFrom } from './storage.ts';
import {
  createWriteLock,
  releaseAbandoned,
  withWriteLock,
  pauseBackground,
  resumeBackground,
  main,
  createWriteLockState,
} from './write-lock.ts';

export type OpenOptions = {
  /** The database file; its directory exists. */
  file: string;
  nowMs: number;
  /** Do not wait for the disk: the database is deleted at exit and need not survive a power cut. */
  throwAway?: boolean;
  /** Called with each step of an upgrade. */
  onProgress?: Progress;
  /** Called once no other process can open the database, and before this process opens it. */
  onLocked?: () => void;
};

export type OpenDatabase = {
  db: Queryable;
  storage: Storage;
  /** For the background thread, the only other thread that may open the database (background-connection.ts). */
  background: BackgroundAccess;
  /** Checkpoints and closes. What the disk refuses stays in the write-ahead log, where the next start reads it. */
  close(): void;
  /** What is wrong with the database; empty when it is sound. Reads all of it. */
  damage(): Promise<string[]>;
  /** Copies everything committed to a file, step by step. Meanwhile the main connection reads and writes, and the background waits. */
  copyTo(file: string): Promise<void>;
};

export type BackgroundAccess = {
  /** Allows another connection. Until then this one holds the file's lock, which saves two microseconds per read. */
  share(): Promise<SharedDatabase>;
  /** Records an error that the thread's work threw. Returns the error to throw here. */
  reportFailure(error: unknown): unknown;
  /** Frees the write lock if the thread held it. Call it after the thread has ended, and before another one starts. */
  releaseAbandoned(): void;
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
 * Opens the database for this process alone. Every commit survives a power cut (`synchronous=FULL`), unless `throwAway` is set.
 * @throws DatabaseInUse when another process has it open, or an Error that names the file when it is another program's database, was
 * written by a newer parley, has a migration that differs from the shipped one, or cannot be written
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const durable = options.throwAway !== true;
  const binding = bindingFor(options.file);
  const lock = lockDatabase(options.file, binding);
  const database = await openLocked(options, binding).catch((thrown: unknown) => {
    lock.release();
    const error = storageRefusalFrom(thrown);
    throw error instanceof StorageRefusal ? withFileName(error, options.file) : databaseInUseFrom(error, options.file);
  });
  const storage = createStorageState();
  const state = createWriteLockState();
  const writeLock = createWriteLock(state, main);
  const connection = createConnection(database, { storage, durable, writeLock });
  const db = databaseOver(connection);
  const copying = pLimit(1);
  return {
    db,
    storage: {
      refusal: () => storage.refusal(),
      probe: () => withWriteLock(writeLock, () => db.connection().execute(() => Promise.resolve(connection.probe()))),
    },
    background: {
      share: () =>
        db.connection().execute(() => {
          database.pragma('locking_mode = NORMAL');
          database.prepare('SELECT 1 FROM sqlite_schema').get(); // SQLite releases the lock at the next access.
          return Promise.resolve({ file: options.file, binding, durable, writeLockState: state });
        }),
      reportFailure: (error) => storage.failed(error),
      releaseAbandoned: () => releaseAbandoned(state),
    },
    damage: () => damageIn(db, binding),
    copyTo: (file) =>
      copying(async () => {
        pauseBackground(state);
        try {
          await withWriteLock(writeLock, () => Promise.resolve()); // Wait for the end of a background transaction.
          await copyTo(database, db, file);
        } catch (error) {
          throw storageRefusalFrom(error);
        } finally {
          resumeBackground(state);
        }
      }),
    close: () => {
      if (durable) ignoringRefusal(() => database.pragma('wal_checkpoint(TRUNCATE)'));
      database.close();
      lock.release();
    },
  };
}

const withFileName = (error: StorageRefusal, file: string): Error =>
  new Error(`${file} cannot be opened: ${error.message} (${error.code}); is the disk full, or read-only?`, {
    cause: error,
  });

async function openLocked(options: OpenOptions, binding: { nativeBinding?: string }): Promise<Sqlite.Database> {
  options.onLocked?.();
  const existed = existsSync(options.file);
  // SQLite creates the write-ahead log with the file's permissions.
  ensurePrivateFile(options.file);
  const database = new Sqlite(options.file, binding);
  try {
    database.pragma('busy_timeout = 1000');
    if (existed) checkFile(database, options.file); // First, because setting the journal mode writes to the file.
    database.pragma('journal_mode = WAL');
    applyPragmas(database, options.throwAway === true ? 'OFF' : 'FULL');
    // Four times SQLite's default: jobs rewrite the same few pages, and a checkpoint copies each page only once.
    database.pragma('wal_autocheckpoint = 4000');
    chmodSync(options.file, 0o600);
    await migrate(database, options.file, options);
    // Only after WAL mode is on: if the first access in WAL mode is exclusive, SQLite cannot share the file later.
    database.pragma('locking_mode = EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Pages that are copied in one step, which takes some milliseconds; queries run between steps. */
const pagesPerStep = 500;

/**
 * The background connection must not write during a copy, because SQLite restarts the copy when another connection writes. A copy that
 * begins inside an open transaction ends at once with no pages; repeat it when that transaction is over. A rollback restarts the copy,
 * so double the pages per step each time: then the copy finishes no matter how often that happens.
 */
async function copyTo(database: Sqlite.Database, db: Queryable, file: string): Promise<void> {
  let pages = pagesPerStep;
  let remaining = Number.POSITIVE_INFINITY;
  const progress = ({ remainingPages }: { remainingPages: number }): number => {
    if (remainingPages > remaining) pages *= 2;
    remaining = remainingPages;
    return pages;
  };
  for (;;) {
    const { totalPages } = await database.backup(file, { progress });
    if (totalPages > 0) return;
    await db.connection().execute(() => Promise.resolve());
  }
}

/** @throws when the file is a database of another program */
function checkFile(database: Sqlite.Database, file: string): void {
  if (database.pragma('application_id', { simple: true }) === applicationId) return;
  const { n } = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get() as { n: number };
  if (n > 0) throw new Error(`${file} is a SQLite database, but not one of parley's`);
}
