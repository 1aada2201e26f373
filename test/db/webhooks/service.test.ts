import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installation, transact } from '../../../src/db/transaction.ts';
import { removeAgent } from '../../../src/features/agents/removal.ts';
import { listEndpoints } from '../../../src/features/endpoints/service.ts';
import { createOrganization } from '../../../src/features/organizations/service.ts';
import { listEndpoints as listEndpointsByHour } from '../../../src/features/webhooks/endpoint-health.ts';
import { webhookPruning } from '../../../src/features/webhooks/jobs.ts';
import * as webhooks from '../../../src/features/webhooks/service.ts';
import { verifies } from '../../unit/webhooks/verify.ts';
import { startWebhookTest, wholeList, hour, minute, startReceiver, second } from './support.ts';

const states = (deliveries: ReadonlyArray<{ status: string }>): string[] => deliveries.map(({ status }) => status);
const anyTime = { since: null, until: null };

test('a delivered delivery can be sent again, with the same event', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  await env.endCall();
  await env.settled();
  const [delivery] = await env.deliveries();
  const queued = await webhooks.retryDelivery(env.app, env.orgId, delivery!.id);
  assert.deepEqual([queued.status, queued.deliveredAt], ['pending', null]);
  await env.settled();
  assert.equal(web.seen.length, 2);
  assert.equal(new Set(web.ids()).size, 1);
  const again = await webhooks.getDelivery(env.app, env.orgId, delivery!.id);
  assert.deepEqual([again.delivery.status, again.delivery.attemptCount], ['delivered', 2]);
  assert.deepEqual(
    again.attempts.map(({ number }) => number),
    [1, 2],
  );
});

test('a cancelled delivery can be sent again to its removed URL, and changes nothing else', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith({ status: 500 });
  await env.endCall();
  await env.pass(72 * minute + 29 * second);
  const secret = (await webhooks.getSecret(env.app, env.orgId, env.agentId)).secret;
  await env.save();
  const [cancelled] = await env.deliveries();
  assert.deepEqual([cancelled!.status, cancelled!.attemptCount], ['cancelled', 4]);

  for (const attemptCount of [5, 6, 7]) {
    const queued = await webhooks.retryDelivery(env.app, env.orgId, cancelled!.id);
    assert.deepEqual([queued.status, queued.nextAttemptAt], ['pending', env.clock.now()]);
    await env.settled();
    const [failed] = await env.deliveries();
    assert.deepEqual(
      [failed!.status, failed!.attemptCount, failed!.nextAttemptAt],
      ['cancelled', attemptCount, null],
      'a retry by hand is a single attempt',
    );
  }
  await env.pass(24 * hour);
  assert.equal(web.seen.length, 7);
  assert.deepEqual(await env.app.db.selectFrom('notices').selectAll().execute(), []);

  web.answerWith({ status: 200 });
  await env.save(web.url());
  await env.settled();
  assert.equal(web.seen.length, 7, 'the URL that was saved again is a new endpoint');
  await webhooks.retryDelivery(env.app, env.orgId, cancelled!.id);
  await env.settled();
  const { delivery, attempts } = await webhooks.getDelivery(env.app, env.orgId, cancelled!.id);
  assert.deepEqual([delivery.status, attempts.length, attempts[7]!.error], ['delivered', 8, null]);
  assert.ok(await verifies(secret, web.seen[7]!.headers, web.seen[7]!.body));
  assert.equal(new Set(web.ids()).size, 1);
});

test('deliveries of an endpoint that was failing when it was removed can be sent again', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith({ status: 410 });
  await env.endCall();
  await env.endCall();
  await env.settled();
  await env.save();
  const [probe, held] = await env.deliveries();
  for (const { id } of [probe!, held!]) await webhooks.retryDelivery(env.app, env.orgId, id);
  await env.settled();
  assert.deepEqual(states(await env.deliveries()), ['cancelled', 'cancelled']);
  web.answerWith({ status: 200 });
  for (const { id } of [probe!, held!]) await webhooks.retryDelivery(env.app, env.orgId, id);
  await env.settled();
  assert.deepEqual(states(await env.deliveries()), ['delivered', 'delivered']);
  assert.equal((await env.app.db.selectFrom('notices').selectAll().execute()).length, 1);
});

test('the secret of a deleted agent is kept until its last delivery is pruned', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()], { 'webhooks.retention_days': '1' });
  await webhookPruning.schedule(env.app);
  await env.endCall();
  await env.settled();
  const secret = (await webhooks.getSecret(env.app, env.orgId, env.agentId)).secret;
  await removeAgent(env.app, env.orgId, env.agentId);
  const [delivery] = await env.deliveries();
  await webhooks.retryDelivery(env.app, env.orgId, delivery!.id);
  await env.settled();
  assert.deepEqual(states(await env.deliveries()), ['delivered']);
  assert.ok(await verifies(secret, web.seen[1]!.headers, web.seen[1]!.body));

  const secrets = () => env.app.db.selectFrom('webhook_secrets').selectAll().execute();
  assert.equal((await secrets()).length, 1);
  await env.pass(72 * hour);
  assert.deepEqual(await secrets(), []);
});

test('a retry by hand is sent immediately and restarts the schedule', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith({ status: 500 });
  await env.endCall();
  await env.pass(150 * second);
  const [delivery] = await env.deliveries();
  assert.equal(delivery!.attemptCount, 3);
  await webhooks.retryDelivery(env.app, env.orgId, delivery!.id);
  await env.settled();
  const [after] = await env.deliveries();
  assert.deepEqual([after!.attemptCount, after!.nextAttemptAt! - env.clock.now()], [4, 30 * second]);
});

test('a delivery sent by hand to a failing endpoint is delivered or held, and retrying the probe runs it early', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith({ status: 410 });
  await env.endCall();
  await env.settled();
  await env.endCall();
  const [probe, held] = await env.deliveries();
  await webhooks.retryDelivery(env.app, env.orgId, held!.id);
  await env.settled();
  assert.deepEqual(states(await env.deliveries()), ['retrying', 'held']);
  assert.equal((await env.endpoints())[0]!.held, 1);

  web.answerWith({ status: 200 });
  await webhooks.testEndpoint(env.app, env.orgId, (await env.endpoints())[0]!.id);
  await env.settled();
  assert.deepEqual(states(await env.deliveries()), ['retrying', 'held', 'delivered']);
  assert.equal((await env.endpoints())[0]!.status, 'failing', 'a test event does not resume the endpoint');

  const early = await webhooks.retryDelivery(env.app, env.orgId, probe!.id);
  assert.deepEqual([early.status, early.nextAttemptAt], ['retrying', env.clock.now()]);
  await env.settled();
  assert.deepEqual(states(await env.deliveries()), ['delivered', 'delivered', 'delivered']);
  assert.deepEqual([(await env.endpoints())[0]!.status, (await env.endpoints())[0]!.held], ['delivering', 0]);
});

test('retry-failed sends failed deliveries, held or exhausted, in order and within its range', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  const start = env.clock.now();
  web.answerWith({ status: 500 });
  await env.endCall();
  await env.pass(second);
  await env.endCall();
  await env.pass(8 * hour);
  await env.endCall();
  const [endpoint] = await env.endpoints();
  assert.deepEqual(states(await env.deliveries()), ['exhausted', 'held', 'held']);

  const retry = (range: { since: number | null; until: number | null }) =>
    webhooks.retryFailed(env.app, env.orgId, endpoint!.id, range);
  assert.equal(
    await retry({ since: start + 2 * second, until: null }),
    0,
    'a delivery without an attempt did not fail',
  );
  await assert.rejects(retry({ since: 2, until: 1 }), { kind: 'invalid' });
  assert.equal(await retry({ since: 1, until: 1 }), 0, 'a range may be a single instant');
  web.answerWith({ status: 200 });
  const before = web.seen.length;
  assert.equal(await retry({ since: start, until: start + second }), 2);
  await env.settled();
  const deliveries = await env.deliveries();
  assert.deepEqual(states(deliveries), ['delivered', 'delivered', 'held']);
  assert.deepEqual(
    web.ids().slice(before),
    deliveries.slice(0, 2).map(({ eventId }) => eventId),
  );
  assert.equal((await env.endpoints())[0]!.held, 1);
  assert.equal(await retry(anyTime), 0);
});

test('the test event is a complete call.completed event marked as a test', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  await env.endCall();
  const queued = await webhooks.testEndpoint(env.app, env.orgId, (await env.endpoints())[0]!.id);
  assert.equal(queued.status, 'pending');
  await env.settled();
  const [real, sample] = web.seen.map(({ body }) => JSON.parse(body) as Record<string, Record<string, unknown>>);
  assert.deepEqual(Object.keys(sample!['data']!), Object.keys(real!['data']!));
  assert.deepEqual([sample!['event'], sample!['org_id'], sample!['test']], ['call.completed', env.orgId, true]);
  assert.equal(real!['test'], undefined);
  assert.equal(web.ids()[1], queued.eventId);
  const { agent_name: name, status, ended_at: endedAt, duration_sec: durationSec } = sample!['data']!;
  assert.deepEqual([name, status, endedAt], ['Robin', 'completed', '2026-03-02T09:00:00.000Z']);
  const [greeting] = sample!['data']!['transcripts'] as Array<{ created_at: string }>;
  assert.equal(Date.parse(greeting!.created_at), Date.parse(String(endedAt)) - Number(durationSec) * second);
  assert.ok(Object.values(sample!['data']!).every((value) => value !== undefined));
});

test('retrying a pending delivery keeps its place in the queue', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith('hang');
  for (const _ of [1, 2, 3]) await env.endCall();
  await web.arrived(1);
  const deliveries = await env.deliveries();
  const retried = await webhooks.retryDelivery(env.app, env.orgId, deliveries[1]!.id);
  assert.equal(retried.status, 'pending');
  web.answerWith({ status: 200 });
  web.release();
  await env.settled();
  assert.deepEqual(
    web.ids(),
    deliveries.map(({ eventId }) => eventId),
  );
});

test('deliveries are listed newest first, filtered, counted and paged', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url('/a'), web.url('/b')]);
  web.answerWith(({ path }) => ({ status: path === '/a' ? 200 : 500 }));
  for (const _ of [1, 2, 3]) await env.endCall();
  await env.settled();
  const [first] = await env.endpoints();
  const list = (filter: Parameters<typeof webhooks.listDeliveries>[2], page = wholeList) =>
    webhooks.listDeliveries(env.app, env.orgId, filter, page);
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
  assert.equal((await listEndpoints(env.app, env.orgId, {}, { limit: 1, offset: 1 })).items[0]!.id, first!.id);
});

test('another organization can neither see nor change deliveries and endpoints', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  await env.endCall();
  await env.settled();
  const other = await transact(env.app.db, installation, (tx) => createOrganization(env.app, tx, 'Other'));
  const [[delivery], [endpoint]] = [await env.deliveries(), await env.endpoints()];
  const missing = { kind: 'not_found' };
  await assert.rejects(webhooks.getDelivery(env.app, other, delivery!.id), missing);
  await assert.rejects(webhooks.retryDelivery(env.app, other, delivery!.id), missing);
  await assert.rejects(webhooks.testEndpoint(env.app, other, endpoint!.id), missing);
  await assert.rejects(webhooks.retryFailed(env.app, other, endpoint!.id, anyTime), missing);
  await assert.rejects(webhooks.getSecret(env.app, other, env.agentId), missing);
  await assert.rejects(webhooks.rotateAgentSecret(env.app, other, env.agentId, 0), missing);
  const filter = { endpointId: endpoint!.id, eventId: delivery!.eventId };
  assert.deepEqual(await webhooks.listDeliveries(env.app, other, filter, wholeList), { items: [], total: 0 });
  assert.deepEqual(await listEndpoints(env.app, other, {}, wholeList), { items: [], total: 0 });
});

test('a nightly job deletes deliveries after their retention, in batches', async (t) => {
  const [web, dead] = [await startReceiver(t), await startReceiver(t)];
  const env = await startWebhookTest(t, [web.url(), dead.url()], { 'webhooks.retention_days': '2' });
  const { app } = env;
  await webhookPruning.schedule(app);
  await webhookPruning.schedule(app);
  dead.answerWith({ status: 410 });
  await env.endCall();
  await env.settled();
  const old = await app.db.selectFrom('webhook_deliveries').selectAll().where('status', '=', 'delivered').execute();
  const [event] = await app.db.selectFrom('webhook_events').selectAll().execute();
  const { number: _, ...numberless } = event!;
  await transact(app.db, installation, async (tx) => {
    for (let index = 0; index < 1200; index++) {
      const eventId = app.ids.make();
      await tx
        .insertInto('webhook_events')
        .values({ ...numberless, id: eventId })
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

  assert.deepEqual(await env.pass(24 * hour), { 'webhook.deliver': 1, 'webhooks.prune': 1 });
  await env.endCall();
  await env.settled();
  assert.deepEqual(await env.pass(19 * hour), { 'webhooks.prune': 1 });
  assert.equal(await count('webhook_deliveries'), 1204, 'none is old enough');
  assert.deepEqual(await env.pass(24 * hour), { 'webhooks.prune': 13 }, 'twelve full batches and a last one');
  assert.deepEqual(states(await env.deliveries()), ['delivered', 'held']);
  assert.deepEqual([await count('webhook_events'), await count('webhook_attempts')], [1, 1]);
  await env.save(web.url());
  await env.pass(72 * hour);
  assert.deepEqual([await count('webhook_deliveries'), await count('webhook_events')], [0, 0]);
  assert.equal(await count('webhook_endpoints'), 1, 'the removed endpoint was deleted with its last delivery');
});

test('deliveries that wait are kept, however old', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()], { 'webhooks.retention_days': '1' });
  await webhookPruning.schedule(env.app);
  web.answerWith({ status: 410 });
  await env.endCall();
  await env.settled();
  await env.endCall();
  await env.pass(10 * 24 * hour + minute);
  assert.deepEqual(states(await env.deliveries()), ['held']);
});

test('the deliveries of the last 24 hours are counted by hour, and deleted after the retention of deliveries', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()], { 'webhooks.retention_days': '2' });
  await webhookPruning.schedule(env.app);
  const byHour = async () => (await listEndpointsByHour(env.app, env.orgId, {}, wholeList)).items[0]!.deliveredByHour;
  const deliver = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index++) await env.endCall();
    await env.settled();
  };
  await deliver(2);
  await env.pass(hour);
  web.answerWith({ status: 500 });
  await deliver(1);
  web.answerWith({ status: 200 });
  await env.pass(hour);
  await deliver(3);
  const none = (count: number): number[] => Array.from({ length: count }, () => 0);
  assert.deepEqual(await byHour(), [...none(21), 2, 1, 3]);
  await env.pass(22 * hour);
  assert.deepEqual(await byHour(), [1, 3, ...none(22)]);
  const kept = async () => (await env.app.db.selectFrom('deliveries_by_hour').select('hour').execute()).length;
  assert.equal(await kept(), 3);
  await env.pass(72 * hour);
  assert.equal(await kept(), 0);
});
