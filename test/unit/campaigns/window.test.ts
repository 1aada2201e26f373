import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CallingWindow, closesAt, isOpen, nextOpening } from '../../../src/features/campaigns/schedule/window.ts';
import { commonOpenings } from '../../../src/features/campaigns/schedule/windows.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const everyDay = [1, 2, 3, 4, 5, 6, 7];
const weekdays = [1, 2, 3, 4, 5];

const windowOf = (timezone: string, hours: string | null, windowDays: readonly number[] = everyDay): CallingWindow => {
  const [windowStart = null, windowEnd = null] = hours?.split('-') ?? [];
  return { timezone, windowStart, windowEnd, windowDays };
};

/** An instant written with its offset, so that the test does not depend on time zone rules. */
const at = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;
const text = (atMs: number | null): string | null =>
  atMs === null ? null : Temporal.Instant.fromEpochMilliseconds(atMs).toString();
const utc = (written: string): string => Temporal.Instant.from(written).toString();
const opens = (window: CallingWindow, from: string): string | null => text(nextOpening(window, at(from)));
const closes = (window: CallingWindow, from: string): string | null => text(closesAt(window, at(from)));
const listed = (window: CallingWindow, from: string, to: string): string[] =>
  commonOpenings([window], at(from), at(to)).map((opening) => `${text(opening.opensAt)}/${text(opening.closesAt)}`);
const span = (from: string, to: string): string => `${utc(from)}/${utc(to)}`;

// The rules, one by one.

test('a window is half-open: it includes windowStart and excludes windowEnd', () => {
  const window = windowOf('Europe/Berlin', '09:00-17:00', weekdays);
  assert.equal(isOpen(window, at('2026-01-05T08:59:59.999+01:00')), false);
  assert.equal(isOpen(window, at('2026-01-05T09:00+01:00')), true);
  assert.equal(isOpen(window, at('2026-01-05T16:59:59.999+01:00')), true);
  assert.equal(isOpen(window, at('2026-01-05T17:00+01:00')), false);
});

test('for an open window the next opening is now, and it closes at its end', () => {
  const window = windowOf('Europe/Berlin', '09:00-17:00', weekdays);
  assert.equal(opens(window, '2026-01-05T12:34:56.789+01:00'), utc('2026-01-05T12:34:56.789+01:00'));
  assert.equal(closes(window, '2026-01-05T12:34:56.789+01:00'), utc('2026-01-05T17:00+01:00'));
});

test('a closed window opens on the next listed weekday, and closesAt is now', () => {
  const window = windowOf('Europe/Berlin', '09:00-17:00', weekdays);
  assert.equal(opens(window, '2026-01-09T17:00+01:00'), utc('2026-01-12T09:00+01:00'));
  assert.equal(closes(window, '2026-01-09T17:00+01:00'), utc('2026-01-09T17:00+01:00'));
});

test('a window of one weekday opens again a week later', () => {
  const window = windowOf('Asia/Kolkata', '10:00-11:00', [3]);
  assert.equal(opens(window, '2026-01-07T11:00+05:30'), utc('2026-01-14T10:00+05:30'));
});

test('a window that crosses midnight belongs to the weekday on which it opens', () => {
  const friday = windowOf('America/New_York', '22:00-06:00', [5]);
  assert.equal(isOpen(friday, at('2026-01-10T02:00-05:00')), true, 'Saturday 02:00 is the end of Friday');
  assert.equal(isOpen(friday, at('2026-01-09T02:00-05:00')), false, 'Friday 02:00 would be the end of Thursday');
  assert.equal(opens(friday, '2026-01-09T02:00-05:00'), utc('2026-01-09T22:00-05:00'));
  assert.equal(closes(friday, '2026-01-09T23:00-05:00'), utc('2026-01-10T06:00-05:00'));
  assert.equal(closes(friday, '2026-01-10T02:00-05:00'), utc('2026-01-10T06:00-05:00'));
  assert.equal(opens(friday, '2026-01-10T06:00-05:00'), utc('2026-01-16T22:00-05:00'));
});

test("Sunday's night window ends on Monday morning; Monday's opens on Monday evening", () => {
  const sunday = windowOf('UTC', '22:00-06:00', [7]);
  assert.equal(isOpen(sunday, at('2026-01-05T05:59Z')), true);
  assert.equal(isOpen(sunday, at('2026-01-05T22:00Z')), false);
});

test('a window may end at midnight', () => {
  const window = windowOf('UTC', '20:00-00:00', [1]);
  assert.deepEqual(listed(window, '2026-01-05T00:00Z', '2026-01-08T00:00Z'), [
    span('2026-01-05T20:00Z', '2026-01-06T00:00Z'),
  ]);
});

test('days without hours are open from midnight to midnight, as one opening', () => {
  const window = windowOf('Europe/Berlin', null, weekdays);
  assert.equal(closes(window, '2026-01-06T12:00+01:00'), utc('2026-01-10T00:00+01:00'));
  assert.equal(opens(window, '2026-01-10T00:00+01:00'), utc('2026-01-12T00:00+01:00'));
  assert.deepEqual(listed(window, '2026-01-05T00:00+01:00', '2026-01-19T00:00+01:00'), [
    span('2026-01-05T00:00+01:00', '2026-01-10T00:00+01:00'),
    span('2026-01-12T00:00+01:00', '2026-01-17T00:00+01:00'),
  ]);
});

test('whole days across the end of the week are one opening', () => {
  const window = windowOf('UTC', null, [6, 7, 1]);
  assert.equal(closes(window, '2026-01-10T12:00Z'), utc('2026-01-13T00:00Z'));
});

test('a window of every day without hours never closes', () => {
  const window = windowOf('Europe/Berlin', null);
  assert.equal(closes(window, '2026-01-05T12:00Z'), null);
  assert.deepEqual(listed(window, '2026-01-05T12:00Z', '2027-01-05T12:00Z'), [
    span('2026-01-05T12:00Z', '2027-01-05T12:00Z'),
  ]);
});

test('a window without days or with equal bounds never opens', () => {
  for (const window of [
    windowOf('UTC', null, []),
    windowOf('UTC', null, [0, 8]),
    windowOf('UTC', '09:00-17:00', []),
    windowOf('UTC', '09:00-09:00'),
  ]) {
    assert.equal(isOpen(window, at('2026-01-05T09:00Z')), false);
    assert.equal(opens(window, '2026-01-05T09:00Z'), null);
    assert.deepEqual(listed(window, '2026-01-05T09:00Z', '2027-01-05T09:00Z'), []);
  }
});

test('a window with one bound reaches to midnight', () => {
  const window = windowOf('UTC', null);
  const monday = ['2026-01-05T00:00Z', '2026-01-06T00:00Z'] as const;
  assert.deepEqual(listed({ ...window, windowStart: '20:00' }, ...monday), [span('2026-01-05T20:00Z', monday[1])]);
  assert.deepEqual(listed({ ...window, windowEnd: '06:00' }, ...monday), [span(monday[0], '2026-01-05T06:00Z')]);
});

test('openings are cut to the requested range', () => {
  const window = windowOf('UTC', '22:00-06:00');
  assert.deepEqual(listed(window, '2026-01-05T03:00Z', '2026-01-06T23:00Z'), [
    span('2026-01-05T03:00Z', '2026-01-05T06:00Z'),
    span('2026-01-05T22:00Z', '2026-01-06T06:00Z'),
    span('2026-01-06T22:00Z', '2026-01-06T23:00Z'),
  ]);
  assert.deepEqual(listed(window, '2026-01-05T03:00Z', '2026-01-05T03:00Z'), []);
  assert.deepEqual(listed(window, '2026-01-05T03:00Z', '2026-01-04T03:00Z'), []);
});

test("a contact's own time zone replaces the campaign's", () => {
  const campaign = windowOf('America/New_York', '09:00-17:00', weekdays);
  const contact = { ...campaign, timezone: 'Asia/Tokyo' };
  const instant = '2026-01-05T10:00-05:00';
  assert.equal(isOpen(campaign, at(instant)), true);
  assert.equal(isOpen(contact, at(instant)), false, 'it is midnight in Tokyo');
  assert.equal(opens(contact, instant), utc('2026-01-06T09:00+09:00'));
});

test('an unknown time zone, a malformed time of day and an invalid instant throw a RangeError', () => {
  assert.throws(() => isOpen(windowOf('Mars/Olympus', '09:00-17:00'), 0), RangeError);
  for (const hours of ['9:00-17:00', '09:00-24:00', '09:60-17:00', '09:00:00-17:00', '-17:00']) {
    assert.throws(() => isOpen(windowOf('UTC', hours), 0), RangeError, hours);
  }
  for (const instant of [Number.NaN, Infinity, -Infinity, 9e15]) {
    assert.throws(() => nextOpening(windowOf('UTC', '09:00-17:00'), instant), RangeError, String(instant));
  }
});

// Where the clocks change.

test('an opening in a skipped hour moves to the first instant after it', () => {
  const window = windowOf('Europe/Berlin', '02:30-04:00');
  assert.deepEqual(listed(window, '2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00'), [
    span('2026-03-29T03:00+02:00', '2026-03-29T04:00+02:00'),
  ]);
  assert.equal(opens(window, '2026-03-29T00:00+01:00'), utc('2026-03-29T01:00Z'));
});

test('a window that lies within the skipped hour does not open that day', () => {
  const window = windowOf('America/New_York', '02:00-03:00');
  assert.equal(opens(window, '2026-03-07T03:00-05:00'), utc('2026-03-09T02:00-04:00'));
});

test('a window that ends in a skipped hour closes when the clocks change', () => {
  const window = windowOf('Europe/Berlin', '01:00-02:30');
  assert.equal(closes(window, '2026-03-29T01:30+01:00'), utc('2026-03-29T03:00+02:00'));
});

test('a repeated hour counts twice', () => {
  const inside = windowOf('America/New_York', '01:30-01:45');
  assert.deepEqual(listed(inside, '2026-11-01T00:00-04:00', '2026-11-02T00:00-05:00'), [
    span('2026-11-01T01:30-04:00', '2026-11-01T01:45-04:00'),
    span('2026-11-01T01:30-05:00', '2026-11-01T01:45-05:00'),
  ]);
  const around = windowOf('America/New_York', '00:30-02:30');
  assert.equal(closes(around, '2026-11-01T01:30-04:00'), utc('2026-11-01T02:30-05:00'), 'three hours long');
  const closing = windowOf('America/New_York', '22:00-01:30');
  assert.equal(closes(closing, '2026-11-01T01:00-04:00'), utc('2026-11-01T01:30-04:00'));
  assert.equal(opens(closing, '2026-11-01T01:30-04:00'), utc('2026-11-01T01:00-05:00'), 'and opens again');
});

test('a day whose midnight is skipped opens an hour late', () => {
  const cairo = windowOf('Africa/Cairo', null, [5]);
  assert.deepEqual(listed(cairo, '2026-04-23T00:00+02:00', '2026-04-26T00:00+03:00'), [
    span('2026-04-24T01:00+03:00', '2026-04-25T00:00+03:00'),
  ]);
  const saoPaulo = windowOf('America/Sao_Paulo', '00:00-00:30');
  assert.equal(opens(saoPaulo, '2018-11-03T12:00-03:00'), utc('2018-11-05T00:00-02:00'));
  const beirut = windowOf('Asia/Beirut', '23:30-00:15', [6]);
  assert.equal(closes(beirut, '2025-03-29T23:45+02:00'), utc('2025-03-30T01:00+03:00'));
});

test('a repeated evening hour belongs to the same date both times', () => {
  const thursday = windowOf('Africa/Cairo', null, [4]);
  assert.deepEqual(listed(thursday, '2026-10-28T00:00+03:00', '2026-10-31T00:00+02:00'), [
    span('2026-10-29T00:00+03:00', '2026-10-30T00:00+02:00'),
  ]);
});

test('clocks set back across midnight reopen the previous day', () => {
  const sunday = windowOf('America/St_Johns', null, [7]);
  assert.deepEqual(listed(sunday, '2006-10-28T12:00-02:30', '2006-10-29T12:00-03:30'), [
    span('2006-10-29T00:00-02:30', '2006-10-29T00:01-02:30'),
    span('2006-10-29T00:00-03:30', '2006-10-29T12:00-03:30'),
  ]);
});

test('daylight saving of half an hour and of two hours works as well', () => {
  const lordHowe = windowOf('Australia/Lord_Howe', '02:15-03:00');
  assert.equal(opens(lordHowe, '2026-10-04T00:00+10:30'), utc('2026-10-04T02:30+11:00'));
  const troll = windowOf('Antarctica/Troll', '01:30-02:30');
  assert.deepEqual(listed(troll, '2026-10-25T00:00+02:00', '2026-10-25T12:00Z'), [
    span('2026-10-25T01:30+02:00', '2026-10-25T02:30+02:00'),
    span('2026-10-25T01:30Z', '2026-10-25T02:30Z'),
  ]);
  assert.equal(opens(troll, '2026-03-29T00:00Z'), utc('2026-03-30T01:30+02:00'), 'skipped in spring');
});

test('a skipped day never opens, but its night window continues on the next morning', () => {
  const friday = windowOf('Pacific/Apia', null, [5]);
  assert.equal(opens(friday, '2011-12-24T00:00-10:00'), utc('2012-01-06T00:00+14:00'));
  const around = windowOf('Pacific/Apia', null, [4, 6]);
  assert.equal(closes(around, '2011-12-29T12:00-10:00'), utc('2012-01-01T00:00+14:00'), 'Thursday ran into Saturday');
  const night = windowOf('Pacific/Apia', '22:00-06:00', [5]);
  assert.deepEqual(listed(night, '2011-12-29T00:00-10:00', '2012-01-01T00:00+14:00'), [
    span('2011-12-31T00:00+14:00', '2011-12-31T06:00+14:00'),
  ]);
});

test('offsets with seconds, and days before 1970, are exact to the second', () => {
  const monrovia = windowOf('Africa/Monrovia', '00:44-00:45');
  assert.deepEqual(listed(monrovia, '1972-01-06T12:00Z', '1972-01-07T12:00Z'), [
    span('1972-01-07T00:44:30Z', '1972-01-07T00:45Z'),
  ]);
  assert.equal(opens(windowOf('UTC', '09:00-17:00', [3]), '1969-12-30T00:00Z'), utc('1969-12-31T09:00Z'));
});

// The same rules against an oracle, which simply tests every minute and knows nothing of offsets and transitions.

const zones = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Caracas',
  'America/Los_Angeles',
  'America/New_York',
  'America/Nuuk',
  'America/Sao_Paulo',
  'America/Scoresbysund',
  'America/St_Johns',
  'Antarctica/Casey',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Pyongyang',
  'Asia/Tehran',
  'Australia/Eucla',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Europe/Berlin',
  'Europe/Dublin',
  'Europe/London',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'UTC',
];

/** Instants of unusual clock changes in these time zones, and ordinary instants. */
const moments = zones.flatMap((timezone) => {
  const quiet = [at('2011-06-15T00:00Z'), at('2025-12-31T12:00Z')].map((atMs) => ({ timezone, atMs }));
  const changes: typeof quiet = [];
  let change = Temporal.Instant.from('2006-01-01T00:00Z').toZonedDateTimeISO(timezone).getTimeZoneTransition('next');
  while (change && change.year < 2028) {
    changes.push({ timezone, atMs: change.epochMilliseconds });
    change = change.getTimeZoneTransition('next');
  }
  return [...quiet, ...changes];
});

type Minute = { atMs: number; time: string; weekday: number; dayBefore: number };

/** The local time at every minute of a period. */
function walk(timezone: string, fromMs: number, minutes: number): Minute[] {
  return Array.from({ length: minutes }, (_, index) => {
    const atMs = fromMs + index * minuteMs;
    const local = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
    const weekday = local.dayOfWeek;
    const time = `${String(local.hour).padStart(2, '0')}:${String(local.minute).padStart(2, '0')}`;
    return { atMs, time, weekday, dayBefore: weekday === 1 ? 7 : weekday - 1 };
  });
}

/** The rule as docs/api/campaigns.md, "Window", words it. */
function isOpenByTheWords({ windowStart, windowEnd, windowDays }: CallingWindow, minute: Minute): boolean {
  const opensToday = windowDays.includes(minute.weekday);
  if (windowStart === null || windowEnd === null) return opensToday;
  const begun = minute.time >= windowStart;
  const notEnded = minute.time < windowEnd;
  if (windowStart <= windowEnd) return opensToday && begun && notEnded;
  return (opensToday && begun) || (windowDays.includes(minute.dayBefore) && notEnded);
}

const timeOfDay = fc
  .oneof(
    fc.integer({ min: 0, max: 1439 }),
    fc.integer({ min: -8, max: 16 }).map((quarters) => quarters * 15),
  )
  .map((minutes) => Temporal.PlainTime.from('00:00').add({ minutes }).toString({ smallestUnit: 'minute' }));
const hours = fc.oneof({ weight: 8, arbitrary: fc.tuple(timeOfDay, timeOfDay) }, fc.constant([null, null] as const));
const someDays = fc.oneof(fc.constant(everyDay), fc.constant(weekdays), fc.subarray(everyDay));
const windows = fc
  .record({ hours, windowDays: someDays })
  .map(({ hours: [windowStart, windowEnd], windowDays }) => ({ windowStart, windowEnd, windowDays }));

/** The maximal sequences of open minutes. */
function openingsByTheWords(
  window: CallingWindow,
  minutes: readonly Minute[],
): { opensAt: number; closesAt: number }[] {
  const found: { opensAt: number; closesAt: number }[] = [];
  for (const minute of minutes) {
    if (!isOpenByTheWords(window, minute)) continue;
    const last = found.at(-1);
    if (last?.closesAt === minute.atMs) last.closesAt += minuteMs;
    else found.push({ opensAt: minute.atMs, closesAt: minute.atMs + minuteMs });
  }
  return found;
}

/** Compares all functions with the oracle at one instant. For a result past the end of the walk, checks only that it is past the end. */
function checkAt(
  window: CallingWindow,
  atMs: number,
  expected: { opensAt: number; closesAt: number }[],
  endMs: number,
): void {
  const here = expected.find((opening) => opening.closesAt > atMs);
  const open = here !== undefined && here.opensAt <= atMs;
  assert.equal(isOpen(window, atMs), open, `isOpen at ${text(atMs)}`);

  const opensMs = nextOpening(window, atMs);
  if (here) assert.equal(opensMs, Math.max(here.opensAt, atMs), `nextOpening at ${text(atMs)}`);
  else assert.ok(opensMs === null || opensMs >= endMs, `nextOpening at ${text(atMs)} is ${text(opensMs)}`);

  const closesMs = closesAt(window, atMs);
  if (!open) assert.equal(closesMs, atMs, `closesAt at ${text(atMs)}`);
  else if (here.closesAt < endMs) assert.equal(closesMs, here.closesAt, `closesAt at ${text(atMs)}`);
  else assert.ok(closesMs === null || closesMs >= endMs, `closesAt at ${text(atMs)} is ${text(closesMs)}`);
}

test('around every clock change, the openings are those that testing every minute finds', () => {
  const walks = fc.record({
    moment: fc.constantFrom(...moments),
    leadMinutes: fc.integer({ min: 0, max: 2000 }),
    days: fc.constantFrom(2, 2, 2, 2, 9),
    jitterMs: fc.integer({ min: 0, max: minuteMs - 1 }),
    several: fc.array(windows, { minLength: 4, maxLength: 12 }),
  });
  fc.assert(
    fc.property(walks, ({ moment: { timezone, atMs }, leadMinutes, days, jitterMs, several }) => {
      const fromMs = atMs - leadMinutes * minuteMs;
      const endMs = fromMs + days * dayMs;
      const minutes = walk(timezone, fromMs, days * 1440);
      for (const hoursAndDays of several) {
        const window = { timezone, ...hoursAndDays };
        const expected = openingsByTheWords(window, minutes);
        assert.deepEqual(commonOpenings([window], fromMs, endMs), expected);
        for (let instant = fromMs + jitterMs; instant < endMs; instant += 29 * minuteMs) {
          checkAt(window, instant, expected, endMs);
        }
        for (const edge of expected.flatMap((opening) => [opening.opensAt, opening.closesAt])) {
          if (edge > fromMs) checkAt(window, edge - 1, expected, endMs);
          if (edge < endMs) checkAt(window, edge, expected, endMs);
        }
      }
    }),
    { numRuns: 40 },
  );
});

test('at the next opening the window is open, just before it is closed, and it comes within 15 days', () => {
  const cases = fc.record({
    moment: fc.constantFrom(...moments),
    offsetMs: fc.integer({ min: -9 * dayMs, max: dayMs }),
    windows,
  });
  fc.assert(
    fc.property(cases, ({ moment: { timezone, atMs }, offsetMs, windows: hoursAndDays }) => {
      const window = { timezone, ...hoursAndDays };
      const fromMs = atMs + offsetMs;
      const opensMs = nextOpening(window, fromMs);
      if (opensMs === null) {
        assert.ok(
          window.windowDays.length === 0 || (window.windowStart !== null && window.windowStart === window.windowEnd),
        );
        return;
      }
      assert.ok(isOpen(window, opensMs));
      assert.ok(opensMs === fromMs || !isOpen(window, opensMs - 1));
      assert.ok(opensMs - fromMs <= 15 * dayMs, `${text(opensMs)} from ${text(fromMs)}`);
      const closesMs = closesAt(window, opensMs);
      if (closesMs === null) return;
      assert.ok(closesMs > opensMs && isOpen(window, closesMs - 1) && !isOpen(window, closesMs));
    }),
    { numRuns: propertyRuns({ few: 500, all: 2000 }) },
  );
});

test('ICU, an independent library, computes the same wall-clock times', () => {
  const weekdayNames = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  const formats = new Map(
    zones.map((timeZone) => {
      const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
      return [timeZone, new Intl.DateTimeFormat('en-GB', { timeZone, ...parts })];
    }),
  );
  const past = { min: at('2006-01-01T00:00Z'), max: at('2025-12-31T00:00Z') };
  const instants = fc.oneof(
    fc.record({ timezone: fc.constantFrom(...zones), atMs: fc.integer(past) }),
    fc
      .tuple(fc.constantFrom(...moments.filter(({ atMs }) => atMs < past.max)), fc.integer({ min: -dayMs, max: dayMs }))
      .map(([{ timezone, atMs }, offsetMs]) => ({ timezone, atMs: atMs + offsetMs })),
  );
  fc.assert(
    fc.property(instants, windows, ({ timezone, atMs }, hoursAndDays) => {
      const window = { timezone, ...hoursAndDays };
      const [name = '', time = ''] = formats.get(timezone)?.format(atMs).split(' ') ?? [];
      const weekday = weekdayNames.indexOf(name);
      const minute = { atMs, time, weekday, dayBefore: weekday === 1 ? 7 : weekday - 1 };
      assert.equal(isOpen(window, atMs), isOpenByTheWords(window, minute), `${name} ${time}`);
    }),
    { numRuns: propertyRuns({ few: 500, all: 3000 }) },
  );
});
