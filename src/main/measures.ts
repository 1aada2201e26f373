import { sql } from 'kysely';
import { readInBackground } from '../db/long-reads.ts';
import type { OpenDatabase } from '../db/open-database.ts';
import type { Carriers } from '../features/calls/carriers/carriers.ts';
import { carrierPauses } from '../features/numbers/carrier-reach.ts';
import type { Health } from '../http/health.ts';
import type { Runner } from '../jobs/runner.ts';
import type { App } from '../kernel/app.ts';
import { counter, gauge, type Metric, type Sample } from '../base/metric.ts';
import { declaredMetrics } from '../kernel/meters.ts';
import { watchdogOf } from '../kernel/watchdog.ts';
import { lastBackup, sizeOf } from './backup-record.ts';
import type { DataDirectory } from './data-directory.ts';
import { freeBytesOf } from './diagnostics.ts';
import { nodeMetric, type NodeList } from './nodes.ts';
import { backupFailures } from './scheduled-backup.ts';

type Queue = { kind: string; waiting: number; due: number; running: number; oldest: number | null };

/** Parts that supply measures which the database does not have. */
type Measured = {
  runner: Runner;
  health: Health;
  times: OpenDatabase['times'];
  carriers: Carriers;
  directory: DataDirectory;
  nodes: NodeList;
  bytes: OpenDatabase['bytes'];
};

/**
 * The metrics of an installation at this moment. The queries read only waiting work, so their cost does not grow with the history; but a
 * million jobs may wait, so they run on the background thread.
 */
export async function measure(
  app: App,
  { runner, health, times, carriers, directory, nodes, bytes }: Measured,
): Promise<Metric[]> {
  const now = app.clock.now();
  const queue = await queueOf(app, now);
  const { calls, failing, held } = await totalsOf(app);
  const oldest = Math.min(now, ...queue.map((kind) => kind.oldest ?? now));
  const byKind = (value: (kind: Queue) => number): Sample[] =>
    queue.map((kind) => ({ labels: { kind: kind.kind }, value: value(kind) }));
  const delivery = queue.find(({ kind }) => kind === 'webhook.deliver');
  return [
    gauge('parley_info', 'The running version, as a label.', [{ labels: { version: app.version }, value: 1 }]),
    gauge(
      'parley_ready',
      '1 while the server accepts requests and the storage accepts writes, else 0.',
      one(isReady(health)),
    ),
    nodeMetric(await nodes()),
    gauge('parley_calls_in_flight', 'Calls that have been placed and have not ended.', one(calls ?? 0)),
    gauge(
      'parley_carrier_paused_numbers',
      'Phone numbers whose calls wait because their carrier is out of reach.',
      one((await carrierPauses(app.db)).paused),
    ),
    counter(
      'parley_jobs_run_total',
      'Jobs run since the server started, by kind.',
      [...runner.ran()].map(([kind, value]) => ({ labels: { kind }, value })),
    ),
    gauge(
      'parley_jobs_waiting',
      'Jobs in the queue that are not running, by kind.',
      byKind(({ waiting }) => waiting),
    ),
    gauge(
      'parley_jobs_due',
      'Waiting jobs that are due, by kind.',
      byKind(({ due }) => due),
    ),
    gauge(
      'parley_oldest_job_age_seconds',
      'How long the oldest waiting job has been due, by kind; 0 where none is due.',
      byKind((kind) => Math.max(0, now - (kind.oldest ?? now)) / 1000),
    ),
    gauge(
      'parley_jobs_oldest_due_seconds',
      'How long the oldest waiting job has been due.',
      one((now - oldest) / 1000),
    ),
    gauge('parley_webhook_deliveries', 'Unfinished webhook deliveries, by status.', [
      { labels: { status: 'waiting' }, value: delivery?.waiting ?? 0 },
      { labels: { status: 'delivering' }, value: delivery?.running ?? 0 },
      { labels: { status: 'held' }, value: held ?? 0 },
    ]),
    gauge(
      'parley_webhook_endpoints_failing',
      'Webhook endpoints that are paused because their deliveries fail.',
      one(failing),
    ),
    gauge(
      'parley_database_size_bytes',
      'Size of the database and its write-ahead log.',
      one(bytes === undefined ? fileBytes(directory) : await bytes()),
    ),
    gauge('parley_disk_free_bytes', 'Free space where the data directory lies.', one(freeBytesOf(directory.path))),
    ...(await backupMetrics(app)),
    ...(await carriers.metrics(app)),
    ...declaredMetrics(app),
    ...mainThread(app, times),
    ...ofProcess(),
  ];
}

/** The database with its write-ahead log, which the next checkpoint moves into it. */
const fileBytes = ({ databaseFile }: DataDirectory): number =>
  (sizeOf(databaseFile) ?? 0) + (sizeOf(`${databaseFile}-wal`) ?? 0);

/** Without a backup yet, time and size have no sample, so that no alert takes 0 for a time. */
async function backupMetrics(app: App): Promise<Metric[]> {
  const { completedAt, path } = await lastBackup(app.db);
  const size = sizeOf(path);
  return [
    gauge(
      'parley_backup_last_success_timestamp_seconds',
      'When the last backup was complete, in Unix time.',
      completedAt === null ? [] : one(completedAt / 1000),
    ),
    gauge('parley_backup_size_bytes', 'Size of the last backup.', size === null ? [] : one(size)),
    counter(
      'parley_backup_failures_total',
      'Backups by schedule that failed since the start, each repetition counted.',
      one(backupFailures(app)),
    ),
  ];
}

/** Work that blocked the main thread, and for how long. */
const mainThread = (app: App, times: OpenDatabase['times']): Metric[] => [
  counter(
    'parley_main_thread_blocked_total',
    'How often an operation or job took the main thread for more than 100 ms of processor time without a pause.',
    [...watchdogOf(app).blocked()].map(({ kind, name, count }) => ({
      labels: { kind, name },
      value: count,
    })),
  ),
  ...times.metrics(),
];

const ofProcess = (): Metric[] => [
  gauge('process_resident_memory_bytes', 'Resident memory size of the process.', one(process.memoryUsage.rss())),
  counter('process_cpu_seconds_total', 'User and system CPU time of the process.', one(cpuSeconds())),
];

const one = (value: number): Sample[] => [{ value }];
const isReady = (health: Health): number => Number(health.readiness().status === 'ready');

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

const owner = 'metrics';

async function queueOf({ db }: App, now: number): Promise<readonly Queue[]> {
  const query = sql<Queue>`
    SELECT kind,
           count(*) FILTER (WHERE lease_until IS NULL) AS waiting,
           count(*) FILTER (WHERE lease_until IS NULL AND due_at <= ${now}) AS due,
           count(lease_until) AS running,
           min(due_at) FILTER (WHERE lease_until IS NULL) AS oldest
    FROM outbox GROUP BY kind ORDER BY kind`.compile(db);
  return (await readInBackground(db, query, { owner })).rows;
}

type Totals = { calls: number | null; failing: number; held: number | null };

async function totalsOf({ db }: App): Promise<Totals> {
  const query = sql<Totals>`
    SELECT (SELECT sum(in_flight) FROM organizations) AS calls,
           (SELECT count(*) FROM webhook_endpoints WHERE status = 'failing' AND removed_at IS NULL) AS failing,
           (SELECT sum(held) FROM webhook_endpoints WHERE removed_at IS NULL) AS held`.compile(db);
  return (await readInBackground(db, query, { owner })).rows[0]!;
}
