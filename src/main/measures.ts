import { sql } from 'kysely';
import { readInBackground } from '../db/long-reads.ts';
import { type StatementTimes, timeLimits } from '../db/statement-times.ts';
import type { Carriers } from '../features/calls/carriers/carriers.ts';
import { carrierFailures, carrierPauses } from '../features/numbers/carrier-reach.ts';
import type { Health } from '../http/health.ts';
import type { Runner } from '../jobs/runner.ts';
import type { App } from '../kernel/app.ts';
import { counter, gauge, type Metric, type Sample } from '../kernel/metric.ts';
import { watchdogOf } from '../kernel/watchdog.ts';
import { lastBackup, sizeOf } from './backup-record.ts';
import { backupFailures } from './scheduled-backup.ts';

type Queue = { kind: string; waiting: number; due: number; running: number; oldest: number | null };

/** Parts that supply measures which the database does not have. */
type Measured = { runner: Runner; health: Health; times: StatementTimes; carriers: Carriers };

/**
 * The metrics of an installation at this moment. The queries read only waiting work, so their cost does not grow with the history; but a
 * million jobs may wait, so they run on the background thread.
 */
export async function measure(app: App, { runner, health, times, carriers }: Measured): Promise<Metric[]> {
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
    gauge('parley_calls_in_flight', 'Calls that have been placed and have not ended.', one(calls ?? 0)),
    gauge(
      'parley_carrier_paused_numbers',
      'Phone numbers whose calls wait because their carrier is out of reach.',
      one((await carrierPauses(app.db)).paused),
    ),
    counter(
      'parley_carrier_failures_total',
      'Calls that could not be handed over since the start because the carrier was out of reach.',
      one(carrierFailures(app)),
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
    ...(await backupMetrics(app)),
    ...(await carriers.metrics(app)),
    ...mainThread(app, times),
    ...ofProcess(),
  ];
}

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
const mainThread = (app: App, times: StatementTimes): Metric[] => [
  counter(
    'parley_main_thread_blocked_total',
    'How often an operation or job took the main thread for more than 100 ms of processor time without a pause.',
    [...watchdogOf(app).blocked()].map(({ kind, name, count }) => ({
      labels: { kind, name },
      value: count,
    })),
  ),
  statementSeconds(times),
];

const ofProcess = (): Metric[] => [
  gauge('process_resident_memory_bytes', 'Resident memory size of the process.', one(process.memoryUsage.rss())),
  counter('process_cpu_seconds_total', 'User and system CPU time of the process.', one(cpuSeconds())),
];

/** One histogram per name of a statement. Prometheus' buckets are cumulative. */
const statementSeconds = (times: StatementTimes): Metric => ({
  name: 'parley_main_thread_statement_seconds',
  help: 'How long database statements held the main thread, by what they do and their first table.',
  type: 'histogram',
  samples: [...times.all()].flatMap(({ name, counts, seconds }): Sample[] => {
    const labels = { statement: name };
    let count = 0;
    const buckets = counts.map((inBucket, index): Sample => {
      count += inBucket;
      return { suffix: '_bucket', labels: { ...labels, le: String(timeLimits[index] ?? '+Inf') }, value: count };
    });
    const sum = Number(seconds.toFixed(6));
    return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
  }),
});

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
