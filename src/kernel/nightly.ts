import { Cron } from 'croner';
import { dateOf } from '../base/clock.ts';
import { installation, transact, type Tx } from '../db/transaction.ts';
import type { App } from './app.ts';
import { enqueue, isQueued, type JobDefinition, type JobKind, transactionalJob } from './queue.ts';

export type Nightly = {
  job: JobDefinition;
  /** Sees to it that the work is in the queue; called at every start, before the runner works. */
  schedule(app: App): Promise<void>;
};

const key = 'all';

/**
 * Work that a night does in batches, each in a transaction of its own, such as deleting what is too old. `batch` answers whether
 * there may be more. One job that enqueues itself: at once after a full batch, else for the next night.
 * @param at cron pattern in UTC
 */
export function nightly(
  kind: JobKind<Record<string, never>>,
  at: string,
  batch: (app: App, tx: Tx) => Promise<boolean>,
): Nightly {
  const cron = new Cron(at, { utcOffset: 0 });
  const nextNight = (nowMs: number): number => {
    const next = cron.nextRun(dateOf(nowMs));
    if (!next) throw new Error(`${at} has no next run`);
    return next.getTime();
  };
  const again = (app: App, tx: Tx, dueAt: number): Promise<void> => enqueue(app, tx, kind, { key, dueAt, payload: {} });
  return {
    job: transactionalJob(kind, async (app, tx) => {
      const now = app.clock.now();
      await again(app, tx, (await batch(app, tx)) ? now : nextNight(now));
    }),
    async schedule(app) {
      if (await isQueued(app.db, kind, key)) return;
      await transact(app.db, installation, (tx) => again(app, tx, nextNight(app.clock.now())));
    },
  };
}
