import { sql } from 'kysely';
import { AppError, messageOf } from '../base/errors.ts';
import { installation, transact, type Tx } from '../db/transaction.ts';
import { encryptedTables } from '../features/index.ts';
import type { App } from '../kernel/app.ts';
import type { EncryptedTable } from '../kernel/encrypted-table.ts';
import { storeSecretsCheck } from '../kernel/secrets-check.ts';
import type { TaskContext } from './task-context.ts';

/** Small enough that the transaction of a batch delays no other work noticeably. */
const batchSize = 200;

type Row = Record<string, string>;
/** How many texts were re-encrypted, and how many no key could decrypt; those stay unchanged. */
export type Reencrypted = { reencrypted: number; unreadable: number };

export type PreparedKey = {
  keyId: string;
  file: string;
  /** Names of live nodes that do not know the key yet. */
  waitsFor: string[];
};

/** Writes a new encryption key into the secrets file, once, and tells which nodes do not know it yet. */
export async function prepareEncryptionKey({ app, database, directory }: TaskContext): Promise<PreparedKey> {
  const keyId = app.secrets.prepareKey();
  return { keyId, file: directory.secretsFile, waitsFor: await database.nodesWithoutKey(keyId) };
}

/**
 * Re-encrypts all stored texts with the prepared key or a new one, and deletes the keys that are no longer needed. The server goes on
 * working meanwhile. An interrupted run loses nothing: the secrets file has both keys, and the next run does the rest.
 */
export async function rotateEncryptionKey(context: TaskContext): Promise<Reencrypted> {
  const { app } = context;
  const { keyId, waitsFor } = await prepareEncryptionKey(context);
  if (waitsFor.length > 0) throw new AppError('conflict', unknownTo(waitsFor, keyId));
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

const unknownTo = (nodes: readonly string[], keyId: string): string =>
  `Nothing was re-encrypted, since these nodes do not know the new key ${keyId}: ${nodes.join(', ')}. Copy the secrets file to them and try again.`;

async function reencryptColumn(app: App, table: EncryptedTable, column: string, total: Reencrypted): Promise<void> {
  let rows: Row[] = [];
  do {
    const last = rows.at(-1);
    const batch = await transact(app.db, installation, async (tx) => {
      const found = await encryptedAfter(tx, table, column, last);
      const results: Array<keyof Reencrypted | undefined> = [];
      for (const row of found) results.push(await reencryptRow(app, tx, table, column, row));
      return { found, results };
    });
    for (const result of batch.results) if (result) total[result] += 1;
    rows = batch.found;
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
