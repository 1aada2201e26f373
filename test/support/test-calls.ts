import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { pause } from '../../src/base/clock.ts';
import { frameBytes } from '../../src/telephony/audio/g711.ts';
import { tone } from '../../src/telephony/audio/tone.ts';
import { type Client, dataOf } from './server.ts';

/** Clients of test calls: somebody who hears and speaks over a WebSocket (docs/api/test-calls.md). */

export type Begun = { call_session_id: string; audio_url: string; ticket: string; expires_at: string };
export type CallData = Record<string, unknown> & { state: string; status: string | null };

export const begin = async (server: Client, agentId: string, body: object = {}): Promise<Begun> =>
  dataOf(await server.post<Begun>(`/agents/${agentId}/test-calls`, body));

type Message = Record<string, unknown> & { type: string };

const silence = new Uint8Array(frameBytes).fill(0xff);
export const isSilent = (frame: Uint8Array): boolean => frame.every((byte) => byte === 0xff);

/** Sends 20 ms every 20 ms: a tone while it is told to speak, else silence. */
function microphone(t: TestContext, socket: WebSocket): (ms: number) => void {
  const startedMs = performance.now();
  const voice = tone('PCMU', 400, 20);
  let [sent, speaksUntil] = [0, 0];
  let timer: NodeJS.Timeout | undefined;
  const tick = (): void => {
    if (socket.readyState !== WebSocket.OPEN) return;
    const now = performance.now();
    for (; startedMs + sent * 20 <= now; sent += 1) socket.send(now < speaksUntil ? voice : silence);
    timer = setTimeout(tick, 10);
  };
  tick();
  t.after(() => clearTimeout(timer));
  return (ms) => void (speaksUntil = performance.now() + ms);
}

/** A client of a test call. `options` are those of its WebSocket. */
export async function connect(t: TestContext, { audio_url: url, ticket }: Begun, options: object = {}) {
  const socket = new WebSocket(url, ['parley.audio.v1', `ticket.${ticket}`], options);
  t.after(() => socket.terminate());
  const frames: Buffer[] = [];
  const messages: Array<Message & { atFrame: number }> = [];
  const waiters = new Set<() => void>();
  socket.on('message', (data, isBinary) => {
    if (isBinary) frames.push(data as Buffer);
    else {
      const message = JSON.parse((data as Buffer).toString('utf8')) as Message;
      messages.push(Object.defineProperty(message, 'atFrame', { value: frames.length }) as (typeof messages)[number]);
    }
    for (const look of waiters) look();
  });
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  const when = (isReached: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isReached()) return;
        waiters.delete(look);
        resolve();
      };
      waiters.add(look);
      look();
    });
  /** The nth message of the type, which may still have to come. */
  const message = async (type: string, nth = 0): Promise<(typeof messages)[number]> => {
    const ofType = () => messages.filter((each) => each.type === type);
    await when(() => ofType().length > nth);
    return ofType()[nth]!;
  };
  return {
    socket,
    frames,
    messages,
    when,
    message,
    closed,
    /** Resolves when the agent was heard and then is not any more. */
    hears: async (): Promise<void> => {
      const from = frames.length;
      await when(() => frames.slice(from).some((frame) => !isSilent(frame)));
      await when(() => frames.slice(-10).every(isSilent));
    },
    /** Resolves as soon as so much of the agent was heard from now on. */
    hearsMs: (ms: number): Promise<void> => {
      const from = frames.length;
      return when(() => frames.slice(from).filter((frame) => !isSilent(frame)).length * 20 >= ms);
    },
    microphone: () => microphone(t, socket),
    said: (): string[] =>
      messages.filter(({ type }) => type === 'said').map((each) => `${String(each['role'])}: ${String(each['text'])}`),
    send: (sent: object): void => socket.send(JSON.stringify(sent)),
  };
}

export const ended = async (server: Client, id: string): Promise<CallData> => {
  for (;;) {
    const call = dataOf(await server.get<CallData>(`/calls/${id}`));
    if (call.state === 'ended') return call;
    await pause(20);
  }
};

/** The status with which the server refuses a connection. */
export const refusal = (url: string, protocols: string[], options: object = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, protocols, options);
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('error', () => undefined);
    socket.on('open', () => reject(new Error('the connection was opened')));
  });
