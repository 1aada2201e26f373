/**
 * A realtime service in a process of its own that speaks in all sessions all the time, 100 ms of sound each 100 ms, and takes what it is told.
 * Argument: `g711` or `pcm`.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { tone } from '../../src/telephony/audio/tone.ts';

const isPcm = process.argv[2] === 'pcm';
const pieceMs = 100;
const g711 = Buffer.from(tone('PCMU', 1000, pieceMs)).toString('base64');
const pcm = Buffer.from(
  Int16Array.from({ length: pieceMs * 24 }, (_, at) => Math.round(6500 * Math.sin((2 * Math.PI * at) / 24))).buffer,
).toString('base64');
const delta = isPcm ? pcm : g711;

const speaking = new Set<{ socket: WebSocket; item: string }>();
let appended = 0;
const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
await once(server, 'listening');
server.on('connection', (socket) => {
  const item = `item-${speaking.size}`;
  socket.on('message', (data: Buffer) => {
    // Not parsed, so that this side costs little.
    if (data.includes('input_audio_buffer.append')) return void (appended += 1);
    if (!data.includes('"response.create"')) return;
    socket.send(JSON.stringify({ type: 'response.created', response: { id: item } }));
    speaking.add({ socket, item });
  });
  socket.on('error', () => undefined);
  socket.send(JSON.stringify({ type: 'session.created', session: { type: 'realtime' } }));
});

const startMs = performance.now();
let done = 0;
/** In each part of 10 ms, a tenth of the sessions gets a piece. */
setInterval(() => {
  const all = [...speaking];
  for (const due = Math.floor((performance.now() - startMs) / 10); done < due; done += 1) {
    for (let at = done % 10; at < all.length; at += 10) {
      const { socket, item } = all[at]!;
      socket.send(JSON.stringify({ type: 'response.output_audio.delta', response_id: item, item_id: item, delta }));
    }
  }
}, 5);

process.on('message', () => process.send!(appended));
process.on('disconnect', () => process.exit(0));
process.send!(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/realtime`);
