import type BetterSqlite3 from 'better-sqlite3';
import type { QueryResult } from 'kysely';
import { monotonicMs } from '../../base/clock.ts';
import type { Connection, PartialRows } from '../connection.ts';
import type { StatementTimes } from '../statement-times.ts';
import { StorageRefusal } from '../storage.ts';
import type { LogSync } from './log-sync.ts';
import { checkpointBytes, pageBytes } from './pragmas.ts';
import { ignoringRefusal, type StorageState, storageRefusalFrom } from './storage.ts';
import { withWriteLock, type WriteLock } from './write-lock.ts';

/** The only connection of a thread, with its statements kept prepared. One transaction at a time holds it. */
export type SqliteConnection = Connection & {
  /** Acquired before a transaction begins. */
  writeLock: WriteLock;
  begin(): void;
  commit(): void;
  rollback(): void;
  /** Writes to the file, to learn whether the storage accepts writes. Not inside a transaction: use `alone`. */
  probe(): void;
  /** Runs `work` while no transaction is open, on this connection or another of the process. */
  alone<T>(work: () => T): Promise<Awaited<T>>;
  /** Runs `work` while no transaction is open on this connection; another one may be writing. */
  betweenTransactions<T>(work: () => T): Promise<Awaited<T>>;
  /** Resolves when the caller holds the connection. */
  acquire(): Promise<void>;
  release(): void;
};

/** Looking up the size of the log takes 15 µs, so it is done only after this many changed rows, which add at most a few MB to the log. */
const maxUnmeasuredRows = 256;

/** The application has a few hundred distinct statements. */
const maxStatements = 1000;

/** A prepared statement, with a function that runs it and records how long that took. */
type Prepared = { statement: BetterSqlite3.Statement; timed: <R>(run: () => R) => R };

type Prepare = (sql: string) => Prepared;

function statementCache(database: BetterSqlite3.Database, times?: StatementTimes): Prepare {
  const statements = new Map<string, Prepared>();
  return (sql) => {
    const cached = statements.get(sql);
    if (cached) return cached;
    const entry = { statement: database.prepare(sql), timed: timer(sql, times) };
    if (statements.size >= maxStatements) statements.delete(statements.keys().next().value!);
    statements.set(sql, entry);
    return entry;
  };
}

function timer(sql: string, times: StatementTimes | undefined): Prepared['timed'] {
  if (!times) return (run) => run();
  const series = times.seriesOf(sql);
  return (run) => {
    const startedMs = monotonicMs();
    try {
      return run();
    } finally {
      times.record(series, monotonicMs() - startedMs);
    }
  };
}

export type ConnectionOptions = {
  /** Learns from every write whether the storage accepts writes. */
  storage: StorageState;
  logSync: LogSync;
  writeLock: WriteLock;
  /** Called after a commit when a checkpoint pays. */
  onLargeLog?: () => void;
  /** Records how long each statement holds the thread. */
  times?: StatementTimes;
};

export function createConnection(
  database: BetterSqlite3.Database,
  { storage, logSync, writeLock, onLargeLog, times }: ConnectionOptions,
): SqliteConnection {
  const prepare = statementCache(database, times);
  const watchLog = logWatcher(() => logSize(prepare), { maxPages: checkpointBytes / pageBytes, tell: onLargeLog });
  const holding = createHolding();
  let inTransaction = false;
  /** Rows that the open transaction has changed. */
  let changedRows = 0;

  function probe(): void {
    ignoringRefusal(() => writeHeader(prepare('PRAGMA user_version = 0').statement, storage));
    logSync.committed();
  }

  /**
   * Called after each change, or for a transaction after its commit. Success does not prove that the storage accepts writes again: an
   * UPDATE that sets the values already there writes no page. So after a refusal, probe.
   */
  function changed(rows: number): void {
    if (inTransaction) {
      changedRows += rows;
      return;
    }
    logSync.committed();
    if (storage.refusal() !== null) probe();
    watchLog(rows);
  }

  function execute<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    try {
      const { statement, timed } = prepare(sql);
      if (!inTransaction && !statement.readonly) storage.requireTrust();
      if (statement.reader) {
        const rows = timed(() => statement.all(...parameters)) as R[];
        if (rows.length > 0 && !statement.readonly) changed(rows.length);
        return { rows };
      }
      const { changes, lastInsertRowid } = timed(() => statement.run(...parameters));
      if (changes > 0) changed(changes);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (error) {
      throw storage.failed(error);
    }
  }

  const alone = <T>(work: () => T): Promise<Awaited<T>> =>
    withWriteLock(writeLock, () => holding.betweenTransactions(work));

  const copyLog = (): number => checkpoint(prepare, storage);

  return {
    ...answeringAtOnce(execute),
    readUpTo(sql, parameters, maxBytes) {
      const { statement, timed } = prepare(sql);
      return timed(() => rowsUpTo(statement, parameters, { maxBytes, storage }));
    },
    canRunNow: (sql) => inTransaction || prepare(sql).statement.readonly,
    writeLock,
    withWriteLock: (_scopes, work) => withWriteLock(writeLock, work),
    begin() {
      execute('BEGIN IMMEDIATE', []);
      inTransaction = true;
      changedRows = 0;
    },
    commit() {
      const startedMs = monotonicMs();
      execute('COMMIT', []);
      times?.commits.observe((monotonicMs() - startedMs) / 1000);
      inTransaction = false;
      if (changedRows > 0) changed(changedRows);
    },
    /** On some errors, such as a full disk, SQLite has rolled back already; a second ROLLBACK would hide the first error. */
    rollback() {
      inTransaction = false;
      if (database.inTransaction) execute('ROLLBACK', []);
    },
    alone,
    synced: () => logSync.synced(),
    probe,
    async persist() {
      if ((await holding.betweenTransactions(copyLog)) > 0) await alone(copyLog);
    },
    forgetDeleted: () => alone(() => truncateLog(prepare, storage)),
    optimize() {
      prepare('PRAGMA analysis_limit = 400').statement.get();
      prepare('PRAGMA optimize = 0x10002').statement.all();
    },
    ...holding,
  };
}

const answeringAtOnce = (
  execute: SqliteConnection['execute'],
): Pick<SqliteConnection, 'execute' | 'send' | 'settled' | 'rollBackTo' | 'lock'> => ({
  execute,
  send: (sql, parameters) => void execute(sql, parameters),
  settled: () => undefined,
  lock: () => undefined, // the transaction is alone
  rollBackTo: (savepoint) => void execute(`ROLLBACK TO ${savepoint}`, []),
});

/**
 * Copies the write-ahead log into the database file; pages that the disk does not take stay in the log. Returns how many pages are left in
 * the log, because an open read still needs older ones or they were written meanwhile.
 * @throws StorageRefusal when a sync failed
 */
function checkpoint(prepare: Prepare, storage: StorageState): number {
  try {
    prepare('PRAGMA wal_checkpoint(PASSIVE)').statement.get();
    const { log, checkpointed } = logSize(prepare); // the answer above does not count what was written meanwhile
    return log - checkpointed;
  } catch (thrown) {
    const error = storageRefusalFrom(thrown);
    if (error instanceof StorageRefusal && !error.isUncertain) return 0;
    throw storage.failed(error);
  }
}

/** Copies the whole write-ahead log and empties it, so that neither holds what was deleted; false while an open read still needs it. */
function truncateLog(prepare: Prepare, storage: StorageState): boolean {
  try {
    const { busy } = prepare('PRAGMA wal_checkpoint(TRUNCATE)').statement.get() as { busy: number };
    return busy === 0;
  } catch (error) {
    throw storage.failed(error);
  }
}

/** Lets one caller at a time use the connection. Others wait in the order in which they asked. */
function createHolding(): Pick<SqliteConnection, 'isHeld' | 'acquire' | 'release' | 'betweenTransactions'> {
  const waiters: Array<() => void> = [];
  let isHeld = false;
  async function acquire(): Promise<void> {
    if (isHeld) await new Promise<void>((resolve) => waiters.push(resolve));
    isHeld = true;
  }
  function release(): void {
    const next = waiters.shift();
    if (next) next();
    else isHeld = false;
  }
  return {
    isHeld: () => isHeld,
    acquire,
    release,
    async betweenTransactions<T>(work: () => T): Promise<Awaited<T>> {
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

/** Pages in the write-ahead log, and how many of them are already copied into the database file. */
type LogSize = { log: number; checkpointed: number };

const logSize = (prepare: Prepare): LogSize => prepare('PRAGMA wal_checkpoint(NOOP)').statement.get() as LogSize;

/**
 * Returns a function to call after each commit with the number of rows that it changed. It calls `tell` when `maxPages` of the log wait to be
 * copied, so that a checkpoint pays.
 */
function logWatcher(
  measure: () => LogSize,
  { maxPages, tell }: { maxPages: number; tell: (() => void) | undefined },
): (rows: number) => void {
  let unmeasuredRows = 0;
  return (rows) => {
    unmeasuredRows += rows;
    if (!tell || unmeasuredRows < maxUnmeasuredRows) return;
    unmeasuredRows = 0;
    const { log, checkpointed } = measure();
    if (log - checkpointed >= maxPages) tell();
  };
}

type Row = Readonly<Record<string, unknown>>;

function rowsUpTo<R>(
  statement: BetterSqlite3.Statement,
  parameters: readonly unknown[],
  { maxBytes, storage }: { maxBytes: number; storage: StorageState },
): PartialRows<R> {
  const rows: R[] = [];
  let bytes = 0;
  try {
    for (const row of statement.iterate(...parameters)) {
      bytes += sizeOf(row as Row);
      if (bytes > maxBytes && rows.length > 0) return { rows, isCut: true };
      rows.push(row as R);
    }
  } catch (error) {
    throw storage.failed(error);
  }
  return { rows, isCut: false };
}

function sizeOf(row: Row): number {
  let size = 0;
  // Not Object.values: each page would make an array per row.
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'string' || value instanceof Uint8Array) size += value.length;
  }
  return size;
}

/** SQLite writes the page of the file header even when `user_version` keeps its value. parley uses `user_version` for nothing else. */
function writeHeader(statement: BetterSqlite3.Statement, storage: StorageState): void {
  storage.requireTrust();
  try {
    statement.run();
    storage.succeeded();
  } catch (error) {
    throw storage.failed(error);
  }
}
