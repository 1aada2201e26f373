import type { TestContext } from 'node:test';
import { CompiledQuery } from 'kysely';
import type { Answer, Connection } from '../../src/db/connection.ts';
import { dialectOf } from '../../src/db/dialect.ts';
import type { PostgresConnection } from '../../src/db/postgres/connection.ts';
import { onConnection, type Queryable } from '../../src/db/transaction.ts';

/** `rows`: how many rows it returned. */
export type Statement = { sql: string; parameters: readonly unknown[]; rows: number };

/** The statements that the database executes from now on. */
export async function recordStatements(t: TestContext, db: Queryable): Promise<Statement[]> {
  const statements: Statement[] = [];
  const note = ([text, parameters]: readonly [string, readonly unknown[], ...unknown[]], rows: unknown[]): void =>
    void statements.push({ sql: text, parameters, rows: rows.length });
  const record = (connection: Connection): void => {
    const { execute, readUpTo, send } = connection;
    t.mock.method(connection, 'execute', (...args: Parameters<typeof execute>) => {
      return noting(execute(...args), ({ rows }) => note(args, rows));
    });
    t.mock.method(connection, 'send', (...args: Parameters<typeof send>) => {
      note(args, []);
      return send(...args);
    });
    t.mock.method(connection, 'readUpTo', (...args: Parameters<typeof readUpTo>) => {
      return noting(readUpTo(...args), ({ rows }) => note(args, rows));
    });
  };
  await onConnection(db, (connection) => {
    record(connection);
    if (dialectOf(db) !== 'postgres') return;
    // A transaction on PostgreSQL has a connection of its own.
    const { begin } = connection as PostgresConnection;
    t.mock.method(connection as PostgresConnection, 'begin', async () => {
      const transaction = await begin();
      record(transaction);
      return transaction;
    });
  });
  return statements;
}

function noting<T>(answer: Answer<T>, note: (result: T) => void): Answer<T> {
  if (answer instanceof Promise)
    return answer.then((result) => {
      note(result);
      return result;
    });
  note(answer);
  return answer;
}

/** The steps by which SQLite carries out a statement (https://www.sqlite.org/eqp.html). */
export async function planOf(
  db: Queryable,
  { sql, parameters }: Pick<Statement, 'sql' | 'parameters'>,
): Promise<string[]> {
  const query = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]);
  return (await db.executeQuery<{ detail: string }>(query)).rows.map(({ detail }) => detail);
}
