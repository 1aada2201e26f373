import { after } from '../../../base/clock.ts';
import type { Codec } from '../../../telephony/audio/g711.ts';
import type { AgentInCall, Said } from '../engine.ts';
import type { SpeechSettings } from '../settings.ts';
import { type Dialect, dialectOf, dialects, transcriptionOf, type TurnDetection } from './dialect.ts';
import type { ServerEvent } from './server-event.ts';
import { openSocket } from './socket.ts';

/** One session with the service, from its socket's opening on. */
export type Connection = {
  send(event: object): void;
  /** Says what the session is, once the call is answered. */
  configure(codec: Codec, turnDetection: TurnDetection, transcript: readonly Said[]): void;
  setTurnDetection(turnDetection: TurnDetection): void;
  /** Tells the model how much of an item was heard: `audioEndMs` of it, or in words where the server cannot truncate. */
  truncate(itemId: string, audioEndMs: number, heard: string): void;
  /** A message in the conversation. */
  add(role: 'user' | 'assistant' | 'system', text: string): void;
  /** Ends the turn that was heard without turn detection. */
  commit(): void;
  close(): void;
};

export type ConnectionEvents = {
  ready(): void;
  event(event: ServerEvent): void;
  nonsense(): void;
  lost(reason: string): void;
};

const truncationMs = 1000;

export function openConnection(
  settings: SpeechSettings,
  agent: AgentInCall,
  timeoutMs: number,
  events: ConnectionEvents,
): Connection {
  const { realtime } = settings;
  let dialect: Dialect = dialects[realtime.dialect === 'beta' ? 'beta' : 'ga'];
  let isOpen = false;
  let transcription = transcriptionOf(realtime);
  let wanted: { codec: Codec; turnDetection: TurnDetection; transcript: readonly Said[] } | undefined;
  let [canTruncate, canCommit] = [true, true];
  /** Truncations that the server has not confirmed, by their item. */
  const truncations = new Map<string, { heard: string; cancel: () => void }>();

  const socket = openSocket(realtime, agent.model, timeoutMs, {
    opened() {
      isOpen = true;
      if (wanted) begin();
    },
    event(event) {
      if (event.type === 'session.created' && realtime.dialect === 'auto') {
        dialect = dialects[dialectOf(event.session ?? {})];
      } else if (event.type === 'conversation.item.truncated') settle(event.item_id ?? '');
      else if (event.type === 'error') onError(event.error?.event_id ?? '');
      events.event(event);
    },
    nonsense: events.nonsense,
    lost(reason) {
      stop();
      events.lost(reason);
    },
  });

  function update(): void {
    const { codec, turnDetection } = wanted!;
    const session = dialect.session({ agent, codec, audio: realtime.audio, turnDetection, transcription });
    socket.send({ type: 'session.update', event_id: 'session', session });
  }

  function begin(): void {
    update();
    for (const { role, text } of wanted!.transcript) add(role === 'agent' ? 'assistant' : 'user', text);
    events.ready();
  }

  function add(role: 'user' | 'assistant' | 'system', text: string): void {
    const type = role === 'assistant' ? dialect.assistantText : 'input_text';
    socket.send({
      type: 'conversation.item.create',
      item: { type: 'message', role, content: [{ type, text }] },
    });
  }

  function settle(itemId: string): { heard: string } | undefined {
    const truncation = truncations.get(itemId);
    truncation?.cancel();
    truncations.delete(itemId);
    return truncation;
  }

  const tellHeard = (heard: string): void =>
    add('system', `The other side interrupted you. Of your last answer it heard only: "${heard}"`);

  /** The server cannot truncate: the model is told in words, now and from now on. */
  function truncateInWords(itemId: string): void {
    canTruncate = false;
    const truncation = settle(itemId);
    if (truncation) tellHeard(truncation.heard);
  }

  function onError(eventId: string): void {
    if (eventId.startsWith('truncate-')) truncateInWords(eventId.slice('truncate-'.length));
    else if (eventId === 'commit') canCommit = false;
    else if (eventId === 'session' && transcription && Object.keys(transcription).length === 0) {
      transcription = undefined; // the server takes none of its own choice
      update();
    }
  }

  function stop(): void {
    for (const { cancel } of truncations.values()) cancel();
    truncations.clear();
  }

  return {
    send: (event) => socket.send(event),
    configure(codec, turnDetection, transcript) {
      wanted = { codec, turnDetection, transcript };
      if (isOpen) begin();
    },
    setTurnDetection(turnDetection) {
      if (wanted) wanted = { ...wanted, turnDetection };
      socket.send({ type: 'session.update', session: dialect.turnDetection(turnDetection) });
    },
    truncate(itemId, audioEndMs, heard) {
      if (!canTruncate) return tellHeard(heard);
      const cancel = after(truncationMs, () => truncateInWords(itemId));
      truncations.set(itemId, { heard, cancel });
      socket.send({
        type: 'conversation.item.truncate',
        event_id: `truncate-${itemId}`,
        item_id: itemId,
        content_index: 0,
        audio_end_ms: audioEndMs,
      });
    },
    add,
    commit() {
      if (canCommit) socket.send({ type: 'input_audio_buffer.commit', event_id: 'commit' });
    },
    close() {
      stop();
      socket.close();
    },
  };
}
