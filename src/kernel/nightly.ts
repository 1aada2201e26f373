import { Cron } from 'croner';
import { dateOf } from '../base/clock.ts';
import { installation, transact, type Tx } from '../db/transaction.ts';
import type { App } from './app.ts';
import { runBatch } from './batch-size.ts';
import { enqueue, isQueued, type JobDefinition, type JobKind, transactionalJob } from './queue.ts';

export type Nightly = {
  job: JobDefinition;
  /** Enqueues the job unless it is queued already. Called at every start, before the runner starts. */
  schedule(app: App): Promise<void>;
};

const key = 'all';

/**
 * Nightly work in batches, such as deleting old rows. Each batch runs in its own transaction; `batch` changes at most `rows` rows of each
 * table and returns whether there may be more to do. After each batch the job enqueues itself again, immediately if there may be more to
 * do, otherwise for the next night.
 * @param at cron pattern in UTC
 */
export function nightly(
  kind: JobKind<Record<string, never>>,
  at: string,
  batch: (app: App, tx: Tx, rows: number) => Promise<boolean>,
): Nightly {
  const cron = new Cron(at, { utcOffset: 0 });
  const nextNight = (nowMs: number): number => {
    const next = cron.nextRun(dateOf(nowMs));
    if (!next) throw new Error(`${at} has no next run`);
    return next.getTime();
  };
  const enqueueAt = (app: App, tx: Tx, dueAt: number): Promise<void> =>
    enqueue(app, tx, kind, { key, dueAt, payload: {} });
  return {
    job: transactionalJob(kind, async (app, tx) => {
      const now = app.clock.now();
      const isMoreToDo = await runBatch(app, kind.name, (rows) => batch(app, tx, rows));
      await enqueueAt(app, tx, isMoreToDo ? now : nextNight(now));
    }),
    async schedule(app) {
      if (await isQueued(app.db, kind, key)) return;
      await transact(app.db, installation, (tx) => enqueueAt(app, tx, nextNight(app.clock.now())));
    },
  };
}
