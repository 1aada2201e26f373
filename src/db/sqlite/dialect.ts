import {
  type CompiledQuery,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely';
import type { Lease } from '../connection.ts';
import type { NamedAdapter } from '../dialect.ts';
import { databaseOn, type Queryable } from '../transaction.ts';
import { StablePlanCompiler } from './compiler.ts';
import type { SqliteConnection } from './connection.ts';

/** The database whose queries run on a connection. */
export const databaseOver = (connection: SqliteConnection): Queryable =>
  databaseOn(connection, (current) => sqliteDialect(connection, () => current() !== undefined));

/**
 * Kysely over one better-sqlite3 connection. By hand, because Kysely's own driver prepares every statement anew: a point read costs six
 * times as much as with a prepared statement. A query after the end of its transaction fails here instead of joining another one.
 * `isInside` tells whether the calling code belongs to the transaction that holds the connection, and so need not wait for it.
 */
function sqliteDialect(connection: SqliteConnection, isInside: () => boolean): Dialect {
  return {
    createAdapter: () => new SharingAdapter(),
    createDriver: () => createDriver(connection, isInside),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new StablePlanCompiler(),
  };
}

/** Turns off Kysely's own queue for the connection: the driver below queues, and lets the holder's queries pass. */
class SharingAdapter extends SqliteAdapter implements NamedAdapter {
  readonly dialect = 'sqlite';

  override get supportsMultipleConnections(): true {
    return true;
  }
}

/** The right to run queries on the connection until `end`. A shared one is part of the transaction that holds the connection. */
type SqliteLease = Lease & {
  isShared: boolean;
  /** Has written outside a transaction. transact() itself waits for the disk, after it has released the write lock. */
  hasWrittenAlone: boolean;
  end(): void;
};

// oxlint-disable require-await -- Kysely's interface is asynchronous, better-sqlite3 is not
function createDriver(connection: SqliteConnection, isInside: () => boolean): Driver {
  const createLease = (isShared: boolean): SqliteLease => {
    let isOpen = true;
    const lease: SqliteLease = {
      connection,
      isShared,
      hasWrittenAlone: false,
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        if (!isOpen) throw new Error('query after its transaction ended (a promise was not awaited)');
        if (connection.canRunNow(sql)) return connection.execute<R>(sql, parameters);
        // Don't acquire the write lock here: a transaction that waits for this connection may already hold it (deadlock). If the other
        // side starts writing right after this, SQLite blocks this thread until it is done.
        await connection.writeLock.whenFree();
        lease.hasWrittenAlone = true;
        return connection.execute<R>(sql, parameters);
      },
      streamQuery() {
        throw new Error('streaming is not supported: read lists page by page');
      },
      end: () => {
        isOpen = false;
      },
    };
    return lease;
  };

  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      if (isInside()) return createLease(true);
      await connection.acquire();
      return createLease(false);
    },
    beginTransaction: async () => connection.begin(),
    commitTransaction: async () => connection.commit(),
    rollbackTransaction: async () => connection.rollback(),
    async releaseConnection(acquired) {
      const lease = acquired as SqliteLease;
      lease.end();
      if (!lease.isShared) connection.release();
      if (lease.hasWrittenAlone) await connection.synced();
    },
    destroy: () => Promise.resolve(),
  };
}
