import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyPresses } from '../../../src/telephony/dialog/key-presses.ts';

function aCall() {
  const reported: string[] = [];
  let nowMs = 0;
  const keys = keyPresses(
    (digit) => reported.push(digit),
    () => nowMs,
  );
  return { keys, reported, pass: (ms: number) => (nowMs += ms) };
}

test('a key that comes in the sound and by INFO is one key, in whatever order the messages come', () => {
  const { keys, reported, pass } = aCall();
  keys.sound('1');
  pass(300);
  keys.info('1');
  keys.info('2');
  pass(999);
  keys.sound('2');
  for (const digit of '33') keys.sound(digit);
  for (const digit of '33') keys.info(digit);
  assert.equal(reported.join(''), '1233');
});

test('the same key twice in one way, or again a second later, is two keys', () => {
  const { keys, reported, pass } = aCall();
  for (const digit of '55') keys.sound(digit);
  for (const digit of '66') keys.info(digit);
  pass(1000);
  keys.info('5');
  keys.sound('6');
  assert.equal(reported.join(''), '556656');
});
