import type { Sound } from './loudspeaker.ts';

/** The connection of a test call (docs/api/test-calls.md). */

export type Said = { role: 'agent' | 'user'; text: string; timestamp_ms: number };
export type Ended = { status: string; disconnect_reason: string | null; error_message: string | null };

type FromServer =
  | { type: 'answered' | 'clear' }
  | ({ type: 'said' } & Said)
  | { type: 'tool'; name: string }
  | ({ type: 'ended' } & Ended);

export type TestCallEvents = {
  answered(): void;
  said(said: Said): void;
  tool(name: string): void;
  /** Undefined when the connection broke. */
  ended(end: Ended | undefined): void;
};

export type TestCall = {
  /** A turn of the person, typed. */
  type(text: string): void;
  hangUp(): void;
};

/** More than two seconds of the microphone that the network does not take are left out. */
const maxUnsentBytes = 16_000;

export type Opening = { callId: string; ticket: string; sound: Sound; microphone: MediaStream | undefined };

export function connectTestCall({ callId, ticket, sound, microphone }: Opening, events: TestCallEvents): TestCall {
  // Not the `audio_url` of the answer: the page may have come by another name of this server, and connects to its own origin alone.
  const url = new URL(`/api/v1/calls/${callId}/audio`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url, ['parley.audio.v1', `ticket.${ticket}`]);
  socket.binaryType = 'arraybuffer';
  let end: Ended | undefined;
  const isOpen = (): boolean => socket.readyState === WebSocket.OPEN;

  function hear(frame: Uint8Array): void {
    if (isOpen() && socket.bufferedAmount < maxUnsentBytes) socket.send(frame as Uint8Array<ArrayBuffer>);
  }

  function receive(message: FromServer): void {
    if (message.type === 'answered') {
      if (microphone) sound.listen?.(microphone, hear);
      events.answered();
    } else if (message.type === 'clear') sound.clear();
    else if (message.type === 'said') events.said(message);
    else if (message.type === 'tool') events.tool(message.name);
    else if (message.type === 'ended') end = message;
  }

  socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data === 'string') receive(JSON.parse(data) as FromServer);
    else sound.play(new Uint8Array(data));
  });
  socket.addEventListener('close', () => events.ended(end));
  const send = (message: object): void => {
    if (isOpen()) socket.send(JSON.stringify(message));
  };
  return {
    type: (text) => send({ type: 'text', text }),
    hangUp() {
      if (isOpen()) send({ type: 'hangup' });
      else socket.close();
    },
  };
}
