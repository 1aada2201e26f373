/**
 * Many calls that talk both ways to sessions of the engine `realtime`: how punctually their sound is sent, and what a call costs; the same
 * with every call recorded; and calls of the engine `cascade`. Telephones and service run in processes of their own, on the other core where there are two.
 */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { pause } from '../../src/base/clock.ts';
import type { MediaFigures, MediaRequest } from '../../test/support/sip/media-worker.ts';
import { latenessBetween } from '../calls/sound.ts';
import { ask, type Lateness, pin, startProcess, watchMachine } from '../calls/processes.ts';
import { onMachine, quick, report, type Row } from '../support/report.ts';

const realtimeCalls = quick ? 100 : 300;
const cascadeCalls = quick ? 30 : 100;
const seconds = quick ? 8 : 60;
const warmUpMs = 4000;

type Kind = { audio: 'g711' | 'pcm' | 'cascade'; recordTo?: string };
type Talk = {
  late: Lateness;
  bare: Lateness & { isBusy: boolean };
  skippedShare: number;
  cpuPercent: number;
  mib: number;
  appends: number;
  turns: number;
  meanTurnMs: number;
  /** From the answer to the end. */
  talkedMs: number;
};

async function talk({ audio, recordTo }: Kind): Promise<Talk> {
  const isCascade = audio === 'cascade';
  const calls = isCascade ? cascadeCalls : realtimeCalls;
  const machine = await watchMachine();
  const peers = await startProcess('sound-peers.ts', [String(calls), isCascade ? 'in-turns' : 'tone']);
  const service = isCascade
    ? await startProcess('../talk/cascade-service.ts')
    : await startProcess('../talk/speech-service.ts', [audio]);
  const worker = new Worker(new URL('../../test/support/sip/media-worker.ts', import.meta.url), {
    workerData: {
      portMin: 20_000,
      portMax: 29_999,
      ...(isCascade ? { cascadeUrl: service.first } : { realtimeUrl: service.first, audio }),
      recordTo,
    },
  });
  const request = async <T>(message: MediaRequest): Promise<T> => {
    worker.postMessage(message, []);
    return ((await once(worker, 'message')) as [T])[0];
  };
  const idle = await request<MediaFigures>({ type: 'figures' });
  const ports = await request<number[]>({ type: 'open', calls });
  await request({ type: 'start', ports: peers.first as number[] });
  const startMs = performance.now();
  pin(process.pid, 0);
  for (const { pid } of [peers.process, service.process]) pin(pid!, 1);
  peers.process.send({ talkTo: ports });
  await pause(warmUpMs);
  const before = await request<MediaFigures>({ type: 'figures' });
  machine.begin();
  await pause(seconds * 1000);
  const bare = await machine.end();
  const after = await request<MediaFigures>({ type: 'figures' });
  const appends = isCascade ? 0 : await ask<number>(service.process, 'figures');
  const talkedMs = performance.now() - startMs;
  await request({ type: 'close' });
  await worker.terminate();
  peers.process.kill();
  service.process.kill();
  const skipped = after.skipped - before.skipped;
  return {
    late: latenessBetween(before, after),
    bare,
    skippedShare: skipped / (after.sent - before.sent + skipped),
    cpuPercent: (after.cpuMs - before.cpuMs) / (seconds * 10) / calls,
    mib: (after.rssBytes - idle.rssBytes) / calls / 2 ** 20,
    appends,
    turns: after.turns - before.turns,
    meanTurnMs: (after.turnsMs - before.turnsMs) / (after.turns - before.turns),
    talkedMs,
  };
}

const notes = (talks: readonly Talk[]): string[] => [
  `a bare timer of 2 ms meanwhile: p99 ${talks.map(({ bare }) => bare.p99.toFixed(2)).join(', ')} ms`,
  ...(talks.some(({ bare }) => bare.isBusy) ? ['The machine was busy: nothing is met or missed.'] : []),
];

const judged = (rows: readonly Row[], talks: readonly Talk[]): Row[] =>
  onMachine(
    rows,
    talks.some(({ bare }) => bare.isBusy),
  );

const punctuality = ({ late, bare, skippedShare }: Talk): Row[] => [
  { what: 'packets sent late, p50', parley: late.p50, unit: 'ms', digits: 2 },
  {
    what: 'packets sent late, p99, above the bare timer',
    parley: late.p99 - bare.p99,
    unit: 'ms',
    digits: 2,
    target: { atMost: 5 },
  },
  { what: 'slots skipped of 10,000', parley: skippedShare * 10_000, digits: 2, target: { atMost: 1 } },
];

export async function measureCascade(): Promise<void> {
  const cascade = await talk({ audio: 'cascade' });
  const rows: Row[] = [
    ...punctuality(cascade),
    {
      what: 'processor time a call',
      parley: cascade.cpuPercent,
      unit: '% of a core',
      digits: 3,
      target: { atMost: 0.3 },
    },
    { what: 'memory a call', parley: cascade.mib, unit: 'MiB', digits: 2 },
    { what: 'turns answered a call and minute', parley: (cascade.turns / cascadeCalls / seconds) * 60, digits: 1 },
    { what: 'from the end of the pause to the first packet, mean', parley: cascade.meanTurnMs, unit: 'ms', digits: 1 },
  ];
  report(
    `${cascadeCalls} calls of the engine cascade, 2 s of speech of the caller in each 6 s, for ${seconds} s`,
    judged(rows, [cascade]),
    notes([cascade]),
  );
}

export async function measureCalls(): Promise<void> {
  const g711 = await talk({ audio: 'g711' });
  const pcm = await talk({ audio: 'pcm' });
  const rows: Row[] = [
    ...punctuality(g711),
    {
      what: 'processor time a call',
      parley: g711.cpuPercent,
      unit: '% of a core',
      digits: 3,
      target: { atMost: 0.25 },
    },
    { what: 'memory a call', parley: g711.mib, unit: 'MiB', digits: 2, target: { atMost: 0.5 } },
    {
      what: 'processor time with PCM at 24 kHz, by that with G.711',
      bare: g711.cpuPercent,
      parley: pcm.cpuPercent,
      unit: '%',
      digits: 3,
      target: { atMost: 2 },
    },
    ...[g711, pcm].map(({ appends, talkedMs }, at) => ({
      what: `appends a call and second${at === 0 ? '' : ', in PCM'}`,
      parley: appends / realtimeCalls / (talkedMs / 1000),
      digits: 1,
    })),
  ];
  report(
    `${realtimeCalls} calls that talk both ways to realtime sessions for ${seconds} s`,
    judged(rows, [g711, pcm]),
    notes([g711, pcm]),
  );
}

export async function measureRecording(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-recordings-'));
  const plain = await talk({ audio: 'g711' });
  const recorded = await talk({ audio: 'g711', recordTo: directory });
  const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
  rmSync(directory, { recursive: true });
  const bytesASecond = sizes.reduce((sum, size) => sum + size, 0) / sizes.length / (recorded.talkedMs / 1000);
  const rows: Row[] = [
    {
      what: 'processor time of recording a call',
      parley: recorded.cpuPercent - plain.cpuPercent,
      unit: '% of a core',
      digits: 3,
      target: { atMost: 0.05 },
    },
    {
      what: 'packets sent late, p99',
      bare: plain.late.p99,
      parley: recorded.late.p99,
      unit: 'ms',
      digits: 2,
      target: { atMost: 1.1 },
    },
    { what: 'recordings', parley: sizes.length },
    { what: 'size a minute', parley: (bytesASecond * 60) / 1e6, unit: 'MB', digits: 2 },
  ];
  report(
    `${realtimeCalls} calls, all recorded, beside the same without recording (bare), ${seconds} s each`,
    judged(rows, [plain, recorded]),
    notes([plain, recorded]),
  );
}
