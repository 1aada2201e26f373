import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { run, scratch, serve } from '../cli/support.ts';
import { newCallingOrg } from '../http/calling-support.ts';
import { describeTransactions } from '../support/connection-conformance.ts';
import { aPhone } from '../support/fixtures.ts';
import pg from 'pg';
import { requireNamedStatements } from '../../src/db/postgres/requirements.ts';
import { type Pooler, startPooler, withoutPooler } from '../support/pooler.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { openPostgresFor } from '../support/store.ts';
import { standBy } from './nodes.ts';

/** A pooler in transaction mode: each transaction may have another connection to the server, and what a session has set is another's. */

const programs = postgresPrograms();
const skip = programs === undefined ? 'needs a PostgreSQL server (Debian: postgresql)' : withoutPooler;
let server: PostgresServer;
let pooler: Pooler;
before(async () => {
  if (skip !== false) return;
  server = startPostgres(programs!);
  pooler = await startPooler(server);
});
after(async () => {
  await pooler?.stop();
  server?.stop();
});

const unprepared = { 'store.prepared_statements': 'false' };

describeTransactions('PostgreSQL behind a pooler', {
  skip,
  open: (use) => openPostgresFor({ run: server.run, url: pooler.url }, use, { preparesStatements: false }),
});

describe('behind a pooler in transaction mode', { skip }, () => {
  test('a campaign dials its contacts, and each call is told to a webhook', async (t) => {
    const told: string[] = [];
    const receiver = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        told.push((JSON.parse(body) as { event: string }).event);
        response.writeHead(200).end();
      });
    }).listen(0, '127.0.0.1');
    t.after(() => receiver.close());
    const parley = await startTestServer({ settings: { 'store.url': pooler.url('postgres'), ...unprepared } });
    t.after(() => parley.stop());
    const org = await newCallingOrg(parley);
    const { port } = receiver.address() as AddressInfo;
    dataOf(await org.client.put(`/agents/${org.agentId}`, { webhook_url: `http://127.0.0.1:${port}/` }));
    dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 100, max_concurrent: 100 }));
    const people = Array.from({ length: 40 }, (_, index) => ({ first_name: `Ada ${index}`, phone: aPhone('00') }));
    const { id } = await org.run(people, { maxCps: 100, schedule: { maxConcurrent: 100 } });
    await parley.advance(300_000);
    const calls = await org.calls();
    assert.deepEqual(new Set(calls.map(({ status }) => status)), new Set(['completed']));
    assert.equal(calls.length, people.length);
    assert.equal(told.filter((event) => event === 'call.completed').length, people.length);
    assert.deepEqual((await org.stats(id)).contacted, people.length);
    const found = await org.client.get(`/contacts/?q=${encodeURIComponent('ada 39')}`);
    assert.equal(found.body.meta.total, 1);
  });

  test('a start with named statements ends with the setting to change', async (t) => {
    server.run('postgres', 'CREATE DATABASE named');
    const data = join(scratch(t), 'first');
    const start = () => run(['serve', '--data', data, '--port', '0'], { PARLEY_STORE_URL: pooler.url('named') });
    const { code, err } = await start();
    assert.equal(code, 1, err);
    assert.match(err, /set store\.prepared_statements: false/);
    const tables = server.run('named', "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'");
    assert.match(tables, /\b0\b/, 'it has changed nothing');
  });

  test('a node hands over when it stops, and another takes over from one that is killed', async (t) => {
    server.run('postgres', 'CREATE DATABASE nodes');
    const [url, env] = [pooler.url('nodes'), { PARLEY_STORE_PREPARED_STATEMENTS: 'false' }];
    const data = join(scratch(t), 'first');
    const active = await serve(t, ['--data', data, '--set', 'node.name=first'], { PARLEY_STORE_URL: url, ...env });
    const secrets = join(data, 'secrets.json');
    const second = await standBy(t, url, secrets, env);
    assert.equal((await active.stop()).code, 0);
    await second.shows(/serves http/);
    const third = await standBy(t, url, secrets, env);
    second.signal('SIGKILL');
    await third.shows(/serves http/);
    assert.equal((await fetch(`${third.at}/ready`)).status, 200);
    third.signal('SIGTERM');
    assert.equal((await third.ended).code, 0);
  });
});

test('a pooler that gives each session a connection of its own may have named statements', { skip }, async (t) => {
  const inSessions = await startPooler(server, 'session');
  t.after(() => inSessions.stop());
  const connected = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: inSessions.url('postgres') });
    await client.connect();
    return client;
  };
  const [client, another] = [await connected(), await connected()];
  const asked = t.mock.fn(() => Promise.resolve(another));
  await requireNamedStatements(client, asked);
  await client.end();
  assert.equal(asked.mock.callCount(), 1);
});
