import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { capsAgainst, type CountedCall } from '../../../src/features/calls/contact-caps.ts';
import { countryZones } from '../../../src/base/country-zones.generated.ts';
import { countryOf } from '../../../src/base/written-phone.ts';
import { countryZone, personZone } from '../../../src/features/contacts/person-zone.ts';

const at = (iso: string): number => Temporal.Instant.from(iso).epochMilliseconds;
const iso = (ms: number): string => Temporal.Instant.fromEpochMilliseconds(ms).toString();
const call = (start: string, seconds: number | null = 60): CountedCall => ({
  at: at(start),
  endedAt: seconds === null ? null : at(start) + seconds * 1000,
});
const noLimits = { maxPerDay: null, maxPerWeek: null, minGapMin: null };

test('a day begins at midnight of the person, also where clocks change', () => {
  const limits = { ...noLimits, maxPerDay: 1 };
  const late = [call('2026-03-28T22:59:00Z')];
  const berlin = (now: string) => capsAgainst(limits, late, 'Europe/Berlin', at(now));
  assert.deepEqual(
    berlin('2026-03-28T22:59:30Z').map(({ code, until }) => [code, iso(until)]),
    [['capped_day', '2026-03-28T23:00:00Z']],
  );
  assert.deepEqual(berlin('2026-03-28T23:00:00Z'), []);
  const [cap] = capsAgainst(limits, [call('2026-03-29T10:00:00Z')], 'Europe/Berlin', at('2026-03-29T12:00:00Z'));
  assert.equal(iso(cap!.until), '2026-03-29T22:00:00Z', 'the day of 23 hours ends in summer time');
});

test('a week begins on Monday of the person', () => {
  const limits = { ...noLimits, maxPerWeek: 2 };
  const calls = [call('2026-03-02T09:00:00Z'), call('2026-03-06T09:00:00Z')];
  const [cap] = capsAgainst(limits, calls, 'Asia/Tokyo', at('2026-03-08T14:59:00Z'));
  assert.deepEqual([cap!.code, iso(cap!.until)], ['capped_week', '2026-03-08T15:00:00Z']);
  assert.deepEqual(capsAgainst(limits, calls, 'Asia/Tokyo', at('2026-03-08T15:00:00Z')), []);
});

test('a gap counts from the end of the last call; a call that lasts has not begun it', () => {
  const limits = { ...noLimits, minGapMin: 30 };
  const now = at('2026-03-02T10:00:00Z');
  const until = (calls: CountedCall[]) => capsAgainst(limits, calls, 'UTC', now).map((cap) => iso(cap.until));
  assert.deepEqual(until([call('2026-03-02T09:00:00Z', 2400)]), ['2026-03-02T10:10:00Z']);
  assert.deepEqual(until([call('2026-03-02T09:00:00Z', 1800)]), []);
  assert.deepEqual(until([call('2026-03-02T09:59:00Z', null)]), ['2026-03-02T10:30:00Z']);
});

test('whatever the calls, each limit ends when it says so, and not before', () => {
  const start = at('2026-03-20T00:00:00Z');
  const hour = 3_600_000;
  const calls = fc.array(fc.nat({ max: 24 * 14 }), { maxLength: 8 });
  const limit = (max: number) => fc.option(fc.integer({ min: 1, max }));
  const limits = fc.record({ maxPerDay: limit(2), maxPerWeek: limit(4), minGapMin: limit(600) });
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia');
  fc.assert(
    fc.property(calls, limits, zone, (hours, given, timezone) => {
      const made = hours.map((after): CountedCall => ({
        at: start + after * hour,
        endedAt: start + after * hour + 60_000,
      }));
      const now = Math.max(start, ...made.map(({ endedAt }) => endedAt!));
      for (const { code, until } of capsAgainst(given, made, timezone, now)) {
        const codes = (ms: number): string[] => capsAgainst(given, made, timezone, ms).map((cap) => cap.code);
        assert.ok(until > now && codes(until - 1).includes(code) && !codes(until).includes(code), code);
      }
    }),
  );
});

test("a person's zone is the contact's, else that of a country with one zone, else the campaign's", () => {
  assert.deepEqual(personZone('Asia/Tokyo', '+4930901820', 'UTC'), { timezone: 'Asia/Tokyo', source: 'contact' });
  assert.deepEqual(personZone('', '+4930901820', 'UTC'), { timezone: 'Europe/Berlin', source: 'country' });
  assert.deepEqual(personZone('', '+442079460000', 'UTC'), { timezone: 'Europe/London', source: 'country' });
  assert.deepEqual(personZone('', '+12125550123', 'UTC'), { timezone: 'UTC', source: 'campaign' });
  assert.deepEqual(personZone('', '+34912345678', 'Europe/Madrid'), { timezone: 'Europe/Madrid', source: 'campaign' });
});

test('whatever the digits, the zone of a number is that of the country that the number is read as', () => {
  const digits = fc
    .integer({ min: 1_000_000, max: 999_999_999_999_999 })
    .filter((number) => !String(number).startsWith('0'));
  const anyNumber = digits.map((number) => `+${number}`);
  const numbers = fc.oneof(
    anyNumber,
    anyNumber.map((phone) => `+1${phone.slice(1, 11)}`),
    fc.constantFrom('+80012345678', '+999123456', '+441481960194'),
  );
  fc.assert(
    fc.property(numbers, (phone) => {
      assert.equal(countryZone(phone), countryZones[countryOf(phone) ?? ''] ?? '');
    }),
    { numRuns: 2000 },
  );
});
