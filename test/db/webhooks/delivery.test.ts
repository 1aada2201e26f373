import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { conflict } from '../../../src/base/errors.ts';
import { openDatabase } from '../../../src/db/sqlite/open.ts';
import { callData } from '../../../src/features/calls/call-data.ts';
import { removeAgent } from '../../../src/features/agents/removal.ts';
import { updateAgent } from '../../../src/features/agents/service.ts';
import type { Attempt } from '../../../src/features/webhooks/delivery.ts';
import { endpointFailing } from '../../../src/features/webhooks/events.ts';
import * as webhooks from '../../../src/features/webhooks/service.ts';
import { endlessMs, timeOuts } from '../../support/time-outs.ts';
import { verifies } from '../../unit/webhooks/verify.ts';
import { type WebhookTest, startWebhookTest, hour, minute, startReceiver, second, restart } from './support.ts';

const singleAttempt = async ({ app, orgId }: WebhookTest, id: string): Promise<Attempt> => {
  const { attempts } = await webhooks.getDelivery(app, orgId, id);
  assert.equal(attempts.length, 1);
  return attempts[0]!;
};

const states = (deliveries: ReadonlyArray<{ status: string }>): string[] => deliveries.map(({ status }) => status);

test('an ended call is posted to each URL once, signed, and the payload is stored', async (t) => {
  const web = await startReceiver(t);
  const { app, orgId, agentId, clock, ...env } = await startWebhookTest(t, [web.url('/a'), web.url('/b')]);
  const callId = await env.endCall();
  await env.settled();

  assert.deepEqual(web.seen.map(({ path }) => path).toSorted(), ['/a', '/b']);
  const secret = (await webhooks.getSecret(app, orgId, agentId)).secret;
  for (const { headers, body } of web.seen) {
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['user-agent'], 'parley/0.0.0-test');
    // Real time, also under the test clock: receivers compare it with their own.
    assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000) < 120);
    assert.ok(await verifies(secret, headers, body));
    const { event, org_id, data } = JSON.parse(body) as {
      event: string;
      org_id: string;
      data: Record<string, unknown>;
    };
    assert.deepEqual([event, org_id], ['call.completed', orgId]);
    assert.equal(data['call_id'], callId);
    assert.equal(data['call_session_id'], callId);
    assert.deepEqual(Object.keys(data), Object.keys(callData({ createdAt: 0, startedAt: 0, endedAt: 0 } as never)));
  }
  const [one, two] = web.seen;
  assert.equal(one!.headers['webhook-id'], two!.headers['webhook-id']);
  assert.equal(one!.body, two!.body);

  const deliveries = await env.deliveries();
  assert.deepEqual(states(deliveries), ['delivered', 'delivered']);
  const detail = await webhooks.getDelivery(app, orgId, deliveries[0]!.id);
  assert.deepEqual(detail.payload, JSON.parse(one!.body));
  assert.deepEqual(
    detail.attempts.map(({ number, at, statusCode, error }) => ({ number, at, statusCode, error })),
    [{ number: 1, at: clock.now(), statusCode: 200, error: null }],
  );
});

test('an agent without webhook URLs, or without subscribed events, writes no event', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, []);
  await env.endCall();
  await env.save(web.url());
  await updateAgent(env.app, env.orgId, env.agentId, { webhook_events: [] });
  await env.endCall();
  await env.settled();
  assert.deepEqual(web.seen, []);
  assert.deepEqual(await env.deliveries(), []);
  assert.deepEqual(await env.app.db.selectFrom('webhook_events').selectAll().execute(), []);
});

test('a transaction that rolls back writes no event', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  env.app.events.on({ name: 'call.ended' }, () => Promise.reject(conflict('no')));
  await assert.rejects(env.endCall());
  await env.settled();
  assert.deepEqual(web.seen, []);
  assert.deepEqual(await env.deliveries(), []);
});

test('the whole schedule: four retries, the endpoint fails, its probe succeeds, and it recovers', async (t) => {
  const env = await startWebhookTest(t, []);
  const web = await startReceiver(t, () => env.clock.now());
  await env.save(web.url());
  web.answerWith({ status: 500, body: 'no' });
  const start = env.clock.now();
  await env.endCall();
  await env.settled();
  assert.deepEqual((await env.deliveries())[0], {
    ...(await env.deliveries())[0],
    status: 'retrying',
    attemptCount: 1,
    nextAttemptAt: start + 30 * second,
  });

  await env.pass(72 * minute + 29 * second);
  assert.equal(web.seen.length, 4, 'one second before the last delay ends');
  assert.equal((await env.endpoints())[0]!.status, 'delivering');
  await env.pass(second);
  assert.equal(web.seen.length, 5);
  const [failing] = await env.endpoints();
  const failedAt = start + 72 * minute + 30 * second;
  assert.deepEqual([failing!.status, failing!.failingSince, failing!.held], ['failing', failedAt, 0]);
  assert.match(failing!.lastError ?? '', /500/);
  const [waiting] = await env.deliveries();
  assert.deepEqual([waiting!.status, waiting!.nextAttemptAt], ['retrying', failedAt + 6 * hour]);
  const notice = await env.app.db.selectFrom('notices').select('body').executeTakeFirstOrThrow();
  assert.match(notice.body, /What happened: 5 attempts in a row to deliver an event failed\./);

  await env.endCall();
  await env.endCall();
  assert.deepEqual(states(await env.deliveries()), ['retrying', 'held', 'held']);
  assert.equal((await env.endpoints())[0]!.held, 2);

  web.answerWith({ status: 204 });
  await env.pass(6 * hour - second);
  assert.equal(web.seen.length, 5, 'paused until the probe');
  await env.pass(second);
  assert.deepEqual(states(await env.deliveries()), ['delivered', 'delivered', 'delivered']);
  assert.deepEqual(
    [(await env.endpoints())[0]!.status, (await env.endpoints())[0]!.held, (await env.endpoints())[0]!.lastError],
    ['delivering', 0, null],
  );
  assert.deepEqual(
    web.seen.map(({ at }) => at - start),
    [0, 30, 150, 750, 4350, 25_950, 25_950, 25_950].map((seconds) => seconds * second),
  );
  assert.equal(new Set(web.seen.slice(0, 6).map(({ body }) => body)).size, 1, 'the same bytes on every attempt');
  assert.equal(new Set(web.ids().slice(0, 6)).size, 1);
  const events = (await env.deliveries()).map(({ eventId }) => eventId);
  assert.deepEqual(web.ids().slice(5), events, 'oldest first');
});

test('a failed probe is exhausted; saving the URL again sends it and everything held, oldest first', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith({ status: 500 });
  await env.endCall();
  await env.pass(2 * hour);
  await env.endCall();
  await env.pass(6 * hour);
  assert.equal(web.seen.length, 6);
  await env.endCall();
  await env.pass(48 * hour);
  assert.equal(web.seen.length, 6, 'nothing is sent automatically any more');
  assert.deepEqual(states(await env.deliveries()), ['exhausted', 'held', 'held']);
  assert.equal((await env.endpoints())[0]!.status, 'failing');

  web.answerWith({ status: 200 });
  await env.save(web.url());
  await env.settled();
  const deliveries = await env.deliveries();
  assert.deepEqual(states(deliveries), ['delivered', 'delivered', 'delivered']);
  assert.deepEqual(
    web.ids().slice(6),
    deliveries.map(({ eventId }) => eventId),
  );
  const [endpoint] = await env.endpoints();
  assert.deepEqual([endpoint!.status, endpoint!.held], ['delivering', 0]);
});

test('saving the URL again before the probe restarts the schedule', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith({ status: 500 });
  await env.endCall();
  await env.pass(2 * hour);
  await env.save(web.url());
  await env.settled();
  const [delivery] = await env.deliveries();
  assert.deepEqual(
    [delivery!.status, delivery!.attemptCount, delivery!.nextAttemptAt! - env.clock.now()],
    ['retrying', 6, 30 * second],
  );
  assert.equal((await env.endpoints())[0]!.status, 'delivering');
  await env.pass(2 * hour);
  assert.equal(web.seen.length, 10);
  assert.equal((await env.endpoints())[0]!.status, 'failing');
});

test('when an endpoint fails, its other deliveries that wait for a retry are held', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith({ status: 500 });
  for (const _ of [1, 2, 3]) await env.endCall();
  await env.pass(hour + 13 * minute);
  assert.equal(web.seen.length, 13, 'four attempts each, and one fifth');
  assert.deepEqual(states(await env.deliveries()).toSorted(), ['held', 'held', 'retrying']);
  assert.equal((await env.endpoints())[0]!.held, 2);
  assert.equal(await env.runner.settled(), (await env.deliveries({ status: 'retrying' }))[0]!.nextAttemptAt);
});

test('Retry-After lengthens the delay on 429 and 503, but not on 500', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  const waits: number[] = [];
  const answers = [
    { status: 503, headers: { 'retry-after': '45' } },
    { status: 500, headers: { 'retry-after': '200' } },
    { status: 429, headers: { 'retry-after': new Date(env.clock.now() + 10 * hour).toUTCString() } },
  ];
  web.answerWith(() => answers[web.seen.length - 1] ?? { status: 200 });
  await env.endCall();
  await env.settled();
  for (const _ of answers) {
    const wait = (await env.deliveries())[0]!.nextAttemptAt! - env.clock.now();
    waits.push(wait);
    await env.pass(wait);
  }
  assert.deepEqual(waits, [45 * second, 2 * minute, 20 * minute]);
  assert.deepEqual(states(await env.deliveries()), ['delivered']);
});

test('the last error of an endpoint is cleared by the next success, of the same delivery or of another', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  const lastError = async () => (await env.endpoints())[0]!.lastError;
  for (const recover of [() => env.pass(30 * second), () => env.endCall()]) {
    web.answerWith({ status: 500 });
    await env.endCall();
    await env.settled();
    assert.match((await lastError()) ?? '', /500/);
    web.answerWith({ status: 200 });
    await recover();
    await env.settled();
    assert.equal(await lastError(), null);
  }
});

test('410 Gone pauses the endpoint on the first failure', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith({ status: 410 });
  await env.endCall();
  await env.endCall();
  await env.settled();
  assert.equal(web.seen.length, 1);
  assert.deepEqual(states(await env.deliveries()), ['retrying', 'held']);
  const [endpoint] = await env.endpoints();
  assert.deepEqual([endpoint!.status, endpoint!.held], ['failing', 1]);
});

test('a redirect or a refused connection is a failed attempt', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url('/redirect'), 'http://127.0.0.1:9/closed']);
  web.answerWith({ status: 302, headers: { location: '/elsewhere' }, body: 'over there' });
  await env.endCall();
  await env.settled();
  const deliveries = await env.deliveries();
  assert.deepEqual(states(deliveries), ['retrying', 'retrying']);
  const [redirect, closed] = await Promise.all(deliveries.map(({ id }) => singleAttempt(env, id)));
  assert.deepEqual([redirect!.statusCode, redirect!.responseBody], [302, 'over there']);
  assert.match(redirect!.error ?? '', /redirects are not followed/);
  assert.equal(closed!.statusCode, null);
  assert.ok((closed!.error ?? '') !== '');
  assert.ok(web.seen.every(({ path }) => path !== '/elsewhere'));
});

test('a time-out is a failed attempt', async (t) => {
  const { runOut } = timeOuts(t);
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()], { 'webhooks.timeout_ms': String(endlessMs) });
  web.answerWith('hang');
  await env.endCall();
  await web.arrived(1);
  runOut();
  await env.settled();
  const [delivery] = await env.deliveries();
  assert.equal(delivery!.status, 'retrying');
  const { statusCode, responseBody, error } = await singleAttempt(env, delivery!.id);
  assert.deepEqual([statusCode, responseBody], [null, null]);
  assert.match(error ?? '', /did not answer within 61\.234 s/);
});

test('a URL that hangs delays no other, and its delivery has the status delivering meanwhile', async (t) => {
  const [slow, quick] = [await startReceiver(t), await startReceiver(t)];
  const env = await startWebhookTest(t, [slow.url(), quick.url()]);
  slow.answerWith('hang');
  for (const _ of [1, 2, 3]) await env.endCall();
  await Promise.all([slow.arrived(1), quick.arrived(3)]);
  const [hanging] = await env.deliveries({ status: 'delivering' });
  assert.equal(hanging?.url, slow.url());
  assert.equal(slow.seen.length, 1, 'one at a time');
  const waiting = await env.deliveries({ status: 'pending' });
  assert.deepEqual(waiting.map(({ url }) => url).filter((url) => url === slow.url()).length, 2);
  slow.answerWith({ status: 200 });
  slow.release();
  await env.settled();
  assert.deepEqual(states(await env.deliveries()), Array(6).fill('delivered'));
  assert.deepEqual(slow.ids(), quick.ids(), 'in order of events at both');
});

test('removing the URL cancels what waits; a running attempt is recorded', async (t) => {
  for (const [status, expected] of [
    [200, 'delivered'],
    [500, 'cancelled'],
  ] as const) {
    const web = await startReceiver(t);
    const env = await startWebhookTest(t, [web.url()]);
    web.answerWith('hang');
    await env.endCall();
    await env.endCall();
    await web.arrived(1);
    await env.save();
    web.release(status);
    await env.settled();
    await env.pass(24 * hour);
    assert.equal(web.seen.length, 1);
    const deliveries = await env.deliveries();
    assert.deepEqual(states(deliveries), [expected, 'cancelled']);
    assert.equal(deliveries[0]!.attemptCount, 1);
    assert.deepEqual(await env.endpoints(), []);
  }
});

test('deleting the agent cancels what waits', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith({ status: 500 });
  await env.endCall();
  await env.settled();
  await removeAgent(env.app, env.orgId, env.agentId);
  await env.pass(24 * hour);
  assert.equal(web.seen.length, 1);
  assert.deepEqual(states(await env.deliveries()), ['cancelled']);
  assert.deepEqual(await env.endpoints(), []);
});

test('saving the URL again while held deliveries are still claimed by the runner loses none', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith('hang');
  for (const _ of Array(20).keys()) await env.endCall();
  await web.arrived(1);
  web.answerWith({ status: 200 });
  web.release(410);
  await env.settled();
  assert.equal(web.seen.length, 1);
  await env.save(web.url());
  await env.settled();
  const deliveries = await env.deliveries();
  assert.deepEqual(states(deliveries), Array(20).fill('delivered'));
  assert.deepEqual(
    web.ids().slice(1),
    deliveries.map(({ eventId }) => eventId),
  );
});

test('an attempt that ends after the endpoint failed is held or delivered, and does not pause it again', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()], { 'webhooks.max_in_flight_per_endpoint': '3' });
  const failing = new Promise<void>((resolve) => {
    env.app.events.on(endpointFailing, () => Promise.resolve(resolve()));
  });
  web.answerWith('hang');
  for (const to of ['+493090182001', '+493090182002', '+493090182003']) await env.endCall({ to });
  await web.arrived(3);
  web.release(410, 1);
  await failing;
  web.release(410, 1);
  web.release(200, 1);
  await env.settled();
  const deliveries = await env.deliveries();
  assert.deepEqual(states(deliveries).toSorted(), ['delivered', 'held', 'retrying']);
  const [endpoint] = await env.endpoints();
  assert.deepEqual([endpoint!.status, endpoint!.held], ['failing', 1]);
  assert.equal((await env.app.db.selectFrom('notices').selectAll().execute()).length, 1);
});

test('an attempt that was interrupted by a shutdown is repeated with the same id and bytes', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith('hang');
  await env.endCall();
  await web.arrived(1);
  await env.close({ keep: true });
  web.answerWith({ status: 200 });
  const next = await restart(t, env);
  await next.settled();
  assert.equal(web.seen.length, 2);
  const [first, again] = web.seen;
  assert.equal(again!.headers['webhook-id'], first!.headers['webhook-id']);
  assert.equal(again!.body, first!.body);
  const [delivery] = await next.deliveries();
  assert.deepEqual(
    [delivery!.status, delivery!.attemptCount],
    ['delivered', 1],
    'the interrupted attempt does not count',
  );
});

test('a lease left by a killed process is cleared at start', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  web.answerWith('hang');
  await env.endCall();
  await web.arrived(1);
  await env.close({ keep: true });
  // The state that a killed process leaves: a job claimed for another hour.
  const database = await openDatabase({ file: join(env.data, 'parley.db'), nowMs: env.clock.now() });
  await database.db
    .updateTable('outbox')
    .set({ lease_until: env.clock.now() + hour, attempt: 1 })
    .execute();
  database.close();
  web.answerWith({ status: 200 });
  const next = await restart(t, env);
  await next.settled();
  assert.deepEqual(states(await next.deliveries()), ['delivered']);
  assert.equal(new Set(web.seen.map(({ body }) => body)).size, 1);
});

test('both secrets verify while a rotation overlaps, afterwards only the new one', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  const old = (await webhooks.getSecret(env.app, env.orgId, env.agentId)).secret;
  const { secret, previousExpiresAt } = await webhooks.rotateAgentSecret(env.app, env.orgId, env.agentId, 3600);
  assert.equal(previousExpiresAt, env.clock.now() + hour);
  assert.equal((await webhooks.getSecret(env.app, env.orgId, env.agentId)).secret, secret);
  const verified = async (): Promise<boolean[]> => {
    await env.endCall();
    await env.settled();
    const { headers, body } = web.seen.at(-1)!;
    return [await verifies(secret, headers, body), await verifies(old, headers, body)];
  };
  assert.deepEqual(await verified(), [true, true]);
  await env.pass(hour);
  assert.deepEqual(await verified(), [true, false]);

  const next = await webhooks.rotateAgentSecret(env.app, env.orgId, env.agentId, 0);
  assert.equal(next.previousExpiresAt, null);
  assert.deepEqual(await verified(), [false, false]);
  const stored = await env.app.db.selectFrom('webhook_secrets').selectAll().executeTakeFirstOrThrow();
  assert.ok(!JSON.stringify(stored).includes(next.secret.slice(6)), 'sealed in the database');
});
