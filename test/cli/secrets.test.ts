import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { runCli } from '../../src/cli/index.ts';
import { encryptedTables } from '../../src/features/index.ts';
import type { Queryable } from '../../src/db/transaction.ts';
import { aKey, connect, startCalendar, type CalendarSetup } from '../support/calendar.ts';
import { anAgent, aNumber } from '../support/fixtures.ts';
import { scratch } from './support.ts';

type SecretsFile = { token_key: string; sealing: { current: string; keys: Record<string, string> } };

const secretsIn = (data: string): SecretsFile =>
  JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8')) as SecretsFile;

/** A server with its own data directory, stopped after the test. */
async function installation(t: TestContext): Promise<CalendarSetup & { data: string }> {
  const data = scratch(t);
  const setting = await startCalendar({ data });
  t.after(() => setting.stop());
  return { ...setting, data };
}

/** Runs a command line in this process and returns what it printed. */
async function parley(t: TestContext, ...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const log = t.mock.method(console, 'log', (line: string) => void (out += line));
  const error = t.mock.method(console, 'error', (line: string) => void (err += line));
  const code = await runCli(args);
  log.mock.restore();
  error.mock.restore();
  return { code, out, err };
}

/** The number of stored encrypted texts, by the id of their key. */
async function keyIds(db: Queryable): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, columns } of encryptedTables) {
    for (const column of columns) {
      const { rows } = await sql<{ text: string }>`SELECT ${sql.ref(column)} AS text FROM ${sql.table(table)}
        WHERE ${sql.ref(column)} IS NOT NULL`.execute(db);
      for (const { text } of rows) counts[text.split('.')[0]!] = (counts[text.split('.')[0]!] ?? 0) + 1;
    }
  }
  return counts;
}

test('a rotation knows every column with encrypted texts', async (t) => {
  const { server } = await installation(t);
  const { rows } = await sql<{ place: string }>`SELECT m.name || '.' || c.name AS place
    FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name LIKE '%sealed'`.execute(
    server.running.app.db,
  );
  const known = encryptedTables.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
  assert.deepEqual(known.toSorted(), rows.map(({ place }) => place).toSorted());
});

test('a rotation re-encrypts everything with the new key, and everything can still be decrypted', async (t) => {
  const { server, fake, data } = await installation(t);
  const hook = `http://127.0.0.1:${new URL(fake.url).port}/hook`;
  const agent = await anAgent(server, { webhook_url: hook });
  await server.post(`/agents/${agent.id}/webhook-secret/rotate`, { overlap_seconds: 3600 });
  const secret = await server.get(`/agents/${agent.id}/webhook-secret`);
  await aNumber(server, { sip_username: 'parley', sip_password: 'hunter2-secret' });
  assert.equal((await connect(server, { api_key: aKey(fake) })).status, 200);
  const once = { headers: { 'idempotency-key': 'once' } };
  const created = await server.post('/contacts', { first_name: 'Ada' }, once);
  const before = secretsIn(data);
  const stored = await keyIds(server.running.app.db);
  assert.deepEqual(Object.keys(stored), [before.sealing.current]);

  const { code, out, err } = await parley(t, 'secrets', 'rotate', '--data', data);
  assert.deepEqual([code, err], [0, '']);
  assert.equal(out, '5 stored secrets were re-encrypted with the new key.');
  const after = secretsIn(data);
  assert.equal(statSync(join(data, 'secrets.json')).mode & 0o777, 0o600);
  assert.notEqual(after.sealing.current, before.sealing.current);
  assert.equal(after.token_key, before.token_key, 'access tokens stay valid');
  assert.deepEqual(await keyIds(server.running.app.db), { [after.sealing.current]: 5 });

  assert.equal((await server.get(`/agents/${agent.id}/webhook-secret`)).text, secret.text);
  const again = await server.post('/contacts', { first_name: 'Ada' }, once);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(again.text, created.text);

  await parley(t, 'secrets', 'rotate', '--data', data);
  const last = secretsIn(data).sealing;
  assert.deepEqual(Object.keys(last.keys), [after.sealing.current, last.current], 'the first key is gone');
});

test('an interrupted rotation loses nothing, and the next one finishes it', async (t) => {
  const { server, data } = await installation(t);
  const agent = await anAgent(server, { webhook_url: 'http://127.0.0.1:9/hook' });
  const secret = await server.get(`/agents/${agent.id}/webhook-secret`);
  for (let interrupted = 0; interrupted < 3; interrupted++) server.running.app.secrets.rotate();
  const { code } = await parley(t, 'secrets', 'rotate', '--data', data);
  assert.equal(code, 0);
  assert.equal((await server.get(`/agents/${agent.id}/webhook-secret`)).text, secret.text);
  assert.deepEqual(Object.keys(await keyIds(server.running.app.db)), [secretsIn(data).sealing.current]);
});

test('a rotation reports a text that no key can decrypt, leaves it unchanged, and keeps all keys', async (t) => {
  const { server, data } = await installation(t);
  const agent = await anAgent(server, { webhook_url: 'http://127.0.0.1:9/hook' });
  const lost = 'kdeadbeef.AAAA.AAAA.AAAA';
  await sql`UPDATE webhook_secrets SET secret_sealed = ${lost} WHERE agent_id = ${agent.id}`.execute(
    server.running.app.db,
  );
  const keysBefore = Object.keys(secretsIn(data).sealing.keys);
  const { code, err } = await parley(t, 'secrets', 'rotate', '--data', data);
  assert.equal(code, 1);
  assert.match(err, /^1 cannot be decrypted with any key in secrets.json/);
  assert.deepEqual(Object.keys(secretsIn(data).sealing.keys).slice(0, -1), keysBefore);
  assert.equal((await keyIds(server.running.app.db))['kdeadbeef'], 1);
});

test('a rotation works without a server', async (t) => {
  const data = scratch(t);
  const setting = await startCalendar({ data });
  const agent = await anAgent(setting.server, { webhook_url: 'http://127.0.0.1:9/hook' });
  const secret = await setting.server.get(`/agents/${agent.id}/webhook-secret`);
  const { apiKey } = setting.server;
  await setting.stop();
  assert.equal((await parley(t, 'secrets', 'rotate', '--data', data)).code, 0);
  assert.equal((await parley(t, 'secrets', 'shred', '--data', data)).code, 2);
  const again = await startCalendar({ data });
  t.after(() => again.stop());
  assert.equal((await again.server.get(`/agents/${agent.id}/webhook-secret`, { key: apiKey })).text, secret.text);
});
