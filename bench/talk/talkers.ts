import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { type WebSocket, WebSocketServer } from 'ws';
import type { MediaRequest } from '../../test/support/sip/media-worker.ts';
import { pause } from '../../src/base/clock.ts';
import { tone } from '../../src/telephony/audio/tone.ts';

/**
 * Calls of the engine `realtime` in a thread, with their telephones and the speech service here, so that one clock measures both ends. The
 * service does what it is told and keeps account of its items as the real one does.
 */

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of the program under test, read field by field
type AnyJson = Record<string, any>;

export type Talker = {
  /** The next event of this type that the service gets. */
  next(type: string): Promise<{ event: AnyJson; atMs: number }>;
  /** Sends an answer whose sound is so long, all at once; resolves when its item is known. */
  answer(ms: number): { item: string };
  send(event: object): void;
  /** How many packets with sound the telephone has got, and when the last one came. */
  heard(): { frames: number; lastMs: number };
  /** Sends a packet to the call: sound or silence. Resolves at the instant of its sending. */
  speak(isLoud: boolean): number;
};

export type Talkers = { talkers: Talker[]; refused(): number; stop(): Promise<void> };

type Session = { socket: WebSocket; waiters: Map<string, Array<(seen: { event: AnyJson; atMs: number }) => void>> };

let lastId = 0;

const isSound = (payload: Uint8Array): boolean => payload.some((byte) => byte !== 0xff && byte !== 0x7f);
const sound = tone('PCMU', 1000, 60_000);

/** Without any answer, the agent would give the service up after a minute. */
function answerNothing(socket: WebSocket): void {
  const id = `silent-${(lastId += 1)}`;
  socket.send(JSON.stringify({ type: 'response.created', response: { id } }));
  socket.send(JSON.stringify({ type: 'response.done', response: { id, status: 'completed' } }));
}

async function service(calls: number) {
  const sessions: Session[] = [];
  const opened = Promise.withResolvers<void>();
  const items = new Map<string, number>();
  let refused = 0;
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  server.on('connection', (socket, request) => {
    const call = Number(new URL(request.url!, 'ws://x').searchParams.get('model'));
    const session: Session = { socket, waiters: new Map() };
    sessions[call] = session;
    socket.on('message', (data: Buffer) => {
      const atMs = performance.now();
      const event = JSON.parse(data.toString('utf8')) as AnyJson;
      const type = String(event['type']);
      if (type === 'conversation.item.truncate') {
        const endMs = Number(event['audio_end_ms']);
        const isWrong = !Number.isInteger(endMs) || endMs <= 0 || endMs > (items.get(String(event['item_id'])) ?? 0);
        if (isWrong) refused += 1;
        socket.send(JSON.stringify({ type: 'conversation.item.truncated', item_id: event['item_id'] }));
      }
      if (type === 'response.create') answerNothing(socket);
      const waiting = session.waiters.get(type) ?? [];
      session.waiters.delete(type);
      for (const resolve of waiting) resolve({ event, atMs });
    });
    socket.send(JSON.stringify({ type: 'session.created', session: { type: 'realtime' } }));
    if (sessions.filter(Boolean).length === calls) opened.resolve();
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/realtime`,
    sessions,
    items,
    opened: opened.promise,
    refused: () => refused,
    async close() {
      for (const { socket } of sessions) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function phone(): Promise<{ socket: Socket; port: number; heard: Talker['heard'] }> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let [frames, lastMs] = [0, 0];
  socket.on('message', (packet) => {
    if ((packet[1]! & 0x7f) !== 0 || !isSound(packet.subarray(12))) return;
    frames += 1;
    lastMs = performance.now();
  });
  return { socket, port: socket.address().port, heard: () => ({ frames, lastMs }) };
}

export async function startTalkers(calls: number): Promise<Talkers> {
  const speech = await service(calls);
  const phones = await Promise.all(Array.from({ length: calls }, phone));
  const worker = new Worker(new URL('../../test/support/sip/media-worker.ts', import.meta.url), {
    workerData: { portMin: 30_000, portMax: 34_999, realtimeUrl: speech.url },
  });
  const request = async <T>(message: MediaRequest): Promise<T> => {
    worker.postMessage(message, []);
    return ((await once(worker, 'message')) as [T])[0];
  };
  const ports = await request<number[]>({ type: 'open', calls });
  await request({ type: 'start', ports: phones.map(({ port }) => port) });
  await speech.opened;
  await pause(500); // the first answers, in which nothing is said

  const talkers = phones.map(({ socket, heard }, call): Talker => {
    let sent = 0;
    const { socket: session, waiters } = speech.sessions[call]!;
    const send = (event: object): void => session.send(JSON.stringify(event));
    return {
      send,
      heard,
      next: (type) => new Promise((resolve) => waiters.getOrInsertComputed(type, () => []).push(resolve)),
      answer(ms) {
        const id = (lastId += 1);
        const [response, item] = [`response-${id}`, `item-${id}`];
        speech.items.set(item, ms);
        send({ type: 'response.created', response: { id: response } });
        for (let at = 0; at < ms; at += 100) {
          const delta = Buffer.from(sound.subarray(at * 8, Math.min(ms, at + 100) * 8)).toString('base64');
          send({ type: 'response.output_audio.delta', response_id: response, item_id: item, delta });
        }
        send({ type: 'response.output_audio.done', response_id: response, item_id: item });
        send({ type: 'response.done', response: { id: response, status: 'completed' } });
        return { item };
      },
      speak(isLoud) {
        const packet = Buffer.alloc(172, 0xff);
        packet.writeUInt16BE(0x8000, 0);
        packet.writeUInt16BE(sent & 0xffff, 2);
        packet.writeUInt32BE((sent * 160) >>> 0, 4);
        packet.writeUInt32BE(call + 1, 8);
        if (isLoud) packet.set(sound.subarray(0, 160), 12);
        sent += 1;
        socket.send(packet, ports[call], '127.0.0.1');
        return performance.now();
      },
    };
  });
  return {
    talkers,
    refused: speech.refused,
    async stop() {
      await request({ type: 'close' });
      await worker.terminate();
      await speech.close();
      for (const { socket } of phones) socket.close();
    },
  };
}
