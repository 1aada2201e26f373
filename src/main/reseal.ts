import { sql } from 'kysely';
import { messageOf } from '../base/errors.ts';
import { installation, transact, type Tx } from '../db/transaction.ts';
import { sealedTables } from '../features/index.ts';
import type { App } from '../kernel/app.ts';
import type { SealedTable } from '../kernel/sealed.ts';

/** Few enough that a batch holds up nobody. */
const batchSize = 200;

type Row = Record<string, string>;
/** How many texts were sealed anew, and how many no key opens: those stay as they are. */
export type Resealed = { resealed: number; unreadable: number };

/**
 * Makes a new sealing key, seals everything that is stored under it, and forgets the keys that nothing needs any more. Work goes on
 * meanwhile. Cut off in the middle it has lost nothing: both keys are in the file, and the next run does the rest.
 */
export async function rotateSealing(app: App): Promise<Resealed> {
  app.secrets.rotate();
  const total: Resealed = { resealed: 0, unreadable: 0 };
  for (const table of sealedTables) {
    for (const column of table.columns) await resealColumn(app, table, column, total);
  }
  // A key that opens nothing now may still be put back into the file by hand; it is of no use without the others.
  if (total.unreadable === 0) app.secrets.forgetOldKeys();
  return total;
}

async function resealColumn(app: App, table: SealedTable, column: string, total: Resealed): Promise<void> {
  let rows: Row[] = [];
  do {
    const last = rows.at(-1);
    rows = await transact(app.db, installation, async (tx) => {
      const batch = await sealedAfter(tx, table, column, last);
      for (const row of batch) {
        const became = await resealRow(app, tx, table, column, row);
        if (became) total[became] += 1;
      }
      return batch;
    });
  } while (rows.length === batchSize);
}

/** What became of it; nothing when it is under the new key already. */
async function resealRow(
  app: App,
  tx: Tx,
  table: SealedTable,
  column: string,
  row: Row,
): Promise<keyof Resealed | undefined> {
  if (app.secrets.isCurrent(row['sealed']!)) return undefined;
  const text = sealedAnew(app, table, row);
  if (text === undefined) return 'unreadable';
  await put(tx, table, column, row, text);
  return 'resealed';
}

async function sealedAfter(tx: Tx, table: SealedTable, column: string, after: Row | undefined): Promise<Row[]> {
  const keys = sql.join(table.key.map((name) => sql.ref(name)));
  const beyond = after === undefined ? sql`` : sql`AND (${keys}) > (${sql.join(table.key.map((name) => after[name]))})`;
  const { rows } = await sql<Row>`SELECT ${keys}, ${sql.ref(column)} AS sealed FROM ${sql.table(table.table)}
    WHERE ${sql.ref(column)} IS NOT NULL ${beyond} ORDER BY ${keys} LIMIT ${batchSize}`.execute(tx);
  return rows;
}

function sealedAnew(app: App, table: SealedTable, row: Row): string | undefined {
  const context = table.contextOf(row);
  try {
    return app.secrets.seal(app.secrets.open(row['sealed']!, context), context);
  } catch (error) {
    app.log.error({ of: context, error: messageOf(error) }, 'a sealed text cannot be opened, and is left as it is');
    return undefined;
  }
}

async function put(tx: Tx, table: SealedTable, column: string, row: Row, text: string): Promise<void> {
  const isIt = sql.join(
    table.key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` AND `,
  );
  await sql`UPDATE ${sql.table(table.table)} SET ${sql.ref(column)} = ${text} WHERE ${isIt}`.execute(tx);
}
