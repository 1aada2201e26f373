import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { scratch, serve, startCommand } from '../cli/support.ts';
import { until } from '../crash/waiting.ts';

// Real time: how long the network takes to be noticed is the subject.
const programs = postgresPrograms();
let postgres: PostgresServer;
let relay: Relay;
before(async () => {
  if (programs === undefined) return;
  postgres = startPostgres(programs);
  relay = await startRelay(postgres.folder);
});
after(async () => {
  await relay?.stop();
  postgres?.stop();
});

const connectTimeoutMs = 2000;
/** A wait without a limit takes 20 s and more; a busy machine takes some seconds. */
const latestMs = connectTimeoutMs + 6000;

type Answer = { status: number; retryAfter: string | null; ms: number; message: string; reason: string };

/** A server on a database of its own, behind the relay. */
async function serveBehindRelay(t: TestContext, database: string, more: readonly string[] = []) {
  postgres.run('postgres', `CREATE DATABASE ${database}`);
  const settings = [
    'node.name=first',
    `store.connect_timeout_ms=${connectTimeoutMs}`,
    'store.statement_timeout_ms=2000',
    ...more,
  ];
  const folder = join(scratch(t), 'first');
  const url = `postgres://parley@127.0.0.1:${relay.port}/${database}`;
  const node = await serve(t, ['--data', folder, ...settings.flatMap((one) => ['--set', one])], {
    PARLEY_STORE_URL: url,
  });
  const { url: at, api_key: key } = node.ready;
  const ask = async (
    path: string,
    init: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const startedMs = performance.now();
    const headers = { 'x-api-key': key!, 'content-type': 'application/json', ...init.headers };
    const answer = await fetch(at + path, { ...init, headers });
    const { message, reason } = (await answer.json()) as Answer;
    const ms = performance.now() - startedMs;
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), ms, message, reason };
  };
  const addContact = (phone: string, headers: Record<string, string> = {}): Promise<Answer> =>
    ask('/api/v1/contacts/', { method: 'POST', body: JSON.stringify({ first_name: 'Ada', phone }), headers });
  /** The data of an answer; with a body, to a POST. */
  const data = async <T>(path: string, body?: object): Promise<T> => {
    const headers = { 'x-api-key': key!, 'content-type': 'application/json' };
    const answer = await fetch(at + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
    const found = (await answer.json()) as { data: T; message: string };
    assert.equal(answer.status, 200, found.message);
    return found.data;
  };
  const contacts = (): string => postgres.run(database, 'SELECT count(*) FROM contacts').trim();
  return { node, folder, ask, data, addContact, contacts };
}

type Served = Awaited<ReturnType<typeof serveBehindRelay>>;

async function assertAway({ ask, addContact }: Served): Promise<void> {
  const [read, write, alive] = await Promise.all([ask('/api/v1/agents'), addContact('+14155550100'), ask('/livez')]);
  for (const { status, retryAfter, message, ms } of [read, write]) {
    assert.deepEqual([status, retryAfter], [503, '1']);
    assert.match(message, /^The database cannot be reached right now\. Nothing was changed\.$/);
    assert.ok(ms < latestMs, `${ms} ms`);
  }
  assert.equal(alive.status, 200);
  const ready = await ask('/ready');
  assert.equal(ready.status, 503);
  assert.match(ready.reason, /^the database cannot be reached: \S/);
}

/** A server whose one agent sends its event to a receiver that answers when it is told to. Its calls end at once. */
async function serveWithReceiver(t: TestContext, database: string, more: readonly string[] = []) {
  const received: ServerResponse[] = [];
  const first = Promise.withResolvers<void>();
  const receiver = createServer((request, response) => {
    request.resume();
    received.push(response);
    first.resolve();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  t.after(() => receiver.close());
  const served = await serveBehindRelay(t, database, [
    'webhooks.allow_http_loopback=true',
    'carrier.simulated.speed=1000',
    ...more,
  ]);
  const { port } = receiver.address() as AddressInfo;
  const [model] = await served.data<Array<{ llmModel: string; voices: Array<{ id: string }> }>>(
    '/api/v1/available-llm-models/with-voices',
  );
  const agent = await served.data<{ id: string }>('/api/v1/agents', {
    agentName: 'Robin',
    model: model!.llmModel,
    voiceId: model!.voices[0]!.id,
    webhook_urls: [`http://127.0.0.1:${port}/`],
  });
  const number = await served.data<{ id: string }>('/api/v1/phone-numbers/import', {
    phone: '+493090182000',
    termination_uri: 'sip.example.com',
  });
  const call = (): Promise<unknown> =>
    served.data('/api/v1/calls', { agent_id: agent.id, phone_number_id: number.id, to: '+493090182001' });
  const delivered = (): Promise<boolean> => {
    const count = postgres.run(database, "SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered'");
    return Promise.resolve(count.trim() === '1');
  };
  return { served, received, first: first.promise, call, delivered };
}

/** Asks until the server answers again. Returns after how many milliseconds it did. */
async function untilBack({ ask }: Served): Promise<number> {
  const startedMs = performance.now();
  while ((await ask('/api/v1/agents')).status !== 200) assert.ok(performance.now() - startedMs < 30_000, 'is not back');
  const backMs = performance.now() - startedMs;
  assert.equal((await ask('/ready')).status, 200);
  return backMs;
}

const skip = programs === undefined && 'needs a PostgreSQL server (Debian: postgresql)';
describe('while the database is away', { skip }, () => {
  test('requests that need it are refused in time, and it is used again as soon as it is back', async (t) => {
    const served = await serveBehindRelay(t, 'away');
    assert.equal((await served.addContact('+14155550101')).status, 200);
    for (const begin of [() => relay.cut(), () => Promise.resolve(relay.drop())]) {
      await begin();
      await assertAway(served);
      await relay.restore();
      const backMs = await untilBack(served);
      assert.ok(backMs < 5000 + 6000, `back after ${backMs} ms`);
    }
    for (const mode of ['fast', 'immediate'] as const) {
      postgres.restart(mode);
      await untilBack(served);
    }
    assert.equal((await served.addContact('+14155550102')).status, 200);
    assert.equal(served.contacts(), '2');
    assert.equal((await served.node.stop()).code, 0);
  });

  test('a commit whose answer is lost may have been made, and its idempotency key finds out', async (t) => {
    const served = await serveBehindRelay(t, 'swallowed');
    const key = { 'idempotency-key': 'once' };
    void relay.swallowCommitOf('+14155550103');
    const lost = await served.addContact('+14155550103', key);
    assert.deepEqual([lost.status, lost.retryAfter], [503, '1']);
    assert.match(lost.message, /The change may have been made: repeat the request with the same Idempotency-Key/);
    const found = await served.addContact('+14155550103', key);
    assert.equal(found.status, 200);
    assert.equal(served.contacts(), '1');
    await served.node.stop();
  });

  test('what a job did while the database went away is written when it is back, and not done again', async (t) => {
    const { served, received, first, call, delivered } = await serveWithReceiver(t, 'results');
    await call();
    await first;
    await relay.cut();
    received[0]!.end();
    await served.node.logs(/retrying them one by one/);
    await relay.restore();
    await untilBack(served);
    await until(30_000, 'a delivery that is recorded', delivered);
    assert.equal(received.length, 1);
    await served.node.stop();
  });

  test('jobs whose claim was made without an answer are run soon', async (t) => {
    const more = ['store.prepared_statements=false'];
    const { served, received, first, call, delivered } = await serveWithReceiver(t, 'claims', more);
    void first.then(() => received[0]!.end());
    const swallowed = relay.swallowCommitOf('SET lease_until');
    await call();
    await swallowed;
    await until(30_000, 'a delivery that is recorded', delivered);
    assert.equal(received.length, 1);
    await served.node.stop();
  });

  test('a node that is cut off answers nothing once it is given up, and ends when it hears of the one that took over', async (t) => {
    const served = await serveBehindRelay(t, 'given_up');
    const data = join(scratch(t), 'second');
    mkdirSync(data);
    copyFileSync(join(served.folder, 'secrets.json'), join(data, 'secrets.json'));
    const second = startCommand(t, ['serve', '--data', data, '--port', '0'], {
      PARLEY_STORE_URL: postgres.url('given_up'),
    });
    await second.shows(/standing by/);
    relay.drop();
    await second.shows(/serves http/);
    assert.equal((await served.ask('/api/v1/agents')).status, 503);
    assert.equal((await served.ask('/openapi.json')).status, 503, 'also without the database');
    await relay.restore();
    const ended = await served.node.ended;
    assert.equal(ended.code, 1);
    assert.match(ended.err, /another node has become active/);
    second.signal('SIGTERM');
    assert.equal((await second.ended).code, 0);
  });
});
