import { encode } from './mu-law.ts';
import { createPlayout } from './playout.ts';
import { createResampler } from './resampler.ts';

/**
 * Runs in the browser's audio thread: plays the agent's frames and makes frames of the microphone. A file of its own, because a worklet
 * loads one (.build/dashboard.ts).
 */

declare const sampleRate: number;
declare const registerProcessor: (name: string, processor: new () => object) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

const frameBytes = 160;

/** Calls `send` with each 20 ms of what it is given. */
function frameMaker(send: (frame: Uint8Array) => void): (part: Float32Array) => void {
  const resample = createResampler(sampleRate, 8000);
  let frame = new Uint8Array(frameBytes);
  let length = 0;
  return (part) => {
    for (const sample of resample(part)) {
      frame[length++] = encode(sample);
      if (length < frameBytes) continue;
      send(frame);
      [frame, length] = [new Uint8Array(frameBytes), 0];
    }
  };
}

registerProcessor(
  'telephone',
  // A class, because the browser makes it.
  class extends AudioWorkletProcessor {
    readonly #playout = createPlayout(sampleRate);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has one other end
    readonly #hear = frameMaker((frame) => this.port.postMessage(frame));

    constructor() {
      super();
      this.port.addEventListener('message', ({ data }: MessageEvent<Uint8Array | 'clear'>) => {
        if (data === 'clear') this.#playout.clear();
        else this.#playout.take(data);
      });
      this.port.start();
    }

    process([microphone]: Float32Array[][], [output]: Float32Array[][]): boolean {
      const [heard] = microphone!;
      if (heard) this.#hear(heard);
      this.#playout.read(output![0]!);
      return true;
    }
  },
);
