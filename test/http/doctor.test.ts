import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { requestRunningServer } from '../../src/main/control/client.ts';
import type { Finding } from '../../src/main/finding.ts';
import { aKey, startCalendar } from '../support/calendar.ts';
import { startFakeEmbeddings } from '../support/fake-embeddings.ts';
import { aBase, addSources, settled } from '../support/knowledge.ts';
import { startTestServer } from '../support/server.ts';
import { httpSettings } from './http-carrier-support.ts';

test('doctor says "ok" of carrier, embeddings endpoint and calendar accounts only after reaching them', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'parley-doctor-'));
  const embeddings = await startFakeEmbeddings();
  let runtimeStatus = 404;
  const asked: string[] = [];
  const runtime = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(runtimeStatus).end();
  });
  await new Promise<void>((done) => runtime.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(runtime.address() as AddressInfo).port}`;
  const { server, fake, stop } = await startCalendar({
    data,
    settings: {
      ...httpSettings(`http://${host}/voice`),
      'embeddings.url': embeddings.url,
      'embeddings.model': 'small',
    },
  });
  t.after(async () => {
    await stop();
    await embeddings.close();
    runtime.close();
    rmSync(data, { recursive: true, force: true });
  });
  const keys = [aKey(fake), aKey(fake, { name: 'Grace Hopper' })] as const;
  for (const key of keys) {
    const answer = await server.post('/calendar/connect', { org_id: server.orgId, api_key: key });
    assert.equal(answer.status, 200);
  }
  const findings = async (): Promise<string[]> => {
    const all = (await requestRunningServer(data, { task: 'doctor', args: {} }))!.result as Finding[];
    const reached = all.filter(({ check }) => ['carrier', 'embeddings', 'calendar'].includes(check));
    for (const { duration_ms: ms } of reached) assert.equal(typeof ms, 'number');
    return reached.map(({ check, status, message }) => `${status} ${check}: ${message}`).toSorted();
  };
  const account = (name: string): string => `the account "${name}" of organization ${server.orgId}`;

  assert.deepEqual(await findings(), [
    `ok calendar: the provider answered for ${account('Ada Lovelace')}`,
    `ok calendar: the provider answered for ${account('Grace Hopper')}`,
    `ok carrier: the voice runtime at ${host} answered`,
    `ok embeddings: ${new URL(embeddings.url).host} answered with a vector of 256 dimensions`,
  ]);
  assert.match(asked.at(-1)!, /^GET \/voice\/[-\da-f]{36}$/);

  fake.users.delete(keys[0]);
  embeddings.fault = () => ({ status: 500, body: 'out of memory' });
  runtimeStatus = 401;
  const [calendar, carrier, endpoint, other] = await findings();
  assert.equal(calendar?.split(': ')[1], account('Ada Lovelace'));
  assert.match(calendar, /^fail calendar: /);
  assert.match(carrier!, /^fail carrier: .* 401 /);
  assert.equal(endpoint, 'fail embeddings: The embeddings endpoint answered 500: out of memory');
  assert.equal(other, `ok calendar: the provider answered for ${account('Grace Hopper')}`);

  await new Promise((done) => {
    runtime.close(done);
    runtime.closeAllConnections();
  });
  assert.ok((await findings()).some((line) => /^fail carrier: .*connect/i.test(line)));
});

test('doctor says how many passages wait for a vector, and how many of them the endpoint refused', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'parley-doctor-'));
  const embeddings = await startFakeEmbeddings();
  embeddings.fault = () => ({ status: 400 });
  const server = await startTestServer({
    data,
    settings: { 'embeddings.url': embeddings.url, 'embeddings.model': 'small' },
  });
  t.after(async () => {
    await server.stop();
    await embeddings.close();
    rmSync(data, { recursive: true, force: true });
  });
  const vectors = async (): Promise<string> => {
    const all = (await requestRunningServer(data, { task: 'doctor', args: {} }))!.result as Finding[];
    const { status, message } = all.find(({ check }) => check === 'vectors')!;
    return `${status}: ${message}`;
  };
  assert.equal(await vectors(), 'ok: every passage has its vector');
  const base = await aBase(server);
  await addSources(server, base, { knowledge_base_texts: [{ title: 'Rules', text: 'Return it within 14 days.' }] });
  await settled(server, base);
  await server.advance(3_600_000);
  assert.equal(
    await vectors(),
    'warn: 1 passage waits for a vector and is found by words only; the endpoint refused 1 of them and is asked again within a day',
  );
  embeddings.fault = () => undefined;
  await server.advance(86_400_000);
  assert.equal(await vectors(), 'ok: every passage has its vector');
});

test('doctor judges the configuration it is given, and says where the running server has another', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'parley-doctor-'));
  const embeddings = await startFakeEmbeddings();
  const server = await startTestServer({ data, settings: { 'email.password': 'of the running server' } });
  t.after(async () => {
    await server.stop();
    await embeddings.close();
    rmSync(data, { recursive: true, force: true });
  });
  const { config } = server.running.app;
  const ask = async (given: object): Promise<string[]> => {
    const { result } = (await requestRunningServer(data, { task: 'doctor', args: { config: given } }))!;
    return (result as Finding[])
      .filter(({ check }) => ['settings', 'embeddings', 'carrier'].includes(check))
      .map(({ check, status, message }) => `${status} ${check}: ${message}`);
  };
  assert.deepEqual(
    (await ask(config)).map((line) => line.split(':')[0]),
    ['warn embeddings', 'warn carrier'],
  );
  const given = {
    ...config,
    email: { ...config.email, password: 'another' },
    carrier: { ...config.carrier, driver: 'http' },
    embeddings: { ...config.embeddings, url: embeddings.url, model: 'small' },
  };
  const [settings, reached, carrier] = await ask(given);
  assert.equal(
    settings,
    'warn settings: the running server has other values of carrier.driver, embeddings.url, embeddings.model, email.password; judged are the given ones',
  );
  assert.equal(reached, `ok embeddings: ${new URL(embeddings.url).host} answered with a vector of 256 dimensions`);
  assert.match(carrier!, /^fail carrier: carrier\.driver http needs carrier\.http\.url/);
  await assert.rejects(ask({ http: {} }), /another version/);
});
