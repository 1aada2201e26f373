import { setTimeout } from 'node:timers/promises';
import { send, startCampaign, viewerKeys } from '../support/calling-campaign.ts';
import { type Child, startChild } from '../support/child.ts';
import { startReads } from '../support/reads.ts';
import { medians, progress, quick, type Row } from '../support/report.ts';
import { type Served, serve, usageOf } from '../support/serve.ts';

const pages = 50;
/** A key may hold 20 streams. */
const streamsPerKey = 10;
const rounds = quick ? 3 : 5;
const roundMs = quick ? 2000 : 6000;

type Figures = { p99: number; cpuPercent: number; kibPerSecond: number };
type Setting = 'none' | 'streams' | 'polling';

/**
 * Measures the server with fifty open pages of a running campaign, with live streams and then with requests repeated every second, and
 * compares both with no open page.
 * Server, pages and reads run in processes of their own; rounds alternate.
 */
export async function fiftyPages(): Promise<Row[]> {
  const server = await serve(['--set', 'http.rate_limit.per_second=0', '--set', 'limits.organization.max_cps=1000']);
  try {
    const id = await startCampaign(server);
    const keys = await viewerKeys(server, pages / streamsPerKey);
    const open: Record<Setting, () => Promise<Child | undefined>> = {
      none: () => Promise.resolve(undefined),
      streams: () => {
        const path = `/api/v1/live?topic=campaign:${id}`;
        return startChild('watchers.ts', [new URL(server.url).port, path, String(streamsPerKey), '0', ...keys]);
      },
      polling: () => {
        const paths = [`/api/v1/campaigns/${id}`, `/api/v1/calls?campaign_id=${id}&limit=20`];
        return startChild('pollers.ts', [server.url, String(pages), keys[0]!, ...paths]);
      },
    };
    const measured: Record<Setting, Figures[]> = { none: [], streams: [], polling: [] };
    for (const setting of ['streams', 'polling'] as const) await measure(server, id, open[setting]); // warms up
    for (let round = 0; round < rounds; round++) {
      progress(`${pages} open pages, round ${round + 1} of ${rounds}`);
      for (const setting of ['none', 'streams', 'polling'] as const)
        measured[setting].push(await measure(server, id, open[setting]));
    }
    await send(server, 'PATCH', `/campaigns/${id}`, { status: 'paused' });
    return rowsOf(medians(measured.none), medians(measured.streams), medians(measured.polling));
  } finally {
    await server.stop();
  }
}

async function measure(server: Served, id: string, open: () => Promise<Child | undefined>): Promise<Figures> {
  const opened = await open();
  await setTimeout(500);
  await opened?.figures();
  const before = usageOf(server.pid)!;
  const reads = startReads(`${server.url}/api/v1/campaigns/${id}`, server.apiKey);
  await setTimeout(roundMs);
  const times = await reads.stop();
  const after = usageOf(server.pid)!;
  const figures = await opened?.figures();
  await opened?.stop();
  return {
    p99: times[Math.floor(times.length * 0.99)]!,
    cpuPercent: ((after.cpuMs - before.cpuMs) / roundMs) * 100,
    kibPerSecond: (figures?.['bytes'] ?? 0) / 1024 / (roundMs / 1000),
  };
}

const rowsOf = (none: Figures, streams: Figures, polling: Figures): Row[] => [
  {
    what: '50 live pages (bare: none): p99 of a small read',
    bare: none.p99,
    parley: streams.p99,
    unit: 'ms',
    digits: 1,
    target: { atMost: 1.5 },
  },
  {
    what: '50 live pages: processor time of a core more than without',
    parley: streams.cpuPercent - none.cpuPercent,
    unit: '%',
    digits: 1,
    target: { atMost: 3 },
  },
  { what: '50 live pages: sent', parley: streams.kibPerSecond, unit: 'KiB/s' },
  {
    what: 'the same by polling (bare: none): p99 of a small read',
    bare: none.p99,
    parley: polling.p99,
    unit: 'ms',
    digits: 1,
  },
  {
    what: 'the same by polling: processor time of a core more than without',
    parley: polling.cpuPercent - none.cpuPercent,
    unit: '%',
    digits: 1,
  },
  { what: 'the same by polling: sent', parley: polling.kibPerSecond, unit: 'KiB/s' },
];
