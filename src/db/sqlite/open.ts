import { chmodSync, closeSync, existsSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import pLimit from 'p-limit';
import { nativeBindingPath } from './addon.ts';
import type { SharedDatabase } from './background-connection.ts';
import { createConnection } from './connection.ts';
import { databaseInUseFrom, lockDatabase } from './file-lock.ts';
import { applicationId, migrate, type Progress } from './migrate.ts';
import { applyPragmas } from './pragmas.ts';
import { createStorageState, ignoringRefusal, storageRefusalFrom } from './storage.ts';
import { databaseOver } from './dialect.ts';
import { type Storage, StorageRefusal } from '../storage.ts';
import type { Queryable } from '../transaction.ts';
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
  /** A database thrown away at exit need not survive a power cut. */
  throwAway?: boolean;
  /** Told what an upgrade is about. */
  tell?: Progress;
};

export type OpenDatabase = {
  db: Queryable;
  storage: Storage;
  /** For the one other thread that may open it, too (beside.ts). */
  background: BackgroundAccess;
  /** What cannot be written back into the main file stays in the write-ahead log; the next start reads it there. */
  close(): void;
  checkpoint(): void;
  optimize(): void;
  /** Copies everything committed into a file, a piece at a time; reading and writing go on meanwhile. */
  copyTo(file: string): Promise<void>;
};

export type BackgroundAccess = {
  /** Lets that thread open it. Until then the connection has the database for itself, which spares each read two microseconds. */
  share(): Promise<SharedDatabase>;
  /** Records what a write of that thread threw. Returns the error to throw here. */
  reportFailure(error: unknown): unknown;
  /** That thread has ended, however it did; it is told before another one is started. */
  releaseAbandoned(): void;
};

/** Whether a file begins as a database of parley does (https://www.sqlite.org/fileformat.html, section 1.3). */
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
 * Opens the store for one process; a second opener fails with SQLITE_BUSY instead of sharing it. `synchronous=FULL` makes an answered
 * write survive a power cut.
 * @throws an Error that names the file when it belongs to another program, another process or a newer version
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const durable = options.throwAway !== true;
  const nativeBinding = nativeBindingPath(dirname(options.file));
  const binding = nativeBinding === undefined ? {} : { nativeBinding };
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
  const checkpoint = (): void => void database.pragma('wal_checkpoint(TRUNCATE)');
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
          database.prepare('SELECT 1 FROM sqlite_schema').get(); // the lock is let go by the next access
          return Promise.resolve({ file: options.file, binding, durable, writeLockState: state });
        }),
      reportFailure: (error) => storage.failed(error),
      releaseAbandoned: () => releaseAbandoned(state),
    },
    checkpoint,
    optimize: () => void database.pragma('optimize'),
    copyTo: (file) =>
      copying(async () => {
        pauseBackground(state);
        try {
          await withWriteLock(writeLock, () => Promise.resolve()); // the end of the transaction that it may be in
          await copyTo(database, db, file);
        } catch (error) {
          throw storageRefusalFrom(error);
        } finally {
          resumeBackground(state);
        }
      }),
    close: () => {
      if (durable) ignoringRefusal(checkpoint);
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
  const existed = existsSync(options.file);
  // SQLite gives its write-ahead log the mode of the file.
  if (!existed) closeSync(openSync(options.file, 'a', 0o600));
  const database = new Sqlite(options.file, binding);
  try {
    database.pragma('busy_timeout = 1000');
    if (existed) checkFile(database, options.file); // before the journal's mode, which is written into the file
    database.pragma('journal_mode = WAL');
    applyPragmas(database, options.throwAway === true ? 'OFF' : 'FULL');
    // Four times SQLite's own: jobs write the same few pages again and again, and a checkpoint copies each of them once.
    database.pragma('wal_autocheckpoint = 4000');
    chmodSync(options.file, 0o600);
    await migrate(database, options.file, options);
    // Not before the journal's mode was set: then SQLite would not let go of it for another connection (Beside).
    database.pragma('locking_mode = EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Pages copied before others get their turn: some milliseconds' worth. */
const pagesAtOnce = 500;

/**
 * The thread beside must not write meanwhile: SQLite starts a copy over when another connection does. One that begins while a
 * transaction is open ends at once, with nothing, and begins again after that. One that meets a rollback starts over: then it takes
 * more at once, so that it gets to its end however often that happens.
 */
async function copyTo(database: Sqlite.Database, db: Queryable, file: string): Promise<void> {
  let pages = pagesAtOnce;
  let left = Number.POSITIVE_INFINITY;
  const progress = ({ remainingPages }: { remainingPages: number }): number => {
    if (remainingPages > left) pages *= 2;
    left = remainingPages;
    return pages;
  };
  for (;;) {
    const { totalPages } = await database.backup(file, { progress });
    if (totalPages > 0) return;
    await db.connection().execute(() => Promise.resolve());
  }
}

/** @throws when the file is another program's */
function checkFile(database: Sqlite.Database, file: string): void {
  if (database.pragma('application_id', { simple: true }) === applicationId) return;
  const { n } = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get() as { n: number };
  if (n > 0) throw new Error(`${file} is a SQLite database, but not one of parley's`);
}
