import type { Page } from 'playwright-core';

/** A WAV file of bursts of a tone, as a microphone's sound: 16 bit, 48 kHz. */
export function burstsAsWav({
  hertz,
  burstMs,
  everyMs,
  count,
}: Record<'hertz' | 'burstMs' | 'everyMs' | 'count', number>) {
  const rate = 48_000;
  const pcm = new Int16Array((count * everyMs * rate) / 1000);
  for (let at = 0; at < pcm.length; at++) {
    const inPeriodMs = ((at / rate) * 1000) % everyMs;
    if (inPeriodMs < burstMs) pcm[at] = Math.round(12_000 * Math.sin((2 * Math.PI * hertz * at) / rate));
  }
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + pcm.byteLength, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(pcm.byteLength, 40);
  return Buffer.concat([header, Buffer.from(pcm.buffer)]);
}

/** What the page heard of the microphone and what it played, on one clock; `clears` in milliseconds of it. */
export type Heard = { rate: number; microphone: number[]; played: number[]; clears: number[] };

/**
 * Records what goes into the page's worklet and comes out of it, every sixth sample, and when the server said that the agent was
 * interrupted. Runs through the debugger, which the page's policy does not concern.
 */
const recorder = `(() => {
  const heard = (window.heard = { rate: 0, microphone: [], played: [], clears: [] });
  const connect = AudioNode.prototype.connect;
  let context, merger, samples = 0;
  const open = (node) => {
    context = node.context;
    heard.rate = context.sampleRate / 6;
    merger = context.createChannelMerger(2);
    const script = context.createScriptProcessor(1024, 2, 1);
    script.onaudioprocess = ({ inputBuffer }) => {
      for (let at = samples % 6 === 0 ? 0 : 6 - (samples % 6); at < inputBuffer.length; at += 6) {
        heard.microphone.push(Math.round(inputBuffer.getChannelData(0)[at] * 1000) / 1000);
        heard.played.push(Math.round(inputBuffer.getChannelData(1)[at] * 1000) / 1000);
      }
      samples += inputBuffer.length;
    };
    connect.call(merger, script);
    connect.call(script, context.destination);
  };
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode) {
      if (this.context !== context) open(this);
      connect.call(this, merger, 0, 1);
    } else if (this instanceof MediaStreamAudioSourceNode) connect.call(this, merger, 0, 0);
    return connect.call(this, target, ...rest);
  };
  const add = WebSocket.prototype.addEventListener;
  WebSocket.prototype.addEventListener = function (type, listener, ...rest) {
    if (type === 'message') {
      add.call(this, 'message', ({ data }) => {
        if (typeof data === 'string' && JSON.parse(data).type === 'clear') heard.clears.push(heard.played.length);
      });
    }
    return add.call(this, type, listener, ...rest);
  };
})()`;

export const recordSound = (page: Page): Promise<unknown> => page.context().addInitScript(recorder);

/** Resolves when so many seconds are recorded. */
export const recorded = (page: Page, seconds: number): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const look = () => (window.heard.played.length > ${seconds} * window.heard.rate ? resolve() : requestAnimationFrame(look));
    look();
  })`);

export const heardIn = (page: Page): Promise<Heard> => page.evaluate<Heard>('window.heard');

/** Where sounds louder than `least` begin and end, in milliseconds; pauses shorter than `pauseMs` belong to them. */
export function soundsIn(samples: readonly number[], rate: number, { least = 0.02, pauseMs = 15 } = {}) {
  const sounds: Array<{ fromMs: number; toMs: number }> = [];
  for (const [at, sample] of samples.entries()) {
    if (Math.abs(sample) < least) continue;
    const ms = (at / rate) * 1000;
    const last = sounds.at(-1);
    if (last && ms - last.toMs < pauseMs) last.toMs = ms;
    else sounds.push({ fromMs: ms, toMs: ms });
  }
  return sounds;
}
