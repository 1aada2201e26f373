import type { Config } from '../../base/config/schema.ts';
import { messageOf } from '../../base/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { type Completion, externalJob, type Job, type JobDefinition, nothingToWrite } from '../../kernel/queue.ts';
import { checkAccount, scheduleCheck } from './checks.ts';
import { whoAmI } from './provider/cal-com.ts';
import { accountErrorOf, queryProvider } from './provider-query.ts';
import * as store from './store.ts';

type CheckJob = Job<{ orgId: string; failures: number }>;

export const calendarJobs = (config: Config): JobDefinition[] => [
  externalJob(checkAccount, {
    pool: { name: 'calendar', maxRunning: 16 },
    laneConcurrency: 4,
    leaseMs: config.calendar.timeout_ms + 60_000,
    // A failed check completes the job and schedules the next check. Only a bug or the end of the process makes it throw.
    retryDelaysMs: [],
    run: runCheck,
    exhausted: onCheckError,
  }),
];

/** Idempotent: checking a key twice changes nothing. Skips an account that was disconnected meanwhile. */
async function runCheck(app: App, job: CheckJob, signal: AbortSignal): Promise<Completion> {
  const account = await store.activeAccount(app.db, job.payload.orgId, job.key);
  if (!account) return nothingToWrite;
  const result = await queryProvider(app, account, whoAmI, { retries: 0, signal });
  signal.throwIfAborted();
  const error = accountErrorOf(result);
  return {
    async write(tx) {
      if (!(await store.setError(tx, account.id, error))) return;
      await scheduleCheck(app, tx, account, error === null ? 0 : job.payload.failures + 1);
    },
  };
}

async function onCheckError(app: App, tx: Tx, job: CheckJob, error: unknown): Promise<void> {
  app.log.warn({ accountId: job.key, error: messageOf(error) }, 'checking a calendar account was interrupted');
  await scheduleCheck(app, tx, { id: job.key, orgId: job.payload.orgId }, job.payload.failures + 1);
}
