/**
 * Measures the same work on SQLite and on PostgreSQL in one run, in rounds that alternate, and what a millisecond of way to PostgreSQL costs.
 *
 *   npm run bench:stores [-- --quick] [-- --json] [-- --program dist/parley]
 *
 * Starts a PostgreSQL server of its own (Debian: postgresql), with commits that are synced. The distant one is the same server behind a
 * relay that delays what goes to it by a millisecond. A call is a POST /calls that the simulated carrier ends soon. With `--program`,
 * that executable is started instead of the checkout.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { installation, transact } from '../src/db/transaction.ts';
import { createApiKey, createOrganization } from '../src/features/organizations/service.ts';
import { postgresPrograms, startPostgres } from '../test/support/postgres.ts';
import { startChild } from './support/child.ts';
import { deliver } from './support/deliveries.ts';
import { medians, quick, ratiosOf, report, type Row } from './support/report.ts';
import { serve, usageOf } from './support/serve.ts';
import { makeAgent, type Server, startServer } from './support/server.ts';

const { values } = parseArgs({ options: { program: { type: 'string' } }, strict: false });
const program = typeof values.program === 'string' ? realpathSync(values.program) : undefined;
const rounds = quick ? 2 : 3;
const durationMs = quick ? 500 : 2000;
const events = quick ? 500 : 2000;
const organizations = 40;
const urls = 32;

const programs = postgresPrograms();
assert.ok(programs, 'this bench needs a PostgreSQL server: install Debian’s package postgresql');
const postgres = startPostgres(programs, { isDurable: true });
const relay = await startSlowRelay(postgres.folder, 1);
const receiver = await startChild('receiver.ts');

type Model = { llmModel: string; isActive: boolean; voices: Array<{ id: string }> };
type Made = { id: string };
type Sent = { method: 'GET' | 'POST' | 'PATCH'; path: string; body?: object };
type Caller = { key: string; call: Readonly<Record<string, string>> };
type Side = { server: Server; callers: Caller[]; agents: string[]; http: Agent; phones: number };

const settings = {
  'carrier.driver': 'simulated',
  'carrier.simulated.speed': '1000',
  'http.rate_limit.per_second': '0',
};

async function startSide(store: string | null): Promise<Side> {
  const server = await startServer(store === null ? settings : { ...settings, 'store.url': store });
  const { app } = server;
  const callers: Caller[] = [];
  for (let count = 0; count < organizations; count += 1) {
    const key = await transact(app.db, installation, async (tx) => {
      const orgId = await createOrganization(app, tx, `Organization ${count}`);
      return (await createApiKey(app, tx, orgId, { name: 'bench', role: 'admin' })).apiKey;
    });
    const ask = <D>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<D> =>
      answerOf<D>(server.url, key, { method, path: `/api/v1${path}`, ...(body && { body }) });
    const models = await ask<Model[]>('GET', '/available-llm-models/with-voices');
    const { llmModel: model, voices } = models.find(({ isActive }) => isActive)!;
    const agent = await ask<Made>('POST', '/agents/', { agentName: 'Robin', model, voiceId: voices[0]!.id });
    const phone = `+49309018${String(2000 + count)}`;
    const number = await ask<Made>('POST', '/phone-numbers/import', { phone, termination_uri: 'sip.example.com' });
    await ask('PATCH', `/phone-numbers/${number.id}`, { max_cps: 100, max_concurrent: 1000 });
    if (count === 0)
      for (let contact = 0; contact < 60; contact += 1)
        await ask('POST', '/contacts/', { company: `Example ${contact}` });
    callers.push({ key, call: { agent_id: agent.id, phone_number_id: number.id } });
  }
  const agents: string[] = [];
  for (let url = 0; url < urls; url += 1)
    agents.push(await makeAgent(server, [`http://127.0.0.1:${receiver.ready['port']}/hooks/${url}`]));
  return { server, callers, agents, http: new Agent({ connections: 64 }), phones: 0 };
}

async function answerOf<D>(url: string, key: string, { method, path, body }: Sent): Promise<D> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const { data, message } = (await answer.json()) as { data: D; message: string };
  assert.equal(answer.status, 200, message);
  return data;
}

/** Answers 200 per second of requests that each of the connections sends one after the other. */
async function perSecond(side: Side, callers: readonly Caller[], requestOf: (caller: Caller) => Sent): Promise<number> {
  const until = performance.now() + durationMs;
  let answered = 0;
  const startedAt = performance.now();
  const send = async (caller: Caller): Promise<void> => {
    while (performance.now() < until) {
      const { method, path, body } = requestOf(caller);
      const answer = await request(side.server.url + path, {
        method,
        headers: { 'x-api-key': caller.key, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        dispatcher: side.http,
      });
      await answer.body.dump();
      if (answer.statusCode === 200) answered += 1;
      else assert.equal(answer.statusCode, 409, path); // all lines are busy for a moment
    }
  };
  await Promise.all(callers.map(send));
  return (answered / (performance.now() - startedAt)) * 1000;
}

const calling =
  (side: Side) =>
  ({ call }: Caller): Sent => {
    side.phones += 1;
    const to = `+4940${String(side.phones).padStart(7, '0')}00`;
    return { method: 'POST', path: '/api/v1/calls', body: { ...call, to } };
  };
const listing = (): Sent => ({ method: 'GET', path: '/api/v1/contacts?limit=20' });
const getting = (): Sent => ({ method: 'GET', path: '/api/v1/organization' });
const creating = (): Sent => ({ method: 'POST', path: '/api/v1/contacts/', body: { company: 'Example' } });

const idle = setTimeout.bind(undefined, quick ? 500 : 3000);

/** Start to /ready on a database that is there, and the memory of the idle process. */
async function startAndIdle(store: string | null): Promise<{ readyMs: number; residentMiB: number }> {
  const data = mkdtempSync(join(tmpdir(), 'parley-bench-stores-'));
  const options = { data, env: store === null ? {} : { PARLEY_STORE_URL: store } };
  await (await serve([], program, options)).stop();
  const served = await serve([], program, options);
  await idle();
  const residentMiB = usageOf(served.pid)?.residentMiB ?? Number.NaN;
  await served.stop();
  rmSync(data, { recursive: true, force: true });
  return { readyMs: served.readyMs, residentMiB };
}

function database(name: string): string {
  postgres.run('postgres', `CREATE DATABASE ${name}`);
  return postgres.url(name);
}

/** A TCP relay to the server's socket that delays what goes there. */
async function startSlowRelay(folder: string, ms: number): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket, delayMs: number): void => {
    from.on('data', (bytes) => void (delayMs > 0 ? setTimeout(delayMs).then(() => to.write(bytes)) : to.write(bytes)));
    from.on('close', () => to.destroy());
    from.on('error', () => undefined);
    sockets.add(from);
  };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect(`${folder}/.s.PGSQL.5432`);
    pass(client, upstream, ms);
    pass(upstream, client, 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port, close };
}

const results: Array<Record<string, number>> = [];
const sqlite = await startSide(null);
const near = await startSide(database('near'));
database('distant');
const distant = await startSide(`postgres://parley@127.0.0.1:${relay.port}/distant`);
for (let round = 0; round <= rounds; round += 1) {
  const found: Record<string, number> = {};
  for (const [name, side] of [
    ['sqlite', sqlite],
    ['postgres', near],
  ] as const) {
    const [one] = side.callers;
    const sixteen = Array.from({ length: 16 }, () => one!);
    found[`${name} deliveries`] = (await deliver(side.server, side.agents, events)).perSecond;
    found[`${name} calls`] = await perSecond(side, side.callers, calling(side));
    found[`${name} contacts`] = await perSecond(side, side.callers, creating);
    found[`${name} list`] = await perSecond(side, sixteen, listing);
    found[`${name} get`] = await perSecond(side, sixteen, getting);
    const started = await startAndIdle(name === 'sqlite' ? null : database(`start_${round}`));
    found[`${name} ready`] = started.readyMs;
    found[`${name} memory`] = started.residentMiB;
  }
  const alone = Array.from({ length: 16 }, () => distant.callers[0]!);
  found['distant calls'] = await perSecond(distant, alone, calling(distant));
  found['distant contacts'] = await perSecond(distant, alone, creating);
  if (round > 0) results.push(found); // the first one is a warm-up
}
for (const { server, http } of [sqlite, near, distant]) {
  await http.close();
  await server.finish();
}
await receiver.stop();
relay.close();
postgres.stop();

const m = medians(results);
const compared = (what: string, name: string, atLeast: number | null): Row => ({
  what,
  bare: m[`sqlite ${name}`]!,
  parley: m[`postgres ${name}`]!,
  ratios: ratiosOf(results, `postgres ${name}`, `sqlite ${name}`),
  ...(atLeast !== null && { target: { atLeast } }),
});
report(
  'stores: parley on PostgreSQL; bare is parley on SQLite',
  [
    compared('deliveries per second', 'deliveries', 0.5),
    compared(`calls per second of ${organizations} organizations`, 'calls', 0.5),
    compared(`contacts created per second by ${organizations} organizations`, 'contacts', null),
    compared('lists of 20 contacts per second', 'list', 0.5),
    compared('organizations read per second', 'get', 0.5),
    {
      what: 'calls per second of one organization, 1 ms away',
      parley: m['distant calls']!,
      target: { atLeast: 100 },
    },
    { what: 'contacts created per second by one organization, 1 ms away', parley: m['distant contacts']! },
    {
      what: 'start to /ready on a migrated database on SQLite',
      parley: m['sqlite ready']!,
      unit: 'ms',
    },
    {
      what: 'start to /ready on a migrated database',
      parley: m['postgres ready']!,
      unit: 'ms',
      target: { atMost: 600 },
    },
    {
      what: 'memory when idle, more than on SQLite',
      parley: m['postgres memory']! - m['sqlite memory']!,
      unit: 'MiB',
      target: { atMost: 30 },
    },
  ],
  [`medians of ${rounds} alternating rounds; starts of ${program ?? 'the checkout'}`],
);
