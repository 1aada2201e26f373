import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { conflict } from '../../../src/base/errors.ts';
import { openDatabase } from '../../../src/db/sqlite/open.ts';
import { callData } from '../../../src/features/calls/call-data.ts';
import { deleteAgent, updateAgent } from '../../../src/features/agents/service.ts';
import type { Attempt } from '../../../src/features/webhooks/delivery.ts';
import { endpointFailing } from '../../../src/features/webhooks/events.ts';
import * as webhooks from '../../../src/features/webhooks/service.ts';
import { endlessMs, timeOuts } from '../../support/time-outs.ts';
import { verifies } from '../../unit/webhooks/verify.ts';
import { type Bench, bench, hour, minute, receiver, second, successor } from './support.ts';

const onlyAttempt = async ({ app, orgId }: Bench, id: string): Promise<Attempt> => {
  const { attempts } = await webhooks.getDelivery(app, orgId, id);
  assert.equal(attempts.length, 1);
  return attempts[0]!;
};

const states = (deliveries: ReadonlyArray<{ status: string }>): string[] => deliveries.map(({ status }) => status);

test('an ended call is posted to each URL once, signed, with its bytes kept', async (t) => {
  const web = await receiver(t);
  const { app, orgId, agentId, clock, ...b } = await bench(t, [web.url('/a'), web.url('/b')]);
  const callId = await b.endCall();
  await b.settled();

  assert.deepEqual(web.seen.map(({ path }) => path).toSorted(), ['/a', '/b']);
  const secret = await webhooks.getSecret(app, orgId, agentId);
  for (const { headers, body } of web.seen) {
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['user-agent'], 'parley/0.0.0-test');
    assert.equal(headers['webhook-timestamp'], String(clock.now() / 1000));
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

  const deliveries = await b.deliveries();
  assert.deepEqual(states(deliveries), ['delivered', 'delivered']);
  const detail = await webhooks.getDelivery(app, orgId, deliveries[0]!.id);
  assert.deepEqual(detail.payload, JSON.parse(one!.body));
  assert.deepEqual(
    detail.attempts.map(({ number, at, statusCode, error }) => ({ number, at, statusCode, error })),
    [{ number: 1, at: clock.now(), statusCode: 200, error: null }],
  );
});

test('without webhooks, or without a subscription, nothing is written', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, []);
  await b.endCall();
  await b.save(web.url());
  await updateAgent(b.app, b.orgId, b.agentId, { webhook_events: [] });
  await b.endCall();
  await b.settled();
  assert.deepEqual(web.seen, []);
  assert.deepEqual(await b.deliveries(), []);
  assert.deepEqual(await b.app.db.selectFrom('webhook_events').selectAll().execute(), []);
});

test('a transaction that fails leaves no event behind', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  b.app.events.on({ name: 'call.ended' }, () => Promise.reject(conflict('no')));
  await assert.rejects(b.endCall());
  await b.settled();
  assert.deepEqual(web.seen, []);
  assert.deepEqual(await b.deliveries(), []);
});

test('the whole schedule: four retries, the turn to failing, the probe, the healing', async (t) => {
  const b = await bench(t, []);
  const web = await receiver(t, () => b.clock.now());
  await b.save(web.url());
  web.answerWith({ status: 500, body: 'no' });
  const start = b.clock.now();
  await b.endCall();
  await b.settled();
  assert.deepEqual((await b.deliveries())[0], {
    ...(await b.deliveries())[0],
    status: 'retrying',
    attemptCount: 1,
    nextAttemptAt: start + 30 * second,
  });

  await b.pass(72 * minute + 29 * second);
  assert.equal(web.seen.length, 4, 'a second before the last delay is over');
  assert.equal((await b.endpoints())[0]!.status, 'delivering');
  await b.pass(second);
  assert.equal(web.seen.length, 5);
  const [failing] = await b.endpoints();
  const failedAt = start + 72 * minute + 30 * second;
  assert.deepEqual([failing!.status, failing!.failingSince, failing!.held], ['failing', failedAt, 0]);
  assert.match(failing!.lastError ?? '', /500/);
  const [waiting] = await b.deliveries();
  assert.deepEqual([waiting!.status, waiting!.nextAttemptAt], ['retrying', failedAt + 6 * hour]);

  await b.endCall();
  await b.endCall();
  assert.deepEqual(states(await b.deliveries()), ['retrying', 'held', 'held']);
  assert.equal((await b.endpoints())[0]!.held, 2);

  web.answerWith({ status: 204 });
  await b.pass(6 * hour - second);
  assert.equal(web.seen.length, 5, 'paused until the probe');
  await b.pass(second);
  assert.deepEqual(states(await b.deliveries()), ['delivered', 'delivered', 'delivered']);
  assert.deepEqual(
    [(await b.endpoints())[0]!.status, (await b.endpoints())[0]!.held, (await b.endpoints())[0]!.lastError],
    ['delivering', 0, null],
  );
  assert.deepEqual(
    web.seen.map(({ at }) => at - start),
    [0, 30, 150, 750, 4350, 25_950, 25_950, 25_950].map((seconds) => seconds * second),
  );
  assert.equal(new Set(web.seen.slice(0, 6).map(({ body }) => body)).size, 1, 'the same bytes on every attempt');
  assert.equal(new Set(web.ids().slice(0, 6)).size, 1);
  const events = (await b.deliveries()).map(({ eventId }) => eventId);
  assert.deepEqual(web.ids().slice(5), events, 'oldest first');
});

test('a failed probe exhausts the delivery; saving the URL again sends it and everything held, oldest first', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  web.answerWith({ status: 500 });
  await b.endCall();
  await b.pass(2 * hour);
  await b.endCall();
  await b.pass(6 * hour);
  assert.equal(web.seen.length, 6);
  await b.endCall();
  await b.pass(48 * hour);
  assert.equal(web.seen.length, 6, 'nothing goes out by itself any more');
  assert.deepEqual(states(await b.deliveries()), ['exhausted', 'held', 'held']);
  assert.equal((await b.endpoints())[0]!.status, 'failing');

  web.answerWith({ status: 200 });
  await b.save(web.url());
  await b.settled();
  const deliveries = await b.deliveries();
  assert.deepEqual(states(deliveries), ['delivered', 'delivered', 'delivered']);
  assert.deepEqual(
    web.ids().slice(6),
    deliveries.map(({ eventId }) => eventId),
  );
  const [endpoint] = await b.endpoints();
  assert.deepEqual([endpoint!.status, endpoint!.held], ['delivering', 0]);
});

test('saving the URL again before the probe starts the count afresh', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  web.answerWith({ status: 500 });
  await b.endCall();
  await b.pass(2 * hour);
  await b.save(web.url());
  await b.settled();
  const [delivery] = await b.deliveries();
  assert.deepEqual(
    [delivery!.status, delivery!.attemptCount, delivery!.nextAttemptAt! - b.clock.now()],
    ['retrying', 6, 30 * second],
  );
  assert.equal((await b.endpoints())[0]!.status, 'delivering');
  await b.pass(2 * hour);
  assert.equal(web.seen.length, 10);
  assert.equal((await b.endpoints())[0]!.status, 'failing');
});

test('other deliveries that were being retried are held when the endpoint turns failing', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  web.answerWith({ status: 500 });
  for (const _ of [1, 2, 3]) await b.endCall();
  await b.pass(hour + 13 * minute);
  assert.equal(web.seen.length, 13, 'four attempts each, and one fifth');
  assert.deepEqual(states(await b.deliveries()).toSorted(), ['held', 'held', 'retrying']);
  assert.equal((await b.endpoints())[0]!.held, 2);
  assert.equal(await b.runner.settled(), (await b.deliveries({ status: 'retrying' }))[0]!.nextAttemptAt);
});

test('Retry-After on 503 lengthens the delay, and on 500 does not', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  const waits: number[] = [];
  const answers = [
    { status: 503, headers: { 'retry-after': '45' } },
    { status: 500, headers: { 'retry-after': '200' } },
    { status: 429, headers: { 'retry-after': new Date(b.clock.now() + 10 * hour).toUTCString() } },
  ];
  web.answerWith(() => answers[web.seen.length - 1] ?? { status: 200 });
  await b.endCall();
  await b.settled();
  for (const _ of answers) {
    const wait = (await b.deliveries())[0]!.nextAttemptAt! - b.clock.now();
    waits.push(wait);
    await b.pass(wait);
  }
  assert.deepEqual(waits, [45 * second, 2 * minute, 20 * minute]);
  assert.deepEqual(states(await b.deliveries()), ['delivered']);
});

test('410 Gone pauses the endpoint at the first failure', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  web.answerWith({ status: 410 });
  await b.endCall();
  await b.endCall();
  await b.settled();
  assert.equal(web.seen.length, 1);
  assert.deepEqual(states(await b.deliveries()), ['retrying', 'held']);
  const [endpoint] = await b.endpoints();
  assert.deepEqual([endpoint!.status, endpoint!.held], ['failing', 1]);
});

test('redirects and refused connections are failed attempts', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url('/redirect'), 'http://127.0.0.1:9/closed']);
  web.answerWith({ status: 302, headers: { location: '/elsewhere' }, body: 'over there' });
  await b.endCall();
  await b.settled();
  const deliveries = await b.deliveries();
  assert.deepEqual(states(deliveries), ['retrying', 'retrying']);
  const [redirect, closed] = await Promise.all(deliveries.map(({ id }) => onlyAttempt(b, id)));
  assert.deepEqual([redirect!.statusCode, redirect!.responseBody], [302, 'over there']);
  assert.match(redirect!.error ?? '', /redirects are not followed/);
  assert.equal(closed!.statusCode, null);
  assert.ok((closed!.error ?? '') !== '');
  assert.ok(web.seen.every(({ path }) => path !== '/elsewhere'));
});

test('no answer in time is a failed attempt', async (t) => {
  const { runOut } = timeOuts(t);
  const web = await receiver(t);
  const b = await bench(t, [web.url()], { 'webhooks.timeout_ms': String(endlessMs) });
  web.answerWith('hang');
  await b.endCall();
  await web.arrived(1);
  runOut();
  await b.settled();
  const [delivery] = await b.deliveries();
  assert.equal(delivery!.status, 'retrying');
  const { statusCode, responseBody, error } = await onlyAttempt(b, delivery!.id);
  assert.deepEqual([statusCode, responseBody], [null, null]);
  assert.match(error ?? '', /did not answer within 61\.234 s/);
});

test('a URL that hangs holds up no other, and shows as delivering meanwhile', async (t) => {
  const [slow, quick] = [await receiver(t), await receiver(t)];
  const b = await bench(t, [slow.url(), quick.url()]);
  slow.answerWith('hang');
  for (const _ of [1, 2, 3]) await b.endCall();
  await Promise.all([slow.arrived(1), quick.arrived(3)]);
  const [hanging] = await b.deliveries({ status: 'delivering' });
  assert.equal(hanging?.url, slow.url());
  assert.equal(slow.seen.length, 1, 'one at a time');
  const waiting = await b.deliveries({ status: 'pending' });
  assert.deepEqual(waiting.map(({ url }) => url).filter((url) => url === slow.url()).length, 2);
  slow.answerWith({ status: 200 });
  slow.release();
  await b.settled();
  assert.deepEqual(states(await b.deliveries()), Array(6).fill('delivered'));
  assert.deepEqual(slow.ids(), quick.ids(), 'in order of events at both');
});

test('removing the URL cancels what waits; what is in flight keeps its result', async (t) => {
  for (const [status, expected] of [
    [200, 'delivered'],
    [500, 'cancelled'],
  ] as const) {
    const web = await receiver(t);
    const b = await bench(t, [web.url()]);
    web.answerWith('hang');
    await b.endCall();
    await b.endCall();
    await web.arrived(1);
    await b.save();
    web.release(status);
    await b.settled();
    await b.pass(24 * hour);
    assert.equal(web.seen.length, 1);
    const deliveries = await b.deliveries();
    assert.deepEqual(states(deliveries), [expected, 'cancelled']);
    assert.equal(deliveries[0]!.attemptCount, 1);
    assert.deepEqual(await b.endpoints(), []);
  }
});

test('deleting the agent cancels what waits', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  web.answerWith({ status: 500 });
  await b.endCall();
  await b.settled();
  await deleteAgent(b.app, b.orgId, b.agentId);
  await b.pass(24 * hour);
  assert.equal(web.seen.length, 1);
  assert.deepEqual(states(await b.deliveries()), ['cancelled']);
  assert.deepEqual(await b.endpoints(), []);
});

test('saving the URL again while a held delivery is still claimed loses nothing', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  web.answerWith('hang');
  for (const _ of Array(20).keys()) await b.endCall();
  await web.arrived(1);
  web.answerWith({ status: 200 });
  web.release(410);
  await b.settled();
  assert.equal(web.seen.length, 1);
  await b.save(web.url());
  await b.settled();
  const deliveries = await b.deliveries();
  assert.deepEqual(states(deliveries), Array(20).fill('delivered'));
  assert.deepEqual(
    web.ids().slice(1),
    deliveries.map(({ eventId }) => eventId),
  );
});

test('results that come in after the turn to failing are held or delivered, and pause nothing again', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()], { 'webhooks.max_in_flight_per_endpoint': '3' });
  const failing = new Promise<void>((resolve) => {
    b.app.events.on(endpointFailing, () => Promise.resolve(resolve()));
  });
  web.answerWith('hang');
  for (const _ of [1, 2, 3]) await b.endCall();
  await web.arrived(3);
  web.release(410, 1);
  await failing;
  web.release(410, 1);
  web.release(200, 1);
  await b.settled();
  const deliveries = await b.deliveries();
  assert.deepEqual(states(deliveries).toSorted(), ['delivered', 'held', 'retrying']);
  const [endpoint] = await b.endpoints();
  assert.deepEqual([endpoint!.status, endpoint!.held], ['failing', 1]);
  assert.equal((await b.app.db.selectFrom('notices').selectAll().execute()).length, 1);
});

test('a process that dies in mid-delivery sends the same id and bytes again', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  web.answerWith('hang');
  await b.endCall();
  await web.arrived(1);
  await b.close({ keep: true });
  web.answerWith({ status: 200 });
  const next = await successor(t, b);
  await next.settled();
  assert.equal(web.seen.length, 2);
  const [first, again] = web.seen;
  assert.equal(again!.headers['webhook-id'], first!.headers['webhook-id']);
  assert.equal(again!.body, first!.body);
  const [delivery] = await next.deliveries();
  assert.deepEqual([delivery!.status, delivery!.attemptCount], ['delivered', 1], 'giving up was not a failure');
});

test('a lease that a dead process left is voided at start', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  web.answerWith('hang');
  await b.endCall();
  await web.arrived(1);
  await b.close({ keep: true });
  // As a process leaves it that is killed: claimed, for an hour to come.
  const database = await openDatabase({ file: join(b.data, 'parley.db'), nowMs: b.clock.now() });
  await database.db
    .updateTable('outbox')
    .set({ lease_until: b.clock.now() + hour, attempt: 1 })
    .execute();
  database.close();
  web.answerWith({ status: 200 });
  const next = await successor(t, b);
  await next.settled();
  assert.deepEqual(states(await next.deliveries()), ['delivered']);
  assert.equal(new Set(web.seen.map(({ body }) => body)).size, 1);
});

test('while a rotation overlaps both secrets verify, afterwards only the new one', async (t) => {
  const web = await receiver(t);
  const b = await bench(t, [web.url()]);
  const old = await webhooks.getSecret(b.app, b.orgId, b.agentId);
  const { secret, previousExpiresAt } = await webhooks.rotateAgentSecret(b.app, b.orgId, b.agentId, 3600);
  assert.equal(previousExpiresAt, b.clock.now() + hour);
  assert.equal(await webhooks.getSecret(b.app, b.orgId, b.agentId), secret);
  const verified = async (): Promise<boolean[]> => {
    await b.endCall();
    await b.settled();
    const { headers, body } = web.seen.at(-1)!;
    return [await verifies(secret, headers, body), await verifies(old, headers, body)];
  };
  assert.deepEqual(await verified(), [true, true]);
  await b.pass(hour);
  assert.deepEqual(await verified(), [true, false]);

  const next = await webhooks.rotateAgentSecret(b.app, b.orgId, b.agentId, 0);
  assert.equal(next.previousExpiresAt, null);
  assert.deepEqual(await verified(), [false, false]);
  const stored = await b.app.db.selectFrom('webhook_secrets').selectAll().executeTakeFirstOrThrow();
  assert.ok(!JSON.stringify(stored).includes(next.secret.slice(6)), 'sealed in the database');
});
