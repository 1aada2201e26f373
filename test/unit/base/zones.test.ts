import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone, offsetSpanAt } from '../../../src/base/zones.ts';

test('IANA zones and links are time zones, in any case', () => {
  for (const name of [
    ...Intl.supportedValuesOf('timeZone'),
    'UTC',
    'US/Pacific',
    'Europe/Kyiv',
    'EST5EDT',
    'Etc/GMT+5',
  ]) {
    assert.equal(isTimeZone(name), true, name);
    assert.equal(isTimeZone(name.toLowerCase()), true, name);
  }
});

test('offsets, timestamps, abbreviations, made-up and endless names are not time zones', () => {
  const offsets = ['+02:00', '-0500', '+02', 'UTC+1', '\u221202:00'];
  const timestamps = ['2026-01-01T00:00Z', '2026-01-01T00:00[Europe/Berlin]', 'T0000Z', 'T0000[UTC]'];
  const rest = [
    '',
    ' UTC',
    'UTC ',
    'Z',
    'PST',
    'CEST',
    'Mars/Olympus',
    'Europe',
    'local',
    'UTC\0',
    'A'.repeat(1_000_000),
  ];
  for (const name of [...offsets, ...timestamps, ...rest]) assert.equal(isTimeZone(name), false, name.slice(0, 40));
});

test('isTimeZone stays right when its cache overflows', () => {
  for (let index = 0; index < 3000; index += 1) assert.equal(isTimeZone(`Nowhere/${index}`), false);
  assert.equal(isTimeZone('Nowhere/0'), false);
  assert.equal(isTimeZone('Europe/Berlin'), true);
});

test('an offset span lasts from one transition to the next', () => {
  const springMs = Date.UTC(2026, 2, 29, 1);
  const autumnMs = Date.UTC(2026, 9, 25, 1);
  const summer = { fromMs: springMs, untilMs: autumnMs, offsetMs: 7_200_000 };
  for (const atMs of [springMs, springMs + 1, autumnMs - 1]) {
    assert.deepEqual(offsetSpanAt('Europe/Berlin', atMs), summer);
  }
  assert.equal(offsetSpanAt('Europe/Berlin', springMs - 1).untilMs, springMs);
  assert.equal(offsetSpanAt('Europe/Berlin', autumnMs).fromMs, autumnMs);
});

test('offset spans stay right when their cache overflows', () => {
  for (const year of [1990, 2000, 2010, 2020, 2030, 2040, 1990, 2040]) {
    assert.equal(offsetSpanAt('Europe/Berlin', Date.UTC(year, 0)).offsetMs, 3_600_000, String(year));
    assert.equal(offsetSpanAt('Europe/Berlin', Date.UTC(year, 6)).offsetMs, 7_200_000, String(year));
  }
});
