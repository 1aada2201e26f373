/** Sounds with which telephones are answered, drawn by a seed: half of the voices and texts to tune on, the other half to judge on. */
import { type Codec, encode } from '../../../src/telephony/audio/g711.ts';
import {
  between,
  join,
  mixed,
  msOf,
  music,
  noise,
  oneOf,
  type Random,
  randomOf,
  silence,
  sine,
  type Sound,
  spoken,
  type Voice,
} from './sounds.ts';
import { texts, variants } from './texts.ts';

export type Kind = 'hello' | 'greeting' | 'mailbox' | 'silence' | 'noise' | 'music';
export type Half = 'tune' | 'judge';

export type Answer = {
  kind: Kind;
  name: string;
  codec: Codec;
  audio: Uint8Array;
  /** When the greeting ends; of a mailbox, when its beep does. */
  endMs: number;
};

const halfOf = <T>(values: readonly T[], half: Half): T[] =>
  values.filter((_, index) => (index % 2 === 0) === (half === 'tune'));

/** How long one listens after the greeting. */
const afterMs = 4000;

function voiceOf(random: Random, half: Half, language: string): Voice {
  const name = `${language}+${oneOf(random, halfOf(variants, half))}`;
  return { name, wordsPerMinute: Math.round(between(random, 130, 200)), pitch: Math.round(between(random, 25, 75)) };
}

const peakOf = (random: Random): number => 32_768 * 10 ** (between(random, -22, -6) / 20);

/** Sentences with pauses of 200 to 600 ms between them. */
async function sentences(random: Random, text: string, voice: Voice, peak: number): Promise<Sound> {
  const parts: Sound[] = [];
  for (const sentence of text.split('|')) {
    if (parts.length > 0) parts.push(silence(between(random, 200, 600)));
    parts.push(await spoken(sentence, voice, peak));
  }
  return join(...parts);
}

type Made = { sound: Sound; endMs: number; name: string };

async function speech(random: Random, half: Half, kind: 'hello' | 'greeting' | 'mailbox'): Promise<Made> {
  const language = oneOf(random, Object.keys(texts) as Array<keyof typeof texts>);
  const text = oneOf(random, halfOf(texts[language][kind], half));
  const voice = voiceOf(random, half, language);
  const peak = peakOf(random);
  const parts = [silence(between(random, 100, 900)), await sentences(random, text, voice, peak)];
  let name = `${voice.name} ${voice.wordsPerMinute} ${voice.pitch}: ${text}`;
  if (kind === 'mailbox') {
    const [hertz, ms] = [Math.round(between(random, 440, 2000)), Math.round(between(random, 150, 1000))];
    parts.push(silence(between(random, 200, 600)), sine(hertz, ms, peak));
    name += ` [${hertz} Hz, ${ms} ms]`;
  }
  const greeting = join(...parts);
  return { sound: join(greeting, silence(afterMs)), endMs: msOf(greeting), name };
}

function wordless(random: Random, kind: 'silence' | 'noise' | 'music'): Made {
  const rms = 10 ** (between(random, 20, 60) / 20);
  const sounds = {
    silence: () => silence(10_000),
    noise: () => noise(random, 10_000, rms),
    music: () => music(random, 10_000),
  };
  return { sound: sounds[kind](), endMs: 0, name: kind === 'noise' ? `noise, rms ${Math.round(rms)}` : kind };
}

async function answer(random: Random, half: Half, kind: Kind): Promise<Answer> {
  const isSpoken = kind === 'hello' || kind === 'greeting' || kind === 'mailbox';
  const { sound, endMs, name } = isSpoken ? await speech(random, half, kind) : wordless(random, kind);
  const lineNoise = noise(random, msOf(sound), between(random, 0, 40));
  const codec = oneOf(random, ['PCMU', 'PCMA'] as const);
  return { kind, name, codec, endMs, audio: encode(codec, mixed(sound, lineNoise)) };
}

/** For each spoken kind as many sounds, and a tenth of that for each of the others. */
export async function corpus(seed: number, half: Half, count: number): Promise<Answer[]> {
  const random = randomOf(seed);
  const answers: Answer[] = [];
  for (const kind of ['hello', 'greeting', 'mailbox'] as const)
    for (let made = 0; made < count; made += 1) answers.push(await answer(random, half, kind));
  for (const kind of ['silence', 'noise', 'music'] as const)
    for (let made = 0; made < Math.max(2, count / 10); made += 1) answers.push(await answer(random, half, kind));
  return answers;
}
