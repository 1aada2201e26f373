import type { Codec } from '../../../telephony/audio/g711.ts';
import { frameCutter } from '../../listening/frames.ts';
import { createVoiceActivity } from '../../listening/voice-activity.ts';

/** What the other side has said without a longer pause. */
export type Turn = {
  /** At 8 kHz, from shortly before the speech on. */
  pcm: Int16Array;
  speechMs: number;
  /** When the speech began, in milliseconds since the answer. */
  atMs: number;
};

export type TurnEvents = {
  /** Milliseconds of speech in the turn so far, whenever there is more. */
  speaks(speechMs: number): void;
  /** The pause after it is long enough. */
  ended(turn: Turn): void;
};

export type Turns = {
  hear(audio: Uint8Array, atMs: number): void;
  /** Ends the turn without waiting for its pause; undefined if nothing was said. */
  take(): Turn | undefined;
  /** Passes over what was said so far. */
  forget(): void;
  close(): void;
};

const frameMs = 20;
/** Sound before the speech is found, which begins softly, is part of the turn. */
const leadMs = 300;
/** A longer turn is cut, so that the memory of a call stays bounded: 480 KB. */
const maxTurnMs = 30_000;

export function joined(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Finds the turns of the other side by its voice. */
export function createTurns(codec: Codec, pauseMs: number, events: TurnEvents): Turns {
  const voice = createVoiceActivity();
  let frames: Int16Array[] = [];
  let speechMs = 0;
  let silenceMs = 0;
  let startedMs = 0;
  let nowMs = 0;

  function take(): Turn | undefined {
    const turn = { pcm: joined(frames), speechMs, atMs: startedMs };
    forget();
    return turn.speechMs === 0 ? undefined : turn;
  }

  function forget(): void {
    frames = [];
    speechMs = 0;
    silenceMs = 0;
  }

  function end(): void {
    const turn = take();
    if (turn) events.ended(turn);
  }

  const cut = frameCutter(codec, (frame, energy) => {
    const addedMs = voice.speechMs(frame, energy);
    frames.push(frame.slice());
    nowMs += frameMs;
    if (speechMs === 0 && addedMs === 0) {
      if (frames.length > leadMs / frameMs) frames.shift();
      return;
    }
    if (speechMs === 0) startedMs = Math.max(0, nowMs - addedMs);
    speechMs += addedMs;
    silenceMs = addedMs > 0 ? 0 : silenceMs + frameMs;
    if (addedMs > 0) events.speaks(speechMs);
    if (silenceMs >= pauseMs || frames.length * frameMs >= maxTurnMs) end();
  });

  return {
    hear(audio, atMs) {
      nowMs = atMs;
      cut(audio);
    },
    take,
    forget,
    close: () => voice.close(),
  };
}
