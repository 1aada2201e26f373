/**
 * How punctually the telephony thread sends the sound of many calls, and what a call costs: echo calls without signalling, both ways, 50
 * packets a second each. The peers run in a process of their own. With taskset (util-linux) the thread has one core and the peers have the
 * other.
 */
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { pause } from '../../src/base/clock.ts';
import type { MediaFigures, MediaRequest } from '../../test/support/sip/media-worker.ts';
import { quick } from '../support/report.ts';
import { tell } from './findings.ts';
import { ask, type Lateness, pin, startProcess, watchMachine } from './processes.ts';

const calls = 300;
const seconds = quick ? 10 : 60;
/** The greeting lasts 4 s; then every packet is said back. */
const warmUpMs = 5000;
const maxMoreMs = 5;
const maxLateMs = 10;
const maxMovedMs = 2;
const maxSkippedShare = 1 / 10_000;
const maxCpuPercent = 0.15;
const maxMiBPerCall = 0.3;

async function tellEngine<T>(to: Worker, message: MediaRequest): Promise<T> {
  to.postMessage(message, []);
  const [reply] = (await once(to, 'message')) as [T];
  return reply;
}

const blocker = (): NodeJS.Timeout =>
  setInterval(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200), 1000);

const shown = ({ p50, p99 }: Lateness): string => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;

/** How late the packets between two readings were. */
export function latenessBetween(before: MediaFigures, after: MediaFigures): Lateness {
  const counts = after.atMostLate.map((count, at) => count - before.atMostLate[at]!);
  const quantile = (share: number): number => counts.findIndex((count) => count >= share * counts.at(-1)!) / 4;
  return { p50: quantile(0.5), p99: quantile(0.99) };
}

type Sound = { late: Lateness; bare: Lateness & { isBusy: boolean } };

async function measure(title: string, isMainBlocked: boolean): Promise<Sound> {
  const machine = await watchMachine();
  const peers = await startProcess('sound-peers.ts', [String(calls)]);
  const rssBefore = process.memoryUsage().rss;
  const engine = new Worker(new URL('../../test/support/sip/media-worker.ts', import.meta.url), {
    workerData: { portMin: 20_000, portMax: 29_999 },
  });
  await tellEngine<MediaFigures>(engine, { type: 'figures' });
  const rssIdle = process.memoryUsage().rss;
  const ports = await tellEngine<number[]>(engine, { type: 'open', calls });
  await tellEngine(engine, { type: 'start', ports: peers.first as number[] });
  const isPinned = pin(process.pid, 0) && pin(peers.process.pid!, 1);
  peers.process.send({ talkTo: ports });
  await pause(warmUpMs);
  const before = await tellEngine<MediaFigures>(engine, { type: 'figures' });
  machine.begin();
  const blocking = isMainBlocked ? blocker() : undefined;
  await pause(seconds * 1000);
  clearInterval(blocking);
  const bare = await machine.end();
  const after = await tellEngine<MediaFigures>(engine, { type: 'figures' });
  const received = await ask<number>(peers.process, 'received');
  await tellEngine(engine, { type: 'close' });
  stopPeers(peers.process);

  const late = latenessBetween(before, after);
  const moreMs = late.p99 - bare.p99;
  const skipped = after.skipped - before.skipped;
  const slots = after.sent - before.sent + skipped;
  const cpuPercent = (after.cpuMs - before.cpuMs) / (seconds * 10) / calls;
  const perCall = (after.rssBytes - rssIdle) / calls / 2 ** 20;
  tell(
    `sound of ${calls} calls for ${seconds} s, ${title}${isPinned ? '' : ', not pinned to cores'}`,
    [
      {
        what: 'packets sent late',
        found: `${shown(late)}; p99 ${moreMs.toFixed(2)} ms above the bare timer's`,
        limit: `at most ${maxMoreMs} ms above, and below ${maxLateMs} ms`,
        isMet: moreMs <= maxMoreMs && late.p99 < maxLateMs,
      },
      {
        what: 'slots skipped',
        found: `${skipped} of ${slots}`,
        limit: 'fewer than 1 in 10,000',
        isMet: skipped < slots * maxSkippedShare,
      },
      {
        what: 'packets',
        found: `${after.sent} sent, ${received} received by the peers, ${after.received} received, ${after.lost} lost`,
      },
      {
        what: 'processor time a call',
        found: `${cpuPercent.toFixed(3)} % of a core`,
        limit: `at most ${maxCpuPercent} %`,
        isMet: cpuPercent <= maxCpuPercent,
      },
      {
        what: 'memory a call',
        found: `${perCall.toFixed(3)} MiB (the thread itself ${((rssIdle - rssBefore) / 2 ** 20).toFixed(0)} MiB)`,
        limit: `at most ${maxMiBPerCall} MiB`,
        isMet: perCall <= maxMiBPerCall,
      },
    ],
    bare,
  );
  return { late, bare };
}

const stopPeers = (peers: ChildProcess): void => void peers.kill();

export async function measureSound(): Promise<void> {
  const idle = await measure('main thread idle', false);
  const blocked = await measure('main thread blocked 200 ms a second', true);
  const movedMs = blocked.late.p99 - idle.late.p99;
  tell(
    'a main thread blocked 200 ms a second',
    [
      {
        what: 'moves the p99 of packets sent late by',
        found: `${movedMs.toFixed(2)} ms`,
        limit: `at most ${maxMovedMs} ms`,
        isMet: movedMs <= maxMovedMs,
      },
    ],
    { ...blocked.bare, isBusy: idle.bare.isBusy || blocked.bare.isBusy },
  );
}
