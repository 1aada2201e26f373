import assert from 'node:assert/strict';
import { mkdtempSync, statSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { perDialect } from '../../src/db/dialect.ts';
import { readInBackground } from '../../src/db/long-reads.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { requestRunningServer } from '../../src/main/control/client.ts';
import { aKey, startCalendar } from '../support/calendar.ts';
import { anAgent } from '../support/fixtures.ts';
import { type Client, dataOf, startTestServer } from '../support/server.ts';
import { httpSettings } from './http-carrier-support.ts';

type Check = { id: string; status: string; message: string };
type System = {
  checks: Check[] | null;
  backup: {
    last_at: string | null;
    next_at: string | null;
    path: string | null;
    size_bytes: number | null;
    error: string | null;
  };
  nodes: Array<{ name: string; version: string; roles: string[]; started_at: string; seen_at: string }>;
  uptime_sec: number;
  queue: { due: number; oldest_sec: number };
};

const data = mkdtempSync(join(tmpdir(), 'parley-system-'));
let asked = 0;
const runtime = createServer((_request, response) => {
  asked += 1;
  response.writeHead(404).end();
});
await new Promise<void>((done) => runtime.listen(0, '127.0.0.1', done));
const runtimeUrl = `http://127.0.0.1:${(runtime.address() as AddressInfo).port}/voice`;
const { server, fake, stop } = await startCalendar({ data, settings: httpSettings(runtimeUrl) });
after(async () => {
  await stop();
  runtime.close();
  rmSync(data, { recursive: true, force: true });
});

const systemOf = async (client: Client, key?: string): Promise<System> =>
  dataOf(await client.get<System>('/system', key === undefined ? {} : { key }));
const checkOf = ({ checks }: System, id: string): string => {
  const check = checks!.find((one) => one.id === id);
  return check ? `${check.status}: ${check.message}` : 'none';
};

test('admins see what doctor finds, about their organization and the installation alone', async () => {
  const other = await server.newOrganization();
  for (const client of [server, other]) {
    const answer = await client.post('/calendar/connect', { org_id: client.orgId, api_key: aKey(fake) });
    assert.equal(answer.status, 200, answer.text);
  }
  await anAgent(other, { webhook_url: 'https://example.com/hook', webhook_events: ['call.completed'] });
  await server.running.app.db
    .updateTable('webhook_endpoints')
    .set({ status: 'failing', failing_since: 1, held: 7 })
    .where('organization_id', '=', other.orgId)
    .execute();
  const [own, others] = [await systemOf(server), await systemOf(other)];
  const ids = own.checks!.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of [
    'server',
    'database',
    'space',
    'volume',
    'permissions',
    'queue',
    'webhooks',
    'email',
    'embeddings',
    'carrier',
    'calls',
    'calendar',
  ])
    assert.ok(ids.includes(id), id);
  assert.equal(checkOf(own, 'webhooks'), 'ok: no endpoint is failing');
  assert.equal(checkOf(others, 'webhooks'), 'warn: 1 endpoints are failing; 7 deliveries are held back for them');
  assert.match(checkOf(own, 'calendar'), new RegExp(`^ok: .*${server.orgId}$`));
  assert.equal(checkOf(own, 'calendar-2'), 'none');
  assert.doesNotMatch(JSON.stringify(own), new RegExp(other.orgId));
});

test('others than admins see no checks and no paths', async () => {
  for (const role of ['member', 'viewer'] as const) {
    const { checks, backup } = await systemOf(server, await server.keyWithRole(role));
    assert.equal(checks, null);
    assert.deepEqual([backup.path, backup.error], [null, null]);
  }
});

test('dashboards that poll do not reach services each time', async () => {
  await systemOf(server);
  const before = asked;
  for (let poll = 0; poll < 20; poll++) await systemOf(server);
  assert.equal(asked, before);
});

test('the last backup is told, and why one after it failed', async () => {
  const file = join(data, 'copy.db');
  const backUp = () => requestRunningServer(data, { task: 'backup', args: { file } });
  const none = { last_at: null, next_at: null, path: null, size_bytes: null, error: null };
  assert.deepEqual((await systemOf(server)).backup, none);
  await backUp();
  const { now } = dataOf(await server.get<{ now: string }>('/test-clock'));
  const made = { ...none, last_at: now, path: file, size_bytes: statSync(file).size };
  assert.deepEqual((await systemOf(server)).backup, made);
  await assert.rejects(backUp(), /already exists; a backup never overwrites a file/);
  assert.deepEqual((await systemOf(server)).backup, made, 'refused is not failed');
  const nowhere = join(data, 'nowhere', 'copy.db');
  const request = { task: 'backup', args: { file: nowhere } };
  await assert.rejects(
    requestRunningServer(data, request),
    /no backup was written to .*nowhere\/copy\.db: its directory does not exist/,
  );
  const { error } = (await systemOf(server)).backup as { error: string };
  assert.match(error, /no backup was written to .*nowhere\/copy\.db: its directory does not exist/);
});

test('the queue tells how many jobs are due and how long the oldest waits', async (t) => {
  const idle = await startTestServer();
  t.after(() => idle.stop());
  const { app, runner } = idle.running;
  await runner.settled();
  const now = app.clock.now();
  await transact(app.db, installation, (tx) =>
    tx
      .insertInto('outbox')
      .values({ kind: 'none', key: '1', lane: null, due_at: now - 90_500, payload: '{}', scope: 'installation' })
      .execute(),
  );
  let system = await systemOf(idle);
  while (system.queue.due === 0) system = await systemOf(idle); // until it has been read
  const { queue, uptime_sec: uptime } = system;
  assert.deepEqual(queue, { due: 1, oldest_sec: 90 });
  assert.ok(Number.isInteger(uptime) && uptime >= 0);
});

test('the state of the system does not wait for a long read', async (t) => {
  const busy = await startTestServer();
  t.after(() => busy.stop());
  const { db } = busy.running.app;
  const long = perDialect({
    sqlite: () =>
      sql`WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000000) SELECT count(*) FROM n`,
    postgres: () => sql`SELECT pg_sleep(8)`, // which ends before the statement time-out, however busy the machine is
  });
  let isRead = false;
  const reading = readInBackground(db, long.compile(db), { owner: 'test' }).then(() => void (isRead = true));
  const { uptime_sec: uptime } = await systemOf(busy);
  assert.equal(isRead, false);
  assert.ok(uptime >= 0);
  await reading;
});

test('the server is one node, also in the metrics', async () => {
  const [node, ...others] = (await systemOf(server)).nodes;
  assert.equal(others.length, 0);
  assert.equal(node!.name, hostname());
  assert.deepEqual(node!.roles, ['active', 'http', 'jobs', 'telephony']);
  assert.ok(node!.started_at <= node!.seen_at);
  const { text } = await server.get('//metrics');
  assert.match(text, /^parley_nodes\{role="active"\} 1$/m);
  assert.match(text, /^parley_nodes\{role="standby"\} 0$/m);
});
