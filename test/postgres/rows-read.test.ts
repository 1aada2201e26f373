import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { deliver } from '../../bench/support/deliveries.ts';
import { aReceiver, newCallingOrg } from '../http/calling-support.ts';
import { anAgent, aPhone } from '../support/fixtures.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { dataOf, startTestServer, type TestServer } from '../support/server.ts';

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

/** Checks how many rows of each table were read for each of `count` pieces of work. */
async function readAtMost(
  t: TestContext,
  server: TestServer,
  { count, limits }: { count: number; limits: Record<string, number> },
) {
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(server.running.app.db);
  const [{ name }] = rows as [{ name: string }];
  endSessions(name);
  const found = Object.fromEntries(Object.keys(limits).map((table) => [table, rowsRead(name, table) / count]));
  t.diagnostic(JSON.stringify(found));
  for (const [table, limit] of Object.entries(limits))
    assert.ok(found[table]! <= limit, `${table}: ${found[table]} rows read for each, and ${limit} at most`);
}

// A row is read where it is changed, too. PostgreSQL has no statistics of these tables yet.

test('a delivery reads its own rows, however many wait', { skip }, async (t) => {
  const [agents, events] = [16, 2000];
  const server = await startTestServer({ settings: { 'store.url': postgres.url('postgres') }, testClock: false });
  t.after(() => server.stop());
  const receiver = await aReceiver(t);
  const ids: string[] = [];
  for (let at = 0; at < agents; at += 1) ids.push((await anAgent(server, { webhook_url: `${receiver.url}/${at}` })).id);
  await deliver({ ...server.running, finish: () => server.stop() }, ids, events);
  await readAtMost(t, server, { count: events, limits: { outbox: 6, webhook_deliveries: 6, webhook_events: 4 } });
});

test('a call of a campaign reads its own rows, however many contacts wait', { skip }, async (t) => {
  const count = 300;
  const server = await startTestServer({
    settings: { 'store.url': postgres.url('postgres'), 'carrier.driver': 'simulated' },
  });
  t.after(() => server.stop());
  const receiver = await aReceiver(t);
  const org = await newCallingOrg(server, { agent: { webhook_url: receiver.url } });
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 100 }));
  const contacts = Array.from({ length: count }, () => aPhone());
  const schedule = { timezone: 'UTC', windowStart: '00:00', windowEnd: '23:59', maxConcurrent: 80, retryAttempts: 0 };
  await org.run(contacts, { maxCps: 100, schedule });
  await server.advance(3_600_000);
  assert.equal(receiver.events.length, count);
  const limits = {
    outbox: 24,
    calls: 12,
    campaign_contacts: 12,
    contacts: 6,
    webhook_deliveries: 6,
    webhook_events: 4,
  };
  await readAtMost(t, server, { count, limits });
});
