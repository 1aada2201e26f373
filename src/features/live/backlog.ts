import type { EventReceiver } from '../../kernel/route.ts';
import type { Spread } from './spread.ts';

/**
 * The latest event of each topic that a reader has not received yet. Older ones are dropped, so that a slow reader costs one event per
 * topic.
 */
export function createBacklog(receiver: EventReceiver, spread: Spread) {
  const waiting = new Map<string, Buffer>();
  let isReady = true;

  function flush(): void {
    for (const [topic, event] of waiting) {
      if (!isReady) return;
      waiting.delete(topic);
      isReady = receiver.write(event);
    }
  }

  return {
    add(this: void, topic: string, event: Buffer): void {
      waiting.set(topic, event);
      if (isReady) spread(flush);
    },
    flush,
    /** Writes at once, past what waits. Call it only while the reader is ready. */
    write(this: void, event: Buffer): void {
      isReady = receiver.write(event);
    },
    drained(this: void): void {
      isReady = true;
      flush();
    },
    comment(this: void): void {
      if (isReady) isReady = receiver.write(': alive\n\n');
    },
    /** Whether the reader has taken what was written. */
    isReady: () => isReady,
    clear: () => waiting.clear(),
  };
}
