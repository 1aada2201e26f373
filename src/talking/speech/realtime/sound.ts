import { after } from '../../../base/clock.ts';
import { type Codec, decode, encode } from '../../../telephony/audio/g711.ts';
import { resampler } from '../../../telephony/audio/resample.ts';
import { pieceBytesOf } from '../turns.ts';

const serviceRate = 24_000;
const callRate = 8000;

/** 40 ms, and 100 ms, of G.711. */
const wantedBytes = 320;
const maxAppendBytes = 800;
/** A frame that no other follows goes alone. */
const maxWaitMs = 22;

/** Sound to the service, as it wants it: what came is collected and sent two frames at a time, since each message costs. */
export function createUplink(codec: Codec, audio: 'g711' | 'pcm', append: (base64: string) => void) {
  const up = audio === 'pcm' ? resampler(callRate, serviceRate) : undefined;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let cancel: (() => void) | undefined;

  function flush(): void {
    cancel?.();
    cancel = undefined;
    if (waiting.length === 0) return;
    const heard = Buffer.concat(waiting, waitingBytes);
    waiting = [];
    waitingBytes = 0;
    for (let at = 0; at < heard.length; at += maxAppendBytes) {
      const part = heard.subarray(at, at + maxAppendBytes);
      const bytes = up ? bytesOf(up.push(decode(codec, part))) : part;
      if (bytes.length > 0) append(bytes.toString('base64'));
    }
  }

  return {
    push(frame: Uint8Array): void {
      waiting.push(frame);
      waitingBytes += frame.length;
      if (waitingBytes >= wantedBytes) flush();
      else cancel ??= after(maxWaitMs, flush);
    },
    flush,
    stop(): void {
      cancel?.();
      cancel = undefined;
      waiting = [];
      waitingBytes = 0;
    },
  };
}

const bytesOf = (pcm: Int16Array): Buffer => Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);

/** Sound from the service, in the codec of the call. One for each item, whose pieces may be odd in bytes. */
export function createDownlink(codec: Codec, audio: 'g711' | 'pcm') {
  const down = audio === 'pcm' ? resampler(serviceRate, callRate) : undefined;
  const bytesPerMs = down ? 48 : 8;
  let rest: Buffer = Buffer.alloc(0);
  return {
    /** What should be converted at once. */
    pieceBytes: down ? pieceBytesOf(serviceRate) : Infinity,
    lengthMs: (bytes: number): number => bytes / bytesPerMs,
    push(bytes: Buffer): Uint8Array {
      if (!down) return bytes;
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const even = all.length - (all.length % 2);
      rest = all.subarray(even);
      // A copy, because samples of two bytes must begin at an even place in memory, which is little-endian wherever Node runs.
      const pcm = new Int16Array(Uint8Array.from(all.subarray(0, even)).buffer);
      return encode(codec, down.push(pcm));
    },
    /** The last few milliseconds. */
    end: (): Uint8Array => (down ? encode(codec, down.end()) : new Uint8Array()),
  };
}
