import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createHistory } from '../../../../../src/talking/speech/cascade/history.ts';
import { createSentences } from '../../../../../src/talking/speech/cascade/sentences.ts';
import { speakable, withoutThoughts } from '../../../../../src/talking/speech/cascade/spoken-text.ts';
import { isPlausible } from '../../../../../src/talking/speech/cascade/transcription.ts';
import { soundReader } from '../../../../../src/talking/speech/cascade/voice.ts';
import { readWavHeader, writeWav } from '../../../../../src/talking/speech/cascade/wav.ts';
import { decode } from '../../../../../src/telephony/audio/g711.ts';
import { medianToneShareOfPcm } from '../../../../support/sip/tones.ts';

/** A text in pieces of these lengths. */
function inPieces(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const length of [...lengths, text.length]) {
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

function partsOf(pieces: readonly string[]): string[] {
  const sentences = createSentences();
  return [...pieces.flatMap((piece) => sentences.push(piece)), ...sentences.end()];
}

test('a text is cut at its sentences, the first of them at its first clause', () => {
  for (const [text, parts] of [
    [
      'Of course, I can help. When shall we come? Tomorrow!',
      ['Of course, I can help.', 'When shall we come?', 'Tomorrow!'],
    ],
    [
      'I would be glad to, let me look at the calendar. One moment, please.',
      ['I would be glad to,', 'let me look at the calendar.', 'One moment, please.'],
    ],
    ['Dr. Brown is in at 3.30 p.m. today. Fine?', ['Dr. Brown is in at 3.30 p.m. today.', 'Fine?']],
    ['Der Termin ist am 5. Mai um 10 Uhr. Passt das?', ['Der Termin ist am 5. Mai um 10 Uhr.', 'Passt das?']],
    ['First\nSecond', ['First', 'Second']],
    ['好的。再见！', ['好的。', '再见！']],
    ['He said "no." Then he left.', ['He said "no."', 'Then he left.']],
  ] as const)
    assert.deepEqual(partsOf([text]), parts, text);
});

test('pieces of any length give the same sentences, and every word is spoken once', () => {
  const text = 'Well, that is fine. Shall I book Tuesday at 3.15? It costs 5 euros; please pay in cash. Goodbye!';
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 })), (lengths) => {
      assert.deepEqual(partsOf(inPieces(text, lengths)), partsOf(text.split('')));
    }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 2000 }), fc.array(fc.integer({ min: 1, max: 50 })), (any, lengths) => {
      const parts = partsOf(inPieces(any, lengths));
      assert.equal(parts.join('').replace(/\s/g, ''), any.replace(/\s/g, ''));
      for (const part of parts) assert.ok(part.length <= 400);
    }),
  );
});

test('thoughts are left out, wherever the pieces are cut', () => {
  const text = 'Hello.<think>The caller says <b>. 1 < 2</think> I can help.<think>never closed';
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 })), (lengths) => {
      const filter = withoutThoughts();
      const visible =
        inPieces(text, lengths)
          .map((piece) => filter.push(piece))
          .join('') + filter.end();
      assert.equal(visible, 'Hello. I can help.');
    }),
  );
  const open = withoutThoughts();
  assert.equal(open.push('1 < 2 <thi') + open.push('s') + open.end(), '1 < 2 <this');
});

test("Markdown's marks and emoji are not spoken, and what only looks like them is", () => {
  for (const [text, spoken] of [
    ['**Great!** 🎉', 'Great!'],
    ['# Title', 'Title'],
    ['- one\n- two', 'one two'],
    ['See [our site](https://example.com).', 'See our site.'],
    ['It is *very* `simple` ~~not~~ __really__.', 'It is very simple not really.'],
    ['2 * 3 is 6, #1 of 5*', '2 * 3 is 6, #1 of 5'],
    ['snake_case stays', 'snake_case stays'],
    ['👩‍👩‍👧 5️⃣ and ☎️', '5 and'],
    ['😀', ''],
  ] as const)
    assert.equal(speakable(text), spoken, text);
});

test('words that nobody can say in the time were not heard', () => {
  assert.ok(isPlausible('Yes.', 120));
  assert.ok(isPlausible('Hello, this is Anna speaking.', 1500));
  assert.ok(!isPlausible('Thank you for watching!', 200));
  assert.ok(!isPlausible('Untertitel der Amara.org-Community', 300));
});

test('sound of any rate, cut at odd bytes, as PCM or WAV, becomes the same tone', () => {
  for (const rate of [8000, 16_000, 22_050, 24_000, 48_000]) {
    const pcm = Int16Array.from({ length: rate }, (_, at) =>
      Math.round(9000 * Math.sin((2 * Math.PI * 500 * at) / rate)),
    );
    const wav = writeWav(pcm, rate);
    for (const [bytes, told] of [
      [wav, 24_000],
      [wav.subarray(44), rate],
    ] as const)
      for (const step of [7, 4096]) {
        const reader = soundReader('PCMA', told);
        const sound: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += step) sound.push(reader.push(bytes.subarray(at, at + step)));
        sound.push(reader.end());
        const heard = decode('PCMA', Buffer.concat(sound));
        assert.ok(Math.abs(heard.length - 8000) <= 2, `${heard.length} samples from ${rate}`);
        assert.ok(medianToneShareOfPcm(heard, 500) > 0.98, `${rate}, steps of ${step}`);
      }
  }
});

test('a WAV file with other parts before its sound is read, and one that has none is refused', () => {
  const wav = writeWav(Int16Array.from([1, 2, 3]), 8000);
  const list = Buffer.from('LIST\x04\x00\x00\x00abcd', 'latin1');
  const longer = Buffer.concat([wav.subarray(0, 36), list, wav.subarray(36)]);
  assert.deepEqual(readWavHeader(longer), { rate: 8000, channels: 1, dataAt: 56 });
  assert.equal(readWavHeader(wav.subarray(0, 40)), undefined);
  assert.throws(
    () => readWavHeader(Buffer.concat([wav.subarray(0, 34), Buffer.from([8, 0]), wav.subarray(36)])),
    /16-bit/,
  );
});

test('the model is told what was said, and results of tools stay behind their calls', () => {
  const history = createHistory('Be kind.');
  const early = history.hears();
  const say = history.said();
  say('Hello, this is');
  say('Hello, this is…');
  early('Yes?');
  const tell = history.called([{ id: 'a', name: 'find', args: '{}' }]);
  history.heard('Are you there?');
  tell('a', '{"found":1}');
  history.said(); // nothing of it was heard
  assert.deepEqual(history.messages('Be brief.'), [
    { role: 'system', content: 'Be kind.\n\nBe brief.' },
    { role: 'user', content: 'Yes?' },
    { role: 'assistant', content: 'Hello, this is…' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: '{"found":1}' },
    { role: 'user', content: 'Are you there?' },
  ]);
  for (let turn = 0; turn < 500; turn += 1) history.heard('x'.repeat(1000));
  const size = JSON.stringify(history.messages()).length;
  assert.ok(size < 80_000, `${size}`);
  assert.notEqual(history.messages()[1]!.role, 'tool');
});
