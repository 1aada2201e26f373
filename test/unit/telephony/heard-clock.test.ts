import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heardClock } from '../../../src/telephony/media/heard-clock.ts';

/** A sender whose time begins just before 32 bits are used up; `spokenMs` is its time. */
function aCall() {
  const place = heardClock();
  return {
    /** Hears 20 ms that were spoken until `spokenMs`. */
    hear: (elapsedMs: number, spokenMs: number) =>
      place(20, elapsedMs, (0xffff_ff00 + Math.round((spokenMs - 20) * 8)) >>> 0),
    lose: (elapsedMs: number) => place(20, elapsedMs, null),
  };
}

test('audio that comes in a burst keeps its place one after the other', () => {
  const { hear } = aCall();
  assert.deepEqual([hear(30, 20), hear(50, 40)], [10, 30]);
  assert.deepEqual(
    [60, 80, 100, 120].map((spokenMs) => hear(150, spokenMs)),
    [50, 70, 90, 110],
  );
});

test('what a network that stood still for half a second delivers at once keeps its place, as what follows', () => {
  const { hear } = aCall();
  hear(20, 20);
  for (let spokenMs = 40; spokenMs <= 540; spokenMs += 20) assert.equal(hear(540, spokenMs), spokenMs - 20);
  assert.equal(hear(560, 560), 540);
});

test('what follows silence for lost packets has the place it would have had', () => {
  const { hear, lose } = aCall();
  hear(20, 20);
  const atMs = Array.from({ length: 30 }, () => lose(720));
  assert.deepEqual([atMs[0], atMs[29]], [20, 600]);
  assert.deepEqual([hear(720, 640), hear(720, 660), hear(720, 720)], [620, 640, 700]);
});

test('what follows a pause of the sender is placed after the pause, also where its time stood still', () => {
  for (const timestampMs of [1300, 40]) {
    const { hear } = aCall();
    hear(20, 20);
    assert.equal(hear(1300, timestampMs), 1280);
    assert.equal(hear(1320, timestampMs + 20), 1300);
  }
});

test('after a short pause in which the time of the sender stood still, the place is right within two', () => {
  const { hear } = aCall();
  hear(20, 20);
  let atMs = 0;
  for (let frame = 1; frame <= 105; frame += 1) atMs = hear(420 + frame * 20, 20 + frame * 20);
  assert.equal(atMs, 420 + 105 * 20 - 20);
});

test('a stream with another time goes on where it comes', () => {
  const { hear } = aCall();
  hear(20, 20);
  assert.equal(hear(40, 5_000_000), 20);
  assert.equal(hear(60, -70_000), 40);
  assert.equal(hear(80, -69_980), 60);
});

test('a clock that runs 1 % slow or fast moves the places within 40 ms', () => {
  for (const everyMs of [19.8, 20.2]) {
    const { hear } = aCall();
    for (let frame = 1; frame <= 3000; frame += 1) {
      const elapsed = frame * everyMs;
      const off = hear(elapsed, frame * 20) - (elapsed - 20);
      assert.ok(Math.abs(off) <= 40, `${off} ms at ${elapsed} ms`);
    }
  }
});
