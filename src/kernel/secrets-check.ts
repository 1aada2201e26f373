import type { Secrets } from '../base/secrets.ts';
import type { Queryable, Tx } from '../db/transaction.ts';

/** A known text that the database stores encrypted with the installation's key. If it cannot be decrypted, secrets.json is wrong. */
const plain = 'parley';
const context = 'secrets_check';

type Check = { encrypted: string; fingerprint: string };

const storedCheck = (db: Queryable): Promise<Check | undefined> =>
  db.selectFrom('secrets_check').select(['encrypted', 'fingerprint']).executeTakeFirst();

/** Stores the known text encrypted with the current key, unless it is already stored like that. */
export async function storeSecretsCheck(tx: Tx, secrets: Secrets): Promise<void> {
  const known = await storedCheck(tx);
  if (known !== undefined && secrets.isCurrent(known.encrypted)) return;
  const encrypted = secrets.encrypt(plain, context);
  await tx
    .insertInto('secrets_check')
    .values({ id: 1, encrypted, fingerprint: secrets.installationId })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ encrypted }))
    .execute();
}

const keyIdOf = (encrypted: string): string => encrypted.split('.')[0]!;

/** The secrets that the database needs: the id of the key, and the fingerprint of the file (`installationId`). */
export type NeededSecrets = { keyId: string; fingerprint: string };

/** Undefined while the database holds nothing encrypted: the known text is stored before anything else. */
export async function neededSecrets(db: Queryable): Promise<NeededSecrets | undefined> {
  const check = await storedCheck(db);
  return check && { keyId: keyIdOf(check.encrypted), fingerprint: check.fingerprint };
}

/** The id of the key that encrypts now. */
export const currentKeyId = (secrets: Secrets): string => keyIdOf(secrets.encrypt(plain, context));

/** Whether the secrets are those of the database, or nothing is encrypted yet. */
export async function secretsFit(db: Queryable, secrets: Secrets): Promise<boolean> {
  const check = await storedCheck(db);
  if (check === undefined) return true;
  if (check.fingerprint !== secrets.installationId) return false;
  try {
    secrets.decrypt(check.encrypted, context);
    return true;
  } catch {
    return false;
  }
}
