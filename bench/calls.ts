/**
 * Measures how punctually the telephony thread sends the sound of many calls, and what a call costs: echo calls without signalling, both
 * ways, 50 packets a second each.
 *
 *   npm run bench:calls [-- --quick]
 *
 * The peers run in a process of their own, and so does a bare timer of 2 ms, whose lateness is what the machine alone does to a timer in
 * the same seconds. With taskset (util-linux) the thread has one core and the peers have the other.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { MediaFigures, MediaRequest } from '../test/support/sip/media-worker.ts';
import { startPeers } from '../test/support/sip/peers.ts';
import { quick } from './support/report.ts';

const calls = 300;
const seconds = quick ? 10 : 60;
/** The greeting lasts 4 s; then every packet is said back. */
const warmUpMs = 5000;
const maxMoreMs = 5;
/** A bare timer that is later than this at p99 shows a machine that does other things, on which the figures say nothing of parley. */
const maxBareMs = 5;
const maxSkippedShare = 1 / 10_000;
const maxCpuPercent = 0.15;
const maxMiBPerCall = 0.3;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
const role = process.argv.find((argument) => argument.startsWith('--role='))?.slice('--role='.length);

/** How late a timer of 2 ms is, in milliseconds, until the parent asks. */
function bareTimer(): void {
  const late: number[] = [];
  let dueMs = performance.now() + 2;
  const tick = (): void => {
    const nowMs = performance.now();
    late.push(nowMs - dueMs);
    dueMs = Math.max(dueMs + 2, nowMs);
    setTimeout(tick, Math.max(0, dueMs - nowMs));
  };
  setTimeout(tick, 2);
  process.on('message', (message) => {
    if (message === 'reset') late.length = 0;
    else {
      const sorted = late.toSorted((a, b) => a - b);
      const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
      process.send!({ p50: at(0.5), p99: at(0.99) });
    }
  });
  process.send!('ready');
}

async function peersProcess(): Promise<void> {
  const peers = await startPeers(calls);
  process.on('message', (message: { talkTo: number[] } | 'received') => {
    if (message === 'received') process.send!(peers.received());
    else peers.talkTo(message.talkTo);
  });
  process.send!(peers.ports);
}

async function child(name: string): Promise<{ process: ChildProcess; first: unknown }> {
  const process = fork(import.meta.filename, [`--role=${name}`]);
  const [first] = (await once(process, 'message')) as [unknown];
  return { process, first };
}

async function tell<T>(to: Worker | ChildProcess, message: MediaRequest | string): Promise<T> {
  if (to instanceof Worker) to.postMessage(message, []);
  else to.send(message);
  const [reply] = (await once(to, 'message')) as [T];
  return reply;
}

const pin = (pid: number, core: number): boolean =>
  spawnSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' }).status === 0;

const blocker = (): NodeJS.Timeout =>
  setInterval(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200), 1000);

type Lateness = { p50: number; p99: number };
const shown = ({ p50, p99 }: Lateness): string => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;

/** How late the packets between two readings were. */
function latenessBetween(before: MediaFigures, after: MediaFigures): Lateness {
  const counts = after.atMostLate.map((count, at) => count - before.atMostLate[at]!);
  const quantile = (share: number): number => counts.findIndex((count) => count >= share * counts.at(-1)!) / 4;
  return { p50: quantile(0.5), p99: quantile(0.99) };
}

/** On a busy machine nothing is met or missed. */
const verdict = (isMet: boolean, isBusy: boolean): string => (isBusy ? 'unknown' : isMet ? 'met' : 'MISSED');

async function measure(title: string, isMainBlocked: boolean): Promise<{ p99: number; isBusy: boolean }> {
  const timer = await child('timer');
  const peers = await child('peers');
  const rssBefore = process.memoryUsage().rss;
  const engine = new Worker(new URL('../test/support/sip/media-worker.ts', import.meta.url), {
    workerData: { portMin: 20_000, portMax: 29_999 },
  });
  await tell<MediaFigures>(engine, { type: 'figures' });
  const rssIdle = process.memoryUsage().rss;
  const ports = await tell<number[]>(engine, { type: 'open', calls });
  await tell(engine, { type: 'start', ports: peers.first as number[] });
  const isPinned = pin(process.pid, 0) && pin(peers.process.pid!, 1);
  peers.process.send({ talkTo: ports });
  await pause(warmUpMs);
  const before = await tell<MediaFigures>(engine, { type: 'figures' });
  timer.process.send('reset');
  const blocking = isMainBlocked ? blocker() : undefined;
  await pause(seconds * 1000);
  clearInterval(blocking);
  const bare = await tell<Lateness>(timer.process, 'figures');
  const figures = await tell<MediaFigures>(engine, { type: 'figures' });
  const received = await tell<number>(peers.process, 'received');
  await tell(engine, { type: 'close' });
  timer.process.kill();
  peers.process.kill();

  const late = latenessBetween(before, figures);
  const isBusy = bare.p99 >= maxBareMs;
  const skipped = figures.skipped - before.skipped;
  const slots = figures.sent - before.sent + skipped;
  const cpuPercent = (figures.cpuMs - before.cpuMs) / (seconds * 10) / calls;
  const perCall = (figures.rssBytes - rssIdle) / calls / 1024 / 1024;
  console.log(`${title}: ${calls} calls, ${seconds} s${isPinned ? '' : ', not pinned to cores'}`);
  console.log(`  sent late     ${shown(late)}`);
  console.log(`  bare timer    ${shown(bare)}`);
  const moreMs = late.p99 - bare.p99;
  console.log(
    `  p99 is ${moreMs.toFixed(2)} ms above the bare timer's (at most ${maxMoreMs}): ${verdict(moreMs <= maxMoreMs, isBusy)}`,
  );
  console.log(
    `  slots         ${slots}, skipped ${skipped} (fewer than 1 in 10,000): ${verdict(skipped < slots * maxSkippedShare, isBusy)}`,
  );
  console.log(
    `  packets       sent ${figures.sent}, received by the peers ${received}, received ${figures.received}, lost ${figures.lost}`,
  );
  console.log(
    `  CPU a call    ${cpuPercent.toFixed(3)} % of a core (at most ${maxCpuPercent}): ${verdict(cpuPercent <= maxCpuPercent, isBusy)}`,
  );
  console.log(
    `  memory a call ${perCall.toFixed(3)} MiB (at most ${maxMiBPerCall}): ${verdict(perCall <= maxMiBPerCall, isBusy)}; the thread itself ${((rssIdle - rssBefore) / 2 ** 20).toFixed(0)} MiB`,
  );
  if (isBusy) {
    console.log(
      `  The machine is busy: a bare timer of 2 ms was ${bare.p99.toFixed(1)} ms late at p99. These figures say nothing of parley; measure again when nothing else runs.`,
    );
  }
  return { p99: late.p99, isBusy };
}

if (role === 'timer') bareTimer();
else if (role === 'peers') await peersProcess();
else {
  const idle = await measure('main thread idle', false);
  const blocked = await measure('main thread blocked 200 ms a second', true);
  const movedMs = blocked.p99 - idle.p99;
  const said = verdict(movedMs <= 2, idle.isBusy || blocked.isBusy);
  console.log(`a blocked main thread moves p99 by ${movedMs.toFixed(2)} ms (at most 2): ${said}`);
}
