import { chmodSync, existsSync, statSync } from 'node:fs';
import { loadSecrets, type Secrets } from '../base/secrets.ts';
import type { Queryable } from '../db/transaction.ts';
import { firstOrganization } from '../features/organizations/service.ts';
import { currentKeyId, neededSecrets, secretsFit } from '../kernel/secrets-check.ts';
import type { DataDirectory } from './data-directory.ts';

/**
 * Database and secrets belong together. When one of them is missing or another installation's, a start refuses instead of going on with
 * values that nobody can decrypt, or with an empty installation in place of a lost one.
 */

/** To be called before the database is opened, which would create an empty one. */
export function requireDatabase({ databaseFile, secretsFile }: DataDirectory): void {
  if (existsSync(databaseFile) && statSync(databaseFile).size > 0) return;
  if (existsSync(secretsFile) && !loadSecrets(secretsFile).isFirstStart())
    throw lostDatabase(databaseFile, secretsFile);
}

/** The database that belongs to the secrets: in the data directory, or on a server. */
type Store = { db: Queryable; onServer: boolean };

/**
 * Loads the secrets of an open database; a first start creates them.
 * @throws an Error that says what to do when they do not belong together
 */
export async function openSecrets(directory: DataDirectory, store: Store): Promise<Secrets> {
  const { databaseFile, secretsFile } = directory;
  await requireOwnSecrets(directory, store);
  const secrets = loadSecrets(secretsFile);
  chmodSync(secretsFile, 0o600);
  const needed = await neededSecrets(store.db);
  if (needed) secrets.follow(needed.keyId);
  if (!secrets.isFirstStart() && (await firstOrganization(store.db)) === undefined)
    throw store.onServer ? emptyServer(secretsFile) : lostDatabase(databaseFile, secretsFile);
  return secrets;
}

/**
 * Also for a node that stands by: otherwise it would be refused only when it has to take over.
 * @returns false as long as the database holds nothing encrypted
 * @throws an Error that says what to do when the secrets are missing or another installation's
 */
export async function requireOwnSecrets(
  { databaseFile, secretsFile }: DataDirectory,
  { db, onServer }: Store,
): Promise<boolean> {
  const needed = await neededSecrets(db);
  if (!needed) return false;
  const { keyId: key, fingerprint } = needed;
  const database = onServer ? 'the database of store.url' : databaseFile;
  const remedy = onServer
    ? 'Copy it from another node, or from where it is kept beside the backups of the database.'
    : '(a backup keeps it as FILE.secrets.json), or restore a backup with: parley restore FILE';
  if (!existsSync(secretsFile)) {
    const lost = `${secretsFile} is missing, and ${database} holds values encrypted with its key ${key} (fingerprint ${fingerprint}).`;
    throw new Error(onServer ? `${lost} ${remedy}` : `${lost} Put the file back ${remedy}. ${startAnew}`);
  }
  const secrets = loadSecrets(secretsFile);
  if (await secretsFit(db, secrets)) return true;
  const foreign =
    secrets.installationId === fingerprint
      ? `${secretsFile} is an old copy: its key ${currentKeyId(secrets)} does not open what ${database} holds, which is encrypted with key ${key}.`
      : `${secretsFile} belongs to another installation: its fingerprint is ${secrets.installationId}, and that of ${database} is ${fingerprint}.`;
  throw new Error(
    `${foreign} ${onServer ? remedy.replace('Copy it', 'Copy the right file') : `Put the right file back ${remedy}`}`,
  );
}

const startAnew = 'To start anew instead, move parley.db and the files beside it (parley.db-wal, parley.db-shm) away.';

const emptyServer = (secretsFile: string): Error =>
  new Error(
    `The database of store.url is empty, but ${secretsFile} shows that an installation was here. ` +
      `Check store.url or restore the database. To start anew instead, move ${secretsFile} away.`,
  );

const lostDatabase = (databaseFile: string, secretsFile: string): Error =>
  new Error(
    `${databaseFile} is ${existsSync(databaseFile) ? 'empty' : 'missing'}, but ${secretsFile} shows that an installation was here. ` +
      'Put the database back, or restore a backup with: parley restore FILE. To start anew instead, move secrets.json away.',
  );
