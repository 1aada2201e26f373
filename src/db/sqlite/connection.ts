import { open as openFile } from 'node:fs/promises';
import type BetterSqlite3 from 'better-sqlite3';
import type { QueryResult } from 'kysely';
import type { Connection } from '../connection.ts';
import { ignoringRefusal, type StorageState } from './storage.ts';
import { withWriteLock, type WriteLock } from './write-lock.ts';

/** The only connection of a thread, with its statements kept prepared. One transaction at a time holds it. */
export type SqliteConnection = Connection & {
  /** Acquired before a transaction begins. */
  writeLock: WriteLock;
  begin(): void;
  commit(): void;
  rollback(): void;
  /** Writes to the file, to learn whether the storage accepts writes. Not inside a transaction. */
  probe(): void;
  /** Resolves when the caller holds the connection. */
  acquire(): Promise<void>;
  release(): void;
};

/** The application has a few hundred distinct statements. */
const maxStatements = 1000;

function statementCache(database: BetterSqlite3.Database): (sql: string) => BetterSqlite3.Statement {
  const statements = new Map<string, BetterSqlite3.Statement>();
  return (sql) => {
    const cached = statements.get(sql);
    if (cached) return cached;
    const statement = database.prepare(sql);
    if (statements.size >= maxStatements) statements.delete(statements.keys().next().value!);
    statements.set(sql, statement);
    return statement;
  };
}

export type ConnectionOptions = {
  /** Learns from every write whether the storage accepts writes. */
  storage: StorageState;
  /** Without it, nothing waits for the disk. */
  durable: boolean;
  writeLock: WriteLock;
};

export function createConnection(
  database: BetterSqlite3.Database,
  { storage, durable, writeLock }: ConnectionOptions,
): SqliteConnection {
  const prepare = statementCache(database);
  const waiters: Array<() => void> = [];
  let isHeld = false;
  let inTransaction = false;
  /** The open transaction has changed rows. */
  let isDirty = false;

  const probe = (): void => ignoringRefusal(() => writeHeader(prepare('PRAGMA user_version = 0'), storage));

  /**
   * Called after each change, or for a transaction after its commit. Success does not prove that the storage accepts writes again: an
   * UPDATE that sets the values already there writes no page. So after a refusal, probe.
   */
  function changed(): void {
    if (inTransaction) isDirty = true;
    else if (storage.refusal() !== null) probe();
  }

  function execute<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    try {
      const statement = prepare(sql);
      if (statement.reader) return { rows: statement.all(...parameters) as R[] };
      const { changes } = statement.run(...parameters);
      if (changes > 0) changed();
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      throw storage.failed(error);
    }
  }

  return {
    execute,
    readUpTo: (sql, parameters, maxBytes) => rowsUpTo(prepare(sql), parameters, { maxBytes, storage }),
    canRunNow: (sql) => inTransaction || !writeLock.isHeldByPeer() || prepare(sql).readonly,
    writeLock,
    withWriteLock: (work) => withWriteLock(writeLock, work),
    begin() {
      execute('BEGIN IMMEDIATE', []);
      inTransaction = true;
      isDirty = false;
    },
    commit() {
      execute('COMMIT', []);
      inTransaction = false;
      if (isDirty) changed();
    },
    /** On some errors, such as a full disk, SQLite has rolled back already; a second ROLLBACK would hide the first error. */
    rollback() {
      inTransaction = false;
      if (database.inTransaction) execute('ROLLBACK', []);
    },
    async synced() {
      if (!durable) return;
      const log = await openFile(`${database.name}-wal`, 'r+');
      try {
        await log.datasync();
      } finally {
        await log.close();
      }
    },
    probe,
    checkpoint: () => ignoringRefusal(() => prepare('PRAGMA wal_checkpoint(PASSIVE)').get()),
    optimize() {
      prepare('PRAGMA analysis_limit = 400').get();
      prepare('PRAGMA optimize = 0x10002').all();
    },
    isHeld: () => isHeld,
    async acquire() {
      if (isHeld) await new Promise<void>((resolve) => waiters.push(resolve));
      isHeld = true;
    },
    release() {
      const next = waiters.shift();
      if (next) next();
      else isHeld = false;
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

function rowsUpTo<R>(
  statement: BetterSqlite3.Statement,
  parameters: readonly unknown[],
  { maxBytes, storage }: { maxBytes: number; storage: StorageState },
): R[] {
  const rows: R[] = [];
  let bytes = 0;
  try {
    for (const row of statement.iterate(...parameters)) {
      bytes += sizeOf(row as Row);
      if (bytes > maxBytes && rows.length > 0) break;
      rows.push(row as R);
    }
  } catch (error) {
    throw storage.failed(error);
  }
  return rows;
}

function sizeOf(row: Row): number {
  let size = 0;
  for (const value of Object.values(row)) {
    if (typeof value === 'string' || value instanceof Uint8Array) size += value.length;
  }
  return size;
}

/** SQLite writes the page of the file header even when `user_version` keeps its value. parley uses `user_version` for nothing else. */
function writeHeader(statement: BetterSqlite3.Statement, storage: StorageState): void {
  try {
    statement.run();
    storage.succeeded();
  } catch (error) {
    throw storage.failed(error);
  }
}
