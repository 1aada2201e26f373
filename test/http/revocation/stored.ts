import { EventEmitter, once } from 'node:events';
import { sql } from 'kysely';
import { installation, onConnection, type Queryable } from '../../../src/db/transaction.ts';
import { onSqlite } from '../../support/store.ts';

/** What a refused request may leave: its entry in the audit log, which is counted, and summed up a minute later. */
const isTrace = (table: string, row: Record<string, unknown>): boolean =>
  table === 'audit_log' || (table === 'outbox' && row['kind'] === 'audit.summarize');

/** Tables that a withdrawal changes: the owner's rows, and the key that replaces one. */
const isOwners = (table: string, row: Record<string, unknown>, owners: readonly string[]): boolean =>
  (['api_keys', 'users', 'sessions', 'person_links'].includes(table) &&
    [row['id'], row['user_id']].some((id) => owners.includes(String(id)))) ||
  (table === 'api_keys' && row['name'] === 'leaving');

const sqliteTables = sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'
  AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'contact_search_%' AND sql NOT LIKE 'CREATE VIRTUAL%'`;
const postgresTables = sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()
  AND tablename NOT LIKE 'contact_search_%' AND tablename NOT IN ('active_node', 'nodes')`;

/** Everything that is stored but the index of contacts, as sorted lines `table: row`, without traces of refusals and without what concerns the owners. */
export async function storedBut(db: Queryable, owners: readonly string[]): Promise<string[]> {
  const { rows: tables } = await (onSqlite ? sqliteTables : postgresTables).execute(db);
  const lines: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(name)}`.execute(db);
    const kept = rows.filter((row) => !isTrace(name, row) && !isOwners(name, row, owners));
    lines.push(...kept.map((row) => `${name}: ${JSON.stringify({ ...row, audit_entries: undefined })}`));
  }
  return lines.toSorted();
}

/** Holds the write lock: until `release`, transactions wait, and then run in the order in which they came. */
export type HeldLock = {
  release(): void;
  /** Resolves when so many transactions wait. */
  awaited(count: number): Promise<void>;
};

export async function holdWriteLock(db: Queryable): Promise<HeldLock> {
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const waiting = new EventEmitter();
  let count = 0;
  const work = (): Promise<void> => {
    isHeld.resolve();
    return held.promise;
  };
  await onConnection(db, (connection) => {
    const { withWriteLock } = connection;
    connection.withWriteLock = (scopes, write) => {
      count += 1;
      waiting.emit('one');
      return withWriteLock(scopes, write);
    };
    void withWriteLock([installation], work).then(() => (connection.withWriteLock = withWriteLock));
  });
  await isHeld.promise;
  return {
    release: held.resolve,
    async awaited(wanted) {
      while (count < wanted) await once(waiting, 'one');
    },
  };
}
