import { messageOf } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { type Completion, externalJob, type JobDefinition, transactionalJob } from '../../kernel/queue.ts';
import { plainOutcome } from './call.ts';
import type { Carrier, DialAnswer } from './carriers/carrier.ts';
import { simulatedJobs } from './carriers/simulated.ts';
import { dialCall, endSilentCall, hangUpCall, startCall } from './kinds.ts';
import { endCall, endSilent, findCall, startQueued } from './service.ts';

/** Requests that the carrier gets at the same time. */
const carrierConcurrency = 64;
const nothing: Completion = { write: () => Promise.resolve() };

/** The jobs of calls, bound to the carrier that this installation uses. */
export function callJobs(carrier: Carrier): JobDefinition[] {
  return [
    transactionalJob(startCall, (app, tx, { payload }) => startQueued(app, tx, payload.callId)),
    transactionalJob(endSilentCall, (app, tx, { payload }) => endSilent(app, tx, payload.callId)),
    externalJob(dialCall, {
      laneConcurrency: carrierConcurrency,
      leaseMs: 60_000,
      retryDelaysMs: [1000, 5000],
      run: (app, job, signal) => dial(app, carrier, job.payload.callId, job.attempt > 1, signal),
      exhausted: (app, tx, job, error) =>
        endCall(app, tx, (job.payload as { callId: string }).callId, unreachable(error)),
    }),
    externalJob(hangUpCall, {
      laneConcurrency: carrierConcurrency,
      leaseMs: 60_000,
      retryDelaysMs: [1000, 5000, 30_000],
      async run(app, job, signal) {
        const call = await findCall(app.db, job.payload.callId);
        if (call) await carrier.hangUp(app, call, signal);
        return nothing;
      },
      // The call has ended in our books; a runtime that never hears of it ends the call by its own limit.
      async exhausted(app, _tx, job, error) {
        app.log.warn({ callId: job.key, error: messageOf(error) }, 'the carrier could not be told to hang up');
      },
    }),
    ...simulatedJobs,
  ];
}

const unreachable = (error: unknown) =>
  plainOutcome('failed', { errorMessage: `The carrier could not be reached: ${messageOf(error)}` });

/**
 * Tells the carrier to dial, once. A repeated run means that an earlier one died or met an error midway, so the call may be
 * ringing already: then the carrier is asked by the call's id, and only told of a call that it certainly does not know when
 * nothing was ever sent. What it does not know has failed (contract, section 6, "Dialing").
 */
async function dial(
  app: App,
  carrier: Carrier,
  callId: string,
  uncertain: boolean,
  signal: AbortSignal,
): Promise<Completion> {
  const call = await findCall(app.db, callId);
  if (!call || call.state !== 'dialing') return nothing;
  if (uncertain) {
    if (await carrier.knows(app, callId, signal)) return nothing;
    const errorMessage = 'The server stopped while dialing and the carrier does not know the call.';
    return { write: (tx) => endCall(app, tx, callId, plainOutcome('failed', { errorMessage })) };
  }
  return record(app, callId, await carrier.dial(app, call, signal));
}

function record(app: App, callId: string, answer: DialAnswer): Completion {
  return {
    async write(tx) {
      if (answer.accepted) {
        await answer.remember?.(app, tx);
        return;
      }
      const { reason: errorMessage, invalidNumber = false } = answer;
      await endCall(app, tx, callId, plainOutcome('failed', { errorMessage, invalidNumber }));
    },
  };
}
