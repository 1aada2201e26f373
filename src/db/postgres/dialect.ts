import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
} from 'kysely';
import type { Connection, Lease } from '../connection.ts';
import type { NamedAdapter } from '../dialect.ts';
import { databaseOn, type Queryable } from '../transaction.ts';
import { PostgresCompiler } from './compiler.ts';
import type { OpenTransaction, PostgresConnection } from './connection.ts';

/** The database whose queries run on a connection. */
export const databaseOver = (connection: PostgresConnection): Queryable =>
  databaseOn(connection, (current) => ({
    createAdapter: () => new Adapter(),
    createDriver: () => createDriver(connection, current),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresCompiler(),
  }));

class Adapter extends PostgresAdapter implements NamedAdapter {
  readonly dialect = 'postgres';
}

/** A lease without a transaction holds no client: each query takes one. */
class PostgresLease implements Lease {
  connection: Connection;
  transaction: OpenTransaction | undefined;
  isOpen = true;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.isOpen) throw new Error('query after its transaction ended (a promise was not awaited)');
    return this.connection.execute<R>(sql, parameters);
  }

  streamQuery(): never {
    throw new Error('streaming is not supported: read lists page by page');
  }
}

function createDriver(connection: PostgresConnection, current: () => Connection | undefined): Driver {
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(new PostgresLease(current() ?? connection)),
    async beginTransaction(acquired) {
      const lease = acquired as PostgresLease;
      lease.transaction = await connection.begin();
      lease.connection = lease.transaction;
    },
    commitTransaction: (acquired: DatabaseConnection) => (acquired as PostgresLease).transaction!.commit(),
    rollbackTransaction: (acquired: DatabaseConnection) => (acquired as PostgresLease).transaction!.rollback(),
    releaseConnection(acquired) {
      (acquired as PostgresLease).isOpen = false;
      return Promise.resolve();
    },
    destroy: () => Promise.resolve(),
  };
}
