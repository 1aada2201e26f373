import { sql } from 'kysely';
import type { Secrets } from '../base/secrets.ts';
import type { Queryable, Tx } from '../db/transaction.ts';
import type { EncryptedTable } from './encrypted-table.ts';

/** A known text that the database stores encrypted with the installation's key. If it cannot be decrypted, secrets.json is wrong. */
const plain = 'parley';
const context = 'secrets_check';

const storedCheck = async (db: Queryable): Promise<string | undefined> =>
  (await db.selectFrom('secrets_check').select('encrypted').executeTakeFirst())?.encrypted;

/** Stores the known text encrypted with the current key, unless it is already stored like that. */
export async function storeSecretsCheck(tx: Tx, secrets: Secrets): Promise<void> {
  const known = await storedCheck(tx);
  if (known !== undefined && secrets.isCurrent(known)) return;
  const encrypted = secrets.encrypt(plain, context);
  await tx
    .insertInto('secrets_check')
    .values({ id: 1, encrypted })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ encrypted }))
    .execute();
}

const sampleSize = 5;

/** Up to five encrypted texts of each column, with their contexts. */
async function samplesOf(db: Queryable, tables: readonly EncryptedTable[]) {
  const samples: Array<{ encrypted: string; context: string }> = [];
  for (const table of tables) {
    for (const column of table.columns) {
      const { rows } = await sql<Record<string, string>>`SELECT ${sql.join(table.key.map((name) => sql.ref(name)))},
        ${sql.ref(column)} AS encrypted FROM ${sql.table(table.table)} WHERE ${sql.ref(column)} IS NOT NULL LIMIT ${sampleSize}`.execute(
        db,
      );
      samples.push(...rows.map((row) => ({ encrypted: row['encrypted']!, context: table.contextOf(row) })));
    }
  }
  return samples;
}

/** Whether the database holds anything that needs its secrets. */
export const holdsEncryptedTexts = async (db: Queryable, tables: readonly EncryptedTable[]): Promise<boolean> =>
  (await storedCheck(db)) !== undefined || (await samplesOf(db, tables)).length > 0;

/**
 * Whether the secrets belong to the database: they decrypt the known text. Early releases did not store it; in a database of theirs, the
 * secrets must decrypt at least one of the sampled texts, if there are any.
 */
export async function secretsFit(db: Queryable, tables: readonly EncryptedTable[], secrets: Secrets): Promise<boolean> {
  const check = await storedCheck(db);
  const samples = check === undefined ? await samplesOf(db, tables) : [{ encrypted: check, context }];
  return samples.length === 0 || samples.some((sample) => decrypts(secrets, sample));
}

function decrypts(secrets: Secrets, { encrypted, context: of }: { encrypted: string; context: string }): boolean {
  try {
    secrets.decrypt(encrypted, of);
    return true;
  } catch {
    return false;
  }
}
