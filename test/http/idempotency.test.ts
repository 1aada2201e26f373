import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { maxBatchRows } from '../../src/kernel/batch-size.ts';
import { AppError, type ErrorKind } from '../../src/base/errors.ts';
import { installation, isInTransaction, transact } from '../../src/db/transaction.ts';
import { featureRoutes } from '../../src/features/interface.ts';
import { operator } from '../../src/features/requests/audit.ts';
import { recordImportedChanges } from '../../src/features/requests/changes.ts';
import { requestPruning } from '../../src/features/requests/jobs.ts';
import { createApiKey, createOrganization } from '../../src/features/organizations/service.ts';
import { createHealth } from '../../src/http/health.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { App } from '../../src/kernel/app.ts';
import { type Reply, bind, operation } from '../../src/kernel/route.ts';
import { object, optional, Type } from '../../src/kernel/schema.ts';
import { createTestApp } from '../support/app.ts';
import { anAgent } from '../support/fixtures.ts';
import { aBase } from '../support/knowledge.ts';
import { type Data, dataOf, startTestServer, type TestServer } from '../support/server.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

suite('Idempotency-Key', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  const post = (path: string, body: unknown, key: string) => server.post(path, body, withKey(key));
  const total = async () => (await server.get('/contacts/')).body.meta.total;

  test('the same request with the same key is executed once and gets the same answer', async () => {
    const already = await total();
    const first = await post('/contacts/', { first_name: 'Ada' }, 'ada-1');
    const second = await post('/contacts', { first_name: 'Ada' }, 'ada-1');
    assert.deepEqual([first.status, second.status, second.text], [200, 200, first.text]);
    assert.deepEqual(
      [first, second].map(({ headers }) => headers.get('idempotency-replayed')),
      [null, 'true'],
    );
    assert.match(second.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(await total(), already + 1);
    const third = await server.post('/contacts/', { first_name: 'Ada' });
    assert.notEqual(dataOf(third).id, dataOf(first).id, 'without a key it is a new request');
  });

  test('a request with the same key but another body, path or query is refused', async () => {
    await post('/contacts/', { first_name: 'Grace' }, 'grace-1');
    for (const other of [
      await post('/contacts/', { first_name: 'Hedy' }, 'grace-1'),
      await post('/contacts/?x=1', { first_name: 'Grace' }, 'grace-1'),
      await post('/campaigns/', { first_name: 'Grace' }, 'grace-1'),
    ]) {
      assert.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_MISMATCH']);
      assert.equal(other.headers.get('idempotency-replayed'), null);
    }
  });

  test('a 4xx answer is stored like a success, also for malformed bodies and unknown ids', async () => {
    for (const [path, body, status] of [
      ['/contacts/', { email: 'nobody' }, 400],
      ['/contacts/', '{"first_name"', 400],
      [`/contacts/${randomUUID()}/notes`, { content: 'x' }, 404],
    ] as const) {
      const key = randomUUID();
      const [first, second] = [await post(path, body, key), await post(path, body, key)];
      assert.deepEqual([first.status, second.status, second.text], [status, status, first.text]);
      assert.equal(second.headers.get('idempotency-replayed'), 'true');
    }
  });

  test('each organization has its own keys', async () => {
    const other = await server.newOrganization();
    await post('/contacts/', { first_name: 'Ada' }, 'shared');
    const theirs = await other.post('/contacts/', { first_name: 'Hedy' }, withKey('shared'));
    assert.equal(theirs.headers.get('idempotency-replayed'), null);
    assert.equal(dataOf(theirs)['first_name'], 'Hedy');
  });

  test('a stored answer belongs to its caller: the same request of another key or person is a new request', async () => {
    const first = await post('/contacts/', { first_name: 'Mine' }, 'callers');
    const tokenOf = async (key: string) =>
      dataOf(await server.post<{ access_token: string }>('/auth/token', undefined, { key })).access_token;
    const send = (credentials: { key: string | null; token?: string }) =>
      server.post(
        '/contacts/',
        { first_name: 'Mine' },
        {
          key: credentials.key,
          headers: {
            'idempotency-key': 'callers',
            ...(credentials.token === undefined ? {} : { authorization: `Bearer ${credentials.token}` }),
          },
        },
      );
    const own = await send({ key: null, token: await tokenOf(server.apiKey) });
    assert.equal(own.text, first.text, 'a token counts as the key that it was taken with');
    for (const role of ['admin', 'member'] as const) {
      const other = await send({ key: await server.keyWithRole(role) });
      assert.deepEqual([other.status, other.headers.get('idempotency-replayed')], [200, null]);
      assert.notEqual(dataOf(other).id, dataOf(first).id);
    }
    const viewer = await server.keyWithRole('viewer');
    assert.equal((await send({ key: viewer })).status, 403);
    assert.equal((await send({ key: 'pk_none' })).status, 401);
  });

  test('an answer with a secret is not stored: the repeated request is a 409 that says that it was carried out', async () => {
    const agent = await anAgent(server);
    const made = await server.keyWithRole('viewer');
    const { id } = dataOf(await server.get<Data[]>('/api-keys'))[0]!;
    assert.ok(made);
    for (const [path, body] of [
      ['/api-keys', { name: 'Deploy', role: 'viewer' }],
      [`/api-keys/${id}/rotate`, {}],
      [`/agents/${agent.id}/webhook-secret/rotate`, {}],
    ] as const) {
      const [first, second] = [await post(path, body, 'secret'), await post(path, body, 'secret')];
      assert.deepEqual([first.status, second.status, second.body.code], [200, 409, 'CONFLICT'], path);
      assert.match(second.body.message, /was carried out/);
      assert.equal((await post(path, { x: 1 }, 'secret')).status, 422, 'another request');
      await server.running.app.db.deleteFrom('idempotency_keys').where('key', '=', 'secret').execute();
    }
    const wrong = [await post('/api-keys', {}, 'faulty'), await post('/api-keys', {}, 'faulty')];
    assert.deepEqual(
      wrong.map(({ status, headers }) => [status, headers.get('idempotency-replayed')]),
      [
        [400, null],
        [400, 'true'],
      ],
    );
  });

  test('every POST whose answer may hold a secret says so, so that it is never stored', () => {
    const secret = /"(?:api_key|secret|access_token|password)":\{/;
    const posts = featureRoutes.filter(({ method, access }) => method === 'POST' && access !== 'public');
    const holding = posts.filter(({ data }) => secret.test(JSON.stringify(data) ?? ''));
    assert.deepEqual(
      holding.filter(({ readOnly, answersSecret }) => readOnly !== true && answersSecret !== true),
      [],
    );
    assert.ok(holding.length >= 4);
  });

  test('POSTs that only read take the header and store nothing', async () => {
    const base = await aBase(server);
    const viewer = await server.keyWithRole('viewer');
    const stored = async () =>
      (await server.running.app.db.selectFrom('idempotency_keys').select('key').where('key', '=', 'read').execute())
        .length;
    const entries = async () => (await server.get('/audit')).body.meta.total;
    const already = await entries();
    const answers = [];
    for (const key of [server.apiKey, viewer]) {
      for (const [path, body] of [
        ['/auth/token', {}],
        ['/auth/token', {}],
        [`/rag/knowledge-base/${base}/query`, { query: 'x' }],
        [`/rag/knowledge-base/${base}/query`, { query: 'y' }],
      ] as const) {
        answers.push(await server.post<{ access_token?: string }>(path, body, { ...withKey('read'), key }));
      }
    }
    for (const { status, headers } of answers) {
      assert.deepEqual([status, headers.get('idempotency-replayed')], [200, null]);
    }
    const tokens = answers.flatMap(({ body }) => body.data.access_token ?? []);
    assert.equal(new Set(tokens).size, 4, 'each a token of its own');
    assert.deepEqual([await stored(), await entries()], [0, already]);
  });

  test('a key has 1 to 255 printable characters', async () => {
    for (const bad of ['', 'x'.repeat(256), 'tab\there']) {
      const { status, body } = await post('/contacts/', {}, bad);
      assert.deepEqual([status, body.details?.map(({ path }) => path)], [400, ['Idempotency-Key']], bad);
    }
    assert.equal((await post('/contacts/', {}, `~ ${'x'.repeat(251)} ~`)).status, 200);
  });

  test('methods other than POST ignore the header', async () => {
    const { id } = dataOf(await server.post('/contacts/', {}));
    for (const name of ['Ada', 'Hedy']) {
      const changed = await server.patch(`/contacts/${id}`, { first_name: name }, withKey('patch-1'));
      assert.equal(dataOf(changed)['first_name'], name);
    }
  });

  test('of many simultaneous requests one is executed; the others get a 409 or its answer', async () => {
    const already = await total();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('/contacts/', { first_name: 'Many' }, 'many-1')),
    );
    assert.equal(await total(), already + 1);
    for (const { status, body } of answers) {
      if (status !== 200) assert.deepEqual([status, body.code], [409, 'IDEMPOTENCY_IN_PROGRESS']);
    }
    const last = await post('/contacts/', { first_name: 'Many' }, 'many-1');
    assert.equal(last.headers.get('idempotency-replayed'), 'true');
  });

  test('after 24 hours the key can be reused, and its row is pruned', async () => {
    const send = () => post('/contacts/', { first_name: 'Late' }, 'late-1');
    const first = await send();
    await server.advance(day - 1);
    assert.equal((await send()).text, first.text);
    await server.advance(1);
    const renewed = await send();
    assert.equal(renewed.headers.get('idempotency-replayed'), null);
    assert.notEqual(renewed.text, first.text);
    assert.equal((await send()).text, renewed.text);
    await server.advance(3 * day);
    const { n } = await server.running.app.db
      .selectFrom('idempotency_keys')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    assert.equal(n, 0);
  });
});

/** A server with one route, whose handler the test provides. */
async function serving(app: App, handle: (orgId: string) => Promise<Reply<undefined>>, ownTransactions: boolean) {
  const health = createHealth({ refusal: () => null, probe: () => Promise.resolve() });
  health.set({ status: 'ready' });
  const work = bind(
    operation({
      operationId: 'work',
      tag: 'Test',
      summary: 'Work',
      body: object({ name: optional(Type.String()) }),
      bodyOptional: true,
      ownTransactions,
      message: 'Worked.',
      handle: (_app, { caller }) => handle(caller.orgId),
    }),
    { method: 'POST', path: '/work', access: 'any', role: 'member' },
  );
  const server = createHttpServer(app, { routes: [work], health, checkAnswers: true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/work`;
  const apiKey = await transact(app.db, installation, async (tx) => {
    const orgId = await createOrganization(app, tx, 'Test');
    return (await createApiKey(app, tx, orgId, { name: 'Test', role: 'admin' })).apiKey;
  });
  return {
    post: async (key: string, body?: object) => {
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = { 'x-api-key': apiKey, 'idempotency-key': key, 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, ...json });
      return { status: answer.status, code: ((await answer.json()) as { code?: string }).code };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

test('while the first request runs, the same one answers 409 and another one 422', async (t) => {
  const testing = await createTestApp();
  t.after(() => testing.close());
  const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const work = async () => {
    runs += 1;
    started.resolve();
    await finish.promise;
    return {};
  };
  const server = await serving(testing.app, work, true);
  t.after(() => server.close());
  const first = server.post('slow');
  await started.promise;
  assert.deepEqual(await server.post('slow'), { status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' });
  assert.deepEqual(await server.post('slow', { name: 'x' }), { status: 422, code: 'IDEMPOTENCY_MISMATCH' });
  finish.resolve();
  assert.equal((await first).status, 200);
  assert.equal((await server.post('slow')).status, 200);
  assert.equal(runs, 1);
});

test('401, 403, 408 and 429 are not stored, other 4xx are', async (t) => {
  const testing = await createTestApp();
  t.after(() => testing.close());
  for (const ownTransactions of [false, true]) {
    const kinds: ErrorKind[] = [
      'unauthenticated',
      'forbidden',
      'request_timeout',
      'rate_limited',
      'conflict',
      'invalid',
    ];
    const left = [...kinds];
    const work = () => Promise.reject(new AppError(left.shift() ?? 'internal', 'No.'));
    const server = await serving(testing.app, work, ownTransactions);
    t.after(() => server.close());
    const statuses = [];
    for (let index = 0; index < 6; index++) statuses.push((await server.post('refused')).status);
    assert.deepEqual(statuses, [401, 403, 408, 429, 409, 409], 'from the first stored one on the answer is the same');
  }
});

test('a 5xx answer is not stored, and its changes are rolled back', async (t) => {
  const testing = await createTestApp();
  t.after(() => testing.close());
  const { app } = testing;
  const outcomes: Array<() => void> = [
    () => {
      throw new Error('a defect');
    },
    () => {
      throw new AppError('unavailable', 'The disk is full.');
    },
    () => undefined,
  ];
  const work = async (orgId: string) => {
    const key = { name: 'made by the request', role: 'viewer' } as const;
    await transact(app.db, orgId, (tx) => createApiKey(app, tx, orgId, key));
    assert.equal(isInTransaction(app.db), true, 'the request is one transaction');
    outcomes.shift()!();
    return {};
  };
  const server = await serving(app, work, false);
  t.after(() => server.close());
  const statuses = [];
  for (let index = 0; index < 4; index++) statuses.push((await server.post('again')).status);
  assert.deepEqual(statuses, [500, 503, 200, 200]);
  const made = await app.db.selectFrom('api_keys').select('id').where('name', '=', 'made by the request').execute();
  assert.equal(made.length, 1);
});

test('old answers are pruned in batches, each in its own transaction', async (t) => {
  const testing = await createTestApp({ jobs: () => [requestPruning.job] });
  t.after(() => testing.close());
  const { app, clock, runner } = testing;
  const orgId = await transact(app.db, installation, (tx) => createOrganization(app, tx, 'Test'));
  const insert = (count: number) =>
    transact(app.db, installation, async (tx) => {
      for (let index = 0; index < count; index++) {
        const key = { organization_id: orgId, caller: 'api_key:x:admin', key: randomUUID() };
        const row = { ...key, request_hash: '', status: 200, body_sealed: '' };
        await tx
          .insertInto('idempotency_keys')
          .values({ ...row, created_at: clock.now() })
          .execute();
      }
    });
  await insert(1100);
  await requestPruning.schedule(app);
  await requestPruning.schedule(app);
  clock.set(clock.now() + day);
  await insert(1);
  clock.set(clock.now() + day - minute);
  await runner.settled();
  assert.equal(runner.ran().get('requests.prune'), Math.floor(1100 / maxBatchRows) + 1);
  const left = await app.db.selectFrom('idempotency_keys').select('key').execute();
  assert.equal(left.length, 1);
});

test('what imports changed is pruned at the age at which entries of the audit log are', async (t) => {
  const testing = await createTestApp({ jobs: () => [requestPruning.job] });
  t.after(() => testing.close());
  const { app, clock, runner } = testing;
  const orgId = await transact(app.db, installation, (tx) => createOrganization(app, tx, 'Test'));
  const by = { actor: operator, operation: 'importContacts' };
  const record = (contactId: string) =>
    transact(app.db, orgId, (tx) => recordImportedChanges(app, tx, by, [{ contactId, version: 2, changes: [] }]));
  await record('old');
  clock.set(clock.now() + day);
  await record('new');
  await requestPruning.schedule(app);
  clock.set(clock.now() + (app.config.audit.retention_days - 1) * day + minute);
  await runner.settled();
  clock.set(clock.now() + day - 2 * minute);
  await runner.settled();
  const kept = await app.db.selectFrom('imported_changes').select('contact_id').execute();
  assert.deepEqual(
    kept.map((row) => row.contact_id),
    ['new'],
  );
});
