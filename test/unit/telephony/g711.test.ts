import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode, samples, transcode } from '../../../src/telephony/audio/g711.ts';

/** ITU-T G.711, tables 5 and 6: one period of 1 kHz at 0 dBm0. */
const milliwatt = {
  PCMA: [0x34, 0x21, 0x21, 0x34, 0xb4, 0xa1, 0xa1, 0xb4],
  PCMU: [0x1e, 0x0b, 0x0b, 0x1e, 0x9e, 0x8b, 0x8b, 0x9e],
} as const;

test('the sequences of G.711 for 1 kHz at 0 dBm0 decode to a sine of that level', () => {
  for (const [codec, peakDbm0] of [
    ['PCMA', 3.14],
    ['PCMU', 3.17],
  ] as const) {
    const pcm = decode(codec, Uint8Array.from(milliwatt[codec]));
    const fullScale = codec === 'PCMA' ? 32_768 : 32_636; // the highest decision value of each law: 4,096 × 8 and 8,159 × 4
    const rms = Math.sqrt(pcm.reduce((sum, sample) => sum + sample ** 2, 0) / pcm.length);
    const level = 20 * Math.log10((rms * Math.SQRT2) / fullScale) + peakDbm0;
    assert.ok(Math.abs(level) < 0.1, `${codec} is ${level} dBm0`);
    const phase = (pcm[0]! / pcm[1]!) * Math.SQRT2; // sin 22.5° to sin 67.5° is 0.414
    assert.ok(Math.abs(phase / Math.SQRT2 - Math.tan(Math.PI / 8)) < 0.02, `${codec} is no sine: ${pcm.join(' ')}`);
    assert.deepEqual([...encode(codec, pcm)], milliwatt[codec]);
  }
});

/** G.711, tables 1a and 2a: value of the decoder output for the first and the last interval of each segment, in the law's own steps. */
test('every segment begins and ends at the values of the tables of G.711', () => {
  const muLaw = [0, 30, 33, 93, 99, 219, 231, 471, 495, 975, 1023, 1983, 2079, 3999, 4191, 8031];
  const aLaw = [1, 31, 33, 63, 66, 126, 132, 252, 264, 504, 528, 1008, 1056, 2016, 2112, 4032];
  for (const [index, value] of muLaw.entries()) {
    const byte = 0xff - ((index >> 1) * 16 + (index % 2) * 15);
    assert.equal(samples.PCMU[byte], value * 4);
    assert.equal(samples.PCMU[byte & 0x7f], value === 0 ? 0 : -value * 4);
  }
  for (const [index, value] of aLaw.entries()) {
    const byte = (0x80 + (index >> 1) * 16 + (index % 2) * 15) ^ 0x55;
    assert.equal(samples.PCMA[byte], value * 8);
    assert.equal(samples.PCMA[byte & 0x7f], -value * 8);
  }
});

test('every byte decodes to a sample that encodes to it, and every sample to one of the two around it', () => {
  for (const codec of ['PCMU', 'PCMA'] as const) {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte).filter(
      (byte) => codec !== 'PCMU' || byte !== 0x7f,
    ); // 0x7f is µ-law's second zero
    assert.deepEqual(encode(codec, decode(codec, bytes)), bytes);
    const values = [...new Set(samples[codec])].toSorted((a, b) => a - b);
    const rounded = Int16Array.from({ length: 9000 }, (_, at) => (at - 4500) * 7);
    const found = decode(codec, encode(codec, rounded));
    for (const [at, sample] of rounded.entries()) {
      const above = values.findIndex((value) => value >= sample);
      assert.ok([values[above - 1], values[above]].includes(found[at]), `${codec}: ${sample} became ${found[at]}`);
      if (at > 0) assert.ok(found[at]! >= found[at - 1]!, `${codec}: ${sample} became less than the sample before`);
    }
  }
});

test('audio changes its law with little noise, and silence stays silence', () => {
  const sine = Int16Array.from({ length: 800 }, (_, at) => Math.round(8000 * Math.sin(at / 5)));
  const direct = decode('PCMA', encode('PCMA', sine));
  const indirect = decode('PCMA', transcode('PCMU', 'PCMA', encode('PCMU', sine)));
  const noise = direct.reduce((sum, sample, at) => sum + (sample - indirect[at]!) ** 2, 0);
  const signal = direct.reduce((sum, sample) => sum + sample ** 2, 0);
  assert.ok(noise / signal < 0.002, `${noise / signal}`);
  assert.deepEqual([...transcode('PCMU', 'PCMA', Uint8Array.of(0xff))], [0xd5]);
  assert.deepEqual([...transcode('PCMA', 'PCMU', Uint8Array.of(0xd5))], [0xfe]); // A-law has no zero: its 8 of 32,768 is the first step
});
