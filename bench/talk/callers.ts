/**
 * A process of callers who speak over WebSockets and hear themselves: each sends a frame of G.711 with its number every 20 ms, and notes when
 * that one comes back. Its only argument is JSON: the addresses and subprotocols of the calls. Told of as a child (support/child.ts).
 */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { serveParent } from '../support/child.ts';

type Call = { url: string; protocols: string[] };

const calls = JSON.parse(process.argv[2]!) as Call[];
const frameBytes = 160;
/** Frames of ours begin with this, which neither silence nor a greeting does. */
const mark = [0x2a, 0x55, 0x2a, 0x55];
const delays: number[] = [];
let [sent, came] = [0, 0];

function frameOf(number: number): Uint8Array {
  const frame = new Uint8Array(frameBytes).fill(0x30);
  frame.set([...mark, number & 0x7f, (number >> 7) & 0x7f, (number >> 14) & 0x7f]);
  return frame;
}

const isOurs = (frame: Uint8Array): boolean => mark.every((byte, at) => frame[at] === byte);

async function speak({ url, protocols }: Call): Promise<void> {
  const socket = new WebSocket(url, protocols, { perMessageDeflate: false });
  await once(socket, 'open');
  const sentAt: number[] = [];
  socket.on('message', (data, isBinary) => {
    const frame = data as Buffer;
    if (!isBinary || !isOurs(frame)) return;
    const number = frame[4]! | (frame[5]! << 7) | (frame[6]! << 14);
    came += 1;
    delays.push(performance.now() - sentAt[number]!);
  });
  const startedMs = performance.now();
  setInterval(() => {
    for (; startedMs + sentAt.length * 20 <= performance.now();) {
      socket.send(frameOf(sentAt.length));
      sentAt.push(performance.now());
      sent += 1;
    }
  }, 4);
}

await Promise.all(calls.map(speak));
serveParent({ calls: calls.length }, () => {
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Infinity;
  const figures = { p50Ms: at(0.5), p99Ms: at(0.99), lost: 1 - came / Math.max(1, sent) };
  delays.length = 0;
  [sent, came] = [0, 0];
  return figures;
});
