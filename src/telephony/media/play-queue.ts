import { frameBytes } from '../audio/g711.ts';

/** Audio that waits to be sent, in the codec of the call. Keeps references: what was queued must not be changed. */
export type PlayQueue = {
  /** Returns the bytes taken: 60 s may wait. */
  add(audio: Uint8Array, item: string): number;
  /** The next 20 ms, filled up with silence at the end; undefined when nothing is queued. */
  take(): Uint8Array | undefined;
  /** Drops everything; returns the bytes dropped. */
  clear(): number;
  queuedBytes(): number;
  /** Bytes that were taken of an item; 0 for an item that was forgotten. */
  sentBytes(item: string): number;
  /** Items whose first audio was taken since the last question. */
  begun(): string[];
};

/** 60 s. What an engine sends faster than that is cut, so that the memory of a call stays bounded. */
const maxQueuedBytes = 60 * 8000;

/** Pieces that are shorter than a frame are joined, up to this length: a queue of a byte each would take a hundred times its sound. */
const maxJoinedBytes = 10 * frameBytes;
/** A minute of whole frames, and some. */
const maxChunks = 4000;

/** The items whose sent audio is remembered: only the last one or two are asked about. */
const maxItems = 32;

export function playQueue(silence: number): PlayQueue {
  const chunks: Array<{ audio: Uint8Array; item: string }> = [];
  const sent = new Map<string, number>();
  let begun: string[] = [];
  /** Bytes of the first chunk that are sent. */
  let offset = 0;
  let queued = 0;

  function count(item: string, bytes: number): void {
    const before = sent.get(item);
    sent.set(item, (before ?? 0) + bytes);
    if (before !== undefined) return;
    begun.push(item);
    if (sent.size > maxItems) sent.delete(sent.keys().next().value!);
  }

  function drop(bytes: number): void {
    const { audio, item } = chunks[0]!;
    count(item, bytes);
    offset += bytes;
    queued -= bytes;
    if (offset < audio.length) return;
    chunks.shift();
    offset = 0;
  }

  function join(): Uint8Array {
    const frame = new Uint8Array(frameBytes).fill(silence);
    for (let filled = 0; filled < frameBytes && chunks.length > 0;) {
      const part = chunks[0]!.audio.subarray(offset, offset + frameBytes - filled);
      frame.set(part, filled);
      filled += part.length;
      drop(part.length);
    }
    return frame;
  }

  return {
    add(audio, item) {
      const part = audio.subarray(0, maxQueuedBytes - queued);
      if (part.length === 0) return 0;
      const last = chunks.at(-1);
      if (part.length < frameBytes && last?.item === item && last.audio.length < maxJoinedBytes) {
        last.audio = Buffer.concat([last.audio, part]);
      } else if (chunks.length >= maxChunks) return 0;
      else chunks.push({ audio: part, item });
      queued += part.length;
      return part.length;
    },
    take() {
      if (chunks.length === 0) return undefined;
      const whole = chunks[0]!.audio.subarray(offset, offset + frameBytes);
      if (whole.length < frameBytes) return join();
      drop(frameBytes);
      return whole;
    },
    clear() {
      const dropped = queued;
      chunks.length = 0;
      offset = 0;
      queued = 0;
      return dropped;
    },
    queuedBytes: () => queued,
    sentBytes: (item) => sent.get(item) ?? 0,
    begun() {
      const items = begun;
      if (items.length > 0) begun = [];
      return items;
    },
  };
}
