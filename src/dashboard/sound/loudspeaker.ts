import { decode, silentByte } from './mu-law.ts';
import { createResampler } from './resampler.ts';

/** The name of the worklet's file, which the build puts here. */
declare const workletFile: string;

/** What plays the agent and, where the browser allows it, hears the person. Frames are 20 ms of µ-law. */
export type Sound = {
  play(frame: Uint8Array): void;
  /** Drops what is not played. */
  clear(): void;
  /** Gives the microphone's frames to `send`; undefined where there are none to have, as on plain http to another machine. */
  listen: ((microphone: MediaStream, send: (frame: Uint8Array) => void) => void) | undefined;
  close(): void;
};

/** To be called when somebody has clicked, because browsers are silent before. */
export async function openSound(): Promise<Sound> {
  const context = new AudioContext({ latencyHint: 'interactive' });
  const close = (): void => void context.close().catch(() => undefined);
  try {
    await context.resume();
    // Browsers have worklets in secure contexts alone.
    return 'audioWorklet' in context ? await inWorklet(context, close) : scheduled(context, close);
  } catch (error) {
    close();
    throw error;
  }
}

async function inWorklet(context: AudioContext, close: () => void): Promise<Sound> {
  await context.audioWorklet.addModule(new URL(workletFile, import.meta.url));
  const node = new AudioWorkletNode(context, 'telephone', { outputChannelCount: [1], channelCount: 1 });
  node.connect(context.destination);
  let source: MediaStreamAudioSourceNode | undefined;
  return {
    play: (frame) => node.port.postMessage(frame, [frame.buffer]),
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has one other end
    clear: () => node.port.postMessage('clear'),
    listen(microphone, send) {
      node.port.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => send(data));
      node.port.start();
      source = context.createMediaStreamSource(microphone);
      source.connect(node);
    },
    close() {
      source?.disconnect();
      close();
    },
  };
}

/** How far ahead a frame is played that comes after a gap, and how much may wait before silence is left out. */
const [aheadSec, maxAheadSec] = [0.08, 0.25];

/** Frame after frame as a source of its own: without a worklet there is no other way that the main thread's pauses do not break. */
function scheduled(context: AudioContext, close: () => void): Sound {
  const resample = createResampler(8000, context.sampleRate);
  const playing = new Set<AudioBufferSourceNode>();
  let until = 0;
  return {
    play(frame) {
      const now = context.currentTime;
      if (until - now > maxAheadSec && frame.every((byte) => byte === silentByte)) return;
      const samples = resample(decode(frame));
      const buffer = context.createBuffer(1, Math.max(1, samples.length), context.sampleRate);
      buffer.getChannelData(0).set(samples);
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(context.destination);
      source.addEventListener('ended', () => playing.delete(source));
      if (until < now) until = now + aheadSec;
      source.start(until);
      playing.add(source);
      until += samples.length / context.sampleRate;
    },
    clear() {
      for (const source of playing) source.stop();
      until = 0;
    },
    listen: undefined,
    close,
  };
}
