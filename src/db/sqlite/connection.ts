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

/** Statements kept prepared; the application has a few hundred distinct ones. */
const maxStatements = 1000;

function statementCache(database: BetterSqlite3.Database): (sql: string) => BetterSqlite3.Statement {
  const statements = new Map<string, BetterSqlite3.Statement>();
  return (sql) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    if (statements.size >= maxStatements) statements.delete(statements.keys().next().value!);
    statements.set(sql, statement);
    return statement;
  };
}

/** What its owner decides: `storage` is told which writes succeed; what is not `durable` is never waited for. */
export type ConnectionOptions = { storage: StorageState; durable: boolean; writeLock: WriteLock };

export function createConnection(
  database: BetterSqlite3.Database,
  { storage, durable, writeLock }: ConnectionOptions,
): SqliteConnection {
  const prepare = statementCache(database);
  const waiting: Array<() => void> = [];
  let lent = false;
  /** Between begin and commit or rollback. */
  let open = false;
  /** Changed something that is not committed yet. */
  let dirty = false;

  const probe = (): void => ignoringRefusal(() => writeHeader(prepare('PRAGMA user_version = 0'), storage));

  /**
   * Whether the storage takes writes again is seen when they are committed. One that finds its values there already writes nothing, so
   * storage that refused is asked itself.
   */
  function changed(): void {
    if (open) dirty = true;
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
    canRunNow: (sql) => open || !writeLock.isHeldByPeer() || prepare(sql).readonly,
    writeLock,
    withWriteLock: (work) => withWriteLock(writeLock, work),
    begin() {
      execute('BEGIN IMMEDIATE', []);
      open = true;
      dirty = false;
    },
    commit() {
      execute('COMMIT', []);
      open = false;
      if (dirty) changed();
    },
    /** SQLite rolls back by itself on some errors (a full disk, for one); a second ROLLBACK would then hide the first error. */
    rollback() {
      open = false;
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
    isHeld: () => lent,
    async acquire() {
      if (lent) await new Promise<void>((resolve) => waiting.push(resolve));
      lent = true;
    },
    release() {
      const next = waiting.shift();
      if (next) next();
      else lent = false;
    },
  };
}

/** The header of the file is written even when nothing in it changes; parley has no other use for its user_version. */
function writeHeader(statement: BetterSqlite3.Statement, storage: StorageState): void {
  try {
    statement.run();
    storage.succeeded();
  } catch (error) {
    throw storage.failed(error);
  }
}
