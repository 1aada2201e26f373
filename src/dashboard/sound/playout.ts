import { decode, silentByte } from './mu-law.ts';
import { createResampler } from './resampler.ts';

/** What has come of the agent and is not played yet. */
export type Playout = {
  /** 20 ms of µ-law. */
  take(frame: Uint8Array): void;
  /** Fills it with what is played next, silence where nothing has come. */
  read(into: Float32Array): void;
  /** Drops what is not played. */
  clear(): void;
};

/** How much waits before it is played, so that frames may come unevenly: after each gap more. */
const [firstWaitMs, longerMs, maxWaitMs] = [60, 20, 200];
/** More than this beyond the wait is caught up with in silence, since the clocks of the two machines differ. */
const surplusMs = 20;
/** More than this is cut: the network has stood still. */
const maxQueuedMs = 600;

export function createPlayout(rate: number): Playout {
  const resample = createResampler(8000, rate);
  const ofMs = (ms: number): number => (ms * rate) / 1000;
  let parts: Float32Array[] = [];
  /** How much of the first part is played. */
  let offset = 0;
  let queued = 0;
  let waitMs = firstWaitMs;
  let isWaiting = true;

  function drop(): void {
    queued -= parts.shift()!.length - offset;
    offset = 0;
  }

  return {
    take(frame) {
      const isSilent = frame.every((byte) => byte === silentByte);
      if (isSilent && queued > ofMs(waitMs + surplusMs)) return;
      const part = resample(decode(frame));
      parts.push(part);
      queued += part.length;
      if (queued > ofMs(maxQueuedMs)) while (queued > ofMs(waitMs)) drop();
    },
    read(into) {
      into.fill(0);
      if (isWaiting && queued < ofMs(waitMs)) return;
      isWaiting = false;
      for (let at = 0; at < into.length;) {
        const part = parts[0];
        if (!part) {
          isWaiting = true;
          waitMs = Math.min(maxWaitMs, waitMs + longerMs);
          return;
        }
        const length = Math.min(into.length - at, part.length - offset);
        into.set(part.subarray(offset, offset + length), at);
        at += length;
        offset += length;
        queued -= length;
        if (offset === part.length) drop();
      }
    },
    clear() {
      parts = [];
      offset = 0;
      queued = 0;
      isWaiting = true;
    },
  };
}
