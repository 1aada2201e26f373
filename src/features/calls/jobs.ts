import { messageOf } from '../../base/errors.ts';
import { externalJob, type JobDefinition, type JobPool, nothingToWrite, transactionalJob } from '../../kernel/queue.ts';
import type { Carriers } from './carriers/carriers.ts';
import { carrierRetryDelaysMs, dial, giveUp } from './dial.ts';
import { dialCall, endSilentCall, hangUpCall, startCall } from './kinds.ts';
import { startQueued } from './place.ts';
import { endSilent, findCall } from './service.ts';

/** Requests to the carrier that may run at the same time. */
const carrierConcurrency = 64;
const dialing: JobPool = { name: 'calls', maxRunning: carrierConcurrency };
/** Of their own, so that a call can be ended however many wait to begin. */
const hangingUp: JobPool = { name: 'hang-ups', maxRunning: carrierConcurrency };

/** The jobs of calls, bound to the chosen carrier, and the jobs of every driver. */
export function callJobs({ carrier, jobs }: Carriers): JobDefinition[] {
  const leaseMs = 60_000 + carrier.maxRequestMs;
  return [
    transactionalJob(startCall, startQueued),
    transactionalJob(endSilentCall, (app, tx, { payload }) => endSilent(app, tx, payload.callId)),
    externalJob(dialCall, {
      pool: dialing,
      laneConcurrency: carrierConcurrency,
      leaseMs,
      retryDelaysMs: carrierRetryDelaysMs,
      run: (app, job, signal) => dial(app, carrier, job, signal),
      exhausted: giveUp,
    }),
    externalJob(hangUpCall, {
      pool: hangingUp,
      laneConcurrency: carrierConcurrency,
      leaseMs,
      retryDelaysMs: [1000, 5000, 30_000],
      async run(app, job, signal) {
        const call = await findCall(app.db, job.payload.callId);
        if (call) await carrier.hangUp(app, call, signal);
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
