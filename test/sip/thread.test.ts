import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { portRange } from '../support/sip/ports.ts';
import type { MediaFigures, MediaRequest } from '../support/sip/media-worker.ts';

const support = new URL('../support/sip/', import.meta.url);

async function ask<T>(worker: Worker, message: unknown): Promise<T> {
  worker.postMessage(message, []);
  const [reply] = (await once(worker, 'message')) as [T];
  return reply;
}

/** Stops this thread, as a long query does, until this many packets more were received; returns how many that were. */
function standStill(received: Int32Array, packets: number): number {
  const before = Atomics.load(received, 0);
  for (let now = before; now - before < packets; now = Atomics.load(received, 0)) {
    if (Atomics.wait(received, 0, now, 10_000) === 'timed-out') break;
  }
  return Atomics.load(received, 0) - before;
}

test('calls go on while the main thread stands still', async (t) => {
  const calls = 5;
  const received = new Int32Array(new SharedArrayBuffer(4));
  const engine = new Worker(new URL('media-worker.ts', support), { workerData: await portRange() });
  const peers = new Worker(new URL('peers-worker.ts', support), { workerData: { calls, received } });
  t.after(() => Promise.all([engine.terminate(), peers.terminate()]));
  const [peerPorts] = (await once(peers, 'message')) as [number[]];
  const request = <T>(message: MediaRequest): Promise<T> => ask<T>(engine, message);
  const ports = await request<number[]>({ type: 'open', calls });
  await request({ type: 'start', ports: peerPorts });
  peers.postMessage(ports, []);
  assert.ok(standStill(received, 20 * calls) >= 20 * calls, 'packets come while this thread does nothing');
  const figures = await request<MediaFigures>({ type: 'figures' });
  assert.ok(figures.received > 0, 'the other way, too');
  await request({ type: 'close' });
});
