import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createApi } from '../../src/cli/demo/api.ts';
import { activate, seed } from '../../src/cli/demo/seed.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { startTestServer } from '../support/server.ts';
import { ask, runHere, scratch, serve } from '../cli/support.ts';

const programs = postgresPrograms();
const skip = programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)';
let postgres: PostgresServer | undefined;
before(() => void (postgres = programs === undefined ? undefined : startPostgres(programs)));
after(() => postgres?.stop());

function database(name: string): string {
  postgres!.run('postgres', `CREATE DATABASE ${name}`);
  return postgres!.url(name);
}

const nowMs = Date.UTC(2026, 10, 24, 10, 20);

test('a backup of PostgreSQL goes back into an empty database or into a data directory', { skip }, async (t) => {
  const [url, data, file] = [database('backed_up'), join(scratch(t), 'data'), join(scratch(t), 'today.db')];
  const server = await startTestServer({
    data,
    testClock: new Date(nowMs).toISOString(),
    settings: {
      'store.url': url,
      'carrier.driver': 'simulated',
      'webhooks.allow_http_loopback': 'true',
      'http.port': '0',
    },
  });
  t.after(() => server.stop());
  const api = createApi(server.url, server.apiKey);
  const seeded = await seed(api, { webhookUrl: 'http://127.0.0.1:9/crm', contacts: 30, nowMs });
  await activate(api, seeded);
  await server.advance(5000);
  const made = await runHere(t, ['backup', file, '--data', data]);
  assert.deepEqual([made.code, made.out], [0, `${file}\n${file}.secrets.json`], made.err);
  const again = await runHere(t, ['backup', file, '--data', data]);
  assert.deepEqual([again.code, /already exists/.test(again.err)], [1, true]);
  assert.deepEqual(
    readdirSync(join(file, '..')).filter((name) => /lock|wal|partial/.test(name)),
    [],
  );
  await server.stop();

  const checked = await runHere(t, ['restore', file, '--check', '--data', join(scratch(t), 'nowhere')]);
  assert.equal(checked.code, 0, checked.err);
  assert.match(checked.out, /1 agent, 30 contacts, 1 campaign, 30 calls/);

  const [intoFile, intoServer] = [join(scratch(t), 'file'), join(scratch(t), 'server')];
  const [target, full] = [`store.url=${database('restored')}`, `store.url=${url}`];
  const inFile = await runHere(t, ['restore', file, '--data', intoFile]);
  const onServer = await runHere(t, ['restore', file, '--data', intoServer, '--set', target]);
  assert.deepEqual([inFile.code, onServer.code], [0, 0], inFile.err + onServer.err);
  assert.match(onServer.err, /The database of store\.url now holds/);
  assert.match(onServer.err, /These campaigns are paused/);
  for (const more of [
    ['--data', intoFile],
    ['--data', intoServer, '--set', target],
  ]) {
    const restored = await serve(t, more);
    const answer = await ask(`${restored.ready.url}/api/v1/contacts?q=brun`, server.apiKey);
    assert.equal(((await answer.json()) as { data: unknown[] }).data.length, 3);
    await restored.stop();
  }
  const refused = await runHere(t, ['restore', file, '--data', intoServer, '--set', full]);
  assert.deepEqual([refused.code, /is not empty/.test(refused.err)], [1, true], refused.err);
  assert.equal(existsSync(join(intoServer, 'restoring')), false);
  const foreign = join(scratch(t), 'foreign');
  await (await serve(t, ['--data', foreign])).stop();
  const other = ['restore', file, '--data', foreign, '--set', `store.url=${database('other_keys')}`];
  const unfit = await runHere(t, other);
  assert.deepEqual([unfit.code, /does not open what the backup holds/.test(unfit.err)], [1, true], unfit.err);
});

test('backups by schedule are made of PostgreSQL too, and examined', { skip }, async (t) => {
  const folder = join(scratch(t), 'backups');
  const server = await startTestServer({
    testClock: new Date(nowMs).toISOString(),
    settings: { 'store.url': postgres!.url('postgres'), 'backup.schedule': '"0 3 * * *"', 'backup.dir': folder },
  });
  t.after(() => server.stop());
  const ran = await server.advance(24 * 3_600_000);
  assert.equal(ran['backup.run'], 1);
  assert.deepEqual(readdirSync(folder).toSorted(), [
    'parley-20261125T030000Z.db',
    'parley-20261125T030000Z.db.secrets.json',
  ]);
  const { body } = await server.get<{ checks: Array<{ id: string; status: string }> }>('/system');
  assert.equal(body.data.checks.find(({ id }) => id === 'backup')?.status, 'ok');
});
