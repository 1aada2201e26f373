import { randomUUID } from 'node:crypto';
import type { SpeechSettings } from '../settings.ts';
import { ask, textOf } from './requests.ts';
import { writeWav } from './wav.ts';

const sampleRate = 8000;
const maxAnswerBytes = 256 * 1024;

function multipart(boundary: string, fields: Record<string, string>, wav: Buffer): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="turn.wav"\r\nContent-Type: audio/wav\r\n\r\n`;
  return Buffer.concat([Buffer.from(parts.join('') + file), wav, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** Nobody speaks faster, so what is longer was not heard: in silence models hear "Thank you for watching". */
const maxCharactersPerSecond = 30;
const freeCharacters = 6;

export const isPlausible = (text: string, speechMs: number): boolean =>
  text.length <= freeCharacters + (speechMs / 1000) * maxCharactersPerSecond;

export type Heard = {
  /** At 8 kHz. */
  pcm: Int16Array;
  speechMs: number;
  language: string | null;
};

/**
 * What was said; empty if the service heard nothing, or words that do not fit into the time.
 * @throws Error when the service does not answer as it should
 */
export async function transcribe(
  { url, model, api_key: apiKey }: SpeechSettings['stt'],
  { pcm, speechMs, language }: Heard,
  signal: AbortSignal,
): Promise<string> {
  const boundary = randomUUID();
  const fields = {
    ...(model === null ? {} : { model }),
    response_format: 'json',
    ...(language === null ? {} : { language }),
  };
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const body = multipart(boundary, fields, writeWav(pcm, sampleRate));
  const answer = await ask(url!, { apiKey, contentType, body, signal });
  const { text } = JSON.parse(await textOf(answer.body, maxAnswerBytes)) as { text?: unknown };
  const said = typeof text === 'string' ? text.trim() : '';
  return isPlausible(said, speechMs) ? said : '';
}
