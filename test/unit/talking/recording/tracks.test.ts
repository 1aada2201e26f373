import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTracks } from '../../../../src/talking/recording/tracks.ts';
import { codecOfWav, wavHeader, wavHeaderBytes } from '../../../../src/talking/recording/wav.ts';

const frame = (value: number): Uint8Array => new Uint8Array(160).fill(value);

test('both sides lie at their time since the answer, and what is missing is silence', () => {
  const tracks = createTracks('PCMU');
  tracks.place('person', frame(1), 100);
  tracks.place('agent', frame(2), 500);
  const sound = tracks.rest(1000);
  const valueAt = (ms: number): number[] => [...sound.subarray(ms * 16, ms * 16 + 2)];
  assert.equal(sound.length, 16_000);
  assert.deepEqual([0, 99, 100, 119, 120, 500, 520].map(valueAt), [
    [0xff, 0xff],
    [0xff, 0xff],
    [1, 0xff],
    [1, 0xff],
    [0xff, 0xff],
    [0xff, 2],
    [0xff, 0xff],
  ]);
});

test('a second is written when nothing more can come into it, and never more than 1.65 s are unwritten', () => {
  const tracks = createTracks('PCMA');
  let written = 0;
  for (let nowMs = 250; nowMs <= 20_000; nowMs += 250) {
    const due = tracks.due(nowMs);
    if (due) written += due.length / 16;
    assert.ok(
      nowMs - written <= 1650 && (written === 0 || nowMs - written >= 400),
      `${nowMs - written} ms are unwritten at ${nowMs}`,
    );
  }
});

test('audio that comes too late or too early is left out, whatever its time', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: -5000, max: 100_000 }), fc.nat({ max: 2000 })), { maxLength: 50 }),
      (pieces) => {
        const tracks = createTracks('PCMU');
        for (const [atMs, length] of pieces) tracks.place('person', new Uint8Array(length).fill(3), atMs);
        assert.equal(tracks.rest(4321).length, 4321 * 16);
      },
    ),
  );
});

test('a header names the law, and how long the sound is', () => {
  const header = wavHeader('PCMA', 32_000);
  assert.equal(header.length, wavHeaderBytes);
  assert.deepEqual(
    [
      header.readUInt32LE(4),
      header.readUInt16LE(20),
      header.readUInt16LE(22),
      header.readUInt32LE(46),
      header.readUInt32LE(54),
    ],
    [32_050, 6, 2, 16_000, 32_000],
  );
  assert.deepEqual(
    [codecOfWav(header), codecOfWav(wavHeader('PCMU', 0)), codecOfWav(Buffer.alloc(58))],
    ['PCMA', 'PCMU', undefined],
  );
});
