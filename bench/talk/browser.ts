import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { type WebSocket, WebSocketServer } from 'ws';
import type { AddressInfo } from 'node:net';
import type { MediaFigures, MediaRequest, WebSound } from '../../test/support/sip/media-worker.ts';
import { type Lateness, pin, startProcess, watchMachine } from '../calls/processes.ts';
import { latenessBetween } from '../calls/sound.ts';
import { startChild } from '../support/child.ts';
import { median, onMachine, quick, report } from '../support/report.ts';
import { makeAgent, startServer } from '../support/server.ts';

const calls = 20;
const roundMs = quick ? 5000 : 20_000;
const rounds = quick ? 1 : 3;
/** The echo engine collects this much before it says it back. */
const echoMs = 60;
/** The echo engine greets first. */
const greetingMs = 8000;

type Round = { p99Ms: number; lost: number; cpuShare: number };

/** What callers of these addresses hear, and the processor time of this process's main thread for them. */
async function heardBy(addresses: readonly object[], warmUpMs: number): Promise<Round[]> {
  const callers = await startChild('../talk/callers.ts', [JSON.stringify(addresses)]);
  await sleep(warmUpMs);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await callers.figures();
    const before = process.threadCpuUsage();
    await sleep(roundMs);
    const { user, system } = process.threadCpuUsage(before);
    const figures = await callers.figures();
    measured.push({
      p99Ms: figures['p99Ms']! - echoMs,
      lost: figures['lost']!,
      cpuShare: ((user + system) / 1000 / roundMs / calls) * 100,
    });
  }
  await callers.stop();
  return measured;
}

/** A server of nothing but WebSockets: it sends each frame back after the echo's time, one every 20 ms. */
async function bareRelay(): Promise<Round[]> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const queues = new Map<WebSocket, { frames: Buffer[]; isOpen: boolean }>();
  const silence = Buffer.alloc(160, 0xff);
  server.on('connection', (socket) => {
    const queue = { frames: [] as Buffer[], isOpen: false };
    queues.set(socket, queue);
    socket.on('message', (data) => {
      queue.frames.push(data as Buffer);
      if (queue.frames.length >= echoMs / 20) queue.isOpen = true;
    });
    socket.on('close', () => queues.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, queue] of queues) {
      const frame = queue.isOpen ? queue.frames.shift() : undefined;
      if (!frame) queue.isOpen = false;
      socket.send(frame ?? silence);
    }
  }, 20);
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const addresses = Array.from({ length: calls }, () => ({ url, protocols: [] }));
  const measured = await heardBy(addresses, 1000);
  clearInterval(timer);
  server.close();
  return measured;
}

async function ofParley(): Promise<Round[]> {
  const settings = {
    'speech.engine': 'echo',
    'sip.host': '127.0.0.1',
    'sip.port': '0',
    'web_calls.max': String(calls),
  };
  const server = await startServer(settings, { ephemeral: true });
  const agentId = await makeAgent(server);
  const addresses = await Promise.all(
    Array.from({ length: calls }, async () => {
      const response = await fetch(`${server.url}/api/v1/agents/${agentId}/test-calls`, {
        method: 'POST',
        headers: { 'x-api-key': server.apiKey! },
      });
      const { data } = (await response.json()) as { data: { audio_url: string; ticket: string } };
      return { url: data.audio_url, protocols: ['parley.audio.v1', `ticket.${data.ticket}`] };
    }),
  );
  const measured = await heardBy(addresses, greetingMs);
  await server.finish();
  return measured;
}

const telephoneCalls = 100;

/** How late the packets of telephone calls are sent, without and with test calls in the same thread. */
async function besideTelephones(): Promise<{ alone: Lateness; beside: Lateness; isBusy: boolean }> {
  const machine = await watchMachine();
  const peers = await startProcess('sound-peers.ts', [String(telephoneCalls)]);
  const worker = new Worker(new URL('../../test/support/sip/media-worker.ts', import.meta.url), {
    workerData: { portMin: 20_000, portMax: 29_999 },
  });
  const { port1: port, port2: theirs } = new MessageChannel();
  const request = async <T>(message: MediaRequest, transferred: readonly MessagePort[] = []): Promise<T> => {
    worker.postMessage(message, transferred);
    return ((await once(worker, 'message')) as [T])[0];
  };
  const ports = await request<number[]>({ type: 'open', calls: telephoneCalls });
  await request({ type: 'start', ports: peers.first as number[] });
  pin(process.pid, 0);
  pin(peers.process.pid!, 1);
  peers.process.send({ talkTo: ports });
  await sleep(greetingMs);
  machine.begin();
  const before = await request<MediaFigures>({ type: 'figures' });
  await sleep(roundMs);
  const between = await request<MediaFigures>({ type: 'figures' });
  await request({ type: 'test-calls', calls, port: theirs }, [theirs]);
  port.on('message', () => undefined);
  const audio = new Uint8Array(160);
  const timer = setInterval(() => {
    for (let call = 0; call < calls; call += 1) port.postMessage({ call, audio } satisfies WebSound, []);
  }, 20);
  await sleep(greetingMs);
  const begun = await request<MediaFigures>({ type: 'figures' });
  await sleep(roundMs);
  const after = await request<MediaFigures>({ type: 'figures' });
  const { isBusy } = await machine.end();
  clearInterval(timer);
  port.close();
  await request({ type: 'close' });
  await worker.terminate();
  peers.process.kill();
  return { alone: latenessBetween(before, between), beside: latenessBetween(begun, after), isBusy };
}

/** 20 test calls at once with the engine echo: how late their sound comes back and what they cost, beside a bare WebSocket server; and what they do to telephone calls. */
export async function measureTestCalls(): Promise<void> {
  const [bare, parley] = [await bareRelay(), await ofParley()];
  const of = (all: readonly Round[], name: keyof Round): number => median(all.map((round) => round[name]));
  report(`Test calls: ${calls} at once, ${rounds} × ${roundMs / 1000} s, beyond the ${echoMs} ms of the echo`, [
    { what: 'frame in to frame out, p99', bare: of(bare, 'p99Ms'), parley: of(parley, 'p99Ms'), unit: 'ms', digits: 1 },
    { what: 'frame in to frame out, p99', parley: of(parley, 'p99Ms'), unit: 'ms', target: { atMost: 45 } },
    { what: 'main thread a call', bare: of(bare, 'cpuShare'), parley: of(parley, 'cpuShare'), unit: '%', digits: 2 },
    { what: 'main thread a call', parley: of(parley, 'cpuShare'), unit: '%', digits: 2, target: { atMost: 0.5 } },
    { what: 'frames that did not come back', parley: of(parley, 'lost') * 100, unit: '%', digits: 2 },
  ]);
  const { alone, beside, isBusy } = await besideTelephones();
  const late = { what: 'packets sent late, p99', bare: alone.p99, parley: beside.p99, unit: 'ms', digits: 2 } as const;
  report(
    `${telephoneCalls} telephone calls with ${calls} test calls in their thread, beside the same without (bare)`,
    onMachine([{ ...late, target: { atMost: 1.1 } }], isBusy),
    isBusy ? ['The machine was busy: nothing is met or missed.'] : [],
  );
}
