/** Sounds of 16-bit samples at 8 kHz, as a telephone brings them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { resample } from '../../../src/telephony/audio/resample.ts';

export const rate = 8000;
export type Sound = Int16Array;
/** From 0 to 1. */
export type Random = () => number;

/** Mulberry32: small, and the same everywhere for a seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const between = (random: Random, low: number, high: number): number => low + random() * (high - low);
export const oneOf = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

const lengthOf = (ms: number): number => Math.round((ms * rate) / 1000);
export const msOf = (sound: Sound): number => (sound.length * 1000) / rate;
export const silence = (ms: number): Sound => new Int16Array(lengthOf(ms));

export function join(...sounds: readonly Sound[]): Sound {
  const joined = new Int16Array(sounds.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const sound of sounds) {
    joined.set(sound, at);
    at += sound.length;
  }
  return joined;
}

const fromFunction = (ms: number, sampleAt: (seconds: number) => number): Sound =>
  Int16Array.from({ length: lengthOf(ms) }, (_, at) => Math.round(sampleAt(at / rate)));

export const sine = (hertz: number, ms: number, peak = 8000): Sound =>
  fromFunction(ms, (seconds) => peak * Math.sin(2 * Math.PI * hertz * seconds));

/** White noise with this root mean square. */
export const noise = (random: Random, ms: number, rms: number): Sound =>
  fromFunction(ms, () => (random() + random() + random() + random() - 2) * rms * Math.sqrt(3));

/** Chords with a beat, as music on hold: several notes at once, each with overtones that fade. */
export function music(random: Random, ms: number, peak = 8000): Sound {
  const roots = [220, 246.9, 261.6, 293.7, 329.6, 349.2];
  const chords = Array.from({ length: Math.ceil(ms / 500) }, () => {
    const root = oneOf(random, roots);
    return [root, root * 1.25, root * 1.5, root * oneOf(random, [2, 2.25, 2.5])];
  });
  return fromFunction(ms, (seconds) => {
    const beat = Math.floor(seconds * 2);
    const since = seconds - beat / 2;
    const notes = chords[beat] ?? chords[0]!;
    const sum = notes.reduce(
      (total, hertz) =>
        total + [1, 2, 3].reduce((own, part) => own + Math.sin(2 * Math.PI * hertz * part * seconds) / part ** 1.5, 0),
      0,
    );
    return (peak / 6) * sum * Math.exp(-2.5 * since);
  });
}

/** Something like a voice: harmonics around two formants, a pitch that falls in each second, and four syllables a second. */
export const voiceLike = (ms: number): Sound =>
  fromFunction(ms, (seconds) => {
    const own = seconds % 1;
    const phase = 2 * Math.PI * (140 * own - 15 * own ** 2);
    let sum = 0;
    for (let harmonic = 1; harmonic < 20; harmonic += 1) {
      const hertz = harmonic * 125;
      const weight = Math.exp(-(((hertz - 600) / 300) ** 2)) + 0.5 * Math.exp(-(((hertz - 1500) / 300) ** 2));
      sum += weight * Math.sin(harmonic * phase);
    }
    return 2500 * sum * Math.sin(4 * Math.PI * seconds) ** 2;
  });

/** Both at once; as long as the first. */
export const mixed = (sound: Sound, other: Sound): Sound =>
  sound.map((sample, at) => Math.max(-32_768, Math.min(32_767, sample + (other[at] ?? 0))));

/** As loud as this peak, without the silence at both ends. */
export function trimmed(sound: Sound, peak: number): Sound {
  const loudest = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1);
  const isHeard = (sample: number): boolean => Math.abs(sample) > loudest / 100;
  const [first, last] = [sound.findIndex(isHeard), sound.findLastIndex(isHeard)];
  return sound.slice(first, last + 1).map((sample) => Math.round((sample * peak) / loudest));
}

/** The samples of a WAV file with 16 bits and one channel, as espeak-ng writes it. */
function readWav(wav: Buffer): { rate: number; pcm: Sound } {
  const data = wav.indexOf('data') + 8;
  const bytes = wav.subarray(data, wav.length - ((wav.length - data) % 2));
  return { rate: wav.readUInt32LE(24), pcm: new Int16Array(Uint8Array.from(bytes).buffer) };
}

const run = promisify(execFile);

export type Voice = { name: string; wordsPerMinute: number; pitch: number };

/** Spoken by espeak-ng (Debian package of that name). */
export async function spoken(text: string, voice: Voice, peak = 8000): Promise<Sound> {
  const options = ['-v', voice.name, '-s', String(voice.wordsPerMinute), '-p', String(voice.pitch), '--stdout', text];
  const { stdout } = await run('espeak-ng', options, { encoding: 'buffer', maxBuffer: 16 * 2 ** 20 });
  const { rate: spokenRate, pcm } = readWav(stdout);
  return trimmed(resample(pcm, spokenRate, rate), peak);
}
