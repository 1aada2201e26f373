import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresSettings } from '../../src/db/postgres/address.ts';
import type { OpenDatabase } from '../../src/db/open-database.ts';
import { openPostgres } from '../../src/db/postgres/open.ts';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import type { PostgresServer } from './postgres.ts';

/** With PARLEY_STORE_URL, the tests' servers keep their data on that PostgreSQL server, each in a database of its own. */
export function storeSettings(): Record<string, string> {
  const url = process.env['PARLEY_STORE_URL'];
  return url === undefined ? {} : { 'store.url': url, 'store.max_connections': '4' };
}

/** Opens a temporary SQLite database for as long as `run` takes. */
export async function openSqliteFor(run: (database: OpenDatabase) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const database = await openDatabase({ file: join(folder, 'parley.db'), nowMs: 0, throwAway: true });
  try {
    await run(database);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

export const postgresSettings = (url: string): PostgresSettings => ({
  url,
  password: null,
  caFile: null,
  maxConnections: 6,
  preparesStatements: true,
  connectTimeoutMs: 5000,
  statementTimeoutMs: 30_000,
});

/** Opens a PostgreSQL database of its own on the server for as long as `run` takes. */
export async function openPostgresFor(
  server: PostgresServer,
  run: (database: OpenDatabase, name: string) => Promise<void>,
): Promise<void> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  server.run('postgres', `CREATE DATABASE ${name}`);
  const database = await openPostgres({
    settings: postgresSettings(server.url(name)),
    nowMs: 0,
    throwAway: false,
    anyServer: false,
    migrate: 'auto',
    version: '0.1.0',
    node: { name: 'tests', keyIds: () => [] },
    onProgress: () => undefined,
    onLost: () => undefined,
  });
  try {
    await run(database, name);
  } finally {
    await database.close();
  }
}
