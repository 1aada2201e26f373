import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aNumber } from '../support/fixtures.ts';
import { dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { type Campaign, newCallingOrg } from './calling-support.ts';

const server = await startTestServer({
  settings: { 'limits.organization.max_concurrent': '40', 'limits.organization.max_cps': '20' },
});
after(() => server.stop());

const create = (schedule: object) => server.post<Campaign>('/campaigns/', { name: 'Spring', schedule });
const scheduleOf = async (schedule: object) => dataOf(await create(schedule)).schedule;

const accepted: ReadonlyArray<readonly [string, readonly unknown[]]> = [
  ['windowDays', [[1], [7], [5, 3], [1, 2, 3, 4, 5, 6, 7]]],
  ['timezone', ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires']],
  ['maxConcurrent', [1, 1000]],
  ['retryAttempts', [0, 10]],
  ['retryGapMin', [1, 10_080]],
];

for (const [field, values] of accepted) {
  test(`schedule.${field} accepts values within its bounds and returns them as given`, async () => {
    for (const value of values) assert.deepEqual((await scheduleOf({ [field]: value }))[field], value);
  });
}

const refused: ReadonlyArray<readonly [string, ReadonlyArray<readonly [unknown, string?]>]> = [
  [
    'start',
    [
      ['tomorrow'],
      ['2026-03-02T09:00[Europe/Berlin]'],
      ['2026-02-30T09:00:00Z'],
      ['2026-03-02'],
      ['09:00'],
      [1_772_442_000_000],
      [''],
    ],
  ],
  ['end', [['2026-13-01T00:00:00Z'], ['2026-03-02T25:00:00Z'], [true]]],
  ['windowDays', [[[]], [[0], '[0]'], [[8], '[0]'], [[1, 1]], [['1'], '[0]'], [[1.5], '[0]'], ['1-5'], [7]]],
  ['timezone', [['Mars/Olympus'], ['+02:00'], [''], [2]]],
  ['maxConcurrent', [[0], [1001], [-1], [1.5], ['3']]],
  ['retryAttempts', [[-1], [11], [0.5], ['1']]],
  ['retryGapMin', [[0], [10_081], [1.5]]],
];

for (const [field, values] of refused) {
  test(`schedule.${field} outside its bounds is refused by name`, async () => {
    for (const [value, suffix = ''] of values) {
      const paths = faultPaths(await create({ [field]: value }));
      assert.deepEqual(paths, [`schedule.${field}${suffix}`], JSON.stringify(value));
    }
  });
}

test('window hours are HH:mm, both or neither, and different; a fault names both', async () => {
  const pair = ['schedule.windowEnd', 'schedule.windowStart'];
  for (const [schedule, paths] of [
    [{ windowStart: '09:00', windowEnd: '17:00' }, []],
    [{ windowStart: '22:00', windowEnd: '06:00' }, []],
    [{ windowStart: '00:00', windowEnd: '23:59' }, []],
    [{ windowStart: '09:00' }, pair],
    [{ windowEnd: '17:00' }, pair],
    [{ windowStart: '09:00', windowEnd: null }, pair],
    [{ windowStart: '09:00', windowEnd: '09:00' }, pair],
    [{ windowStart: '9:00', windowEnd: '17:00' }, ['schedule.windowStart']],
    [{ windowStart: '09:00', windowEnd: '24:00' }, ['schedule.windowEnd']],
    [{ windowStart: '09:00:00', windowEnd: '17:60' }, pair],
  ] as const) {
    const answer = await create(schedule);
    assert.deepEqual(answer.status === 200 ? [] : faultPaths(answer), paths, JSON.stringify(schedule));
  }
});

test('end must be after start; otherwise both are named as faults', async () => {
  const pair = ['schedule.end', 'schedule.start'];
  const start = '2026-03-03T09:00:00Z';
  assert.equal((await create({ start, end: '2026-03-03T09:00:00.001Z' })).status, 200);
  assert.deepEqual(faultPaths(await create({ start, end: start })), pair);
  assert.deepEqual(faultPaths(await create({ start, end: '2026-03-03T08:59:59Z' })), pair);
  assert.deepEqual(faultPaths(await create({ start, end: '2026-03-03T10:30:00+02:00' })), pair);
  const local = { start: '2026-03-03T09:00', end: '2026-03-03T09:30:00Z' };
  assert.equal((await create({ ...local, timezone: 'Europe/Berlin' })).status, 200, '09:00 there is 08:00Z');
  assert.deepEqual(faultPaths(await create({ ...local, timezone: 'America/New_York' })), pair, '09:00 there is 14:00Z');
});

test('start and end that are outside of the years 0000 to 9999 in UTC are refused', async () => {
  const last = '9999-12-31T23:59:59';
  const first = '0000-01-01T00:00:00';
  assert.equal((await create({ start: first, end: last })).status, 200);
  assert.deepEqual(faultPaths(await create({ end: last, timezone: 'America/New_York' })), ['schedule.end']);
  assert.deepEqual(faultPaths(await create({ end: `${last}-01:00` })), ['schedule.end']);
  assert.deepEqual(faultPaths(await create({ start: first, timezone: 'Asia/Tokyo' })), ['schedule.start']);
  assert.deepEqual(faultPaths(await create({ end: first, timezone: 'Asia/Tokyo' })), ['schedule.end']);
});

test('start and end without an offset are local to timezone; with an offset they are absolute', async () => {
  for (const [given, timezone, expected] of [
    ['2026-03-03T09:00', 'Europe/Berlin', '2026-03-03T08:00:00.000Z'],
    ['2026-07-03T09:00:30', 'Europe/Berlin', '2026-07-03T07:00:30.000Z'],
    ['2026-03-03T09:00:00', 'Asia/Kathmandu', '2026-03-03T03:15:00.000Z'],
    ['2026-03-03T09:00:00', 'UTC', '2026-03-03T09:00:00.000Z'],
    ['2026-03-03T09:00:00Z', 'Europe/Berlin', '2026-03-03T09:00:00.000Z'],
    ['2026-03-03T09:00:00.25+05:30', 'Europe/Berlin', '2026-03-03T03:30:00.250Z'],
    // In Berlin 02:30 is skipped on the last Sunday of March, and repeated in October, where the first one counts.
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ] as const) {
    assert.equal((await scheduleOf({ start: given, timezone }))['start'], expected, `${given} in ${timezone}`);
    assert.equal((await scheduleOf({ end: given, timezone }))['end'], expected);
  }
});

test('local start and end follow a later change of timezone', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({ schedule: { start: '2026-03-03T09:00', end: '2026-03-04T09:00:00Z' } });
  const { schedule } = await org.patch(id, { schedule: { timezone: 'America/New_York' } });
  assert.deepEqual([schedule['start'], schedule['end']], ['2026-03-03T14:00:00.000Z', '2026-03-04T09:00:00.000Z']);
  const late = await org.client.patch(`/campaigns/${id}/`, { schedule: { start: '2026-03-04T04:00' } });
  assert.deepEqual(faultPaths(late), ['schedule.end', 'schedule.start']);
});

test('PATCH merges the schedule field by field, and null resets one field', async () => {
  const org = await newCallingOrg(server);
  const start = '2026-03-03T09:00:00.000Z';
  const given = {
    start,
    end: '2026-03-05T09:00:00.000Z',
    windowStart: '09:00',
    windowEnd: '17:00',
    windowDays: [1, 2, 3],
    timezone: 'Europe/Berlin',
    maxConcurrent: 3,
    retryAttempts: 2,
    retryGapMin: 5,
  };
  const { id, schedule } = await org.campaign({ schedule: given });
  assert.deepEqual(schedule, given);
  assert.deepEqual((await org.patch(id, { schedule: {} })).schedule, given);
  const ending = { windowEnd: '18:00' };
  assert.deepEqual((await org.patch(id, { schedule: ending })).schedule, { ...given, ...ending });
  const answer = await org.client.patch(`/campaigns/${id}/`, { schedule: { windowEnd: null } });
  assert.deepEqual(faultPaths(answer), ['schedule.windowEnd', 'schedule.windowStart']);
  const nulls = Object.fromEntries(Object.keys(given).map((field) => [field, null]));
  assert.deepEqual((await org.patch(id, { schedule: nulls })).schedule, {
    start: null,
    end: null,
    windowStart: null,
    windowEnd: null,
    windowDays: [1, 2, 3, 4, 5, 6, 7],
    timezone: 'UTC',
    maxConcurrent: 10,
    retryAttempts: 0,
    retryGapMin: 60,
  });
});

test('rules between two fields hold between new and stored values, too', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({
    schedule: { windowStart: '09:00', windowEnd: '17:00', start: '2026-03-05T09:00Z' },
  });
  for (const [schedule, paths] of [
    [{ windowStart: '17:00' }, ['schedule.windowEnd', 'schedule.windowStart']],
    [{ end: '2026-03-05T09:00Z' }, ['schedule.end', 'schedule.start']],
  ] as const) {
    assert.deepEqual(faultPaths(await org.client.patch(`/campaigns/${id}/`, { schedule })), paths);
  }
  assert.equal((await org.read(id)).schedule['windowStart'], '09:00');
});

test('outboundMaxConcurrent is the lowest limit of campaign, number and organization', async () => {
  const number = await aNumber(server);
  const { id } = dataOf(await server.post<Campaign>('/campaigns/', { name: 'Spring' }));
  const limits = async (changes: object) => {
    const campaign = dataOf(await server.patch<Campaign>(`/campaigns/${id}/`, changes));
    return [campaign.outboundMaxConcurrent, campaign.outboundMaxCps];
  };
  const setNumber = (changes: object) => server.patch(`/phone-numbers/${number.id}`, changes);
  assert.deepEqual(await limits({ schedule: { maxConcurrent: 30 }, maxCps: 15 }), [30, 15]);
  assert.deepEqual(await limits({ schedule: { maxConcurrent: 1000 }, maxCps: 100 }), [40, 20], 'the organization');
  assert.deepEqual(await limits({ phoneNumberId: number.id }), [40, 10], 'a number has 100 lines and 10 a second');
  dataOf(await setNumber({ max_concurrent: 7, max_cps: 5 }));
  assert.deepEqual(await limits({}), [7, 5], 'the number');
  assert.deepEqual(await limits({ schedule: { maxConcurrent: 6 }, maxCps: 4 }), [6, 4], 'the campaign');
  const { body } = await server.get<Campaign[]>('/campaigns/?limit=1');
  assert.deepEqual([body.data[0]!.outboundMaxConcurrent, body.data[0]!.outboundMaxCps], [6, 4]);
});

test('maxCps takes 1 to 100', async () => {
  const of = (maxCps: unknown) => server.post('/campaigns/', { name: 'Spring', maxCps });
  for (const value of [1, 100]) assert.equal(dataOf(await of(value))['maxCps'], value);
  for (const value of [0, 101, 1.5, '2', -1]) assert.deepEqual(faultPaths(await of(value)), ['maxCps'], String(value));
});
