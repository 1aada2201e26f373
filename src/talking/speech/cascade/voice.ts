import { type Codec, encode } from '../../../telephony/audio/g711.ts';
import { resampler, type Resampler } from '../../../telephony/audio/resample.ts';
import type { SpeechSettings } from '../settings.ts';
import { nextTurn, pieceBytesOf } from '../turns.ts';
import { ask, named, ServiceError, textOf } from './requests.ts';
import { readWavHeader } from './wav.ts';

const telephoneRate = 8000;
/** A body comes in chunks of up to 64 KiB; most voices have 24 kHz. */
const pieceBytes = pieceBytesOf(24_000);
/** Services that refuse `pcm` and are asked for `wav` from then on, by their URL. */
const wavOnly = new Set<string>();

/** The first bytes of files that are neither PCM nor WAV: played as PCM, they would be loud noise. */
const otherFiles = ['ID3', 'OggS', 'fLaC', '<!DO', '<htm', '<?xm'];

/** Turns the bytes of 16-bit samples, cut anywhere, into G.711. What begins with `RIFF` is a WAV file with its own rate. */
export function soundReader(codec: Codec, rate: number) {
  let rest: Buffer = Buffer.alloc(0);
  let format: { rate: number; channels: number } | undefined;
  let convert: Resampler | undefined;

  function begin(): boolean {
    if (rest.length < 4) return false;
    const start = rest.toString('latin1', 0, 4);
    if (otherFiles.some((other) => start.startsWith(other)))
      throw new ServiceError('the voice service answered neither PCM nor WAV');
    if (start !== 'RIFF') {
      format = { rate, channels: 1 };
      return true;
    }
    const header = readWavHeader(rest);
    if (!header) return false;
    format = header;
    rest = rest.subarray(header.dataAt);
    return true;
  }

  /** The samples that are complete; of several channels the first. */
  function samples(channels: number): Int16Array {
    const bytes = 2 * channels;
    const pcm = new Int16Array(Math.floor(rest.length / bytes));
    for (let at = 0; at < pcm.length; at += 1) pcm[at] = rest.readInt16LE(at * bytes);
    rest = rest.subarray(pcm.length * bytes);
    return pcm;
  }

  return {
    push(chunk: Buffer): Uint8Array {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (!format && !begin()) return new Uint8Array();
      const pcm = samples(format!.channels);
      if (format!.rate === telephoneRate) return encode(codec, pcm);
      convert ??= resampler(format!.rate, telephoneRate);
      return encode(codec, convert.push(pcm));
    },
    end: (): Uint8Array => (convert ? encode(codec, convert.end()) : new Uint8Array()),
  };
}

/** Servers are careless with the names of sound, but text and JSON are none. */
const mayBeSound = (contentType: string): boolean =>
  !/^(?:text\/|application\/(?:[a-z.+-]*json|xml))/i.test(contentType);
const maxReasonBytes = 65_536;
const maxReasonCharacters = 300;

export type Sentence = { text: string; voice: string | null; codec: Codec };

/**
 * Has a sentence spoken; its sound comes piece by piece, in G.711.
 * @throws Error when the service does not answer as it should
 */
export async function* speak(
  settings: SpeechSettings['tts'],
  { text, voice, codec }: Sentence,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { url, model, api_key: apiKey, sample_rate: rate } = settings;
  const format = wavOnly.has(url!) ? 'wav' : 'pcm';
  const body = JSON.stringify({
    ...named(model),
    input: text,
    ...(voice === null ? {} : { voice }),
    response_format: format,
  });
  let answer;
  try {
    answer = await ask(url!, { apiKey, contentType: 'application/json', body, signal });
  } catch (error) {
    const isRefused = error instanceof ServiceError && (error.status === 400 || error.status === 422);
    if (!isRefused || format === 'wav') throw error;
    wavOnly.add(url!);
    return yield* speak(settings, { text, voice, codec }, signal);
  }
  if (!mayBeSound(answer.contentType)) {
    const reason = (await textOf(answer.body, maxReasonBytes)).slice(0, maxReasonCharacters);
    throw new ServiceError(`the voice service answered ${answer.contentType}: ${reason}`);
  }
  const reader = soundReader(codec, rate);
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      if (at > 0) await nextTurn();
      yield reader.push(chunk.subarray(at, at + pieceBytes));
    }
  }
  yield reader.end();
}
