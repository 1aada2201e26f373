import type { TestContext } from 'node:test';
import { CompiledQuery } from 'kysely';
import { onConnection, type Queryable } from '../../src/db/transaction.ts';

export type Statement = { sql: string; parameters: readonly unknown[] };

/** The statements that the database executes from now on. */
export async function recordStatements(t: TestContext, db: Queryable): Promise<Statement[]> {
  const statements: Statement[] = [];
  await onConnection(db, (connection) => {
    const { execute, readUpTo } = connection;
    t.mock.method(connection, 'execute', (...args: Parameters<typeof execute>) => {
      statements.push({ sql: args[0], parameters: args[1] });
      return execute(...args);
    });
    t.mock.method(connection, 'readUpTo', (...args: Parameters<typeof readUpTo>) => {
      statements.push({ sql: args[0], parameters: args[1] });
      return readUpTo(...args);
    });
  });
  return statements;
}

/** The steps by which SQLite carries out a statement (https://www.sqlite.org/eqp.html). */
export async function planOf(db: Queryable, { sql, parameters }: Statement): Promise<string[]> {
  const query = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]);
  return (await db.executeQuery<{ detail: string }>(query)).rows.map(({ detail }) => detail);
}
