import type { Codec } from './g711.ts';

/** Hears both sides of an answered call. All audio is G.711 in the codec of the call. */
export type SoundTap = {
  answered(codec: Codec): void;
  /** What is heard of the other side. `atMs`: its place in the time since the answer. */
  heard(audio: Uint8Array, atMs: number): void;
  /** What is sent to the other side. */
  sent(audio: Uint8Array, atMs: number): void;
};

export const noTap: SoundTap = { answered: () => undefined, heard: () => undefined, sent: () => undefined };
