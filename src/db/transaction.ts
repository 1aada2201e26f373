import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** What a query may run on: the database itself or an open transaction. */
export type Queryable = Kysely<Tables>;
export type Tx = Transaction<Tables>;

const commitHooks = new WeakMap<Tx, Array<() => void>>();

/**
 * Runs queries in one IMMEDIATE transaction. The function may await queries and nothing else: it holds the process's only
 * connection meanwhile. Hooks added by `onCommit` run after the commit, never after a rollback.
 */
export async function transact<T>(db: Queryable, run: (tx: Tx) => Promise<T>): Promise<T> {
  const hooks: Array<() => void> = [];
  const result = await db.transaction().execute((tx) => {
    commitHooks.set(tx, hooks);
    return run(tx);
  });
  for (const hook of hooks) hook();
  return result;
}

/** Does something in memory once the transaction is durable, such as waking the runner. It must not throw. */
export function onCommit(tx: Tx, hook: () => void): void {
  const hooks = commitHooks.get(tx);
  if (!hooks) throw new Error('onCommit outside transact()');
  hooks.push(hook);
}
