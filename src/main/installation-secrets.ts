import { chmodSync, existsSync, statSync } from 'node:fs';
import { loadSecrets, type Secrets } from '../base/secrets.ts';
import type { Queryable } from '../db/transaction.ts';
import { firstOrganization } from '../features/organizations/service.ts';
import { holdsEncryptedTexts, secretsFit } from '../kernel/secrets-check.ts';
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

/**
 * Loads the secrets of an open database; a first start creates them.
 * @throws an Error that says what to do when they do not belong together
 */
export async function openSecrets({ databaseFile, secretsFile }: DataDirectory, db: Queryable): Promise<Secrets> {
  if (!existsSync(secretsFile) && (await holdsEncryptedTexts(db))) {
    throw new Error(
      `${secretsFile} is missing, and ${databaseFile} holds values encrypted with its keys. Put the file back ` +
        '(a backup keeps it as FILE.secrets.json), or restore a backup with: parley restore FILE. ' +
        'To start anew instead, move parley.db and the files beside it (parley.db-wal, parley.db-shm) away.',
    );
  }
  const secrets = loadSecrets(secretsFile);
  chmodSync(secretsFile, 0o600);
  if (!secrets.isFirstStart() && (await firstOrganization(db)) === undefined)
    throw lostDatabase(databaseFile, secretsFile);
  if (!(await secretsFit(db, secrets))) {
    throw new Error(
      `${secretsFile} belongs to another installation: its keys do not open what ${databaseFile} holds. Put the right file back ` +
        '(a backup keeps it as FILE.secrets.json), or restore a backup with: parley restore FILE',
    );
  }
  return secrets;
}

const lostDatabase = (databaseFile: string, secretsFile: string): Error =>
  new Error(
    `${databaseFile} is ${existsSync(databaseFile) ? 'empty' : 'missing'}, but ${secretsFile} shows that an installation was here. ` +
      'Put the database back, or restore a backup with: parley restore FILE. To start anew instead, move secrets.json away.',
  );
