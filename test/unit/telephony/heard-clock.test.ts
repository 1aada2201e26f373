import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heardClock } from '../../../src/telephony/media/heard-clock.ts';

test('audio that comes in a burst keeps its place one after the other', () => {
  const place = heardClock();
  assert.deepEqual([place(20, 30), place(20, 50)], [10, 30]);
  // the packets of 50 to 130 ms come at once, 80 ms late
  assert.deepEqual(
    [1, 2, 3, 4].map(() => place(20, 150)),
    [50, 70, 90, 110],
  );
});

test('what follows a pause of the sender is placed after the pause', () => {
  const place = heardClock();
  place(20, 20);
  assert.equal(place(20, 1020), 1000);
  assert.equal(place(20, 1040), 1020);
});

test('a clock that runs 1 % slow or fast moves the places within 40 ms', () => {
  for (const everyMs of [19.8, 20.2]) {
    const place = heardClock();
    for (let frame = 1; frame <= 3000; frame += 1) {
      const elapsed = frame * everyMs;
      const off = place(20, elapsed) - (elapsed - 20);
      assert.ok(Math.abs(off) <= 40, `${off} ms at ${elapsed} ms`);
    }
  }
});
