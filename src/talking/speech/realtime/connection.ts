import type { Codec } from '../../../telephony/audio/g711.ts';
import type { AgentInCall, Said } from '../engine.ts';
import type { SpeechSettings } from '../settings.ts';
import { type Dialect, dialectOf, dialects, transcriptionOf, type TurnDetection } from './dialect.ts';
import type { ServerEvent } from './server-event.ts';
import { openSocket } from './socket.ts';
import { createTruncations } from './truncations.ts';

type Role = 'user' | 'assistant' | 'system';

const messageOf = ({ assistantText }: Dialect, role: Role, text: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? assistantText : 'input_text', text }],
});

/** One session with the service, from its socket's opening on. */
export type Connection = {
  send(event: object): void;
  /** Says what the session is, once the call is answered. */
  configure(codec: Codec, turnDetection: TurnDetection, transcript: readonly Said[]): void;
  setTurnDetection(turnDetection: TurnDetection): void;
  /** Tells the model how much of an item was heard: `audioEndMs` of it, or in words where the server cannot truncate. */
  truncate(itemId: string, audioEndMs: number, heard: string): void;
  /** A message in the conversation. */
  add(role: Role, text: string): void;
  /** Ends the turn that was heard without turn detection. */
  commit(): void;
  close(): void;
};

export type ConnectionEvents = {
  ready(): void;
  event(event: ServerEvent): void;
  /** The server does not do what `commit` asks for, and is not asked again. */
  commitRefused(): void;
  nonsense(): void;
  lost(reason: string): void;
};

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
  let canCommit = true;

  const socket = openSocket(realtime, agent.model, timeoutMs, {
    opened() {
      isOpen = true;
      if (wanted) begin();
    },
    event(event) {
      if (event.type === 'session.created' && realtime.dialect === 'auto' && !isOpen) {
        dialect = dialects[dialectOf(event.session ?? {})];
      } else if (event.type === 'conversation.item.truncated') truncations.done(event.item_id ?? '');
      else if (event.type === 'error') onError(event.error?.event_id ?? '');
      events.event(event);
    },
    nonsense: () => events.nonsense(),
    lost(reason) {
      truncations.stop();
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

  function add(role: Role, text: string): void {
    socket.send({ type: 'conversation.item.create', item: messageOf(dialect, role, text) });
  }

  const truncations = createTruncations({
    send: (event) => socket.send(event),
    tell: (heard) => add('system', `The other side interrupted you. Of your last answer it heard only: "${heard}"`),
  });

  function onError(eventId: string): void {
    if (truncations.refused(eventId)) return;
    if (eventId === 'commit') {
      canCommit = false;
      events.commitRefused();
    }
    if (eventId === 'session' && transcription && Object.keys(transcription).length === 0) {
      transcription = undefined; // the server takes none of its own choice
      update();
    }
  }

  return {
    send: (event) => socket.send(event),
    configure(codec, turnDetection, transcript) {
      wanted = { codec, turnDetection, transcript };
      if (isOpen) begin();
    },
    setTurnDetection(turnDetection) {
      if (wanted) wanted = { ...wanted, turnDetection };
      if (isOpen) socket.send({ type: 'session.update', session: dialect.turnDetection(turnDetection) });
    },
    truncate: (itemId, audioEndMs, heard) => truncations.truncate(itemId, audioEndMs, heard),
    add,
    commit() {
      if (canCommit) socket.send({ type: 'input_audio_buffer.commit', event_id: 'commit' });
    },
    close() {
      truncations.stop();
      socket.close();
    },
  };
}
