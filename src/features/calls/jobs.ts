import { messageOf } from '../../base/errors.ts';
import { externalJob, type JobDefinition, type JobPool, nothingToWrite, transactionalJob } from '../../kernel/queue.ts';
import { analysisJob } from './analysis/ending.ts';
import type { Carriers } from './carriers/carriers.ts';
import { dialAt, dialer } from './dial.ts';
import { dialCall, endSilentCall, hangUpCall, startCall } from './kinds.ts';
import type { CampaignCalls } from './last-look.ts';
import { startQueued } from './place.ts';
import { callDeletion, callPruning } from './retention.ts';
import { endSilent, findCall } from './service.ts';
import { silenceJob } from './silence.ts';

/** Calls that may be handed to carriers at the same time. */
const dialing: JobPool = { name: 'calls', maxRunning: 256 };
/** Requests to carriers of one campaign, and hang-ups of all, that may run at the same time. */
const carrierConcurrency = 64;
/** A pool of its own, so that a hang-up never waits behind dials. */
const hangingUp: JobPool = { name: 'hang-ups', maxRunning: carrierConcurrency };
/** Delays before the dial job runs again after a failure inside parley, such as a full disk. A carrier's failure does not make it throw. */
const retryDelaysMs = [1000, 5000, 30_000];
const afterRetriesMs = 60_000;

/** The jobs of calls, bound to the carriers, and the jobs of every driver. */
export function callJobs({ carrierOf, maxRequestMs, jobs }: Carriers, campaigns: CampaignCalls): JobDefinition[] {
  const leaseMs = 60_000 + maxRequestMs;
  return [
    transactionalJob(startCall, startQueued),
    silenceJob,
    transactionalJob(endSilentCall, (app, tx, { payload }) => endSilent(app, tx, payload.callId)),
    externalJob(dialCall, {
      pool: dialing,
      laneConcurrency: carrierConcurrency,
      leaseMs,
      retryDelaysMs,
      run: dialer(carrierOf, campaigns),
      // Keeps trying: if the call is never dialed, the check whether its end was reported ends it.
      exhausted(app, tx, job, error) {
        app.log.error({ callId: job.key, error: messageOf(error) }, 'a call could not be dialed; it is tried again');
        return dialAt(app, tx, job.lane!, job.payload, app.clock.now() + afterRetriesMs);
      },
    }),
    externalJob(hangUpCall, {
      pool: hangingUp,
      laneConcurrency: carrierConcurrency,
      leaseMs,
      retryDelaysMs: [1000, 5000, 30_000],
      async run(app, job) {
        const call = await findCall(app.db, job.payload.callId);
        if (call) await carrierOf(call).hangUp(app, call);
        return nothingToWrite;
      },
      // In parley the call has ended. The carrier ends it, too, once its maximum duration is over.
      exhausted(app, _tx, job, error) {
        app.log.warn({ callId: job.key, error: messageOf(error) }, 'the carrier could not be told to hang up a call');
        return Promise.resolve();
      },
    }),
    analysisJob,
    callDeletion,
    callPruning.job,
    ...jobs,
  ];
}
