import type BetterSqlite3 from 'better-sqlite3';
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
import type { StorageState } from './storage.ts';

/**
 * Kysely over one better-sqlite3 connection. By hand because Kysely's own driver prepares every statement anew (a point read
 * costs six times a prepared one); here prepared statements are kept, and a connection that was given back refuses late queries,
 * so a query that outlives its transaction fails instead of joining another's. `storage` is told which writes succeed; `isInside`
 * tells whether the code that asks for the connection is called by the transaction that holds it, and need not wait for it.
 */
export function sqliteDialect(
  database: BetterSqlite3.Database,
  storage: StorageState,
  isInside: () => boolean,
): Dialect {
  return {
    createAdapter: () => new SharingAdapter(),
    createDriver: () => createDriver(database, storage, isInside),
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

/** Statements kept prepared; the application has a few hundred distinct ones. */
const keptStatements = 1000;

function statementCache(database: BetterSqlite3.Database): (sql: string) => BetterSqlite3.Statement {
  const statements = new Map<string, BetterSqlite3.Statement>();
  return (sql) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    if (statements.size >= keptStatements) statements.delete(statements.keys().next().value!);
    statements.set(sql, statement);
    return statement;
  };
}

type Lent = DatabaseConnection & { isShared: boolean; giveBack(): void };

function createDriver(database: BetterSqlite3.Database, storage: StorageState, isInside: () => boolean): Driver {
  const prepare = statementCache(database);
  const waiting: Array<() => void> = [];
  let lent = false;

  /** Changed something that is not committed yet. */
  let dirty = false;

  function execute<R>(statement: BetterSqlite3.Statement, parameters: readonly unknown[]): QueryResult<R> {
    if (statement.reader) return { rows: statement.all(...parameters) as R[] };
    const { changes } = statement.run(...parameters);
    dirty ||= changes > 0;
    if (dirty && !database.inTransaction) {
      dirty = false;
      storage.took();
    }
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  const lend = (isShared: boolean): Lent => {
    let open = true;
    return {
      isShared,
      // oxlint-disable-next-line require-await -- Kysely's interface is asynchronous, better-sqlite3 is not
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        if (!open) throw new Error('query after its transaction ended (a promise was not awaited)');
        try {
          return execute<R>(prepare(sql), parameters);
        } catch (error) {
          storage.refused(error);
          throw error;
        }
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
      if (lent) await new Promise<void>((resolve) => waiting.push(resolve));
      lent = true;
      return lend(false);
    },
    beginTransaction: async (connection) => void (await connection.executeQuery(rawSql('BEGIN IMMEDIATE'))),
    commitTransaction: async (connection) => void (await connection.executeQuery(rawSql('COMMIT'))),
    rollbackTransaction(connection) {
      dirty = false;
      return rollback(database, connection);
    },
    // oxlint-disable-next-line require-await -- see above
    async releaseConnection(connection) {
      const given = connection as Lent;
      given.giveBack();
      if (given.isShared) return;
      const next = waiting.shift();
      if (next) next();
      else lent = false;
    },
    destroy: () => Promise.resolve(),
  };
}

/** SQLite rolls back by itself on some errors (a full disk, for one); a second ROLLBACK would then hide the first error. */
async function rollback(database: BetterSqlite3.Database, connection: DatabaseConnection): Promise<void> {
  if (database.inTransaction) await connection.executeQuery(rawSql('ROLLBACK'));
}

const rawSql = (sql: string): CompiledQuery =>
  ({ sql, parameters: [], query: { kind: 'RawNode' }, queryId: { queryId: sql } }) as unknown as CompiledQuery;
