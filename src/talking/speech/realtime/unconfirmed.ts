import { monotonicMs } from '../../../base/clock.ts';
import type { ServerEvent } from './server-event.ts';

/** Some servers do not say which event an error refuses: one that follows an unconfirmed event this soon is taken for its refusal. */
const soonMs = 2000;

/** The events by which a server confirms others. */
const confirmations: Readonly<Record<string, string>> = {
  'session.update': 'session.updated',
  'input_audio_buffer.commit': 'input_audio_buffer.committed',
  'conversation.item.truncate': 'conversation.item.truncated',
};

/** Events that a server confirms or refuses, in the order in which they were sent. `now` is replaced by tests. */
export function createUnconfirmed(now: () => number = monotonicMs) {
  let open: Array<{ eventId: string; confirmation: string; atMs: number }> = [];

  const isRecent = ({ atMs }: { atMs: number }): boolean => now() - atMs < soonMs;

  return {
    /** Passes over events without an id, and those that are not confirmed. */
    sent({ type, event_id: eventId }: { type?: string; event_id?: string }): void {
      const confirmation = confirmations[type ?? ''];
      if (eventId === undefined || confirmation === undefined) return;
      open = [...open.filter(isRecent), { eventId, confirmation, atMs: now() }];
    },
    /** Returns the event; an error that names no event names the oldest open one, if there is one. */
    received(event: ServerEvent): ServerEvent {
      const index = open.findIndex(({ confirmation }) => confirmation === event.type);
      if (index !== -1) open.splice(index, 1);
      if (event.type !== 'error') return event;
      const refused = event.error?.event_id || open.find(isRecent)?.eventId;
      if (refused === undefined) return event;
      open = open.filter(({ eventId }) => eventId !== refused);
      return { ...event, error: { ...event.error, event_id: refused } };
    },
  };
}
