import { after, every } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { appLocal } from '../../kernel/node.ts';
import type { EventReceiver, EventStream } from '../../kernel/route.ts';
import { createSamplers, type Watcher } from './samplers.ts';
import type { Topic } from './topics.ts';

export type StreamRequest = {
  orgId: string;
  /** The caller whose streams are counted together: a session, a key, or all tokens of one key or person. */
  owner: string;
  topics: readonly Topic[];
  /** Whether the caller's session, key or token is still valid. */
  stillAllowed: () => Promise<boolean>;
};

export type Live = {
  /** @throws unavailable when there are too many streams */
  open(request: StreamRequest): EventStream;
  /** Ends all streams, because the server is stopping. */
  close(): void;
};

const maxStreams = 500;
const maxStreamsPerOwner = 20;
/** Real time between two comments, which keep proxies from closing a silent connection. */
const commentEveryMs = 15_000;
/** Real time between two checks whether a stream's session, key or token is still valid; a stream ends at most this long after it. */
const recheckEveryMs = 5000;
/** Checks in a row after which a reader that received nothing is cut off, here a minute: it would keep a place from others for ever. */
const maxStalledChecks = 12;
/** How long a reader may take to receive the last event. */
const byeMs = 1000;

type Bye = 'stopping' | 'session over' | 'gone';

/** The open streams of this process. */
export const liveOf: (app: App) => Live = appLocal((app) => createLive(app, recheckEveryMs));

export function createLive(app: App, recheckMs: number): Live {
  const samplers = createSamplers(app);
  const streams = new Set<{ bye(reason: Bye): void }>();
  const reserve = streamPlaces();

  function follow({ orgId, topics, stillAllowed }: StreamRequest, receiver: EventReceiver, free: () => void) {
    /**
     * The latest event of each topic that the reader has not received yet. Older ones are dropped, so that a slow reader costs one event
     * per topic.
     */
    const waiting = new Map<string, string>();
    let isReady = true;
    let stalledChecks = 0;
    const flush = (): void => {
      for (const [topic, text] of waiting) {
        if (!isReady) return;
        waiting.delete(topic);
        isReady = receiver.write(text);
      }
    };
    const watcher: Watcher = {
      receive(topic, text) {
        waiting.set(topic, text);
        flush();
      },
      gone: () => stream.bye('gone'),
    };
    const stream = {
      bye(reason: Bye): void {
        leave();
        if (!isReady) return receiver.destroy(); // a reader that receives nothing must not delay the stop of the server
        receiver.write(`event: bye\ndata: ${JSON.stringify({ reason })}\n\n`);
        receiver.end();
        after(byeMs, () => receiver.destroy());
      },
    };
    const stops = [
      every(commentEveryMs, () => void (isReady &&= receiver.write(': alive\n\n'))),
      every(recheckMs, () => void recheck()),
      free,
      ...topics.map((topic) => samplers.watch(orgId, topic, watcher)),
    ];
    async function recheck(): Promise<void> {
      stalledChecks = isReady ? 0 : stalledChecks + 1;
      if (stalledChecks >= maxStalledChecks) {
        leave();
        return receiver.destroy();
      }
      try {
        if (!(await stillAllowed()) && streams.has(stream)) stream.bye('session over');
      } catch (error) {
        app.log.warn({ err: error }, 'the credentials of a live stream could not be checked; the next check decides');
      }
    }
    function leave(): void {
      if (!streams.delete(stream)) return;
      for (const stop of stops) stop();
    }
    streams.add(stream);
    return {
      drained(): void {
        isReady = true;
        stalledChecks = 0;
        flush();
      },
      leave,
    };
  }

  return {
    open(request) {
      const free = reserve(request.owner);
      return { follow: (receiver) => follow(request, receiver, free) };
    },
    close() {
      for (const stream of streams) stream.bye('stopping');
    },
  };
}

/** Returns a function that takes a place for a stream of an owner, and returns the function that frees it. */
function streamPlaces(): (owner: string) => () => void {
  const countOf = new Map<string, number>();
  const total = (): number => [...countOf.values()].reduce((sum, count) => sum + count, 0);
  return (owner) => {
    const count = countOf.get(owner) ?? 0;
    if (count >= maxStreamsPerOwner || total() >= maxStreams) throw tooMany(count >= maxStreamsPerOwner);
    countOf.set(owner, count + 1);
    return () => {
      const left = countOf.get(owner)! - 1;
      if (left === 0) countOf.delete(owner);
      else countOf.set(owner, left);
    };
  };
}

const tooMany = (ofOwner: boolean): AppError =>
  new AppError(
    'unavailable',
    ofOwner
      ? `This session, key or token has ${maxStreamsPerOwner} streams open already. Close one, or watch several topics in one stream.`
      : 'The server has too many streams open at the moment. Try again later.',
    { headers: { 'Retry-After': '5' } },
  );
