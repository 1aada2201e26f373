import { sql } from 'kysely';
import { messageOf } from '../base/errors.ts';
import { installation, transact, type Tx } from '../db/transaction.ts';
import { encryptedTables } from '../features/index.ts';
import type { App } from '../kernel/app.ts';
import type { EncryptedTable } from '../kernel/encrypted-table.ts';
import { storeSecretsCheck } from '../kernel/secrets-check.ts';

/** Small enough that the transaction of a batch delays no other work noticeably. */
const batchSize = 200;

type Row = Record<string, string>;
/** How many texts were re-encrypted, and how many no key could decrypt; those stay unchanged. */
export type Reencrypted = { reencrypted: number; unreadable: number };

/**
 * Creates a new encryption key, re-encrypts all stored texts with it, and deletes the keys that are no longer needed. The server goes
 * on working meanwhile. An interrupted run loses nothing: the secrets file has both keys, and the next run does the rest.
 */
export async function rotateEncryptionKey(app: App): Promise<Reencrypted> {
  app.secrets.rotate();
  const total: Reencrypted = { reencrypted: 0, unreadable: 0 };
  for (const table of encryptedTables) {
    for (const column of table.columns) await reencryptColumn(app, table, column, total);
  }
  await transact(app.db, installation, (tx) => storeSecretsCheck(tx, app.secrets));
  // If some texts are unreadable, keep all keys, because the operator may still put a lost key back into the file by hand.
  if (total.unreadable === 0) app.secrets.forgetOldKeys();
  return total;
}

async function reencryptColumn(app: App, table: EncryptedTable, column: string, total: Reencrypted): Promise<void> {
  let rows: Row[] = [];
  do {
    const last = rows.at(-1);
    rows = await transact(app.db, installation, async (tx) => {
      const batch = await encryptedAfter(tx, table, column, last);
      for (const row of batch) {
        const result = await reencryptRow(app, tx, table, column, row);
        if (result) total[result] += 1;
      }
      return batch;
    });
  } while (rows.length === batchSize);
}

/** Undefined if the row is encrypted with the new key already. */
async function reencryptRow(
  app: App,
  tx: Tx,
  table: EncryptedTable,
  column: string,
  row: Row,
): Promise<keyof Reencrypted | undefined> {
  if (app.secrets.isCurrent(row['encrypted']!)) return undefined;
  const text = reencrypt(app, table, row);
  if (text === undefined) return 'unreadable';
  await update(tx, table, column, row, text);
  return 'reencrypted';
}

async function encryptedAfter(tx: Tx, table: EncryptedTable, column: string, after: Row | undefined): Promise<Row[]> {
  const keys = sql.join(table.key.map((name) => sql.ref(name)));
  const beyond = after === undefined ? sql`` : sql`AND (${keys}) > (${sql.join(table.key.map((name) => after[name]))})`;
  const { rows } = await sql<Row>`SELECT ${keys}, ${sql.ref(column)} AS encrypted FROM ${sql.table(table.table)}
    WHERE ${sql.ref(column)} IS NOT NULL ${beyond} ORDER BY ${keys} LIMIT ${batchSize}`.execute(tx);
  return rows;
}

function reencrypt(app: App, table: EncryptedTable, row: Row): string | undefined {
  const context = table.contextOf(row);
  try {
    return app.secrets.encrypt(app.secrets.decrypt(row['encrypted']!, context), context);
  } catch (error) {
    app.log.error(
      { of: context, error: messageOf(error) },
      'an encrypted text cannot be decrypted; it stays unchanged',
    );
    return undefined;
  }
}

async function update(tx: Tx, table: EncryptedTable, column: string, row: Row, text: string): Promise<void> {
  const hasKey = sql.join(
    table.key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` AND `,
  );
  await sql`UPDATE ${sql.table(table.table)} SET ${sql.ref(column)} = ${text} WHERE ${hasKey}`.execute(tx);
}
