import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { makePast } from '../../src/cli/demo/past.ts';
import { createLog } from '../../src/base/log.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { aBase, addSources, ask, settled } from '../support/knowledge.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { run, runHere, scratch, serve } from './support.ts';

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

/** A data directory with a week of calls, a campaign that goes on, deliveries that wait, and a knowledge base. */
async function filledDirectory(t: TestContext): Promise<{ data: string; baseId: string }> {
  const { config } = loadConfig({
    argvSettings: Object.entries(settings).map(([path, value]) => ({ path, value })),
    env: {},
    readFile: () => '',
  });
  const { directory: data } = await makePast({ config, log: createLog('silent'), nowMs });
  t.after(() => rmSync(data, { recursive: true }));
  const server = await serveAt(data);
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
async function seen(server: TestServer, baseId: string): Promise<unknown> {
  const read = async (path: string) => (await server.get<unknown>(path)).body;
  const { body: campaigns } = await server.get<Array<{ id: string }>>('/campaigns');
  const [first] = campaigns.data;
  return {
    campaigns,
    contacts: await read('/contacts?limit=500'),
    found: await read('/contacts?search=m%C3%BCl'),
    members: await read(`/campaigns/${first!.id}/contacts?limit=500`),
    results: await read(`/campaigns/${first!.id}/results`),
    calls: await read('/calls?limit=500'),
    deliveries: await read('/webhooks/deliveries?limit=100'),
    agents: await read('/agents'),
    base: await read(`/knowledge-bases/${baseId}`),
    passages: await ask(server, baseId, 'Wann öfnet die Praxis?'), // misspelt
    parking: await ask(server, baseId, 'parked garages'),
  };
}

const tableLines = (out: string): string[] => out.split('\n').filter((line) => / rows {2}[0-9a-f]{64}$/.test(line));

test('a copy to PostgreSQL and back has the same rows, and a server on it answers the same', { skip }, async (t) => {
  const { data, baseId } = await filledDirectory(t);
  const [url, back] = [database('there'), join(scratch(t), 'back')];
  const there = await runHere(t, ['store', 'copy', '--data', data, '--to', url]);
  assert.equal(there.code, 0, there.err);
  const lines = tableLines(there.out);
  for (const table of ['calls', 'contacts', 'outbox', 'webhook_deliveries', 'retrieval_passages', 'audit_log'])
    assert.ok(lines.some((line) => new RegExp(`^${table} +[1-9]\\d* rows`).test(line)), `${table}: ${there.out}`);
  assert.match(there.out, /was moved to postgres:\/\//);
  assert.match(there.err, /Every node needs the secrets in .*secrets\.json/);

  const again = await runHere(t, ['store', 'copy', '--from', url, '--data', data, '--to', `sqlite:${back}`]);
  assert.equal(again.code, 0, again.err);
  assert.deepEqual(tableLines(again.out), lines);

  const anyway = { 'store.moved_anyway': 'true' };
  const answers: unknown[] = [];
  for (const [place, more] of [
    [data, anyway],
    [data, { ...anyway, 'store.url': url }],
    [back, {}],
  ] as const) {
    const server = await serveAt(place, more);
    answers.push(await seen(server, baseId));
    // Due work goes on: calls begin, and new rows get new numbers.
    const ran = await server.advance(3_600_000);
    assert.ok(ran['campaign.tick']! > 0 && ran['webhook.deliver']! > 0, JSON.stringify(ran));
    await server.stop();
  }
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[2], answers[0]);
  const doctor = await runHere(t, ['doctor', '--data', back]);
  assert.doesNotMatch(doctor.out, /^fail +database/m);
});

test('an installation that was moved is not served from where it was, unless it is said', { skip }, async (t) => {
  const data = join(scratch(t), 'data');
  const url = database('moved');
  const first = await serve(t, ['--data', data]);
  const refused = await runHere(t, ['store', 'copy', '--data', data, '--to', url]);
  assert.deepEqual([refused.code, /in use by process \d+/.test(refused.err)], [1, true], refused.err);
  await first.stop();
  assert.equal((await runHere(t, ['store', 'copy', '--data', data, '--to', url])).code, 0);
  const moved = await run(['serve', '--data', data, '--port', '0']);
  assert.equal(moved.code, 1);
  assert.match(moved.err, /was moved to postgres:\/\/.*store\.moved_anyway=true/);
  const onServer = await serve(t, ['--data', data], { PARLEY_STORE_URL: url });
  const served = await runHere(t, ['store', 'copy', '--from', url, '--to', `sqlite:${join(scratch(t), 'x')}`]);
  assert.deepEqual([served.code, /is served by /.test(served.err)], [1, true], served.err);
  await onServer.stop();
  await (await serve(t, ['--data', data, '--set', 'store.moved_anyway=true'])).stop();
  const twice = await runHere(t, ['store', 'copy', '--data', data, '--to', database('elsewhere')]);
  assert.deepEqual([twice.code, /was moved to/.test(twice.err)], [1, true], twice.err);
});

test('a target that is not empty is refused and left alone', { skip }, async (t) => {
  const [data, other] = [join(scratch(t), 'data'), join(scratch(t), 'other')];
  const [full, foreign] = [database('full'), database('foreign')];
  postgres!.run('foreign', 'CREATE TABLE things (id int)');
  await (await serve(t, ['--data', data])).stop();
  await (await serve(t, ['--data', other])).stop();
  await (await serve(t, ['--data', other], { PARLEY_STORE_URL: full }).catch(() => undefined))?.stop();
  postgres!.run('full', 'CREATE TABLE IF NOT EXISTS schema_migrations (id bigint); CREATE TABLE IF NOT EXISTS organizations (id text); INSERT INTO organizations (id) VALUES (1) ON CONFLICT DO NOTHING');
  const [before, files] = [postgres!.run('full', 'SELECT count(*) FROM organizations'), readdirSync(other)];
  const copyTo = (to: string) => runHere(t, ['store', 'copy', '--data', data, '--to', to]);
  const [toFull, toForeign, toFile] = [await copyTo(full), await copyTo(foreign), await copyTo(`sqlite:${other}`)];
  assert.deepEqual([toFull.code, toForeign.code, toFile.code], [1, 1, 1]);
  assert.match(toFull.err, /is not empty/);
  assert.match(toForeign.err, /tables of another program \(things/);
  assert.match(toFile.err, /parley\.db exists/);
  assert.equal(postgres!.run('full', 'SELECT count(*) FROM organizations'), before);
  assert.deepEqual(readdirSync(other), files);
  await (await serve(t, ['--data', data])).stop(); // not marked as moved
});

test('of a copy that is killed nothing remains, and it can be made again', { skip }, async (t) => {
  const data = join(scratch(t), 'data');
  await (await serve(t, ['--data', data])).stop();
  const [url, back] = [database('killed'), join(scratch(t), 'back')];
  const killed = (args: string[], point: string) =>
    run(['store', 'copy', ...args], {
      CRASH_AT: `${point}:1`,
      NODE_OPTIONS: `--import=${resolve(import.meta.dirname, '../crash/kill-at.ts')}`,
    });
  const there = ['--data', data, '--to', url];
  assert.equal((await killed(there, 'copy.uncommitted')).code, null);
  assert.equal(
    postgres!.run('killed', "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").trim(),
    '0',
  );
  assert.equal((await run(['store', 'copy', ...there])).code, 0);
  const andBack = ['--from', url, '--data', data, '--to', `sqlite:${back}`];
  assert.equal((await killed(andBack, 'copy.uncommitted')).code, null);
  assert.equal(existsSync(join(back, 'parley.db')), false);
  const again = await run(['store', 'copy', ...andBack]);
  assert.equal(again.code, 0, again.err);
  const served = await serve(t, ['--data', back]);
  assert.equal(served.ready.setup_url, null);
  await served.stop();
});
