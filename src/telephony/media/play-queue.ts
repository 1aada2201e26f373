import { frameBytes } from '../audio/g711.ts';

/** Audio that waits to be sent, in the codec of the call. Keeps references: what was queued must not be changed. */
export type PlayQueue = {
  add(audio: Uint8Array): void;
  /** The next 20 ms, filled up with silence at the end; undefined when nothing is queued. */
  take(): Uint8Array | undefined;
  queuedBytes(): number;
};

/** 60 s. What an engine sends faster than that is cut, so that the memory of a call stays bounded. */
const maxQueuedBytes = 60 * 8000;

export function playQueue(silence: number): PlayQueue {
  const chunks: Uint8Array[] = [];
  /** Bytes of the first chunk that are sent. */
  let offset = 0;
  let queued = 0;

  function drop(bytes: number): void {
    offset += bytes;
    queued -= bytes;
    if (offset < chunks[0]!.length) return;
    chunks.shift();
    offset = 0;
  }

  function join(): Uint8Array {
    const frame = new Uint8Array(frameBytes).fill(silence);
    for (let filled = 0; filled < frameBytes && chunks.length > 0;) {
      const part = chunks[0]!.subarray(offset, offset + frameBytes - filled);
      frame.set(part, filled);
      filled += part.length;
      drop(part.length);
    }
    return frame;
  }

  return {
    add(audio) {
      const part = audio.subarray(0, maxQueuedBytes - queued);
      if (part.length === 0) return;
      chunks.push(part);
      queued += part.length;
    },
    take() {
      if (chunks.length === 0) return undefined;
      const whole = chunks[0]!.subarray(offset, offset + frameBytes);
      if (whole.length < frameBytes) return join();
      drop(frameBytes);
      return whole;
    },
    queuedBytes: () => queued,
  };
}
