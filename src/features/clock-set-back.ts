import { sql } from 'kysely';
import { nextMacrotask } from '../base/clock.ts';
import { greatest, listOf } from '../db/sql.ts';
import { installation, transact, type Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import { maxBatchRows } from '../kernel/batch-size.ts';

/** The instants to move, by table: each with the table's key, by which batches are read. */
const instants = [
  { table: 'organizations', key: 'id', columns: ['pace_at'] },
  { table: 'phone_numbers', key: 'id', columns: ['pace_at'] },
  { table: 'campaigns', key: 'id', columns: ['pace_at', 'wake_at'] },
  { table: 'carrier_pauses', key: 'phone_number_id', columns: ['probe_at'] },
] as const;

/**
 * To be called after the machine's clock was set back by `setBackMs`. Moves stored instants in the future back by as much: those from which
 * an organization, number or campaign may start its next call, those at which campaigns are woken, and those at which carriers are
 * probed. Otherwise nobody would be called until the clock catches up. Calling windows and the ends of campaigns stay, because they are
 * wall-clock times. May be called again after a failure, because no instant is moved before the present.
 */
export async function moveInstantsBack(app: App, setBackMs: number): Promise<void> {
  const now = app.clock.now();
  for (const table of instants) {
    for (let last: string | undefined = ''; last !== undefined;) {
      const after: string = last;
      last = await transact(app.db, installation, (tx) => moveBatch(tx, table, { after, now, setBackMs }));
      await nextMacrotask();
    }
  }
}

type Move = { after: string; now: number; setBackMs: number };

/** Moves the instants of the next rows. Returns the key of the last of them, undefined if none is left. */
async function moveBatch(
  tx: Tx,
  { table, key, columns }: (typeof instants)[number],
  { after, now, setBackMs }: Move,
): Promise<string | undefined> {
  const name = sql.ref(key);
  const { rows } = await sql<{ key: string }>`
    SELECT ${name} AS key FROM ${sql.table(table)} WHERE ${name} > ${after} ORDER BY ${name} LIMIT ${maxBatchRows}`.execute(
    tx,
  );
  const keys = rows.map((row) => row.key);
  for (const column of columns.map((each) => sql.ref(each))) {
    await sql`
      UPDATE ${sql.table(table)} SET ${column} = ${greatest(now, sql`${column} - ${setBackMs}`)}
      WHERE ${name} IN ${listOf(keys)} AND ${column} > ${now}`.execute(tx);
  }
  return keys.length < maxBatchRows ? undefined : keys.at(-1);
}
