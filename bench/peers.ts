/**
 * Measures webhook deliveries per second against queues of others: BullMQ on Redis, pg-boss and graphile-worker on PostgreSQL.
 *
 *   npm ci --prefix bench/peers && npm run bench:peers [-- --quick] [-- --json]
 *
 * It needs Debian's redis-server and postgresql, and starts both on free ports of 127.0.0.1 with temporary data directories.
 *
 * Each side is one process, which gets a backlog of the same events of 3 KB for 32 URLs and sends up to 256 at a time with undici, signed
 * as Standard Webhooks says, to the same receiver in another process. A round ends when the last delivery is recorded. Sides take turns.
 * - parley: as shipped, so at most 8 at a time go to a URL. A delivery is kept with its attempt. Every COMMIT is on disk before anything
 *   depends on it. Once on SQLite, and once on the PostgreSQL server of the peers.
 * - BullMQ: 256 jobs at a time, which are forgotten when done. Redis syncs its append-only file every second, as BullMQ's documentation
 *   asks for, so that a power cut loses up to a second of jobs and results.
 * - pg-boss: four loops that fetch 64 jobs, send them and complete them together. PostgreSQL's defaults: every COMMIT syncs.
 * - graphile-worker: 256 jobs at a time, fetched and completed in batches, without its line of log per job. The same PostgreSQL.
 *
 * The peers store no attempts, and do not retry by endpoint or limit what is under way to one; 32 URLs in turn make it about 8 for each.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Child, startChild } from './support/child.ts';
import { missingPackages, startPostgres, startRedis } from './support/peer-servers.ts';
import { median, medians, quick, ratiosOf, report, type Row } from './support/report.ts';

const urls = 32;
// Many rounds of a few seconds, because a machine's load changes within seconds.
const events = quick ? 3000 : 8000;
const rounds = quick ? 2 : 9;

const missing = missingPackages();
if (missing.length > 0) stopWith(`bench:peers needs servers that are missing: apt-get install ${missing.join(' ')}`);
if (!existsSync(join(import.meta.dirname, 'peers/node_modules')))
  stopWith('The peers are not installed: npm ci --prefix bench/peers');

function stopWith(message: string): never {
  console.error(message);
  process.exit(1);
}

type Side = 'parley' | 'parley on PostgreSQL' | 'bullmq' | 'pg-boss' | 'graphile-worker';
const names = { bullmq: 'BullMQ and Redis', 'pg-boss': 'pg-boss', 'graphile-worker': 'graphile-worker' } as const;
/** `idleLagMs` is the lag of an idle process in the same seconds. */
type Figure = 'perSecond' | 'cpuUs' | 'serverCpuUs' | 'lagMs' | 'idleLagMs';
type Round = Record<Side, Record<Figure, number>>;

await using cleanup = new AsyncDisposableStack();
const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'));
cleanup.defer(() => rmSync(directory, { recursive: true, force: true }));
const receiver = await startChild('receiver.ts');
cleanup.defer(() => receiver.stop());
const idle = await startChild('idle.ts');
cleanup.defer(() => idle.stop());
const redis = await startRedis();
cleanup.defer(() => redis.stop());
const postgres = await startPostgres();
cleanup.defer(() => postgres.stop());

async function startSide(file: string, server: { port: number; pid: number }): Promise<Child> {
  const given = [receiver.ready['port'], urls, events, join(directory, 'body'), server.port, server.pid].map(String);
  given[0] = `http://127.0.0.1:${given[0]}`;
  const log = join(directory, `${basename(file)}.log`);
  const child = await startChild(file, given, { log, env: { NO_LOG_SUCCESS: '1' } });
  cleanup.defer(() => child.stop());
  return child;
}

const none = { port: 0, pid: 0 };
const sides: Record<Side, Child> = {
  parley: await startSide('parley-worker.ts', none),
  'parley on PostgreSQL': await startSide('parley-worker.ts', postgres),
  bullmq: await startSide('../peers/bullmq.ts', redis),
  'pg-boss': await startSide('../peers/pg-boss.ts', postgres),
  'graphile-worker': await startSide('../peers/graphile-worker.ts', postgres),
};

async function measure(side: Side): Promise<Record<Figure, number>> {
  await idle.figures();
  const figures = await sides[side].figures();
  const { lagMs: idleLagMs } = await idle.figures();
  const { received, signed } = await receiver.figures();
  if (received !== events || signed !== events) {
    throw new Error(`${side}: ${received} of ${events} arrived, ${signed} of them signed`);
  }
  return { ...figures, idleLagMs } as Record<Figure, number>;
}

const results: Round[] = [];
for (let round = 0; round <= rounds; round++) {
  const result = {
    parley: await measure('parley'),
    'parley on PostgreSQL': await measure('parley on PostgreSQL'),
    bullmq: await measure('bullmq'),
    'pg-boss': await measure('pg-boss'),
    'graphile-worker': await measure('graphile-worker'),
  };
  if (round > 0) results.push(result); // the first round is a warm-up
}

/** Rows of parley and a peer. On SQLite all that parley does is in its process; else a database server works for it too. */
function against(peer: keyof typeof names, { side, atLeast }: { side: Side; atLeast?: number }): Row[] {
  const compare = (figureOf: (figures: Record<Figure, number>) => number): Omit<Row, 'what'> => {
    const pairs = results.map((result) => ({ parley: figureOf(result[side]), bare: figureOf(result[peer]) }));
    return { ...medians(pairs), ratios: ratiosOf(pairs, 'parley', 'bare') };
  };
  return [
    {
      what: `deliveries per second, ${side} against ${names[peer]}`,
      ...compare(({ perSecond }) => perSecond),
      ...(atLeast !== undefined && { target: { atLeast } }),
    },
    {
      what: 'CPU per delivery, with the database server',
      ...compare(({ cpuUs, serverCpuUs }) => cpuUs + serverCpuUs),
      unit: 'µs',
    },
    { what: 'CPU per delivery of the process', ...compare(({ cpuUs }) => cpuUs), unit: 'µs' },
    { what: "p99 of the event loop's lag", ...compare(({ lagMs }) => lagMs), unit: 'ms', digits: 1 },
  ];
}

const lags = results.map(({ parley }) => ({ bare: parley.idleLagMs, parley: parley.lagMs }));
const above = lags.map(({ bare, parley }) => parley - bare);
report(
  `peers: ${events} events of 3 KB to ${urls} URLs`,
  [
    ...against('bullmq', { side: 'parley', atLeast: 1.5 }),
    ...against('pg-boss', { side: 'parley', atLeast: 1.5 }),
    ...against('graphile-worker', { side: 'parley', atLeast: 1.5 }),
    ...against('pg-boss', { side: 'parley on PostgreSQL', atLeast: 1 }),
    ...against('graphile-worker', { side: 'parley on PostgreSQL' }),
    {
      what: "p99 of the event loop's lag, against an idle process in the same seconds",
      ...medians(lags),
      unit: 'ms',
      digits: 1,
    },
    {
      what: 'the difference',
      parley: median(above),
      spread: [Math.min(...above), Math.max(...above)],
      unit: 'ms',
      digits: 1,
      target: { atMost: 15 },
    },
  ],
  [`medians of ${rounds} interleaved rounds; ratios: median of all rounds (lowest to highest)`],
);
