import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenDatabase } from '../../src/db/open-database.ts';
import pg from 'pg';
import { clientConfig, type PostgresSettings, withDatabase } from '../../src/db/postgres/address.ts';
import { openPostgres } from '../../src/db/postgres/open.ts';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import type { PostgresServer } from './postgres.ts';

const serverUrl = process.env['PARLEY_STORE_URL'];

/** PARLEY_STORE_PREPARED_STATEMENTS=false where that URL is a pooler's. */
const prepares = process.env['PARLEY_STORE_PREPARED_STATEMENTS'];
const preparing = prepares === undefined ? {} : { 'store.prepared_statements': prepares };

/** Whether the tests' servers keep their data in SQLite. */
export const onSqlite = serverUrl === undefined;
/** For `skip` of a test that has no form on PostgreSQL. */
export const sqliteAlone = (reason: string): string | false => !onSqlite && `SQLite alone: ${reason}`;

/**
 * With PARLEY_STORE_URL, the tests' servers keep their data on that PostgreSQL server, each in a database of its own; those with the same
 * data directory in the same one.
 */
export async function storeSettings(data: string | undefined): Promise<Record<string, string>> {
  if (serverUrl === undefined) return {};
  const url = data === undefined ? serverUrl : await databaseOf(serverUrl, data);
  return { 'store.url': url, 'store.max_connections': '4', ...preparing };
}

async function databaseOf(url: string, data: string): Promise<string> {
  const name = `kept_${createHash('sha256').update(data).digest('hex').slice(0, 16)}`;
  const client = new pg.Client(clientConfig(postgresSettings(url)));
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  return withDatabase(url, name);
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
  server: Pick<PostgresServer, 'run' | 'url'>,
  run: (database: OpenDatabase, name: string) => Promise<void>,
  settings: Partial<PostgresSettings> = {},
): Promise<void> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  server.run('postgres', `CREATE DATABASE ${name}`);
  const database = await openPostgres({
    settings: { ...postgresSettings(server.url(name)), ...settings },
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
