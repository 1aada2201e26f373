/**
 * Speaks the greeting of the echo engine and embeds it as 8 kHz µ-law, because the single executable cannot read files next to its code.
 *
 *   node .build/generate-greeting.ts [--to src/talking/speech/echo/greeting.generated.ts]
 *
 * Needs espeak-ng (Debian package espeak-ng). Not part of `npm run generate`: the module is committed and changes only with the text.
 */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { encode } from '../src/telephony/audio/g711.ts';
import { formatted, writeModule } from './generated-module.ts';

const text = 'Hello, this is parley. I say back what I hear.';
const telephoneRate = 8000;
/** Telephones carry 300 to 3,400 Hz; what is higher would be folded down by the lower rate. */
const cutoffHz = 3400;
/** Full scale would be louder than people speak on the telephone. */
const peak = 16_000;

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    to: { type: 'string', default: join(root, 'src/talking/speech/echo/greeting.generated.ts') },
  },
});

/** The samples of a WAV file with 16 bits and one channel, as espeak-ng writes it. */
function readWav(wav: Buffer): { rate: number; pcm: Int16Array } {
  const data = wav.indexOf('data') + 8;
  const bytes = wav.subarray(data, wav.length - ((wav.length - data) % 2));
  return { rate: wav.readUInt32LE(24), pcm: new Int16Array(Uint8Array.from(bytes).buffer) };
}

/** A windowed sinc filter, evaluated where the new samples are. */
function resample(pcm: Int16Array, rate: number): Float64Array {
  const half = 40;
  const width = (2 * cutoffHz) / rate;
  const length = Math.floor((pcm.length * telephoneRate) / rate);
  return Float64Array.from({ length }, (_, index) => {
    const center = (index * rate) / telephoneRate;
    let sum = 0;
    for (let at = Math.ceil(center - half); at <= center + half; at += 1) {
      const x = at - center;
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * width * x) / (Math.PI * width * x);
      sum += (pcm[at] ?? 0) * width * sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / half));
    }
    return sum;
  });
}

const wav = execFileSync('espeak-ng', ['-v', 'en-us', '-s', '150', '--stdout', text]);
const { rate, pcm } = readWav(wav);
const spoken = resample(pcm, rate);
const loudest = spoken.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1);
const audio = encode(
  'PCMU',
  spoken.map((sample) => Math.round((sample * peak) / loudest)),
);
const module = `// Written by .build/generate-greeting.ts; it is "${text}" as 8 kHz µ-law.
export const greetingBase64 = '${Buffer.from(audio).toString('base64')}';
`;
writeModule(values.to, formatted(module, values.to), { source: 'its text', check: false });
