import type { Codec } from './g711.ts';

/** The line as an engine sees it. All audio is G.711 in the codec of the call. */
export type Line = {
  codec: Codec;
  /** Queues audio to be sent. */
  play(audio: Uint8Array): void;
  /** Milliseconds that are queued and not yet sent. */
  queuedMs(): number;
};

/** The speech of an agent in one call. */
export type SpeechSession = {
  /** Audio of the other side, in order, with silence for lost packets; mostly 20 ms. */
  hear(audio: Uint8Array): void;
  /** Says the text next; false if this engine cannot. */
  say(text: string): boolean;
  close(): void;
};

/** A way of talking (`speech.engine`). */
export type SpeechEngine = {
  /** At the answer of the call. */
  open(line: Line): SpeechSession;
};
