/** Peers of calls in a thread of their own, so that a busy main thread does not disturb them. `received` counts the packets that came. */
import { parentPort, workerData } from 'node:worker_threads';
import { startPeers } from './peers.ts';

const { calls, received } = workerData as { calls: number; received: Int32Array };
const peers = await startPeers(calls, () => {
  Atomics.add(received, 0, 1);
  Atomics.notify(received, 0);
});
parentPort!.on('message', (ports: number[]) => peers.talkTo(ports));
parentPort!.postMessage(peers.ports, []);
