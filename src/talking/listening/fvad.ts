import { readFileSync } from 'node:fs';
import { getRawAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';

/** The asset name under which `.build/package.ts` embeds the code in the executable. */
const assetName = 'fvad.wasm';

/**
 * The exports of the package's `fvad.wasm`, under the names that its compiler gave them. The package's own loader is passed over, because
 * it looks for its file by `import.meta.url`, which the single executable does not have.
 */
type Exports = {
  c: { buffer: ArrayBuffer; grow: (pages: number) => number };
  d: () => void;
  e: () => number;
  f: (bytes: number) => number;
  h: (detector: number) => void;
  j: (detector: number, mode: number) => number;
  k: (detector: number, rate: number) => number;
  l: (detector: number, samples: number, length: number) => number;
};

/** The part of the standard that is used here; TypeScript has it only among the types of browsers. */
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object, imports: Record<string, Record<string, unknown>>) => { exports: unknown };
};

/** The most aggressive mode: it takes the least noise for speech. */
const mode = 3;
const sampleRate = 8000;
const pageBytes = 65_536;
/** Bytes for the samples of one frame of at most 30 ms. */
const frameBytes = 2 * 240;

const codeOfCheckout = (): Buffer =>
  readFileSync(fileURLToPath(import.meta.resolve('@echogarden/fvad-wasm/fvad.wasm')));

function instantiate(): { code: Exports; samplesAt: number; samples(this: void): Int16Array } {
  const module = new WebAssembly.Module(
    isSea() ? new Uint8Array(getRawAsset(assetName)) : new Uint8Array(codeOfCheckout()),
  );
  const { exports } = new WebAssembly.Instance(module, {
    a: {
      a: () => {
        throw new Error('voice activity detection failed an assertion');
      },
      b: (bytes: number) => {
        code.c.grow(Math.ceil((bytes - code.c.buffer.byteLength) / pageBytes));
        return 1;
      },
    },
  });
  const code = exports as Exports;
  code.d();
  const samplesAt = code.f(frameBytes);
  let samples = new Int16Array(code.c.buffer, samplesAt);
  return {
    code,
    samplesAt,
    /** Where frames are written; memory that has grown is at another place. */
    samples: () => (samples.length > 0 ? samples : (samples = new Int16Array(code.c.buffer, samplesAt))),
  };
}

let shared: ReturnType<typeof instantiate> | undefined;

/** WebRTC's voice activity detection. It takes noise and tones for speech as well. */
export type Fvad = {
  /** Whether a frame of 10, 20 or 30 ms at 8 kHz sounds like speech. */
  isSpeech(frame: Int16Array): boolean;
  /** Frees its memory, which is shared by all detectors of the thread. */
  close(): void;
};

export function createFvad(): Fvad {
  shared ??= instantiate();
  const { code, samplesAt, samples } = shared;
  const detector = code.e();
  code.j(detector, mode);
  code.k(detector, sampleRate);
  return {
    isSpeech(frame) {
      samples().set(frame);
      return code.l(detector, samplesAt, frame.length) === 1;
    },
    close: () => code.h(detector),
  };
}
