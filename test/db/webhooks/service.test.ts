import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { installation, type Queryable, transact } from '../../../src/db/transaction.ts';
import { deleteAgent } from '../../../src/features/agents/service.ts';
import { createOrganization } from '../../../src/features/organizations/service.ts';
import { webhookPruning } from '../../../src/features/webhooks/jobs.ts';
import * as webhooks from '../../../src/features/webhooks/service.ts';
import { verifies } from '../../unit/webhooks/verify.ts';
import { bench, everything, hour, minute, receiver, second } from './support.ts';

const states = (deliveries: ReadonlyArray<{ status: string }>): string[] => deliveries.map(({ status }) => status);
const always = { since: null, until: null };

test('a delivered delivery is sent again when asked, the same event', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  await b.endCall();
  await b.settled();
  const [delivery] = await b.deliveries();
  const queued = await webhooks.retryDelivery(b.app, b.orgId, delivery!.id);
  assert.deepEqual([queued.status, queued.deliveredAt], ['pending', null]);
  await b.settled();
  assert.equal(web.seen.length, 2);
  assert.equal(new Set(web.ids()).size, 1);
  const again = await webhooks.getDelivery(b.app, b.orgId, delivery!.id);
  assert.deepEqual([again.delivery.status, again.delivery.attemptCount], ['delivered', 2]);
  assert.deepEqual(
    again.attempts.map(({ number }) => number),
    [1, 2],
  );
});

test('a cancelled delivery is sent again to the URL that was removed, and moves nothing but itself', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  web.answerWith({ status: 500 });
  await b.endCall();
  await b.pass(72 * minute + 29 * second);
  const secret = await webhooks.getSecret(b.app, b.orgId, b.agentId);
  await b.save();
  const [cancelled] = await b.deliveries();
  assert.deepEqual([cancelled!.status, cancelled!.attemptCount], ['cancelled', 4]);

  for (const attemptCount of [5, 6, 7]) {
    const queued = await webhooks.retryDelivery(b.app, b.orgId, cancelled!.id);
    assert.deepEqual([queued.status, queued.nextAttemptAt], ['pending', b.clock.now()]);
    await b.settled();
    const [failed] = await b.deliveries();
    assert.deepEqual(
      [failed!.status, failed!.attemptCount, failed!.nextAttemptAt],
      ['cancelled', attemptCount, null],
      'sent once, whatever comes of it',
    );
  }
  await b.pass(24 * hour);
  assert.equal(web.seen.length, 7);
  assert.deepEqual(await b.app.db.selectFrom('notices').selectAll().execute(), []);

  web.answerWith({ status: 200 });
  await b.save(web.url());
  await b.settled();
  assert.equal(web.seen.length, 7, 'the URL saved again is another endpoint');
  await webhooks.retryDelivery(b.app, b.orgId, cancelled!.id);
  await b.settled();
  const { delivery, attempts } = await webhooks.getDelivery(b.app, b.orgId, cancelled!.id);
  assert.deepEqual([delivery.status, attempts.length, attempts[7]!.error], ['delivered', 8, null]);
  assert.ok(await verifies(secret, web.seen[7]!.headers, web.seen[7]!.body));
  assert.equal(new Set(web.ids()).size, 1);
});

test('what was removed while its endpoint was failing is sent again like anything else', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  web.answerWith({ status: 410 });
  await b.endCall();
  await b.endCall();
  await b.settled();
  await b.save();
  const [probe, held] = await b.deliveries();
  for (const { id } of [probe!, held!]) await webhooks.retryDelivery(b.app, b.orgId, id);
  await b.settled();
  assert.deepEqual(states(await b.deliveries()), ['cancelled', 'cancelled']);
  web.answerWith({ status: 200 });
  for (const { id } of [probe!, held!]) await webhooks.retryDelivery(b.app, b.orgId, id);
  await b.settled();
  assert.deepEqual(states(await b.deliveries()), ['delivered', 'delivered']);
  assert.equal((await b.app.db.selectFrom('notices').selectAll().execute()).length, 1);
});

test('a deleted agent leaves its secret to its deliveries, until the last of them is pruned', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()], { 'webhooks.retention_days': '1' });
  await webhookPruning.schedule(b.app);
  await b.endCall();
  await b.settled();
  const secret = await webhooks.getSecret(b.app, b.orgId, b.agentId);
  await deleteAgent(b.app, b.orgId, b.agentId);
  const [delivery] = await b.deliveries();
  await webhooks.retryDelivery(b.app, b.orgId, delivery!.id);
  await b.settled();
  assert.deepEqual(states(await b.deliveries()), ['delivered']);
  assert.ok(await verifies(secret, web.seen[1]!.headers, web.seen[1]!.body));

  const secrets = () => b.app.db.selectFrom('webhook_secrets').selectAll().execute();
  assert.equal((await secrets()).length, 1);
  await b.pass(72 * hour);
  assert.deepEqual(await secrets(), []);
});

test('asked for by hand, a retry goes out at once and the schedule starts afresh', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  web.answerWith({ status: 500 });
  await b.endCall();
  await b.pass(150 * second);
  const [delivery] = await b.deliveries();
  assert.equal(delivery!.attemptCount, 3);
  await webhooks.retryDelivery(b.app, b.orgId, delivery!.id);
  await b.settled();
  const [after] = await b.deliveries();
  assert.deepEqual([after!.attemptCount, after!.nextAttemptAt! - b.clock.now()], [4, 30 * second]);
});

test('while the endpoint is failing, what is sent by hand is delivered or held, and the probe may come early', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  web.answerWith({ status: 410 });
  await b.endCall();
  await b.settled();
  await b.endCall();
  const [probe, held] = await b.deliveries();
  await webhooks.retryDelivery(b.app, b.orgId, held!.id);
  await b.settled();
  assert.deepEqual(states(await b.deliveries()), ['retrying', 'held']);
  assert.equal((await b.endpoints())[0]!.held, 1);

  web.answerWith({ status: 200 });
  await webhooks.testEndpoint(b.app, b.orgId, (await b.endpoints())[0]!.id);
  await b.settled();
  assert.deepEqual(states(await b.deliveries()), ['retrying', 'held', 'delivered']);
  assert.equal((await b.endpoints())[0]!.status, 'failing', 'a test heals nothing');

  const early = await webhooks.retryDelivery(b.app, b.orgId, probe!.id);
  assert.deepEqual([early.status, early.nextAttemptAt], ['retrying', b.clock.now()]);
  await b.settled();
  assert.deepEqual(states(await b.deliveries()), ['delivered', 'delivered', 'delivered']);
  assert.deepEqual([(await b.endpoints())[0]!.status, (await b.endpoints())[0]!.held], ['delivering', 0]);
});

test('retry-failed sends what failed and waits or was given up, in order, within its range', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  const start = b.clock.now();
  web.answerWith({ status: 500 });
  await b.endCall();
  await b.pass(second);
  await b.endCall();
  await b.pass(8 * hour);
  await b.endCall();
  const [endpoint] = await b.endpoints();
  assert.deepEqual(states(await b.deliveries()), ['exhausted', 'held', 'held']);

  const retry = (range: { since: number | null; until: number | null }) =>
    webhooks.retryFailed(b.app, b.orgId, endpoint!.id, range);
  assert.equal(await retry({ since: start + 2 * second, until: null }), 0, 'never tried is not failed');
  await assert.rejects(retry({ since: 2, until: 1 }), { kind: 'invalid' });
  web.answerWith({ status: 200 });
  const before = web.seen.length;
  assert.equal(await retry({ since: start, until: start + second }), 2);
  await b.settled();
  const deliveries = await b.deliveries();
  assert.deepEqual(states(deliveries), ['delivered', 'delivered', 'held']);
  assert.deepEqual(
    web.ids().slice(before),
    deliveries.slice(0, 2).map(({ eventId }) => eventId),
  );
  assert.equal((await b.endpoints())[0]!.held, 1);
  assert.equal(await retry(always), 0);
});

test('the test event is a whole call.completed marked as a test', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  await b.endCall();
  const queued = await webhooks.testEndpoint(b.app, b.orgId, (await b.endpoints())[0]!.id);
  assert.equal(queued.status, 'pending');
  await b.settled();
  const [real, sample] = web.seen.map(({ body }) => JSON.parse(body) as Record<string, Record<string, unknown>>);
  assert.deepEqual(Object.keys(sample!['data']!), Object.keys(real!['data']!));
  assert.deepEqual([sample!['event'], sample!['org_id'], sample!['test']], ['call.completed', b.orgId, true]);
  assert.equal(real!['test'], undefined);
  assert.equal(web.ids()[1], queued.eventId);
  const { agent_name: name, status, ended_at: endedAt } = sample!['data']!;
  assert.deepEqual([name, status, endedAt], ['Robin', 'completed', '2026-03-02T09:00:00.000Z']);
  assert.ok(Object.values(sample!['data']!).every((value) => value !== undefined));
});

test('lists are filtered, counted and paged, newest first', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url('/a'), web.url('/b')]);
  web.answerWith(({ path }) => ({ status: path === '/a' ? 200 : 500 }));
  for (const _ of [1, 2, 3]) await b.endCall();
  await b.settled();
  const [first] = await b.endpoints();
  const list = (filter: Parameters<typeof webhooks.listDeliveries>[2], page = everything) =>
    webhooks.listDeliveries(b.app, b.orgId, filter, page);
  const all = await list({});
  assert.equal(all.total, 6);
  assert.deepEqual(
    all.items.map(({ id }) => id),
    all.items
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  );
  assert.deepEqual((await list({}, { limit: 2, offset: 3 })).items, all.items.slice(3, 5));
  assert.equal((await list({ status: 'delivered' })).total, 3);
  assert.deepEqual(
    (await list({ endpointId: first!.id })).items.map(({ url }) => url),
    Array(3).fill(web.url('/a')),
  );
  const eventId = all.items[0]!.eventId;
  assert.equal((await list({ eventId })).total, 2);
  assert.deepEqual(states((await list({ eventId, endpointId: first!.id, status: 'delivered' })).items), ['delivered']);
  assert.equal((await list({ eventId, endpointId: first!.id, status: 'retrying' })).total, 0);
  assert.equal((await list({ status: 'delivering' })).total, 0);
  assert.equal((await webhooks.listEndpoints(b.app, b.orgId, { limit: 1, offset: 1 })).items[0]!.id, first!.id);
});

test('each list and its filters have an index that also gives the order', async (t) => {
  const b = await bench(t, []);
  const { app, orgId } = b;
  const filters = [
    {},
    { status: 'held' },
    { status: 'pending' },
    { status: 'delivering' },
    { status: 'delivered' },
    { endpointId: orgId },
    { endpointId: orgId, status: 'delivered' },
    { endpointId: orgId, status: 'held' },
    { eventId: orgId },
    { eventId: orgId, endpointId: orgId },
    { eventId: orgId, status: 'delivered' },
  ] as const;
  const statements: CompiledQuery[] = [];
  const watching = { ...app, db: watched(app.db, statements) };
  for (const filter of filters) await webhooks.listDeliveries(watching, orgId, filter, everything);
  await webhooks.listEndpoints(watching, orgId, everything);
  const delivered = filters.filter((filter) => 'status' in filter && filter.status === 'delivered').length;
  assert.equal(statements.length, 2 * filters.length + delivered + 2);
  const plans: string[] = [];
  for (const { sql, parameters } of statements) {
    const { rows } = await app.db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]),
    );
    plans.push(...rows.map(({ detail }) => `${detail} in ${sql}`));
  }
  assert.deepEqual(
    plans.filter((plan) =>
      /^SCAN (?!json_each)|^USE TEMP B-TREE|deliveries_of_organization .*[^+]d\.(endpoint|event)_id = /.test(plan),
    ),
    [],
  );
});

test('another organization sees and moves nothing', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  await b.endCall();
  await b.settled();
  const other = await transact(b.app.db, installation, (tx) => createOrganization(b.app, tx, 'Other'));
  const [[delivery], [endpoint]] = [await b.deliveries(), await b.endpoints()];
  const missing = { kind: 'not_found' };
  await assert.rejects(webhooks.getDelivery(b.app, other, delivery!.id), missing);
  await assert.rejects(webhooks.retryDelivery(b.app, other, delivery!.id), missing);
  await assert.rejects(webhooks.testEndpoint(b.app, other, endpoint!.id), missing);
  await assert.rejects(webhooks.retryFailed(b.app, other, endpoint!.id, always), missing);
  await assert.rejects(webhooks.getSecret(b.app, other, b.agentId), missing);
  await assert.rejects(webhooks.rotateAgentSecret(b.app, other, b.agentId, 0), missing);
  const filter = { endpointId: endpoint!.id, eventId: delivery!.eventId };
  assert.deepEqual(await webhooks.listDeliveries(b.app, other, filter, everything), { items: [], total: 0 });
  assert.deepEqual(await webhooks.listEndpoints(b.app, other, everything), { items: [], total: 0 });
});

test('retention deletes what was settled long enough ago, every night, in batches', async (t) => {
  const [web, dead] = [await receiver(t), await receiver(t)];
  const b = await bench(t, [web.url(), dead.url()], { 'webhooks.retention_days': '2' });
  const { app } = b;
  await webhookPruning.schedule(app);
  await webhookPruning.schedule(app);
  dead.answerWith({ status: 410 });
  await b.endCall();
  await b.settled();
  const old = await app.db.selectFrom('webhook_deliveries').selectAll().where('status', '=', 'delivered').execute();
  const events = await app.db.selectFrom('webhook_events').selectAll().execute();
  await transact(app.db, installation, async (tx) => {
    for (let index = 0; index < 1200; index++) {
      const eventId = app.ids.make();
      await tx
        .insertInto('webhook_events')
        .values({ ...events[0]!, id: eventId })
        .execute();
      await tx
        .insertInto('webhook_deliveries')
        .values({ ...old[0]!, id: app.ids.make(), event_id: eventId })
        .execute();
    }
  });
  const count = async (table: 'webhook_deliveries' | 'webhook_events' | 'webhook_attempts' | 'webhook_endpoints') =>
    (
      await app.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n;

  assert.deepEqual(await b.pass(24 * hour), { 'webhook.deliver': 1, 'webhooks.prune': 1 });
  await b.endCall();
  await b.settled();
  assert.deepEqual(await b.pass(19 * hour), { 'webhooks.prune': 1 });
  assert.equal(await count('webhook_deliveries'), 1204, 'nothing is old enough');
  assert.deepEqual(await b.pass(24 * hour), { 'webhooks.prune': 3 }, 'two full batches and a last one');
  assert.deepEqual(states(await b.deliveries()), ['delivered', 'held']);
  assert.deepEqual([await count('webhook_events'), await count('webhook_attempts')], [1, 1]);
  await b.save(web.url());
  await b.pass(72 * hour);
  assert.deepEqual([await count('webhook_deliveries'), await count('webhook_events')], [0, 0]);
  assert.equal(await count('webhook_endpoints'), 1, 'the removed one went with its last delivery');
});

test('what waits is kept, however old', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()], { 'webhooks.retention_days': '1' });
  await webhookPruning.schedule(b.app);
  web.answerWith({ status: 410 });
  await b.endCall();
  await b.settled();
  await b.endCall();
  await b.pass(10 * 24 * hour + minute);
  assert.deepEqual(states(await b.deliveries()), ['held']);
});

/** A database that notes the statements it is given. */
function watched(db: Queryable, statements: CompiledQuery[]): Queryable {
  return db.withPlugin({
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
}
