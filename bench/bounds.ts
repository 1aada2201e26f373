/**
 * Measures how long a small read takes during each kind of large work, against the idle server in the same seconds.
 *
 *   npm run bench:bounds [-- --quick] [-- --json]
 *
 * One server process holds an organization with 1,000,000 rows of each kind (`--quick`: 50,000) and a small one, whose contact is read
 * every 5 ms. Each work has an idle phase directly before it; both include the processor time of the bench itself.
 * Nobody requests pruning or the deliveries to many URLs: for each, the server is restarted with the jobs due a few seconds later.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { installation, transact } from '../src/db/transaction.ts';
import { createContacts, searchContacts } from '../src/features/contacts/service.ts';
import { indexPending } from '../src/features/contacts/search.ts';
import { createApiKey } from '../src/features/organizations/service.ts';
import { ensureSecret } from '../src/features/webhooks/secrets.ts';
import { fillDatabase, rowId, type World } from '../test/support/many-rows.ts';
import { startCampaign } from './support/calling-campaign.ts';
import { startChild } from './support/child.ts';
import { progress, quick, report, type Row } from './support/report.ts';
import { startReads } from './support/reads.ts';
import { runBinary, serve, type Served } from './support/serve.ts';
import { startServer } from './support/server.ts';
import { addWaitingDeliveries, makeDue } from './support/waiting-deliveries.ts';

const rows = quick ? 50_000 : 1_000_000;
const imported = quick ? 50_000 : 200_000;
const [urls, waiting] = quick ? [1000, 2000] : [10_000, 20_000];
const startedAtMs = Date.now();
const idleMs = quick ? 3000 : 5000;
/** Time for a restart and the warm-up, before the idle phase of a work that begins when its jobs fall due. */
const startMs = quick ? 6000 : 20_000;
const maxP99Ms = 20;
const maxWorstMs = 50;

const formatted = (count: number): string => count.toLocaleString('en');

const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const data = join(directory, 'data');
const receiver = await startChild('receiver.ts');

/** The data of the server, made in this process. */
async function prepare(): Promise<{ world: World; largeKey: string; smallKey: string; contactId: string }> {
  progress(`writes ${formatted(rows)} rows of each kind`);
  const server = await startServer({}, { data });
  const { app, orgId } = server;
  const world = await fillDatabase(app.db, rows);
  await transact(app.db, world.orgId, async (tx) => {
    await sql`UPDATE webhook_deliveries SET status = 'held', delivered_at = NULL, settled_at = NULL
      WHERE endpoint_id = ${world.endpointId} AND status = 'delivered'`.execute(tx);
    await sql`UPDATE webhook_endpoints SET status = 'failing', failing_since = created_at, url = ${`http://127.0.0.1:${receiver.ready['port']}/`},
      held = (SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id AND status = 'held')
      WHERE id = ${world.endpointId}`.execute(tx);
    const url = `http://127.0.0.1:${receiver.ready['port']}/many`;
    for (const agentId of [world.agentId, rowId('agent', 1)]) await ensureSecret(app, tx, agentId);
    await addWaitingDeliveries(tx, { orgId: world.orgId, agentId: rowId('agent', 1), url, urls, count: waiting });
  });
  await indexPending(app);
  const keyOf = (owner: string): Promise<string> =>
    transact(app.db, installation, async (tx) => {
      const { apiKey } = await createApiKey(app, tx, owner, { name: 'Bench', role: 'admin' });
      return apiKey;
    });
  const [contact] = await transact(app.db, orgId, (tx) => createContacts(app, tx, orgId, [{ first_name: 'Ada' }]));
  const result = { world, largeKey: await keyOf(world.orgId), smallKey: await keyOf(orgId), contactId: contact!.id };
  assert.equal((await searchContacts(app, orgId, { q: 'ada' }, { limit: 1, offset: 0 })).total, 1);
  await server.finish();
  return result;
}

const { world, largeKey, smallKey, contactId } = await prepare();
const start = (): Promise<Served> =>
  serve(
    ['http.rate_limit.per_second=0', 'webhooks.allow_http_loopback=true', 'carrier.simulated.speed=20'].flatMap(
      (setting) => ['--set', setting],
    ),
    undefined,
    { data },
  );
let served = await start();

/** Restarts the server with all waiting jobs of a kind due after the idle phase. Returns when that is, in Unix milliseconds. */
async function restartWith(kind: string): Promise<number> {
  await served.stop();
  const dueAt = Date.now() + startMs + idleMs;
  makeDue(served.databaseFile, kind, dueAt);
  served = await start();
  await warmUp();
  return dueAt;
}

async function request(method: string, path: string, body?: string, type = 'application/json'): Promise<void> {
  const headers = { 'x-api-key': largeKey, ...(body === undefined ? {} : { 'content-type': type }) };
  const answer = await fetch(`${served.url}/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${method} ${path}: ${text.slice(0, 300)}`);
}

/** Waits until no job of these kinds is in the queue. */
async function idleQueue(...kinds: string[]): Promise<void> {
  for (;;) {
    await setTimeout(200);
    const text = await (await fetch(`${served.url}/metrics`, { headers: { 'x-api-key': largeKey } })).text();
    if (!kinds.some((kind) => text.includes(`parley_jobs_waiting{kind="${kind}"}`))) return;
  }
}

const csv = (): string => {
  const lines = Array.from({ length: imported }, (_, n) => `Bob ${n},+4970${10_000_000 + n},bob${n}@example.com`);
  return ['first_name,phone,email', ...lines].join('\n');
};

async function slowLists(): Promise<void> {
  const until = performance.now() + idleMs;
  while (performance.now() < until) {
    await Promise.all(['lo', 'lovelace'].map((q) => request('GET', `/contacts?q=${q}`)));
    await request('GET', `/contacts?offset=${rows - 100}`);
    await request('GET', `/campaigns/${world.campaignId}/plan`);
  }
}

/** Resolves when the receiver has got all deliveries to the many URLs. */
async function allReceived(): Promise<void> {
  for (let received = 0; received < waiting;) {
    await setTimeout(100);
    received += (await receiver.figures())['received'] ?? 0;
  }
}

/** Resolves when pruning has begun and deletes nothing more. */
async function pruned(): Promise<void> {
  const total = (): Promise<number> => totalOf('/webhooks/deliveries?limit=1&status=delivered');
  const first = await total();
  for (let [before, now] = [-1, first]; now === first || now !== before;) {
    await setTimeout(1000);
    [before, now] = [now, await total()];
  }
}

async function callAWhile(): Promise<void> {
  await setTimeout(2 * idleMs);
  const since = new Date(startedAtMs).toISOString();
  assert.ok((await totalOf(`/calls?limit=1&state=ended&since=${since}`)) > 0, 'the campaign made no calls');
}

/** The number of rows of a list in the large organization. */
async function totalOf(path: string): Promise<number> {
  const answer = await fetch(`${served.url}/api/v1${path}`, { headers: { 'x-api-key': largeKey } });
  return ((await answer.json()) as { meta: { total: number } }).meta.total;
}

async function heal(): Promise<void> {
  await receiver.figures();
  await request('POST', `/webhooks/endpoints/${world.endpointId}/resume`);
  await setTimeout(idleMs);
  const { received = 0, signed } = await receiver.figures();
  assert.ok(received > 0, 'the endpoint that heals received nothing');
  assert.equal(signed, received);
}

async function removeCampaign(): Promise<void> {
  await request('DELETE', `/campaigns/${world.campaignId}`);
  await idleQueue('campaign.remove');
}

/**
 * `begin`: done before `run` is measured; what it returns is called afterwards. `kind`: the jobs that do the work, which begins by itself
 * when they fall due.
 */
type Work = { what: string; begin?: () => Promise<() => Promise<void>>; run: () => Promise<void>; kind?: string };

async function beginCampaign(): Promise<() => Promise<void>> {
  const id = await startCampaign({ ...served, apiKey: largeKey }, 100);
  return () => request('PATCH', `/campaigns/${id}`, '{"status":"paused"}');
}

const works: readonly Work[] = [
  { what: 'slow lists of another organization', run: slowLists },
  {
    what: `import of ${formatted(imported)} contacts`,
    run: () => request('POST', '/contacts/import', csv(), 'text/csv'),
  },
  { what: 'campaign that starts 100 calls a second', begin: beginCampaign, run: callAWhile },
  { what: 'backup', run: () => runBinary(['backup', join(directory, 'backup.db'), '--data', data]) },
  { what: `deletion of a campaign of ${formatted(rows)} contacts`, run: removeCampaign },
  { what: `${formatted(waiting)} deliveries to ${formatted(urls)} URLs`, run: allReceived, kind: 'webhook.deliver' },
  { what: `pruning of ${formatted(rows * 0.7)} deliveries`, run: pruned, kind: 'webhooks.prune' },
  // Last, because its deliveries go on for minutes after the measurement.
  { what: 'an endpoint that heals', run: heal },
];

type Times = { p99: number; worst: number };

async function timesDuring(run: () => Promise<unknown>): Promise<Times> {
  const reads = startReads(`${served.url}/api/v1/contacts/${contactId}`, smallKey);
  await run();
  const times = await reads.stop();
  return { p99: times[Math.floor(times.length * 0.99)]!, worst: times.at(-1)! };
}

async function warmUp(): Promise<void> {
  // The first delivery of a process loads its HTTP client, which is no part of what is measured.
  await request('POST', `/webhooks/endpoints/${world.endpointId}/test`);
  await timesDuring(() => setTimeout(1000));
}

const results: Row[] = [];
await warmUp();
for (const { what, begin, run, kind } of works) {
  progress(what);
  const dueAt = kind === undefined ? Date.now() + idleMs : await restartWith(kind);
  const idle = await timesDuring(() => setTimeout(Math.max(1000, dueAt - Date.now())));
  const end = await begin?.();
  const during = await timesDuring(run);
  await end?.();
  const row = { unit: 'ms', digits: 1 };
  // The targets are for the time above that of the idle server in the same seconds.
  results.push(
    { what: `${what}: p99`, bare: idle.p99, parley: during.p99, ...row },
    { what: `${what}: p99 over idle`, parley: during.p99 - idle.p99, target: { atMost: maxP99Ms }, ...row },
    { what: `${what}: worst over idle`, parley: during.worst - idle.worst, target: { atMost: maxWorstMs }, ...row },
  );
}
await served.stop();
await receiver.stop();
rmSync(directory, { recursive: true, force: true });
report(`a small read during large work, ${formatted(rows)} rows of each kind; bare is the idle server`, results);
