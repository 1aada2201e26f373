import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config/schema.ts';
import { parleyVersion } from '../base/version.ts';
import { missingFrom } from '../db/sqlite/migrate.ts';
import { openStore, postgresSettings } from './app.ts';
import { holdsData, openDataDirectory } from './data-directory.ts';

export type MigrateOptions = { check: boolean; tell: (message: string) => void };

/**
 * Brings the schema of an installation up to date, or with `check` only looks.
 * @returns what is still to be done, as a sentence; null for nothing
 * @throws an Error that says why this version cannot work with the database
 */
export async function migrateStore(config: Config, { check, tell }: MigrateOptions): Promise<string | null> {
  const nowMs = systemClock().now();
  const { store } = config;
  if (store.url !== null) {
    const { migrateStore: migratePostgres } = await import('../db/postgres/prepare.ts');
    return migratePostgres({
      settings: postgresSettings(store, store.url),
      anyServer: store.any_server,
      version: parleyVersion,
      nowMs,
      onProgress: tell,
      check,
    });
  }
  if (!holdsData(config.data))
    throw new Error(`there is no data in ${config.data}; name another directory with --data`);
  const directory = openDataDirectory(config.data, config.secrets.file);
  if (!check) {
    await (await openStore(directory, { nowMs, throwAway: false, tell })).close();
    return null;
  }
  const missing = missingFrom(directory.databaseFile);
  const names = missing.map(({ id, name }) => `${id}, ${name}`).join('; ');
  return names === '' ? null : `the database has an older schema, and migrations are to be applied (${names})`;
}
