import type { Secrets } from '../base/secrets.ts';
import type { Queryable, Tx } from '../db/transaction.ts';

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

const keyIdOf = (encrypted: string): string => encrypted.split('.')[0]!;

/** The id of the key that the database needs; undefined while it holds nothing encrypted: the known text is stored before anything else. */
export async function storedKeyId(db: Queryable): Promise<string | undefined> {
  const check = await storedCheck(db);
  return check === undefined ? undefined : keyIdOf(check);
}

/** The id of the key that encrypts now. */
export const currentKeyId = (secrets: Secrets): string => keyIdOf(secrets.encrypt(plain, context));

/** Whether the secrets decrypt the known text, or nothing is encrypted yet. */
export async function secretsFit(db: Queryable, secrets: Secrets): Promise<boolean> {
  const check = await storedCheck(db);
  if (check === undefined) return true;
  try {
    secrets.decrypt(check, context);
    return true;
  } catch {
    return false;
  }
}
