import type { Config } from '../../base/config/schema.ts';
import { messageOf } from '../../base/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { type Completion, externalJob, type Job, type JobDefinition } from '../../kernel/queue.ts';
import { ask, errorOf } from './asking.ts';
import { checkAccount, scheduleCheck } from './checks.ts';
import { whoAmI } from './provider/cal-com.ts';
import * as store from './store.ts';

type CheckJob = Job<{ orgId: string; failures: number }>;

const nothing: Completion = { write: () => Promise.resolve() };

export const calendarJobs = (config: Config): JobDefinition[] => [
  externalJob(checkAccount, {
    laneConcurrency: 4,
    leaseMs: config.calendar.timeout_ms + 60_000,
    // A check that fails is a result with a schedule of its own; what throws is a defect, or the end of the process.
    retryDelaysMs: [],
    run: runCheck,
    exhausted: brokeOff,
  }),
];

/** Asking twice does no harm. An account that was disconnected meanwhile is let go. */
async function runCheck(app: App, job: CheckJob, signal: AbortSignal): Promise<Completion> {
  const account = await store.activeAccount(app.db, job.payload.orgId, job.key);
  if (!account) return nothing;
  const asked = await ask(app, account, whoAmI, { retries: 0, signal });
  signal.throwIfAborted();
  const error = errorOf(asked);
  return {
    async write(tx) {
      if (!(await store.setError(tx, account.id, error))) return;
      await scheduleCheck(app, tx, account, error === null ? 0 : job.payload.failures + 1);
    },
  };
}

async function brokeOff(app: App, tx: Tx, job: CheckJob, error: unknown): Promise<void> {
  app.log.warn({ accountId: job.key, error: messageOf(error) }, 'a check of a calendar account broke off');
  await scheduleCheck(app, tx, { id: job.key, orgId: job.payload.orgId }, job.payload.failures + 1);
}
