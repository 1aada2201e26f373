import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aPhone } from '../support/fixtures.ts';
import { startTestServer } from '../support/server.ts';
import { advanceTo, type CallingOrg, newCallingOrg } from './calling-support.ts';

/** Each test advances the shared clock to its own dates, which are later than those of the tests before it. */
const server = await startTestServer({ testClock: '2026-03-02T06:00:00Z' });
after(() => server.stop());

const starts = async (org: CallingOrg): Promise<string[]> => (await org.calls()).map((call) => call.started_at!);
const phones = (count: number, suffix = '00') => Array.from({ length: count }, () => aPhone(suffix));

test('the window is half-open: calls start at windowStart, but not at windowEnd', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run(phones(4, '02'), {
    schedule: { windowStart: '09:00', windowEnd: '17:00', timezone: 'Europe/Berlin' },
  });
  await advanceTo(server, '2026-03-02T07:59:59.999Z');
  assert.deepEqual(await starts(org), []);
  assert.equal((await org.read(id)).status, 'active', 'outside of the window is not completion');
  await server.advance(1);
  assert.deepEqual(await starts(org), ['2026-03-02T08:00:00.000Z']);
  await org.patch(id, { status: 'paused' });
  await advanceTo(server, '2026-03-02T15:59:58.500Z');
  await org.patch(id, { status: 'active' });
  await advanceTo(server, '2026-03-03T09:00:00Z');
  assert.deepEqual((await starts(org)).slice(1), [
    '2026-03-02T15:59:58.500Z',
    '2026-03-02T15:59:59.500Z',
    '2026-03-03T08:00:00.000Z',
  ]);
});

test('a call that is live when the window closes ends normally', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-03T16:59:59Z');
  await org.run(phones(2), { schedule: { windowStart: '09:00', windowEnd: '17:00' } });
  await advanceTo(server, '2026-03-03T18:00:00Z');
  const calls = await org.calls();
  assert.deepEqual(
    calls.map(({ status, ended_at: endedAt }) => [status, endedAt]),
    [['completed', '2026-03-03T17:00:34.000Z']],
  );
});

test('calls are placed only on windowDays', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-06T23:59:59Z');
  await org.run(phones(3), { schedule: { windowDays: [1, 2, 3, 4, 5] } });
  await advanceTo(server, '2026-03-09T00:00:02Z');
  assert.deepEqual(await starts(org), [
    '2026-03-06T23:59:59.000Z',
    '2026-03-09T00:00:00.000Z',
    '2026-03-09T00:00:01.000Z',
  ]);
});

test('a window that crosses midnight belongs to the weekday on which it opens', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-13T02:00:00Z');
  const { id } = await org.run(phones(2), {
    schedule: { windowStart: '22:00', windowEnd: '06:00', windowDays: [5], maxConcurrent: 1 },
  });
  await advanceTo(server, '2026-03-13T22:00:00Z');
  assert.deepEqual(await starts(org), ['2026-03-13T22:00:00.000Z'], 'Friday 02:00 would be Thursday’s');
  await org.patch(id, { status: 'paused' });
  await advanceTo(server, '2026-03-14T05:59:59Z');
  await org.patch(id, { status: 'active' });
  assert.equal((await starts(org))[1], '2026-03-14T05:59:59.000Z', 'Saturday 05:59 is still Friday’s');
  await org.add(id, phones(1));
  await advanceTo(server, '2026-03-21T00:00:00Z');
  assert.equal((await starts(org))[2], '2026-03-20T22:00:00.000Z');
});

test('the window of a contact with its own time zone is in that zone', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-22T20:00:00Z');
  const zones = [null, 'Asia/Tokyo', 'America/New_York', 'Asia/Kathmandu', 'Europe/Berlin'];
  const contacts = zones.map((timezone) => ({ phone: aPhone('00'), timezone }));
  await org.run(contacts, { schedule: { windowStart: '09:00', windowEnd: '10:00', timezone: 'Europe/Berlin' } });
  await advanceTo(server, '2026-03-23T20:00:00Z');
  assert.deepEqual(
    (await org.calls()).map((call) => [contacts.findIndex(({ phone }) => phone === call.phone), call.started_at]),
    [
      [1, '2026-03-23T00:00:00.000Z'],
      [3, '2026-03-23T03:15:00.000Z'],
      [0, '2026-03-23T08:00:00.000Z'],
      [4, '2026-03-23T08:00:01.000Z'],
      [2, '2026-03-23T13:00:00.000Z'],
    ],
  );
});

test('a widened window takes effect at once', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-24T12:00:00Z');
  const { id } = await org.run(phones(1), { schedule: { windowStart: '09:00', windowEnd: '11:00' } });
  await org.patch(id, { schedule: { windowEnd: '13:00' } });
  assert.deepEqual(await starts(org), ['2026-03-24T12:00:00.000Z']);
});

test('a narrowed window takes effect at once', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-25T12:00:00Z');
  const { id } = await org.run(phones(10), { schedule: { windowStart: '09:00', windowEnd: '13:00' } });
  await server.advance(2500);
  await org.patch(id, { schedule: { windowEnd: '12:00' } });
  await advanceTo(server, '2026-03-26T09:00:00Z');
  assert.deepEqual((await starts(org)).slice(2, 4), ['2026-03-25T12:00:02.000Z', '2026-03-26T09:00:00.000Z']);
});

test('calls start within [start, end), and none at end itself', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-27T08:00:00Z');
  const { id } = await org.run(phones(5), {
    schedule: { start: '2026-03-27T09:00', end: '2026-03-27T09:00:02', timezone: 'UTC' },
  });
  await advanceTo(server, '2026-03-27T10:00:00Z');
  assert.deepEqual(await starts(org), ['2026-03-27T09:00:00.000Z', '2026-03-27T09:00:01.000Z']);
  const { status, contactStats } = await org.read(id);
  assert.deepEqual([status, contactStats.contacted, contactStats.failed], ['completed', 2, 3]);
});

// Clocks in Berlin go from 02:00 to 03:00 on 29 March 2026, and from 03:00 back to 02:00 on 25 October.

test('a window within the skipped hour does not open on that day', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-28T12:00:00Z');
  await org.run(phones(1), { schedule: { windowStart: '02:15', windowEnd: '02:45', timezone: 'Europe/Berlin' } });
  const other = await newCallingOrg(server);
  await other.run(phones(1), { schedule: { windowStart: '02:30', windowEnd: '04:00', timezone: 'Europe/Berlin' } });
  const overnight = await newCallingOrg(server);
  await overnight.run(phones(1), {
    schedule: { windowStart: '02:30', windowEnd: '01:00', windowDays: [7], timezone: 'Europe/Berlin' },
  });
  await advanceTo(server, '2026-03-30T12:00:00Z');
  assert.deepEqual(await starts(org), ['2026-03-30T00:15:00.000Z']);
  assert.deepEqual(
    await starts(other),
    ['2026-03-29T01:00:00.000Z'],
    'an opening in it moves to the first instant after',
  );
  assert.deepEqual(await starts(overnight), ['2026-03-29T01:00:00.000Z']);
});

test('daylight saving changes at each time zone’s own date', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-31T00:00:00Z');
  const contacts = phones(1).map((phone) => ({ phone, timezone: 'America/New_York' }));
  await org.run(contacts, { schedule: { windowStart: '23:00', windowEnd: '23:30', timezone: 'Europe/Berlin' } });
  await advanceTo(server, '2026-04-01T04:00:00Z');
  assert.deepEqual(await starts(org), ['2026-03-31T03:00:00.000Z'], 'New York has had summer time since 8 March');
});

test('a repeated hour counts twice', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-10-24T12:00:00Z');
  const { id } = await org.run(phones(2), {
    schedule: { windowStart: '02:30', windowEnd: '02:31', timezone: 'Europe/Berlin', maxConcurrent: 1 },
  });
  await advanceTo(server, '2026-10-25T00:30:00Z');
  await org.patch(id, { status: 'paused' });
  await advanceTo(server, '2026-10-25T00:31:00Z');
  await org.patch(id, { status: 'active' });
  await advanceTo(server, '2026-10-26T12:00:00Z');
  assert.deepEqual(await starts(org), ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']);
});
