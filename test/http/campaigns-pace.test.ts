import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aNumber, aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { type Call, msOf, newCallingOrg, nowOf, since } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const phones = (count: number, suffix = '00') => Array.from({ length: count }, () => aPhone(suffix));
const startsOf = (calls: readonly Call[]): number[] =>
  calls.map((call) => msOf(call.started_at)).toSorted((a, b) => a - b);

/** The maximum number of starts in any interval of one second. Intervals are half-open, so those that begin with a start suffice. */
function maxPerSecond(calls: readonly Call[]): number {
  const starts = startsOf(calls);
  return Math.max(...starts.map((from) => starts.filter((at) => at >= from && at < from + 1000).length));
}

/** The maximum number of calls that were live at the same instant. */
function maxAtOnce(calls: readonly Call[]): number {
  const alive = (at: number) => calls.filter((call) => msOf(call.started_at) <= at && msOf(call.ended_at) > at).length;
  return Math.max(...startsOf(calls).map(alive));
}

for (const cps of [1, 2, 3, 7, 10]) {
  test(`with maxCps ${cps} no second has more starts, and no slot is wasted`, async () => {
    const org = await newCallingOrg(server);
    const count = 4 * cps + 1;
    await org.run(phones(count, '02'), { maxCps: cps, schedule: { maxConcurrent: 1000 } });
    await server.advance(60_000);
    const calls = await org.calls();
    assert.equal(calls.length, count);
    assert.equal(maxPerSecond(calls), cps);
    const starts = startsOf(calls);
    assert.ok(starts.at(-1)! - starts[0]! <= 4010, `${starts.at(-1)! - starts[0]!} ms`);
  });
}

test('the number’s limit of calls per second holds for all its campaigns together', async () => {
  const org = await newCallingOrg(server, {});
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 3 }));
  for (let one = 0; one < 2; one += 1) await org.run(phones(8, '02'), { maxCps: 10 });
  await server.advance(60_000);
  const calls = await org.calls();
  assert.equal(calls.length, 16);
  assert.equal(maxPerSecond(calls), 3);
});

test('single calls share the number’s limit of calls per second', async () => {
  const org = await newCallingOrg(server);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 2 }));
  const place = () => org.client.post('/calls', { agent_id: org.agentId, to: aPhone('02'), from: org.phone });
  for (let one = 0; one < 4; one += 1) dataOf(await place());
  await org.run(phones(4, '02'), { maxCps: 10 });
  await server.advance(700);
  dataOf(await place());
  await server.advance(60_000);
  const calls = await org.calls();
  assert.equal(calls.length, 9);
  assert.equal(maxPerSecond(calls), 2);
  const starts = startsOf(calls);
  assert.equal(starts.at(-1)! - starts[0]!, 4000);
});

test('the organization’s limits, which are settings, hold for all its numbers together', async (t) => {
  const small = await startTestServer({
    settings: { 'limits.organization.max_concurrent': '2', 'limits.organization.max_cps': '1' },
  });
  t.after(() => small.stop());
  const org = await newCallingOrg(small);
  const other = await newCallingOrg(small);
  const number = await aNumber(org.client);
  await org.run(phones(5), { maxCps: 10 });
  const { outboundMaxConcurrent, outboundMaxCps } = await org.run(phones(5, '02'), {
    phoneNumberId: number.id,
    maxCps: 10,
  });
  assert.deepEqual([outboundMaxConcurrent, outboundMaxCps], [2, 1]);
  await other.run(phones(2), { maxCps: 10 });
  await small.advance(600_000);
  const calls = await org.calls();
  assert.equal(calls.length, 10);
  assert.equal(maxAtOnce(calls), 2);
  assert.equal(maxPerSecond(calls), 1);
  const theirs = await other.calls();
  assert.equal(msOf(theirs[0]!.started_at), msOf(calls[0]!.started_at), 'the limits are each organization’s own');
});

test('a campaign has up to maxConcurrent calls at once, and reaches that', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([...phones(8), ...phones(4, '02')], { maxCps: 10, schedule: { maxConcurrent: 3 } });
  for (let second = 0; second < 60; second += 1) {
    assert.ok((await org.stats(id)).inProgress <= 3);
    await server.advance(1700);
  }
  await server.advance(600_000);
  const calls = await org.calls();
  assert.equal(calls.length, 12);
  assert.equal(maxAtOnce(calls), 3);
  const starts = startsOf(calls);
  assert.equal((starts[3]! - starts[0]!) / 1000, 35, 'a line that becomes free is used at once');
});

test('two campaigns that share a number together stay within its max_concurrent', async () => {
  const org = await newCallingOrg(server);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_concurrent: 2 }));
  const campaigns = [await org.run(phones(4), { maxCps: 10 }), await org.run(phones(4, '02'), { maxCps: 10 })];
  await server.advance(600_000);
  const calls = await org.calls();
  assert.equal(calls.length, 8);
  assert.equal(maxAtOnce(calls), 2);
  for (const { id } of campaigns) assert.equal((await org.read(id)).status, 'completed');
});

test('a raised limit of concurrent calls is used at once, of the campaign and of the number', async () => {
  const org = await newCallingOrg(server);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_concurrent: 2 }));
  const { id } = await org.run(phones(9), { maxCps: 10, schedule: { maxConcurrent: 1 } });
  const inProgress = async () => (await org.stats(id)).inProgress;
  await server.advance(1000);
  assert.equal(await inProgress(), 1);
  await org.patch(id, { schedule: { maxConcurrent: 10 } });
  await server.advance(200);
  assert.equal(await inProgress(), 2);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_concurrent: 5 }));
  await server.advance(400);
  assert.equal(await inProgress(), 5);
});

test('after lowering the limit no call starts until live calls have ended', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run(phones(8), { maxCps: 10, schedule: { maxConcurrent: 4 } });
  await server.advance(1000);
  await org.patch(id, { schedule: { maxConcurrent: 1 } });
  await server.advance(33_900);
  assert.equal((await org.calls()).length, 4, 'the first of the four has just one tenth of a second left');
  await server.advance(600_000);
  const calls = await org.calls();
  assert.equal(maxAtOnce(calls.slice(4)), 1);
});

test('contacts are called in the order of adding, across time zones', async () => {
  const org = await newCallingOrg(server);
  const zones = [null, 'Europe/Berlin', 'Asia/Tokyo'];
  const contacts = Array.from({ length: 12 }, (_, index) => ({
    phone: aPhone(index % 4 === 0 ? '00' : '02'),
    timezone: zones[index % 3]!,
  }));
  const { id } = await org.run(contacts, { schedule: { maxConcurrent: 1 } });
  await server.advance(600_000);
  assert.deepEqual(
    (await org.calls()).map(({ phone }) => phone),
    contacts.map(({ phone }) => phone),
  );
  assert.equal((await org.read(id)).status, 'completed');
});

test('due retries come before first attempts; retries that are not yet due wait', async () => {
  const org = await newCallingOrg(server);
  const start = nowOf(server);
  const [a, b, c, d, e] = ['02', '00', '00', '00', '00'].map((suffix) => aPhone(suffix));
  await org.run([a!, b!, c!, d!, e!], { schedule: { maxConcurrent: 1, retryAttempts: 1, retryGapMin: 1 } });
  await server.advance(600_000);
  assert.deepEqual(
    (await org.calls()).map((call) => [call.phone, call.attempt, since(start, call.started_at)]),
    [
      [a, 1, 0],
      [b, 1, 5],
      [c, 1, 40],
      [a, 2, 75], // due at 65, when c was on the phone
      [d, 1, 80],
      [e, 1, 115],
    ],
  );
});

test('retries that fall due at the same instant are called in the order of adding', async () => {
  const org = await newCallingOrg(server);
  const contacts = phones(6, '02');
  // Half a day later the window is closed: all six move to the same opening.
  const hours = { windowStart: '08:00', windowEnd: '20:00', retryAttempts: 1, retryGapMin: 720 };
  const { id } = await org.run(contacts, { maxCps: 10, schedule: { ...hours, maxConcurrent: 6 } });
  await server.advance(60_000);
  const dueAt = (await org.contacts(id)).map((contact) => contact.next_retry_at);
  assert.equal(new Set(dueAt).size, 1);
  await server.advance(86_400_000);
  const retries = (await org.calls()).filter(({ attempt }) => attempt === 2);
  assert.deepEqual(
    retries.map(({ phone }) => phone),
    contacts,
  );
  assert.equal(retries[0]!.started_at, dueAt[0]);
});

for (const [what, limits, suffix] of [
  ['pace', { max_cps: 1 }, '02'],
  ['lines', { max_concurrent: 2 }, '00'],
] as const) {
  test(`campaigns that share the ${what} of a number take turns`, async () => {
    const org = await newCallingOrg(server);
    dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, limits));
    const campaigns: string[] = [];
    for (let one = 0; one < 3; one += 1) {
      campaigns.push((await org.run(phones(12, suffix), { maxCps: 10, schedule: { maxConcurrent: 20 } })).id);
    }
    await server.advance(3_600_000);
    const order = (await org.calls()).map((call) => campaigns.indexOf(call.campaign_id!));
    assert.equal(order.length, 36);
    const made = campaigns.map(() => 0);
    for (const campaign of order) {
      made[campaign]! += 1;
      assert.ok(Math.max(...made) - Math.min(...made) <= 2, `one is ahead of the others: ${order.join('')}`);
    }
    assert.equal(maxPerSecond(await org.calls()), what === 'pace' ? 1 : 2);
  });
}

test('a lower pace holds from the edit on, also against the calls that were started just before it', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run(phones(20, '02'), { maxCps: 5, schedule: { maxConcurrent: 20 } });
  await server.advance(400);
  const before = (await org.calls()).length;
  dataOf(await org.client.patch(`/campaigns/${id}`, { maxCps: 1 }));
  await server.advance(5000);
  const starts = (await org.calls()).map(({ started_at }) => Date.parse(started_at!)).toSorted((a, b) => a - b);
  const gaps = starts.slice(before - 1).flatMap((at, index, all) => (index === 0 ? [] : [at - all[index - 1]!]));
  assert.ok(before >= 2 && gaps.length >= 4, `${before} and ${gaps.length} calls`);
  assert.ok(Math.min(...gaps) >= 1000, `gaps of ${gaps.join(', ')} ms`);
});
