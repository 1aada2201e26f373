import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { databaseOn, type Queryable } from '../transaction.ts';
import type { SqliteConnection } from './connection.ts';

/** The database whose queries run on a connection. */
export const databaseOver = (connection: SqliteConnection): Queryable =>
  databaseOn(connection, (isInside) => sqliteDialect(connection, isInside));

/**
 * Kysely over one better-sqlite3 connection. By hand because Kysely's own driver prepares every statement anew (a point read
 * costs six times a prepared one); here prepared statements are kept, and a connection that was given back refuses late queries,
 * so a query that outlives its transaction fails instead of joining another's. `isInside` tells whether the code that asks for the
 * connection is called by the transaction that holds it, and need not wait for it.
 */
function sqliteDialect(connection: SqliteConnection, isInside: () => boolean): Dialect {
  return {
    createAdapter: () => new SharingAdapter(),
    createDriver: () => createDriver(connection, isInside),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new PlanningOnce(),
  };
}

/** Keeps Kysely from queueing for the connection: the driver below does, and lets in what its holder calls. */
class SharingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): true {
    return true;
  }
}

/**
 * Writes parameters as `+?`, which means the same. SQLite plans a prepared statement anew when a parameter that the plan may depend
 * on was cleared, and better-sqlite3 clears them after every run: behind a plus SQLite looks at no value. Without it all queries but
 * look-ups by a whole unique key cost 10 µs more, a join ten times as much.
 */
class PlanningOnce extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

type Lent = DatabaseConnection & { isShared: boolean; giveBack(): void };

// oxlint-disable require-await -- Kysely's interface is asynchronous, better-sqlite3 is not
function createDriver(connection: SqliteConnection, isInside: () => boolean): Driver {
  const lend = (isShared: boolean): Lent => {
    let open = true;
    return {
      isShared,
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        if (!open) throw new Error('query after its transaction ended (a promise was not awaited)');
        // Not `take`: who waits for the connection may have the turn already. What begins meanwhile SQLite waits for, holding up all.
        if (!connection.canRunNow(sql)) await connection.writeLock.whenFree();
        return connection.execute<R>(sql, parameters);
      },
      streamQuery() {
        throw new Error('streaming is not supported: a list is read a page at a time');
      },
      giveBack: () => {
        open = false;
      },
    };
  };

  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      if (isInside()) return lend(true);
      await connection.acquire();
      return lend(false);
    },
    beginTransaction: async () => connection.begin(),
    commitTransaction: async () => connection.commit(),
    rollbackTransaction: async () => connection.rollback(),
    async releaseConnection(lent) {
      const given = lent as Lent;
      given.giveBack();
      if (!given.isShared) connection.release();
    },
    destroy: () => Promise.resolve(),
  };
}
