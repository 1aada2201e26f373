import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { transact } from '../../../src/db/transaction.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../../src/features/webhooks/delivery.ts';
import { waitingAfter, type WaitingBatch, type WaitingQuery } from '../../../src/features/webhooks/delivery-store.ts';
import * as webhooks from '../../../src/features/webhooks/service.ts';
import { sweepBatch } from '../../../src/features/webhooks/sweep.ts';
import { maxBatchRows } from '../../../src/kernel/batch-size.ts';
import { hour, startReceiver, startWebhookTest, type WebhookTest } from './support.ts';

/** More than two batches. */
const backlog = 2 * maxBatchRows + 10;
const anyTime = { since: null, until: null };
const firstPage = { limit: 500, offset: 0 };

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** An endpoint that fails, for which this many deliveries wait; its probe is the first of them. */
async function aBacklog(
  t: TestContext,
  count: number,
  settings = {},
): Promise<{ env: WebhookTest; web: Receiver; endpointId: string }> {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()], settings);
  web.answerWith({ status: 410 });
  await env.endCall();
  await env.settled();
  for (let calls = 1; calls < count; calls += 1) await env.endCall();
  await env.settled();
  const [endpoint] = await env.endpoints();
  assert.deepEqual([endpoint!.status, endpoint!.held], ['failing', count - 1]);
  return { env, web, endpointId: endpoint!.id };
}

/** Lists every status, and checks that the lists agree with each other and with the reads of single deliveries. */
async function countByStatus({ app, orgId }: WebhookTest): Promise<Partial<Record<DeliveryStatus, number>>> {
  const counts: Partial<Record<DeliveryStatus, number>> = {};
  const all = await webhooks.listDeliveries(app, orgId, {}, firstPage);
  for (const status of deliveryStatuses) {
    const { items, total = 0 } = await webhooks.listDeliveries(app, orgId, { status }, firstPage);
    assert.deepEqual(
      items,
      all.items.filter((delivery) => delivery.status === status),
      status,
    );
    assert.equal(items.length, total, status);
    if (total > 0) counts[status] = total;
    const [first] = items;
    if (first) assert.deepEqual((await webhooks.getDelivery(app, orgId, first.id)).delivery, first);
  }
  assert.equal(all.items.length, all.total);
  return counts;
}

/** Does the sweep's batches by hand, on a runner that was stopped, and calls `between` before each. Returns how many there were. */
async function sweep({ app, orgId }: WebhookTest, endpointId: string, between: () => Promise<void>): Promise<number> {
  const { payload } = await app.db
    .selectFrom('outbox')
    .select('payload')
    .where('kind', '=', 'webhook.sweep')
    .executeTakeFirstOrThrow();
  let next: { after: string } | undefined = JSON.parse(payload) as { after: string };
  let batches = 0;
  while (next) {
    await between();
    const work: Parameters<typeof sweepBatch>[2] = { key: endpointId, payload: next, rows: maxBatchRows };
    next = await transact(app.db, orgId, (tx) => sweepBatch(app, tx, work));
    batches += 1;
  }
  return batches;
}

test('an endpoint that recovers releases its backlog in batches; everything reads pending at once', async (t) => {
  const { env, web, endpointId } = await aBacklog(t, backlog);
  await env.runner.stop(0);
  await env.save(web.url());
  const seen: unknown[] = [];
  const batches = await sweep(env, endpointId, async () => {
    seen.push(await countByStatus(env));
    const [endpoint] = await env.endpoints();
    assert.deepEqual([endpoint!.status, endpoint!.held], ['delivering', 0]);
    await env.endCall(); // its delivery waits for its turn behind the backlog
  });
  assert.equal(batches, 2);
  assert.deepEqual(seen, [{ pending: backlog }, { pending: backlog + 1 }]);
  assert.deepEqual(await countByStatus(env), { pending: backlog + 2 });
  const jobs = await env.app.db
    .selectFrom('outbox')
    .select('key')
    .where('kind', '=', 'webhook.deliver')
    .orderBy('due_at')
    .orderBy('id')
    .execute();
  const deliveries = await env.deliveries();
  assert.deepEqual(
    jobs.map(({ key }) => key),
    deliveries.map(({ id }) => id),
  );
  await env.endCall();
  assert.deepEqual(await countByStatus(env), { pending: backlog + 3 });
  assert.equal((await env.app.db.selectFrom('webhook_endpoints').select('sweep').executeTakeFirst())?.sweep, null);
});

test('a released backlog arrives oldest first, before events that came during the release', async (t) => {
  const { env, web } = await aBacklog(t, backlog, { 'webhooks.max_in_flight_per_endpoint': '1' });
  web.answerWith({ status: 200 });
  const before = web.seen.length;
  await env.save(web.url());
  for (let calls = 0; calls < 20; calls += 1) await env.endCall();
  await env.settled();
  const deliveries = await env.deliveries();
  assert.deepEqual(
    web.ids().slice(before),
    deliveries.map(({ eventId }) => eventId),
  );
  assert.deepEqual(await countByStatus(env), { delivered: backlog + 20 });
});

test('removing a URL cancels its backlog at once for every reader, and one that is sent by hand meanwhile is sent', async (t) => {
  const { env, web, endpointId } = await aBacklog(t, backlog);
  const last = (await env.deliveries()).at(-1)!;
  await env.runner.stop(0);
  await env.save();
  assert.deepEqual(await countByStatus(env), { cancelled: backlog });
  const retried = await webhooks.retryDelivery(env.app, env.orgId, last.id);
  assert.equal(retried.status, 'pending');
  const batches = await sweep(env, endpointId, async () => {
    assert.deepEqual(await countByStatus(env), { cancelled: backlog - 1, pending: 1 });
  });
  assert.equal(batches, 2);
  assert.deepEqual(await countByStatus(env), { cancelled: backlog - 1, pending: 1 });
  const settled = await env.app.db
    .selectFrom('webhook_deliveries')
    .select((eb) => eb.fn.count<number>('settled_at').as('n'))
    .executeTakeFirstOrThrow();
  assert.equal(settled.n, backlog - 1);
  assert.equal(web.seen.length, 1);
});

test('an endpoint that fails holds its backlog in batches; none of it is sent meanwhile', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  // The receiver answers the first delivery only after the backlog has grown behind it.
  web.answerWith('hang');
  for (let calls = 0; calls < backlog; calls += 1) await env.endCall({ contactId: env.orgId });
  await web.arrived(1);
  web.release(410);
  await env.settled();
  assert.equal(web.seen.length, 1);
  assert.deepEqual(await countByStatus(env), { held: backlog - 1, retrying: 1 });
  const [endpoint] = await env.endpoints();
  assert.deepEqual([endpoint!.status, endpoint!.held], ['failing', backlog - 1]);
  web.answerWith({ status: 200 });
  await env.pass(6 * hour);
  assert.deepEqual(await countByStatus(env), { delivered: backlog });
});

test('saving a URL while its backlog is still being held releases all of it', async (t) => {
  const { env, web, endpointId } = await aBacklog(t, backlog);
  await env.runner.stop(0);
  // A recovery that is interrupted by the next failure leaves deliveries that are held and not counted.
  await env.save(web.url());
  const { app, orgId } = env;
  const probe = (await env.deliveries())[0]!;
  const failed = {
    at: 0,
    durationMs: 1,
    statusCode: 410,
    error: 'Gone.',
    responseBody: null,
    requestHeaders: '{}',
    responseHeaders: null,
  };
  const { recordOutcome } = await import('../../../src/features/webhooks/outcomes.ts');
  await transact(app.db, orgId, (tx) =>
    recordOutcome(app, tx, probe.id, { attempt: failed, result: { ok: false, gone: true, retryAfterMs: null } }, 0),
  );
  assert.deepEqual(await countByStatus(env), { held: backlog - 1, retrying: 1 });
  await sweep(env, endpointId, () => Promise.resolve());
  const [endpoint] = await env.endpoints();
  assert.deepEqual([endpoint!.status, endpoint!.held], ['failing', backlog - 1]);
});

test('retry-failed sends a long backlog in batches, and counts all of it', async (t) => {
  const { env, web, endpointId } = await aBacklog(t, backlog);
  await env.app.db.updateTable('webhook_deliveries').set({ attempt_count: 1 }).execute();
  web.answerWith({ status: 200 });
  assert.equal(await webhooks.retryFailed(env.app, env.orgId, endpointId, anyTime), backlog);
  await env.settled();
  assert.deepEqual(await countByStatus(env), { delivered: backlog });
});

test('a batch reads a bounded number of deliveries, however many wait for other endpoints', async (t) => {
  const { env, endpointId } = await aBacklog(t, 2);
  const { app, orgId } = env;
  const other = await app.db.selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow();
  await app.db
    .insertInto('webhook_endpoints')
    .values({ ...other, id: 'other', url: 'https://other.example/' })
    .execute();
  const [first] = await app.db.selectFrom('webhook_deliveries').selectAll().where('status', '=', 'held').execute();
  // These rows sort before the delivery that waits for the endpoint.
  const rows = Array.from({ length: 625 }, (_, index) => ({
    ...first!,
    id: `${index}`.padStart(5, '0'),
    endpoint_id: 'other',
  }));
  await app.db.insertInto('webhook_deliveries').values(rows).execute();
  const batches: Array<[number, string | null]> = [];
  for (let after: string | null = ''; after !== null;) {
    const query: WaitingQuery = { statuses: ['held'], after, limit: maxBatchRows };
    const batch: WaitingBatch = await transact(app.db, orgId, (tx) =>
      waitingAfter(tx, { id: endpointId, orgId }, query),
    );
    batches.push([batch.ids.length, batch.next]);
    after = batch.next;
  }
  assert.deepEqual(batches, [
    [0, '00249'],
    [0, '00499'],
    [1, null],
  ]);
});
