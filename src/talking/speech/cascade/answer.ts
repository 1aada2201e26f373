import { randomUUID } from 'node:crypto';
import { pause } from '../../../base/clock.ts';
import type { Line } from '../../../telephony/audio/speech.ts';
import { heardPart } from '../../conversation/interruption.ts';
import type { Said } from '../engine.ts';
import { createSentences } from './sentences.ts';
import { createSpeaker } from './speaker.ts';
import { speakable, withoutThoughts } from './spoken-text.ts';

export type AnswerParts = {
  line: Line;
  speak(this: void, text: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  said(this: void, said: Said): void;
  /** Keeps what was said for the model. */
  remember(this: void, text: string): void;
};

type Part = { text: string; ms: number };

const lengthOf = (parts: readonly Part[]): number => parts.reduce((sum, { ms }) => sum + ms, 0);

/** What was heard of sentences of which so much was sent; undefined: all. */
function heardOf(parts: readonly Part[], heardMs: number | undefined): string {
  if (heardMs === undefined) return parts.map(({ text }) => text).join(' ');
  const heard: string[] = [];
  let leftMs = heardMs;
  for (const { text, ms } of parts) {
    if (leftMs <= 0) break;
    heard.push(leftMs >= ms ? text : heardPart(text, leftMs / ms));
    leftMs -= ms;
  }
  const whole = heard.join(' ');
  return whole === '' || whole.endsWith('…') ? whole : `${whole}…`;
}

/** What the agent says without a pause, from its first word to its last. */
export type Answer = {
  item: string;
  signal: AbortSignal;
  /** The model's text, as it comes. */
  text(piece: string): void;
  /** The text is complete up to here, so its last sentence is, too. */
  flush(): void;
  /** Resolves when all sound is queued at the line. */
  finish(): Promise<void>;
  /** The first packet was sent. */
  begun(atMs: number): void;
  /** Of all sound so far, in milliseconds. */
  soundMs(): number;
  /** Tools are carried out, during which no sound is expected. */
  isUsingTools: boolean;
  /** Some of the text so far is still to be made into sound or sent. */
  isSpeaking(): boolean;
  /** Something of it is still to be made or sent. */
  isOpen(): boolean;
  /** Stops it; returns the milliseconds that were sent, or undefined if nothing was cut off. */
  interrupt(): number | undefined;
};

/** The line holds 60 s; an interruption throws away what waits. */
const maxQueuedMs = 20_000;
const roomPauseMs = 200;

export function createAnswer({ line, speak, said, remember }: AnswerParts): Answer {
  const item = randomUUID();
  const controller = new AbortController();
  const { signal } = controller;
  const thoughts = withoutThoughts();
  let sentences = createSentences();
  /** What was played so far: each sentence with its length. */
  const parts: Part[] = [];
  let beganMs: number | undefined;
  let isFinished = false;
  /** All text that has come is with the speaker. */
  let isFlushed = true;
  let heardMs: number | undefined;

  const speaker = createSpeaker(
    {
      speak: (text) => speak(text, signal),
      async play(audio, text) {
        while (line.queuedMs() > maxQueuedMs && !signal.aborted) await pause(roomPauseMs);
        if (signal.aborted) return;
        if (parts.at(-1)?.text !== text) parts.push({ text, ms: 0 });
        const part = parts.at(-1)!;
        part.ms += line.play(audio, item);
        tell();
      },
    },
    signal,
  );

  let told = '';
  function tell(): void {
    const text = heardOf(parts, heardMs);
    if (beganMs === undefined || text === told || text === '') return;
    told = text;
    remember(text);
    said({ id: item, role: 'agent', text, format: 'text', atMs: beganMs });
  }

  function add(sentence: string): void {
    const text = speakable(sentence);
    if (/[\p{L}\p{N}]/u.test(text)) speaker.add(text);
  }

  return {
    item,
    signal,
    text(piece) {
      if (signal.aborted) return;
      isFlushed = false;
      for (const sentence of sentences.push(thoughts.push(piece))) add(sentence);
    },
    flush() {
      for (const sentence of [...sentences.push(thoughts.end()), ...sentences.end()]) add(sentence);
      sentences = createSentences();
      isFlushed = true;
    },
    async finish() {
      try {
        await speaker.finish();
      } finally {
        isFinished = true;
      }
    },
    begun(atMs) {
      beganMs ??= atMs;
      tell();
    },
    soundMs: () => lengthOf(parts),
    isUsingTools: false,
    isSpeaking: () => !signal.aborted && (speaker.isBusy() || line.queuedMs() > 0),
    isOpen: () => !signal.aborted && (!isFinished || line.sentMs(item) < lengthOf(parts)),
    interrupt() {
      const sentMs = line.sentMs(item);
      // While a tool is carried out, everything that there was to say may have been heard.
      const wasComplete = isFinished || (isFlushed && !speaker.isBusy());
      controller.abort();
      if (wasComplete && sentMs >= lengthOf(parts)) return undefined;
      heardMs = sentMs;
      if (sentMs > 0) {
        told = '';
        tell();
      }
      return sentMs;
    },
  };
}
