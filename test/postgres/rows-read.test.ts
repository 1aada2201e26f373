import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { deliver } from '../../bench/support/deliveries.ts';
import { aReceiver } from '../http/calling-support.ts';
import { anAgent } from '../support/fixtures.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { startTestServer } from '../support/server.ts';

const programs = postgresPrograms();
let postgres: PostgresServer;
before(() => {
  if (programs === undefined) return;
  postgres = startPostgres(programs);
  // With so few rows PostgreSQL would rather read a whole table than follow an index.
  postgres.run('postgres', 'ALTER ROLE parley SET enable_seqscan = off');
});
after(() => postgres?.stop());

const skip = programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)';

/** Rows that were read of a table, by an index or from its beginning to its end. */
function rowsRead(database: string, table: string): number {
  const counted = `SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = '${table}'`;
  return Number(postgres.run(database, counted));
}

/** Sessions tell what they read when they end. */
const endSessions = (database: string): string =>
  postgres.run(
    'postgres',
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${database}'`,
  );

const agents = 16;
const events = 2000;

/** What a delivery reads at most: a row is read where it is changed, too. */
const limits = { outbox: 6, webhook_deliveries: 6, webhook_events: 4 };

test('a delivery reads its own rows, on tables of which PostgreSQL has no statistics yet', { skip }, async (t) => {
  const server = await startTestServer({ settings: { 'store.url': postgres.url('postgres') }, testClock: false });
  t.after(() => server.stop());
  const receiver = await aReceiver(t);
  const ids: string[] = [];
  for (let at = 0; at < agents; at += 1) ids.push((await anAgent(server, { webhook_url: `${receiver.url}/${at}` })).id);
  await deliver({ ...server.running, finish: () => server.stop() }, ids, events);
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(server.running.app.db);
  const [{ name }] = rows as [{ name: string }];
  endSessions(name);
  const found = Object.fromEntries(Object.keys(limits).map((table) => [table, rowsRead(name, table) / events]));
  t.diagnostic(JSON.stringify(found));
  for (const [table, limit] of Object.entries(limits))
    assert.ok(found[table]! <= limit, `${table}: ${found[table]} rows read a delivery, and ${limit} at most`);
});
