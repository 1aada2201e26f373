import type { TestContext } from 'node:test';
import { CompiledQuery } from 'kysely';
import { onConnection, type Queryable } from '../../src/db/transaction.ts';

/** `rows`: how many rows it returned. */
export type Statement = { sql: string; parameters: readonly unknown[]; rows: number };

/** The statements that the database executes from now on. */
export async function recordStatements(t: TestContext, db: Queryable): Promise<Statement[]> {
  const statements: Statement[] = [];
  await onConnection(db, (connection) => {
    const { execute, readUpTo } = connection;
    t.mock.method(connection, 'execute', (...args: Parameters<typeof execute>) => {
      const result = execute(...args);
      statements.push({ sql: args[0], parameters: args[1], rows: result.rows.length });
      return result;
    });
    t.mock.method(connection, 'readUpTo', (...args: Parameters<typeof readUpTo>) => {
      const result = readUpTo(...args);
      statements.push({ sql: args[0], parameters: args[1], rows: result.rows.length });
      return result;
    });
  });
  return statements;
}

/** The steps by which SQLite carries out a statement (https://www.sqlite.org/eqp.html). */
export async function planOf(
  db: Queryable,
  { sql, parameters }: Pick<Statement, 'sql' | 'parameters'>,
): Promise<string[]> {
  const query = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]);
  return (await db.executeQuery<{ detail: string }>(query)).rows.map(({ detail }) => detail);
}
