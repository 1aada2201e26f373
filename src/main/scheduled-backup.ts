import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hourMs, isoOf, minuteMs } from '../base/clock.ts';
import type { Config } from '../base/config/schema.ts';
import { AppError, messageOf } from '../base/errors.ts';
import { installation, transact, type Tx } from '../db/transaction.ts';
import type { Examination } from '../db/open-database.ts';
import { notify } from '../features/notifications/service.ts';
import { firstOrganization } from '../features/organizations/service.ts';
import type { App } from '../kernel/app.ts';
import { appLocal } from '../kernel/node.ts';
import {
  cancel,
  type Completion,
  enqueue,
  externalJob,
  type JobDefinition,
  jobKind,
  nothingToWrite,
} from '../kernel/queue.ts';
import { backUp, type BackupContext } from './backup.ts';
import { scheduledName, surplusFiles } from './backup-files.ts';
import { nextBackup } from './backup-times.ts';
import { integrityFinding } from './diagnostics.ts';

const scheduledBackup = jobKind<Record<string, never>>('backup.run');
const key = 'all';

/** Examines a copy of the database on a thread of its own, which `signal` ends. */
type ExamineCopy = (file: string, signal: AbortSignal) => Promise<Examination>;

/** Failed attempts since the start. */
const failures = appLocal(() => ({ count: 0 }));
export const backupFailures = (app: App): number => failures(app).count;

/** Where backups by schedule are written. */
const backupDirectory = (config: Config, dataDirectory: string): string => resolve(dataDirectory, config.backup.dir);

/** Enqueues the next backup, or removes it if there is no schedule. One that was due while no server ran is made at once. */
export async function scheduleBackup(app: App): Promise<void> {
  const { schedule } = app.config.backup;
  await transact(app.db, installation, (tx) =>
    schedule === null ? cancel(tx, scheduledBackup, key) : enqueueNext(app, tx, schedule),
  );
}

const enqueueNext = (app: App, tx: Tx, schedule: string): Promise<void> =>
  enqueue(app, tx, scheduledBackup, {
    key,
    lane: 'backup',
    dueAt: nextBackup(schedule, app.clock.now()),
    payload: {},
  });

/** Backups by schedule. One that fails is tried again after 10 minutes, twice; then the first organization gets a notice. */
export const backupJobs = (context: BackupContext & { examineCopy: ExamineCopy }): JobDefinition[] => [
  externalJob(scheduledBackup, {
    pool: { name: 'backup', maxRunning: 1 },
    laneConcurrency: 1,
    leaseMs: 6 * hourMs,
    retryDelaysMs: [10 * minuteMs, 10 * minuteMs],
    run: (app, _job, signal) => run(app, context, signal),
    async exhausted(app, tx, _job, error) {
      const { schedule } = app.config.backup;
      if (schedule === null) return;
      await enqueueNext(app, tx, schedule);
      await notifyFailure(app, tx, { error: messageOf(error), next: nextBackup(schedule, app.clock.now()) });
    },
  }),
];

/** Runs at least once: after a crash in the middle it makes another backup and deletes what the killed one left. */
async function run(
  app: App,
  context: BackupContext & { examineCopy: ExamineCopy },
  signal: AbortSignal,
): Promise<Completion> {
  const { schedule, keep, secrets } = app.config.backup;
  if (schedule === null) return nothingToWrite; // switched off while a server that was killed had it running
  const directory = backupDirectory(app.config, context.directory.path);
  const name = scheduledName(app.clock.now());
  try {
    await backUp(context, join(directory, name), {
      secrets,
      createDirectory: true,
      check: (copy) => examine(copy, context, signal),
    });
  } catch (error) {
    if (!signal.aborted) failures(app).count += 1;
    throw error;
  }
  for (const old of surplusFiles(readdirSync(directory), name, keep)) rmSync(join(directory, old), { force: true });
  return { write: (tx) => enqueueNext(app, tx, schedule) };
}

async function examine(
  copy: string,
  { examineCopy }: { examineCopy: ExamineCopy },
  signal: AbortSignal,
): Promise<void> {
  const { status, message } = integrityFinding(
    await examineCopy(copy, signal).catch((error: unknown) => {
      throw signal.aborted ? new AppError('unavailable', 'The server is stopping.') : error;
    }),
  );
  if (status !== 'ok') throw new Error(message);
}

/** To the first organization, which is the one of whoever installed the server. */
async function notifyFailure(app: App, tx: Tx, { error, next }: { error: string; next: number }): Promise<void> {
  const orgId = await firstOrganization(tx);
  if (orgId === undefined) return;
  await notify(app, tx, {
    orgId,
    kind: 'backup.failed',
    subject: 'The backup by schedule failed',
    body: [
      `Three attempts to back up this server failed. The last error was: ${error}`,
      'Older backups are kept.',
      `What to do: check the directory and the space on its disk, then make a backup with: parley backup FILE. The next backup by schedule is due at ${isoOf(next)}.`,
    ].join('\n\n'),
  });
}
