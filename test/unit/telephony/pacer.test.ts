import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPacer } from '../../../src/telephony/media/pacer.ts';

/** A pacer whose time passes only by `run`; the thread may be `busy` until an instant, so that timers are late. */
function pacerByHand() {
  let nowMs = 1000;
  let timer: { atMs: number; callback: () => void } | undefined;
  let timers = 0;
  const pacer = createPacer({
    now: () => nowMs,
    wait(ms, callback) {
      const own = { atMs: nowMs + ms, callback };
      timer = own;
      timers += 1;
      return () => void (timer === own && (timer = undefined));
    },
  });
  return {
    pacer,
    timers: () => timers,
    isWaiting: () => timer !== undefined,
    /** Time passes without the timer, as while packets are read. */
    readUntil: (untilMs: number): void => void (nowMs = untilMs),
    run(untilMs: number, busyUntilMs = 0): void {
      while (timer && Math.max(timer.atMs, busyUntilMs) <= untilMs) {
        nowMs = Math.max(timer.atMs, busyUntilMs, nowMs);
        const { callback } = timer;
        timer = undefined;
        callback();
      }
      nowMs = untilMs;
    },
  };
}

test('every call gets its slot every 20 ms, and the calls are spread over it', () => {
  const { pacer, run, timers } = pacerByHand();
  const times = Array.from({ length: 100 }, (): number[] => []);
  for (const own of times) pacer.add((nowMs) => own.push(nowMs));
  run(1399);
  for (const own of times) {
    assert.equal(own.length, 20);
    assert.ok(own.every((at, index) => index === 0 || own[index - 1] === at - 20));
  }
  const perInstant = Map.groupBy(times.flat(), (at) => at);
  assert.ok(
    [...perInstant.values()].every(({ length }) => length === 10),
    'ten calls at a time',
  );
  assert.equal(pacer.lateness.sumMs(), 0);
  assert.equal(pacer.skippedSlots(), 0);
  assert.ok(timers() < 320, 'one timer for all calls');
});

test('a thread that was busy skips slots instead of sending in a burst, and says so', () => {
  const { pacer, run } = pacerByHand();
  const ticks: Array<[number, number]> = [];
  pacer.add((nowMs, skipped) => ticks.push([nowMs, skipped]));
  run(1010);
  run(1085, 1085);
  run(1120);
  assert.deepEqual(ticks, [
    [1000, 0],
    [1085, 3],
    [1100, 0],
    [1120, 0],
  ]);
  assert.equal(pacer.skippedSlots(), 3);
  const { lateness } = pacer;
  assert.deepEqual([lateness.atMost(0), lateness.atMost(65), lateness.count(), lateness.sumMs()], [3, 4, 4, 65]);
});

test('a call that is removed, also by itself, gets no slot, and without calls there is no timer', () => {
  const { pacer, run, isWaiting } = pacerByHand();
  let ticks = 0;
  const remove = pacer.add(() => {
    ticks += 1;
    remove();
  });
  run(1100);
  assert.deepEqual([ticks, isWaiting()], [1, false]);
  run(5000);
  let late = 0;
  pacer.add((_, skipped) => (late += skipped));
  run(5100);
  assert.deepEqual([late, pacer.skippedSlots()], [0, 0], 'the time without calls counts for nothing');
  pacer.stop();
  assert.equal(isWaiting(), false);
});

test('while packets are read, which holds up the timer, slots that are due run all the same', () => {
  const { pacer, readUntil, run } = pacerByHand();
  const times: number[] = [];
  pacer.add((nowMs) => times.push(nowMs));
  run(1010);
  for (let nowMs = 1011; nowMs <= 1070; nowMs += 1) {
    readUntil(nowMs);
    pacer.catchUp();
  }
  assert.deepEqual(times, [1000, 1020, 1040, 1060]);
  assert.deepEqual([pacer.lateness.sumMs(), pacer.skippedSlots()], [0, 0]);
  run(1100);
  assert.deepEqual(times.slice(4), [1080, 1100], 'and the timer goes on');
});
