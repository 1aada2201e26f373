import { readFile } from 'node:fs/promises';
import { writePrivateFile } from '../../../base/files.ts';
import { type Codec, samples } from '../../../telephony/audio/g711.ts';
import { bytesPerMs, wavHeaderBytes } from '../../../talking/recording/wav.ts';

/** How loud both sides of a recording are over time: the largest sample in each of equal parts, 0 to 255. */
export type Envelope = { durationMs: number; person: number[]; agent: number[] };

type Sound = { codec: Codec; size: number; read(this: void, from: number, to: number): AsyncIterable<Buffer> };

/** The most points that are asked for; what is kept has as many. */
const keptPoints = 2000;

/** 0 to 255 of each byte of G.711. */
const loudnessOf = (codec: Codec): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => Math.min(255, Math.floor(Math.abs(samples[codec][byte]!) / 128)));

/** Reads a file of a minute in some 10 ms, in chunks between which others have their turn. */
async function measured({ codec, size, read }: Sound): Promise<Envelope> {
  const loudness = loudnessOf(codec);
  const count = Math.floor((size - wavHeaderBytes) / 2);
  const points = Math.max(1, Math.min(keptPoints, count));
  const sides = [new Uint8Array(points), new Uint8Array(points)] as const;
  let at = 0;
  for await (const chunk of read(wavHeaderBytes, wavHeaderBytes + count * 2)) {
    for (const byte of chunk) {
      const side = sides[at % 2]!;
      const point = Math.floor(((at >> 1) * points) / count);
      const value = loudness[byte]!;
      if (value > side[point]!) side[point] = value;
      at += 1;
    }
  }
  return { durationMs: Math.round((count * 2) / bytesPerMs), person: [...sides[0]], agent: [...sides[1]] };
}

/** The envelope at its finest: that in `file`, or one that is made now and kept there. */
export async function keptEnvelope(file: string | null, sound: Sound): Promise<Envelope> {
  if (file === null) return measured(sound);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Envelope;
  } catch {
    const envelope = await measured(sound);
    writePrivateFile(file, JSON.stringify(envelope), { durable: false });
    return envelope;
  }
}

/** With at most so many points. */
export function reduced({ durationMs, person, agent }: Envelope, points: number): Envelope {
  const of = (side: readonly number[]): number[] => {
    if (side.length <= points) return [...side];
    const less = Array.from({ length: points }, () => 0);
    for (const [at, value] of side.entries()) {
      const point = Math.floor((at * points) / side.length);
      less[point] = Math.max(less[point]!, value);
    }
    return less;
  };
  return { durationMs, person: of(person), agent: of(agent) };
}
