import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { createApi } from '../../src/cli/demo/api.ts';
import { activate, seed } from '../../src/cli/demo/seed.ts';
import { aBase, addSources, ask, settled, theBase } from '../support/knowledge.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { run, runHere, scratch, serve } from '../cli/support.ts';

const programs = postgresPrograms();
const skip = programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)';
let postgres: PostgresServer | undefined;
before(() => void (postgres = programs === undefined ? undefined : startPostgres(programs)));
after(() => postgres?.stop());

const nowMs = Date.UTC(2026, 10, 24, 10, 20);
const testClock = new Date(nowMs).toISOString();

function database(name: string): string {
  postgres!.run('postgres', `CREATE DATABASE ${name}`);
  return postgres!.url(name);
}

const settings = {
  'carrier.driver': 'simulated',
  'webhooks.allow_http_loopback': 'true',
  'http.port': '0',
  'log.level': 'silent',
};

/** A data directory with contacts, calls that ended and that go on, deliveries that wait, and a knowledge base. */
async function filledDirectory(t: TestContext): Promise<{ data: string; baseId: string }> {
  const data = join(scratch(t), 'data');
  const server = await serveAt(data);
  const api = createApi(server.url, server.apiKey);
  const seeded = await seed(api, { webhookUrl: 'http://127.0.0.1:9/crm', contacts: 60, nowMs });
  await activate(api, seeded);
  await server.advance(20_000);
  const baseId = await aBase(server);
  await addSources(server, baseId, {
    knowledge_base_texts: [
      { title: 'Öffnungszeiten', text: 'Die Praxis öffnet montags um 8 Uhr und schließt freitags um 14 Uhr. 🦷' },
      { title: 'Parking', text: 'Patients park behind the house; the garage of the theatre is closed at night.' },
    ],
  });
  await settled(server, baseId);
  await server.stop();
  return { data, baseId };
}

const serveAt = (data: string, more: Record<string, string> = {}): Promise<TestServer> =>
  startTestServer({ data, testClock, settings: { ...settings, ...more } });

/** What people see of an installation. */
async function seen(server: TestServer, baseId: string) {
  const read = async (path: string): Promise<string> => {
    const answer = await server.get<unknown>(path);
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.text;
  };
  const { body: campaigns } = await server.get<Array<{ id: string }>>('/campaigns');
  const [first] = campaigns.data;
  return {
    campaigns,
    contacts: await read('/contacts?limit=100'),
    found: await read('/contacts?q=brun'),
    members: await read(`/campaigns/${first!.id}/contacts?limit=100`),
    results: await read(`/campaigns/${first!.id}/results`),
    calls: await read('/calls?limit=100'),
    deliveries: await read('/webhooks/deliveries?limit=100'),
    agents: await read('/agents'),
    base: await theBase(server, baseId),
    passages: await ask(server, baseId, 'Wann öfnet die Praxis?'), // misspelt
    parking: await ask(server, baseId, 'parked garages'),
  };
}

const tableLines = (out: string): string[] => out.split('\n').filter((line) => / rows {2}[0-9a-f]{64}$/.test(line));

test('a copy to PostgreSQL and back has the same rows, and a server on it answers the same', { skip }, async (t) => {
  const { data, baseId } = await filledDirectory(t);
  const [url, back] = [database('to_there'), join(scratch(t), 'back')];
  const there = await runHere(t, ['store', 'copy', '--data', data, '--to', url]);
  assert.equal(there.code, 0, there.err);
  const lines = tableLines(there.out);
  for (const table of [
    'calls',
    'call_figures',
    'contacts',
    'outbox',
    'webhook_deliveries',
    'retrieval_passages',
    'audit_log',
  ])
    assert.ok(
      lines.some((line) => new RegExp(`^${table} +[1-9]\\d* rows`).test(line)),
      `${table}: ${there.out}`,
    );
  assert.match(there.out, /was moved to postgres:\/\//);
  assert.match(there.err, /Every node needs the secrets in .*secrets\.json/);

  const again = await runHere(t, ['store', 'copy', '--from', url, '--data', data, '--to', `sqlite:${back}`]);
  assert.equal(again.code, 0, again.err);
  assert.deepEqual(tableLines(again.out), lines);

  const anyway = { 'store.moved_anyway': 'true' };
  const answers: Array<Awaited<ReturnType<typeof seen>>> = [];
  for (const [place, more] of [
    [data, anyway],
    [data, { ...anyway, 'store.url': url }],
    [back, {}],
  ] as const) {
    const server = await serveAt(place, more);
    t.after(() => server.stop());
    answers.push(await seen(server, baseId));
    // Due work goes on: calls begin, and new rows get new numbers.
    const ran = await server.advance(600_000);
    assert.ok(ran['simulated.step']! > 0 && ran['webhook.deliver']! > 0, JSON.stringify(ran));
    await server.stop();
  }
  const [{ found, calls, deliveries, passages, parking }] = answers as [(typeof answers)[0]];
  for (const list of [found, calls, deliveries]) assert.ok((JSON.parse(list) as { data: unknown[] }).data.length > 0);
  for (const list of [passages, parking]) assert.ok(list.length > 0);
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[2], answers[0]);
  const doctor = await runHere(t, ['doctor', '--data', back]);
  assert.doesNotMatch(doctor.out, /^fail +database/m);
});

test('an installation that was moved is not served from where it was, unless it is said', { skip }, async (t) => {
  const data = join(scratch(t), 'data');
  const url = database('to_moved');
  const first = await serve(t, ['--data', data]);
  const refused = await runHere(t, ['store', 'copy', '--data', data, '--to', url]);
  assert.deepEqual([refused.code, /in use by process \d+/.test(refused.err)], [1, true], refused.err);
  await first.stop();
  assert.equal((await runHere(t, ['store', 'copy', '--data', data, '--to', url])).code, 0);
  const moved = await run(['serve', '--data', data, '--port', '0']);
  assert.equal(moved.code, 1);
  assert.match(moved.err, /was moved to postgres:\/\/.*store\.moved_anyway=true/);
  const doctor = await runHere(t, ['doctor', '--data', data]);
  assert.equal(doctor.code, 1);
  assert.match(doctor.out, /^fail +moved +this installation was moved to postgres:\/\//m);
  const onServer = await serve(t, ['--data', data], { PARLEY_STORE_URL: url });
  const served = await runHere(t, ['store', 'copy', '--from', url, '--to', `sqlite:${join(scratch(t), 'x')}`]);
  assert.deepEqual([served.code, /is served by /.test(served.err)], [1, true], served.err);
  await onServer.stop();
  await (await serve(t, ['--data', data, '--set', 'store.moved_anyway=true'])).stop();
  const twice = await runHere(t, ['store', 'copy', '--data', data, '--to', database('to_elsewhere')]);
  assert.deepEqual([twice.code, /was moved to/.test(twice.err)], [1, true], twice.err);
});

test('a target that is not empty is refused and left alone', { skip }, async (t) => {
  const [data, other] = [join(scratch(t), 'data'), join(scratch(t), 'other')];
  const [full, foreign] = [database('to_full'), database('to_others')];
  postgres!.run('to_others', 'CREATE TABLE things (id int)');
  await (await serve(t, ['--data', data])).stop();
  await (await serve(t, ['--data', other])).stop();
  await (await serve(t, ['--data', join(scratch(t), 'full')], { PARLEY_STORE_URL: full })).stop();
  const [rows, files] = [postgres!.run('to_full', 'SELECT count(*) FROM organizations'), readdirSync(other)];
  const copyTo = (to: string) => runHere(t, ['store', 'copy', '--data', data, '--to', to]);
  const [toFull, toForeign, toFile] = [await copyTo(full), await copyTo(foreign), await copyTo(`sqlite:${other}`)];
  assert.deepEqual([toFull.code, toForeign.code, toFile.code], [1, 1, 1]);
  assert.match(toFull.err, /is not empty/);
  assert.match(toForeign.err, /tables of another program \(things/);
  assert.match(toFile.err, /parley\.db exists/);
  assert.equal(postgres!.run('to_full', 'SELECT count(*) FROM organizations'), rows);
  assert.deepEqual(readdirSync(other), files);
  await (await serve(t, ['--data', data])).stop(); // not marked as moved
});

test('of a copy that is killed nothing remains, and it can be made again', { skip }, async (t) => {
  const data = join(scratch(t), 'data');
  await (await serve(t, ['--data', data])).stop();
  const [url, back] = [database('to_killed'), join(scratch(t), 'back')];
  const killed = (args: string[], point: string) =>
    run(['store', 'copy', ...args], {
      CRASH_AT: `${point}:1`,
      NODE_OPTIONS: `--import=${resolve(import.meta.dirname, '../crash/kill-at.ts')}`,
    });
  const there = ['--data', data, '--to', url];
  assert.equal((await killed(there, 'copy.uncommitted')).code, null);
  assert.equal(postgres!.run('to_killed', "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").trim(), '0');
  assert.equal((await run(['store', 'copy', ...there])).code, 0);
  const andBack = ['--from', url, '--data', data, '--to', `sqlite:${back}`];
  assert.equal((await killed(andBack, 'copy.uncommitted')).code, null);
  assert.equal(existsSync(join(back, 'parley.db')), false);
  const again = await run(['store', 'copy', ...andBack]);
  assert.equal(again.code, 0, again.err);
  const served = await serve(t, ['--data', back]);
  assert.equal(served.ready.api_key, null); // no first start
  await served.stop();
});
