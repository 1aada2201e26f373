import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextMacrotask } from '../../../../src/base/clock.ts';
import type { Line } from '../../../../src/telephony/audio/speech.ts';
import { playQueue } from '../../../../src/telephony/media/play-queue.ts';
import { createAnswers } from '../../../../src/talking/speech/realtime/answers.ts';
import { createDownlink } from '../../../../src/talking/speech/realtime/sound.ts';

/** A tone in 16-bit samples at 24 kHz. */
function pcm(ms: number): Buffer {
  const samples = Int16Array.from({ length: ms * 24 }, (_, at) => Math.round(8000 * Math.sin(at / 9)));
  return Buffer.from(samples.buffer);
}

function begun(audio: 'pcm' | 'g711' = 'pcm') {
  const queue = playQueue(0xff);
  const pieces: Uint8Array[] = [];
  let cuts = 0;
  const line: Line = {
    codec: 'PCMU',
    play(sound, item) {
      pieces.push(sound);
      return queue.add(sound, item) / 8;
    },
    clear: () => queue.clear() / 8,
    sentMs: (item) => queue.sentBytes(item) / 8,
    queuedMs: () => queue.queuedBytes() / 8,
    sendKeys: () => false,
    hangUp: () => undefined,
    transfer: () => Promise.resolve(null),
  };
  const answers = createAnswers(line, audio, { said: () => undefined, isCut: () => void (cuts += 1) });
  return { answers, queue, pieces, cuts: () => cuts };
}

/** Turns of the event loop until nothing is played any more in a turn. */
async function turnsUntilIdle(pieces: readonly Uint8Array[]): Promise<number> {
  let turns = 0;
  for (let before = -1; before !== pieces.length; turns += 1) {
    before = pieces.length;
    await nextMacrotask();
    await nextMacrotask();
  }
  return turns;
}

test('half a minute of PCM that comes at once is played as if it had come bit by bit, a quarter of a second in a turn', async () => {
  const sound = pcm(30_000);
  const { answers, pieces } = begun();
  answers.audio('item', 'response', sound.toString('base64'));
  assert.equal(pieces.length, 1, 'the first piece waits for nothing');
  answers.audioDone('item', 'response');
  const turns = await turnsUntilIdle(pieces);
  assert.ok(turns >= 60, `${turns} turns`);
  assert.ok(
    pieces.every((piece) => piece.length <= 2000),
    'no piece is longer',
  );
  const whole = createDownlink('PCMU', 'pcm');
  const expected = Buffer.concat([whole.push(sound), whole.end()]);
  assert.ok(Buffer.concat(pieces).equals(expected), 'the same sound');
  assert.equal(answers.receivedMs(), expected.length / 8);
});

test('of an answer that is interrupted while its sound is converted the rest is dropped, and the next one is played', async () => {
  const { answers, queue, pieces } = begun();
  answers.audio('first', 'r1', pcm(20_000).toString('base64'));
  answers.audioDone('first', 'r1');
  answers.responseDone('r1');
  queue.take();
  queue.take();
  const cut = answers.interrupt();
  assert.equal(cut?.sentMs, 40);
  assert.deepEqual(cut.truncations, [{ id: 'first', audioEndMs: 40 }]);
  const before = pieces.length;
  answers.audio('second', 'r2', pcm(100).toString('base64'));
  await turnsUntilIdle(pieces);
  assert.equal(queue.clear() / 8 > 90, true);
  assert.equal(pieces.length, before + 1, 'nothing but the second answer');
});

test('sound of a dropped answer that is not yet converted never is', async () => {
  const { answers, pieces } = begun();
  answers.audio('item', 'response', pcm(20_000).toString('base64'));
  answers.drop('response');
  answers.responseDone('response');
  await turnsUntilIdle(pieces);
  assert.equal(pieces.length, 1);
});

test('two calls with long answers take turns', async () => {
  const [one, other] = [begun(), begun()];
  one.answers.audio('item', 'response', pcm(20_000).toString('base64'));
  other.answers.audio('item', 'response', pcm(5_000).toString('base64'));
  await turnsUntilIdle(other.pieces);
  assert.equal(other.pieces.length, 20);
  assert.ok(one.pieces.length <= 25, `${one.pieces.length} pieces of the longer answer meanwhile`);
  one.answers.stop();
});

test('what is beyond a minute is cut, and told once for each message', async () => {
  const { answers, queue, pieces, cuts } = begun();
  answers.audio('item', 'response', pcm(55_000).toString('base64'));
  answers.audio('item', 'response', pcm(10_000).toString('base64'));
  answers.audio('item', 'response', pcm(10_000).toString('base64'));
  await turnsUntilIdle(pieces);
  assert.ok(queue.queuedBytes() > 59_000 * 8 && queue.queuedBytes() <= 60_000 * 8, String(queue.queuedBytes()));
  assert.ok(cuts() >= 2 && cuts() <= 3, `${cuts()} cuts`);
});

test('G.711 is played as it comes', () => {
  const { answers, pieces } = begun('g711');
  answers.audio('item', 'response', Buffer.alloc(80_000, 0x55).toString('base64'));
  assert.equal(pieces[0]?.length, 80_000);
});
