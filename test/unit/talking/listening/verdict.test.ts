import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Heard } from '../../../../src/talking/listening/hearing.ts';
import { waitForMailbox } from '../../../../src/talking/listening/mailbox.ts';
import { createJudge, nothing } from '../../../../src/talking/listening/verdict.ts';
import { defaultTimes } from '../../../support/listening/judged.ts';

const voice: Heard = { speechMs: 20, isTone: false };
const tone: Heard = { speechMs: 0, isTone: true };
type Part = readonly [heard: Heard, ms: number];

/** The verdicts over what is heard, each with its instant. */
function verdictsOf(...parts: readonly Part[]): string[] {
  const judge = createJudge(defaultTimes);
  const verdicts: string[] = [];
  let atMs = 0;
  for (const [heard, ms] of parts)
    for (const end = atMs + ms; atMs < end;) {
      atMs += 20;
      const verdict = judge.take(atMs, heard);
      if (verdict) verdicts.push(`${verdict.who} at ${atMs}`);
    }
  return verdicts;
}

test('silence for initial_silence_ms is a person who waits', () => {
  assert.deepEqual(verdictsOf([nothing, 2480]), []);
  assert.deepEqual(verdictsOf([nothing, 4000]), ['person at 2500']);
});

test('speech of up to greeting_ms and after_greeting_silence_ms of silence are a person', () => {
  assert.deepEqual(verdictsOf([nothing, 200], [voice, 400], [nothing, 680]), []);
  assert.deepEqual(verdictsOf([nothing, 200], [voice, 400], [nothing, 2000]), ['person at 1300']);
  assert.deepEqual(verdictsOf([voice, 2500], [nothing, 700]), ['person at 3200']);
});

test('pauses that are shorter do not end a greeting, and only its speech is counted', () => {
  const said: Part[] = [
    [voice, 1240],
    [nothing, 600],
    [voice, 1240],
    [nothing, 700],
  ];
  assert.deepEqual(verdictsOf(...said), ['person at 3780']);
});

test('speech between greeting_ms and machine_ms is unclear', () => {
  assert.deepEqual(verdictsOf([voice, 2520], [nothing, 700]), ['unclear at 3220']);
  assert.deepEqual(verdictsOf([voice, 6000], [nothing, 700]), ['unclear at 6700']);
});

test('speech of more than machine_ms is a machine at once', () => {
  assert.deepEqual(verdictsOf([voice, 9000]), ['machine at 6020']);
});

test('a tone is a machine at any time, and also after another verdict', () => {
  assert.deepEqual(verdictsOf([nothing, 100], [tone, 200]), ['machine at 120']);
  assert.deepEqual(verdictsOf([voice, 500], [nothing, 900], [tone, 200]), ['person at 1200', 'machine at 1420']);
  assert.deepEqual(verdictsOf([voice, 3000], [nothing, 700], [tone, 200]), ['unclear at 3700', 'machine at 3720']);
});

test('sound that does not come is silence', () => {
  const judge = createJudge(defaultTimes);
  judge.take(300, { speechMs: 300, isTone: false });
  assert.equal(judge.take(999, nothing), undefined);
  assert.equal(judge.take(1000, nothing)?.who, 'person');
});

test('whatever is heard, there is one first verdict at most, and a machine stays one', () => {
  const heard = fc.oneof(fc.constant(nothing), fc.constant(voice), fc.constant(tone));
  fc.assert(
    fc.property(fc.array(fc.tuple(heard, fc.integer({ min: 1, max: 100 })), { maxLength: 40 }), (parts) => {
      const verdicts = verdictsOf(...parts.map(([own, frames]) => [own, frames * 20] as const));
      assert.ok(verdicts.length <= 2);
      if (verdicts.length === 2) assert.ok(!verdicts[0]!.startsWith('machine') && verdicts[1]!.startsWith('machine'));
      const ms = parts.reduce((sum, [, frames]) => sum + frames * 20, 0);
      const longestWaitMs = defaultTimes.machineMs * (1 + defaultTimes.afterGreetingSilenceMs / 20) + 5000;
      if (ms > longestWaitMs) assert.ok(verdicts.length > 0, 'no verdict for ever');
    }),
  );
});

/** When the message begins, after the verdict at 1 s. */
function messageAt(first: Heard, ...parts: readonly Part[]): number | undefined {
  const wait = waitForMailbox(1000, 30_000, first);
  let atMs = 1000;
  for (const [heard, ms] of parts)
    for (const end = atMs + ms; atMs < end;) {
      atMs += 20;
      if (wait.take(atMs, heard)) return atMs;
    }
  return undefined;
}

test('the message begins when the tone is over', () => {
  assert.equal(messageAt(tone, [tone, 400], [nothing, 100]), 1420);
  assert.equal(messageAt(nothing, [voice, 3000], [nothing, 1000], [tone, 600], [nothing, 100]), 5620);
});

test('the message begins after 2 s of silence without a tone', () => {
  assert.equal(messageAt(nothing, [nothing, 3000]), 3000);
  assert.equal(messageAt(nothing, [voice, 3000], [nothing, 1900], [voice, 100], [nothing, 3000]), 8000);
});

test('the message begins message_wait_ms after the verdict, whatever is heard', () => {
  assert.equal(messageAt(nothing, [voice, 60_000]), 31_000);
  assert.equal(messageAt(tone, [tone, 60_000]), 31_000);
});
