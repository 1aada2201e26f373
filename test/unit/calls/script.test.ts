import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Script, numberScript } from '../../../src/features/calls/carriers/simulated/script.ts';

const attempt = fc.integer({ min: 1, max: 11 });
const phone = fc.integer({ min: 10 ** 9, max: 10 ** 12 }).map((digits) => `+${digits}`);
const withSuffix = (suffix: string) => phone.map((number) => number.slice(0, -2) + suffix);

test('the last two digits choose the ending, the same on every attempt except for 07', () => {
  const endings: Record<string, Script['ending']> = {
    '00': 'completed',
    '01': 'completed',
    '02': 'busy',
    '03': 'no_answer',
    '04': 'voicemail',
    '05': 'failed',
    '06': 'failed',
    '08': 'silent',
    '09': 'refused',
  };
  for (const [suffix, ending] of Object.entries(endings)) {
    fc.assert(
      fc.property(withSuffix(suffix), attempt, (number, count) => {
        assert.deepEqual(numberScript(number, count), {
          ending,
          invalidNumber: suffix === '06',
          goalsMet: suffix === '00',
          ringMs: 5000,
          talkMs: 30_000,
        });
      }),
    );
  }
  fc.assert(
    fc.property(withSuffix('07'), attempt, (number, count) => {
      assert.equal(numberScript(number, count).ending, count === 1 ? 'no_answer' : 'completed');
    }),
  );
});

const others = phone.filter((number) => !/0\d$/.test(number));

test('any other number gets whole seconds within the bounds, and the same ones every time', () => {
  fc.assert(
    fc.property(others, attempt, (number, count) => {
      const script = numberScript(number, count);
      assert.deepEqual(numberScript(number, count), script);
      assert.ok(script.ringMs % 1000 === 0 && script.ringMs >= 2000 && script.ringMs <= 25_000);
      assert.ok(script.talkMs % 1000 === 0 && script.talkMs >= 20_000 && script.talkMs <= 180_000);
      assert.equal(script.invalidNumber, false);
      assert.ok(['completed', 'no_answer', 'voicemail', 'busy', 'failed'].includes(script.ending));
    }),
    { numRuns: 1000 },
  );
});

test('the shares are 45 % completed, 30 % no_answer, 15 % voicemail, 7 % busy, 3 % failed, on each attempt', () => {
  for (const count of [1, 2, 3]) {
    const drawn = new Map<string, number>();
    const numbers = 20_000;
    let made = 0;
    for (let index = 0; made < numbers; index += 1) {
      const number = `+4930${1_000_000 + index}`;
      if (/0\d$/.test(number)) continue;
      made += 1;
      const { ending } = numberScript(number, count);
      drawn.set(ending, (drawn.get(ending) ?? 0) + 1);
    }
    for (const [ending, percent] of [
      ['completed', 45],
      ['no_answer', 30],
      ['voicemail', 15],
      ['busy', 7],
      ['failed', 3],
    ] as const) {
      // The draws are fixed, so this test cannot flake; a deviation of more than four sigma is a defect.
      const deviation = Math.sqrt(numbers * (percent / 100) * (1 - percent / 100));
      const off = Math.abs((drawn.get(ending) ?? 0) - numbers * (percent / 100));
      assert.ok(off < 4 * deviation, `${ending}: ${drawn.get(ending)} of ${numbers}`);
    }
  }
});

test('the attempts of one number are drawn independently', () => {
  const numbers = Array.from({ length: 200 }, (_, index) => `+493012${3000 + index}55`);
  const changed = numbers.filter((number) => numberScript(number, 1).ending !== numberScript(number, 2).ending).length;
  assert.ok(changed > 80, `${changed} of ${numbers.length} end otherwise the second time`);
});

test('durations reach both ends of their ranges, and goals are met in 60 % of the scripts', () => {
  const scripts = Array.from({ length: 20_000 }, (_, index) => numberScript(`+493012${1_000_000 + index}55`, 1));
  const rangeOf = (values: readonly number[]) => [Math.min(...values), Math.max(...values)];
  assert.deepEqual(rangeOf(scripts.map(({ ringMs }) => ringMs)), [2000, 25_000]);
  assert.deepEqual(rangeOf(scripts.map(({ talkMs }) => talkMs)), [20_000, 180_000]);
  // The draws are fixed, so this cannot flake. A byte modulo 10 favors the digits below 6: 60.9 % are expected.
  const share = scripts.filter(({ goalsMet }) => goalsMet).length / scripts.length;
  assert.ok(share > 0.59 && share < 0.63, String(share));
});
