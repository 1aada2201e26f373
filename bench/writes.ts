/**
 * Measures POSTs per second while each sync of the disk takes 0, 2 and 5 ms longer, and how long a small read takes meanwhile.
 *
 *   npm run bench:writes [-- --quick] [-- --json]
 *
 * One server process for each length; rounds alternate between them. Only the syncs that answers wait for are lengthened. The read is
 * sent every 5 ms, on another connection when the one before has not been answered.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { load } from './support/load.ts';
import { startReads } from './support/reads.ts';
import { median, quick, report, type Row } from './support/report.ts';
import { serve, type Served } from './support/serve.ts';

const durationMs = quick ? 500 : 2000;
const rounds = quick ? 2 : 5;
const connectionCounts = [1, 64, 256];
const delays = [0, 2, 5];
/** The share of the rate without delay that must be left. A closed loop of 64 connections allows little more. */
const minShares: Readonly<Record<string, number>> = { '64/2': 0.7, '64/5': 0.5, '256/2': 0.75, '256/5': 0.75 };

const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const preload = import.meta.resolve('./support/slow-syncs.ts');

type Side = Served & { delay: number; readPath: string; syncs(): Promise<number> };

async function startSide(delay: number): Promise<Side> {
  const count = join(directory, `syncs-${delay}`);
  const env = { SLOW_SYNCS_MS: String(delay), SLOW_SYNCS_COUNT: count };
  const served = await serve(['--set', 'http.rate_limit.per_second=0'], undefined, {
    nodeArgs: ['--import', preload],
    env,
  });
  const answer = await fetch(`${served.url}/api/v1/contacts`, { method: 'POST', headers: headersOf(served), body });
  assert.equal(answer.status, 200);
  const { data } = (await answer.json()) as { data: { id: string } };
  async function syncs(): Promise<number> {
    rmSync(count, { force: true });
    process.kill(served.pid, 'SIGUSR2');
    for (;;) {
      await setTimeout(5);
      try {
        const text = readFileSync(count, 'utf8');
        if (text !== '') return Number(text);
      } catch {
        // not written yet
      }
    }
  }
  return { ...served, delay, readPath: `/api/v1/contacts/${data.id}`, syncs };
}

const body = JSON.stringify({
  first_name: 'Ada',
  last_name: 'Example',
  company: 'Example GmbH',
  metadata: { plan: 'basic' },
});
const headersOf = ({ apiKey }: Served) => ({ 'x-api-key': apiKey, 'content-type': 'application/json' });

type Figures = { perSecond: number; readP50: number; readP99: number; perSync: number };

async function measure(side: Side, connections: number): Promise<Figures> {
  const syncsBefore = await side.syncs();
  const reads = startReads(side.url + side.readPath, side.apiKey);
  const request = { method: 'POST', path: '/api/v1/contacts', headers: headersOf(side), body };
  const startedAt = performance.now();
  const posted = await load(Number(new URL(side.url).port), request, { connections, durationMs });
  const seconds = (performance.now() - startedAt) / 1000;
  const times = await reads.stop();
  return {
    perSecond: posted / seconds,
    readP50: times[Math.floor(times.length / 2)]!,
    readP99: times[Math.floor(times.length * 0.99)]!,
    perSync: posted / ((await side.syncs()) - syncsBefore),
  };
}

const sides = await Promise.all(delays.map(startSide));
const results = new Map<string, Figures[]>();
for (const side of sides) await measure(side, 64); // warm-up
for (let round = 0; round < rounds; round += 1) {
  for (const connections of connectionCounts) {
    for (const side of sides) {
      const key = `${connections}/${side.delay}`;
      results.set(key, [...(results.get(key) ?? []), await measure(side, connections)]);
    }
  }
}
await Promise.all(sides.map((side) => side.stop()));
rmSync(directory, { recursive: true, force: true });

const valuesOf = (key: string, name: keyof Figures): number[] => results.get(key)!.map((figures) => figures[name]);

function row(what: string, key: string, name: keyof Figures, options: Partial<Row> = {}): Row {
  const values = valuesOf(key, name);
  return { what, parley: median(values), spread: [Math.min(...values), Math.max(...values)], ...options };
}

function rowsOf(connections: number, delay: number): Row[] {
  const key = `${connections}/${delay}`;
  const at = `${connections} connections, ${delay} ms:`;
  const bare = delay === 0 ? {} : { bare: median(valuesOf(`${connections}/0`, 'perSecond')) };
  const atLeast = minShares[key];
  return [
    row(`${at} POSTs per second`, key, 'perSecond', {
      ...bare,
      ...(atLeast === undefined ? {} : { target: { atLeast } }),
    }),
    row(`${at} POSTs per sync`, key, 'perSync', { digits: 1 }),
    row(`${at} a read meanwhile, p50`, key, 'readP50', { unit: 'ms', digits: 1 }),
    row(`${at} a read meanwhile, p99`, key, 'readP99', { unit: 'ms', digits: 1, target: { atMost: 25 } }),
  ];
}

report(
  'writes: POST contacts while each sync takes longer; bare is parley without that',
  connectionCounts.flatMap((connections) => delays.flatMap((delay) => rowsOf(connections, delay))),
  [`medians of ${rounds} interleaved rounds of ${durationMs} ms`],
);
