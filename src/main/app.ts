import { readFileSync } from 'node:fs';
import { ConfigError } from '../base/config/faults.ts';
import type { Config } from '../base/config/schema.ts';
import { messageOf } from '../base/errors.ts';
import { createIds } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { createOutbound, type Outbound } from '../base/outbound/client.ts';
import { pagePolicy, webhookPolicy } from '../base/outbound/policies.ts';
import { loadSecrets } from '../base/secrets.ts';
import { DatabaseInUse } from '../db/sqlite/file-lock.ts';
import { type OpenDatabase, openDatabase } from '../db/sqlite/open.ts';
import { isInTransaction } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import { createEvents } from '../kernel/events.ts';
import { parleyVersion } from '../base/version.ts';
import type { DataDirectory } from './data-directory.ts';

/** Another process has the database open. */
export class DirectoryInUse extends Error {}

/**
 * Opens the database of a data directory for this process alone.
 * @throws DirectoryInUse when another process has it
 */
export async function openStore(
  directory: DataDirectory,
  { tell, ...options }: { nowMs: number; throwAway: boolean; tell: (message: string) => void },
): Promise<OpenDatabase> {
  try {
    return await openDatabase({ file: directory.databaseFile, onProgress: tell, ...options });
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    throw new DirectoryInUse(`${directory.path} is in use by ${directory.holder()}; one process at a time holds it`, {
      cause: error,
    });
  }
}

export type Parts = {
  config: Config;
  log: Log;
  clock: App['clock'];
  database: OpenDatabase;
  directory: DataDirectory;
  background: App['background'];
  wake: App['wake'];
};

/** Assembles the App from the parts that are already open. */
export function createApp({ config, log, clock, database, directory, background, wake }: Parts): App {
  const ca = certificatesIn(config.outbound.ca_file);
  return Object.freeze({
    version: parleyVersion,
    config,
    db: database.db,
    clock,
    ids: createIds(clock),
    log,
    secrets: loadSecrets(directory.secretsFile),
    events: createEvents(),
    outbound: outsideTransactions(database.db, createOutbound({ policy: webhookPolicy(config), ca })),
    web: outsideTransactions(database.db, createOutbound({ policy: pagePolicy(config), ca })),
    upstream: outsideTransactions(database.db, createOutbound({ guard: false, ca })),
    background,
    wake,
  });
}

/** @throws ConfigError when the file cannot be read */
function certificatesIn(file: string | null): string | undefined {
  if (file === null) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const setting = 'outbound.ca_file';
    throw new ConfigError([
      { setting, message: `${setting} cannot be read: ${messageOf(error)}`, origin: { kind: 'default' } },
    ]);
  }
}

/** Fails a request made inside a transaction: it would hold the database for as long as the network takes. */
function outsideTransactions(db: App['db'], outbound: Outbound): Outbound {
  const refusing =
    <A extends unknown[], R>(send: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      isInTransaction(db)
        ? Promise.reject(new Error('a transaction must not wait for the network; mark its route `detached`'))
        : send(...args);
  return { request: refusing(outbound.request), post: refusing(outbound.post), close: outbound.close };
}
