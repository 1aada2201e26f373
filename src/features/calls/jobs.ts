import { messageOf } from '../../base/errors.ts';
import { externalJob, type JobDefinition, nothingToWrite, transactionalJob } from '../../kernel/queue.ts';
import type { Carriers } from './carriers/carriers.ts';
import { carrierRetryDelaysMs, dial, giveUp } from './dial.ts';
import { dialCall, endSilentCall, hangUpCall, startCall } from './kinds.ts';
import { startQueued } from './place.ts';
import { endSilent, findCall } from './service.ts';

/** Requests that the carrier gets at the same time. */
const carrierConcurrency = 64;
/** The jobs of calls, bound to the carrier that this installation uses, and those of all carriers' drivers. */
export function callJobs({ carrier, jobs }: Carriers): JobDefinition[] {
  const leaseMs = 60_000 + carrier.maxRequestMs;
  return [
    transactionalJob(startCall, startQueued),
    transactionalJob(endSilentCall, (app, tx, { payload }) => endSilent(app, tx, payload.callId)),
    externalJob(dialCall, {
      laneConcurrency: carrierConcurrency,
      leaseMs,
      retryDelaysMs: carrierRetryDelaysMs,
      run: (app, job, signal) => dial(app, carrier, job, signal),
      exhausted: giveUp,
    }),
    externalJob(hangUpCall, {
      laneConcurrency: carrierConcurrency,
      leaseMs,
      retryDelaysMs: [1000, 5000, 30_000],
      async run(app, job, signal) {
        const call = await findCall(app.db, job.payload.callId);
        if (call) await carrier.hangUp(app, call, signal);
        return nothingToWrite;
      },
      // The call has ended in our books; a runtime that never hears of it ends the call by its own limit.
      exhausted(app, _tx, job, error) {
        app.log.warn({ callId: job.key, error: messageOf(error) }, 'the carrier could not be told to hang up');
        return Promise.resolve();
      },
    }),
    ...jobs,
  ];
}
