import { after, monotonicMs } from '../../../../base/clock.ts';
import type { Recordings } from '../../../../talking/recording/recordings.ts';
import { frameBytes, silenceByte } from '../../../../telephony/audio/g711.ts';
import type { HangUp } from '../../../../telephony/audio/speech.ts';
import { createPacer, type Pacer } from '../../../../telephony/media/pacer.ts';
import { playQueue } from '../../../../telephony/media/play-queue.ts';
import type { Agents } from './agents.ts';
import type { FromWebCall, ToWebCall } from './protocol.ts';

/** The sound of test calls, which comes and goes by way of the main thread, in µ-law. */
export type WebCalls = {
  receive(callId: string, event: ToWebCall): void;
  /** Milliseconds of sound that came too early and were dropped. */
  droppedMs(): number;
  close(): void;
};

type Parts = {
  agents: Agents;
  recordings: Recordings;
  post(this: void, callId: string, event: FromWebCall): void;
  log(this: void, fields: object, message: string): void;
};

type WebCall = { receive(event: Exclude<ToWebCall, { type: 'open' }>): void };
type Opening = Extract<ToWebCall, { type: 'open' }>;

const frameMs = 20;
/** What comes earlier than this is dropped; what has not come after this long is silence. */
const maxAheadMs = 200;
/** After a pause of the thread, the frames that are missing are sent at once, but not more than these. */
const maxCaughtUp = 10;
const silence = new Uint8Array(frameBytes).fill(silenceByte.PCMU);

export function createWebCalls(parts: Parts): WebCalls {
  const calls = new Map<string, WebCall>();
  const pacer = createPacer();
  let droppedMs = 0;

  return {
    receive(callId, event) {
      if (event.type !== 'open') return calls.get(callId)?.receive(event);
      const call = openCall(callId, event, pacer, {
        ...parts,
        dropped: (ms) => void (droppedMs += ms),
        over: () => calls.delete(callId),
      });
      calls.set(callId, call);
    },
    droppedMs: () => droppedMs,
    close: () => pacer.stop(),
  };
}

type CallParts = Parts & { dropped(this: void, ms: number): void; over(this: void): void };

/** Lays down what comes by the time since the opening: an engine hears one frame every 20 ms, silence where none has come. */
function hearing(now: () => number, hear: (frame: Uint8Array, atMs: number) => void, dropped: (ms: number) => void) {
  let [heardMs, droppedMs] = [0, 0];
  const take = (frame: Uint8Array): void => {
    hear(frame, heardMs);
    heardMs += frameMs;
  };
  return {
    take(audio: Uint8Array): void {
      for (let at = 0; at < audio.length; at += frameBytes) {
        if (heardMs > now() + maxAheadMs) {
          droppedMs += frameMs;
          dropped(frameMs);
        } else take(audio.subarray(at, at + frameBytes));
      }
    },
    droppedMs: () => droppedMs,
    fillUp(): void {
      while (heardMs + maxAheadMs < now()) take(silence);
    },
  };
}

function noteDropped(log: Parts['log'], callId: string, droppedMs: number): void {
  if (droppedMs === 0) return;
  log({ callId, droppedMs }, 'sound of a test call came more than 200 ms ahead of time and was dropped');
}

function openCall(
  callId: string,
  { agent, recording, maxDurationMs }: Opening,
  pacer: Pacer,
  parts: CallParts,
): WebCall {
  const { agents, recordings, post, log, dropped, over } = parts;
  const openedMs = monotonicMs();
  const now = (): number => monotonicMs() - openedMs;
  agents.expect(callId, agent);
  if (recording !== null) recordings.expect(callId, recording);
  const speech = agents.open(callId);
  const tap = recordings.tapOf(callId);
  const queue = playQueue(silenceByte.PCMU);
  const ear = hearing(
    now,
    (frame, atMs) => {
      tap.heard(frame, atMs);
      speech.hear(frame, atMs);
    },
    dropped,
  );
  let sentMs = 0;
  let hangUp: HangUp | undefined;
  let isOver = false;

  function end(how: HangUp | null): void {
    if (isOver) return;
    isOver = true;
    cancelLimit();
    removeFromPacer();
    over();
    noteDropped(log, callId, ear.droppedMs());
    const facts = agents.end(callId);
    const ended: FromWebCall = { type: 'ended', hangUp: how, talkedMs: now(), speech: facts };
    const recorded = recordings.end(callId);
    if (recorded) void recorded.then(() => post(callId, ended));
    else post(callId, ended);
  }

  function sendFrame(): void {
    const audio = queue.take();
    if (audio) tap.sent(audio, sentMs);
    post(callId, { type: 'frame', audio: Uint8Array.from(audio ?? silence) });
    sentMs += frameMs;
  }

  function tick(_nowMs: number, skipped: number): void {
    ear.fillUp();
    for (let frames = Math.min(skipped, maxCaughtUp) + 1; frames > 0; frames -= 1) sendFrame();
    for (const item of queue.begun()) speech.sending(item);
    if (hangUp && queue.queuedBytes() === 0) end(hangUp);
  }

  tap.answered('PCMU');
  speech.answered({
    codec: 'PCMU',
    play: (audio, item) => queue.add(audio, item) / 8,
    clear() {
      post(callId, { type: 'clear' });
      return queue.clear() / 8;
    },
    sentMs: (item) => queue.sentBytes(item) / 8,
    queuedMs: () => queue.queuedBytes() / 8,
    sendKeys: () => false,
    hangUp(how) {
      if (how.afterPlayed === true && queue.queuedBytes() > 0) hangUp = how;
      else end(how);
    },
    transfer: () => Promise.resolve('this is a test call'),
  });
  const cancelLimit = after(maxDurationMs, () => end({ status: 'completed', errorMessage: null }));
  const removeFromPacer = pacer.add(tick);

  return {
    receive(event) {
      if (event.type === 'audio') ear.take(event.audio);
      else if (event.type === 'key') speech.key(event.digit);
      else if (event.type === 'text') speech.typed(event.text);
      else end(null);
    },
  };
}
