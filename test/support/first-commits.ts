import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { onConnection, type Queryable } from '../../src/db/transaction.ts';

/** With FAIL_FIRST_COMMITS=1, each transaction on PostgreSQL fails at its first COMMIT, as by a conflict, and has to run again. */
export const failsFirstCommits = process.env['FAIL_FIRST_COMMITS'] === '1';

const transactions = new AsyncLocalStorage<{ hasFailed: boolean }>();
let failed = 0;

/** How many commits have failed. */
export const failedCommits = (): number => failed;

let isPatched = false;

/** Begins with the next transaction of the main thread. */
export async function failFirstCommits(db: Queryable): Promise<void> {
  patchClients();
  await onConnection(db, (connection) => {
    const { withWriteLock } = connection;
    connection.withWriteLock = (scopes, work) =>
      transactions.run({ hasFailed: false }, () => withWriteLock(scopes, work));
  });
}

function patchClients(): void {
  if (isPatched) return;
  isPatched = true;
  const prototype = pg.Client.prototype as unknown as { query(...args: unknown[]): unknown };
  const { query } = prototype;
  prototype.query = function failing(this: unknown, ...args: unknown[]) {
    const transaction = transactions.getStore();
    if (args[0] !== 'COMMIT' || transaction === undefined || transaction.hasFailed)
      return Reflect.apply(query, this, args);
    transaction.hasFailed = true;
    failed += 1;
    return (Reflect.apply(query, this, ['ROLLBACK']) as Promise<unknown>).then(() => {
      throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    });
  };
}
