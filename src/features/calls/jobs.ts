import { messageOf } from '../../base/errors.ts';
import { externalJob, type JobDefinition, type JobPool, nothingToWrite, transactionalJob } from '../../kernel/queue.ts';
import type { Carriers } from './carriers/carriers.ts';
import { dialAt, dialer } from './dial.ts';
import { dialCall, endSilentCall, hangUpCall, startCall } from './kinds.ts';
import type { CampaignCalls } from './last-look.ts';
import { startQueued } from './place.ts';
import { endSilent, findCall } from './service.ts';

/** Requests to the carrier that may run at the same time. */
const carrierConcurrency = 64;
const dialing: JobPool = { name: 'calls', maxRunning: carrierConcurrency };
/** Of their own, so that a call can be ended however many wait to begin. */
const hangingUp: JobPool = { name: 'hang-ups', maxRunning: carrierConcurrency };
/** Delays after a failure of parley itself, such as a full disk; carriers' failures never get here. */
const retryDelaysMs = [1000, 5000, 30_000];
const afterRetriesMs = 60_000;

/** The jobs of calls, bound to the chosen carrier, and the jobs of every driver. */
export function callJobs({ carrier, jobs }: Carriers, campaigns: CampaignCalls): JobDefinition[] {
  const leaseMs = 60_000 + carrier.maxRequestMs;
  return [
    transactionalJob(startCall, startQueued),
    transactionalJob(endSilentCall, (app, tx, { payload }) => endSilent(app, tx, payload.callId)),
    externalJob(dialCall, {
      pool: dialing,
      laneConcurrency: carrierConcurrency,
      leaseMs,
      retryDelaysMs,
      run: dialer(carrier, campaigns),
      // A call is never forgotten: if nothing else ends it, the check whether its end was reported does.
      exhausted(app, tx, job, error) {
        app.log.error({ callId: job.key, error: messageOf(error) }, 'a call could not be dialed; it is tried again');
        return dialAt(app, tx, job.payload, app.clock.now() + afterRetriesMs);
      },
    }),
    externalJob(hangUpCall, {
      pool: hangingUp,
      laneConcurrency: carrierConcurrency,
      leaseMs,
      retryDelaysMs: [1000, 5000, 30_000],
      async run(app, job) {
        const call = await findCall(app.db, job.payload.callId);
        if (call) await carrier.hangUp(app, call);
        return nothingToWrite;
      },
      // The call has ended here. A carrier that was not reached ends it by its own limit of duration.
      exhausted(app, _tx, job, error) {
        app.log.warn({ callId: job.key, error: messageOf(error) }, 'the carrier could not be told to hang up a call');
        return Promise.resolve();
      },
    }),
    ...jobs,
  ];
}
