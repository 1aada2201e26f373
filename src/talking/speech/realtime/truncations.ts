import { after } from '../../../base/clock.ts';

/** How long a server may take to confirm a truncation. */
const confirmMs = 1000;
const prefix = 'truncate-';

type Parts = {
  send(this: void, event: object): void;
  /** Tells the model in words what was heard of its answer. */
  tell(this: void, heard: string): void;
};

/** Tells the model how much of its answers was heard. A server that cannot truncate is not asked again; the model is told in words. */
export function createTruncations({ send, tell }: Parts) {
  let isAble = true;
  const unconfirmed = new Map<string, { heard: string; cancel: () => void }>();

  function settle(itemId: string): string | undefined {
    const truncation = unconfirmed.get(itemId);
    truncation?.cancel();
    unconfirmed.delete(itemId);
    return truncation?.heard;
  }

  function giveUp(itemId: string): void {
    isAble = false;
    const heard = settle(itemId);
    if (heard !== undefined) tell(heard);
  }

  return {
    truncate(itemId: string, audioEndMs: number, heard: string): void {
      if (!isAble) return tell(heard);
      unconfirmed.set(itemId, { heard, cancel: after(confirmMs, () => giveUp(itemId)) });
      const type = 'conversation.item.truncate';
      send({ type, event_id: `${prefix}${itemId}`, item_id: itemId, content_index: 0, audio_end_ms: audioEndMs });
    },
    done: (itemId: string) => void settle(itemId),
    /** Whether the event that the server refused is one of these. */
    refused(eventId: string): boolean {
      if (!eventId.startsWith(prefix)) return false;
      giveUp(eventId.slice(prefix.length));
      return true;
    },
    stop(): void {
      for (const itemId of [...unconfirmed.keys()]) settle(itemId);
    },
  };
}
