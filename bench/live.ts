/**
 * Measures a small read, the server's processor time and its memory with 500 live streams of a campaign that calls, a fifth of which read
 * nothing, against the same campaign without streams. The last rows are those of a server that only writes as many bytes to as many streams:
 * on two cores the watchers themselves take time from the reads.
 *
 *   npm run bench:live [-- --quick] [-- --json]
 *
 * Server, watchers and reads run in processes of their own. Rounds without and with streams alternate.
 */
import { setTimeout } from 'node:timers/promises';
import { startCampaign, viewerKeys } from './support/calling-campaign.ts';
import { startChild } from './support/child.ts';
import { startReads } from './support/reads.ts';
import { medians, quick, report } from './support/report.ts';
import { serve, usageOf } from './support/serve.ts';

const rounds = quick ? 3 : 5;
const roundMs = quick ? 2000 : 6000;
const [keyCount, streamsPerKey, silentStreams] = [25, 20, 100];
const streams = keyCount * streamsPerKey;

const server = await serve(['--set', 'http.rate_limit.per_second=0', '--set', 'limits.organization.max_cps=1000']);
const campaignId = await startCampaign(server);
const keys = await viewerKeys(server, keyCount);

type Figures = { p99: number; cpuPercent: number; residentMiB: number; kibPerSecond: number };
type Measured = { pid: number; url: string };

const livePath = `/api/v1/live?topic=campaign:${campaignId}&topic=calls&topic=overview&topic=latest&topic=today`;

async function measure({ url, pid }: Measured, isWatched: boolean): Promise<Figures> {
  const watchers = isWatched
    ? await startChild('watchers.ts', [
        new URL(url).port,
        livePath,
        String(streamsPerKey),
        String(silentStreams),
        ...keys,
      ])
    : undefined;
  await setTimeout(500);
  await watchers?.figures();
  const before = usageOf(pid)!;
  const reads = startReads(`${url}/api/v1/campaigns/${campaignId}`, server.apiKey);
  await setTimeout(roundMs);
  const times = await reads.stop();
  const after = usageOf(pid)!;
  const figures = await watchers?.figures();
  await watchers?.stop();
  return {
    p99: times[Math.floor(times.length * 0.99)]!,
    cpuPercent: ((after.cpuMs - before.cpuMs) / roundMs) * 100,
    residentMiB: after.residentMiB,
    kibPerSecond: (figures?.['bytes'] ?? 0) / 1024 / (roundMs / 1000),
  };
}

/** A server that writes as many bytes to as many streams as parley in a round, and answers reads of the same size. */
async function startBareServer({ kibPerSecond }: Figures): Promise<Measured & { stop(): Promise<void> }> {
  const eventBytes = Math.round((kibPerSecond * 1024) / (streams - silentStreams));
  const answer = await fetch(`${server.url}/api/v1/campaigns/${campaignId}`, {
    headers: { 'x-api-key': server.apiKey },
  });
  const { pid, ready, stop } = await startChild('bare-streams.ts', [
    String(eventBytes),
    String((await answer.bytes()).length),
  ]);
  return { pid, url: `http://127.0.0.1:${ready['port']}`, stop };
}

const bare = await startBareServer(await measure(server, true)); // warms up, too
type Rounds = { alone: Figures[]; streaming: Figures[] };
const [parley, baseline]: [Rounds, Rounds] = [
  { alone: [], streaming: [] },
  { alone: [], streaming: [] },
];
for (let round = 0; round < rounds; round++) {
  for (const [measured, figures] of [
    [server, parley],
    [bare, baseline],
  ] as const) {
    figures.alone.push(await measure(measured, false));
    figures.streaming.push(await measure(measured, true));
  }
}
await bare.stop();
await server.stop();

const [alone, streaming] = [medians(parley.alone), medians(parley.streaming)];
const [bareAlone, bareStreaming] = [medians(baseline.alone), medians(baseline.streaming)];
const spreadOf = (figures: readonly Figures[]): [number, number] => {
  const p99s = figures.map(({ p99 }) => p99);
  return [Math.min(...p99s), Math.max(...p99s)];
};
report(
  `${streams} live streams of a campaign that calls, ${silentStreams} of which read nothing, against none`,
  [
    {
      what: 'p99 of a small read',
      bare: alone.p99,
      parley: streaming.p99,
      unit: 'ms',
      digits: 1,
      spread: spreadOf(parley.streaming),
      target: { atMost: 1.5 },
    },
    { what: 'processor time of a core', bare: alone.cpuPercent, parley: streaming.cpuPercent, unit: '%', digits: 1 },
    { what: 'resident memory', bare: alone.residentMiB, parley: streaming.residentMiB, unit: 'MiB' },
    {
      what: 'node:http alone: p99 of a small read',
      bare: bareAlone.p99,
      parley: bareStreaming.p99,
      unit: 'ms',
      digits: 1,
      spread: spreadOf(baseline.streaming),
    },
    {
      what: 'node:http alone: processor time of a core',
      bare: bareAlone.cpuPercent,
      parley: bareStreaming.cpuPercent,
      unit: '%',
      digits: 1,
    },
  ],
  [`the other streams received ${Math.round(streaming.kibPerSecond)} KiB a second`],
);
