/** A complete server for bench:calls that counts what is left of its calls: sockets, timers, and bytes of its heaps. */
import { readdirSync, readlinkSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { getHeapSnapshot } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import { startServer } from '../support/server.ts';
import { telephonySettings } from './telephony.ts';

export type Remains = {
  sockets: number;
  /** Timers of both threads. */
  timers: number;
  /** Bytes of reachable objects in both threads. Taking a heap snapshot collects all garbage first. */
  mainBytes: number;
  telephonyBytes: number;
};

const threads: Worker[] = [];
process.on('worker', (worker) => void threads.push(worker));
const server = await startServer(telephonySettings);

type Snapshot = {
  snapshot: { meta: { node_fields: string[]; node_types: [string[]] } };
  nodes: number[];
  strings: string[];
};

async function heapOf(stream: Readable): Promise<{ bytes: number; timers: number }> {
  const { snapshot, nodes, strings } = JSON.parse(await text(stream)) as Snapshot;
  const fields = snapshot.meta.node_fields;
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field)) as [
    number,
    number,
    number,
  ];
  const object = snapshot.meta.node_types[0].indexOf('object');
  let [bytes, timers] = [0, 0];
  for (let at = 0; at < nodes.length; at += fields.length) {
    bytes += nodes[at + size]!;
    if (nodes[at + type] === object && strings[nodes[at + name]!] === 'Timeout') timers += 1;
  }
  return { bytes, timers };
}

const openSockets = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:');
    } catch {
      return false; // closed meanwhile
    }
  }).length;

async function remains(): Promise<Remains> {
  const telephony = threads.find(({ threadName }) => threadName === 'telephony');
  if (!telephony) throw new Error('the telephony thread is not running');
  const sockets = openSockets();
  const main = await heapOf(getHeapSnapshot());
  const thread = await heapOf(await telephony.getHeapSnapshot());
  return { sockets, timers: main.timers + thread.timers, mainBytes: main.bytes, telephonyBytes: thread.bytes };
}

process.on('message', async () => process.send!(await remains()));
process.on('disconnect', async () => {
  await server.finish();
  process.exit(0);
});
process.send!({ url: server.url, apiKey: server.apiKey });
