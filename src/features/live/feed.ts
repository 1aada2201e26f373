import { isoOf, nextMacrotask } from '../../base/clock.ts';
import { synced } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { eventsBehind, follow, type FollowedEvent } from '../webhooks/followers.ts';

/** The topic whose events come one after the other, unlike those of other topics, of which only the latest counts. */
export const eventsTopic = 'events';

/** Events that may wait for a reader who takes none. */
const maxUnread = 1000;
/** Events read at once. One may have the transcript of an hour. */
const pageSize = 20;

export type FeedReader = {
  isReady: () => boolean;
  write: (event: Buffer) => void;
  /** Too many events wait for the reader. */
  slow: () => void;
};

export type Feed = {
  /** To be called when the reader has taken what was written. */
  drained(): void;
  stop(): void;
};

const encode = (app: App, event: FollowedEvent): Buffer =>
  Buffer.from(
    `id: ${event.id}\nevent: ${eventsTopic}\ndata: ${JSON.stringify({
      topic: eventsTopic,
      now: isoOf(app.clock.now()),
      event_id: event.id,
      type: event.event,
      timestamp: isoOf(event.createdAt),
      agent_id: event.agentId,
      body: event.body,
    })}\n\n`,
  );

/** Writes an organization's events behind `beginning` to a reader, each once it is on disk, as fast as the reader takes them. */
export function startFeed(app: App, orgId: string, beginning: number, reader: FeedReader): Feed {
  let behind = beginning;
  let arrived = 0;
  let isStopped = false;
  let isReading = false;
  let isWoken = false;

  async function writePages(): Promise<void> {
    while (!isStopped && reader.isReady()) {
      isWoken = false;
      const page = await eventsBehind(app.db, orgId, behind, pageSize);
      await synced(app.db); // a crash may still undo what was read
      for (const event of page) {
        if (isStopped || !reader.isReady()) return;
        reader.write(encode(app, event));
        behind = event.number;
      }
      if (page.length < pageSize) {
        arrived = 0;
        if (!isWoken) return;
      }
      await nextMacrotask();
    }
  }

  async function read(): Promise<void> {
    isWoken = true;
    if (isReading) return;
    isReading = true;
    try {
      do await writePages();
      while (isWoken && !isStopped && reader.isReady());
    } catch (error) {
      app.log.warn({ err: error }, 'events could not be read for a live stream; the next event reads them again');
    } finally {
      isReading = false;
    }
  }

  function wake(): void {
    arrived += 1;
    if (arrived > maxUnread && !reader.isReady()) return reader.slow();
    void read();
  }

  let leave = (): void => undefined;
  const started = follow(app, orgId, wake).then((end) => {
    if (isStopped) end();
    else leave = end;
    return read();
  });
  started.catch((error: unknown) => app.log.warn({ err: error }, 'events cannot be followed'));
  return {
    drained: () => void read(),
    stop() {
      isStopped = true;
      leave();
    },
  };
}
