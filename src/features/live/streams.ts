import { after, every } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import { nodeState } from '../../kernel/node.ts';
import type { EventReceiver, EventStream } from '../../kernel/route.ts';
import { createBacklog } from './backlog.ts';
import { startFeed } from './feed.ts';
import { streamSlots } from './stream-slots.ts';
import { createSamplers, type Watcher } from './samplers.ts';
import { createSpread } from './spread.ts';
import type { Topic } from './topics.ts';

export type StreamRequest = {
  orgId: string;
  /** The caller whose streams are counted together: a session, a key, or all tokens of one key or person. */
  owner: string;
  topics: readonly Topic[];
  /** Behind which event the topic `events` begins, if it is followed: `gone` when there is no such event any more. */
  eventsBehind?: number | 'gone';
  /** Whether the caller's session, key or token is still valid. */
  stillAllowed: () => Promise<boolean>;
};

export type Live = {
  /** @throws unavailable when there are too many streams */
  open(request: StreamRequest): EventStream;
  /** Ends all streams, because the server is stopping. */
  close(): void;
};

/**
 * Real time between two comments, which keep proxies from closing a silent connection. One comes at least every 15 s (docs/api/live.md).
 */
const commentEveryMs = 10_000;
/** Real time between two checks whether a stream's session, key or token is still valid; a stream ends at most this long after it. */
const recheckEveryMs = 5000;
/** Checks in a row after which a reader that received nothing is cut off, here a minute: it would keep a slot from others forever. */
const maxStalledChecks = 12;
/** How long a reader may take to receive the last event. */
const byeMs = 1000;
/** The same for a reader that was slow: it should learn why the stream ends. */
const slowByeMs = 30_000;

type Stream = ReturnType<EventStream['follow']> & { bye(reason: Bye): void };

type Bye = 'stopping' | 'session over' | 'too many' | 'gone' | 'slow';

function sayBye(receiver: EventReceiver, reason: Bye, isReady: boolean): void {
  const isSlow = reason === 'slow';
  if (!isReady && !isSlow) return receiver.destroy(); // a reader that receives nothing must not delay the stop of the server
  receiver.write(`event: bye\ndata: ${JSON.stringify({ reason })}\n\n`);
  receiver.end();
  after(isSlow ? slowByeMs : byeMs, () => receiver.destroy());
}

/** The open streams of this process. */
export const liveOf: (app: App) => Live = nodeState('liveStreams', (app) => createLive(app, recheckEveryMs));

export function createLive(app: App, recheckMs: number): Live {
  const samplers = createSamplers(app);
  const spread = createSpread();
  const streams = new Set<Stream>();
  const reserve = streamSlots();

  function follow(
    { orgId, topics, eventsBehind, stillAllowed }: StreamRequest,
    receiver: EventReceiver,
    free: () => void,
  ): Stream {
    const backlog = createBacklog(receiver, spread);
    let stalledChecks = 0;
    const watcher: Watcher = {
      receive: backlog.add,
      gone: () => stream.bye('gone'),
    };
    const stream: Stream = {
      bye(reason) {
        leave();
        sayBye(receiver, reason, backlog.isReady());
      },
      drained() {
        stalledChecks = 0;
        backlog.drained();
        feed?.drained();
      },
      leave,
    };
    const slow = (): void => stream.bye('slow');
    const feed =
      typeof eventsBehind === 'number'
        ? startFeed(app, orgId, eventsBehind, { isReady: backlog.isReady, write: backlog.write, slow })
        : undefined;
    const stops = [
      () => feed?.stop(),
      every(commentEveryMs, backlog.comment),
      every(recheckMs, () => void recheck()),
      free,
      ...topics.map((topic) => samplers.watch(orgId, topic, watcher)),
    ];
    async function recheck(): Promise<void> {
      stalledChecks = backlog.isReady() ? 0 : stalledChecks + 1;
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
      backlog.clear();
      for (const stop of stops) stop();
    }
    streams.add(stream);
    backlog.flush(); // sends the last events of topics that others watch already
    if (eventsBehind === 'gone') stream.bye('gone');
    else if (feed) backlog.comment(); // the headers go out with the first bytes, and the first event may take hours
    return stream;
  }

  return {
    open(request) {
      let stream: Stream | undefined;
      const { orgId, owner } = request;
      const free = reserve({ orgId, owner, evict: () => stream?.bye('too many') });
      return {
        follow(receiver) {
          stream = follow(request, receiver, free);
          return stream;
        },
      };
    },
    close() {
      for (const stream of streams) stream.bye('stopping');
    },
  };
}
