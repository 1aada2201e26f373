import type { Tx } from '../../../../db/transaction.ts';
import type { App } from '../../../../kernel/app.ts';
import { enqueue, isQueued, type Job, jobKind, transactionalJob } from '../../../../kernel/queue.ts';
import type { Call } from '../../call.ts';
import { endCall, findCall, reportProgress } from '../../service.ts';
import type { Carrier, DialAnswer } from '../carrier.ts';
import { conversationOf } from './conversation.ts';
import { type Script, scriptOf } from './script.ts';

/** The next thing that happens to a simulated call; keyed by the call's id, so the queue is this carrier's memory. */
const nextStep = jobKind<{ callId: string; step: 'answer' | 'end' }>('simulated.step');

/**
 * The carrier that calls nobody: outcomes follow the dialed number, and time follows the clock, `carrier.simulated.speed` times as
 * fast. Its calls are rows of the queue, so they survive a restart as a real carrier's would.
 */
export const simulatedCarrier: Carrier = {
  driver: 'simulated',
  simulated: true,
  longestMs: 0,
  dial(_app, call) {
    const script = scriptOf(call.to, call.attempt);
    const answer: DialAnswer =
      script.ending === 'refused'
        ? { accepted: false, reason: 'The carrier refused the call.' }
        : { accepted: true, remember: (app, tx) => ring(app, tx, call, script) };
    return Promise.resolve(answer);
  },
  // The one trace of a call here is its next step, and a call without one never was accepted or has ended.
  knows: (app, callId) => isQueued(app.db, nextStep, callId),
  async hangUp() {
    // The steps of a call that has ended do nothing; there is no line to clear.
  },
};

const answers = (script: Script): boolean => script.ending === 'completed' || script.ending === 'silent';

async function ring(app: App, tx: Tx, call: Call, script: Script): Promise<void> {
  await reportProgress(app, tx, call, { type: 'ringing' });
  await after(app, tx, call.id, script.ringSec, answers(script) ? 'answer' : 'end');
}

async function after(app: App, tx: Tx, callId: string, seconds: number, step: 'answer' | 'end'): Promise<void> {
  const dueAt = app.clock.now() + Math.round((seconds * 1000) / app.config.carrier.simulated.speed);
  await enqueue(app, tx, nextStep, { key: callId, dueAt, payload: { callId, step } });
}

async function takeStep(app: App, tx: Tx, { payload }: Job<{ callId: string; step: 'answer' | 'end' }>): Promise<void> {
  const call = await findCall(tx, payload.callId);
  if (!call || call.state === 'ended') return;
  const script = scriptOf(call.to, call.attempt);
  if (payload.step === 'end') {
    await endCall(app, tx, call, conversationOf(app, call, script));
    return;
  }
  await reportProgress(app, tx, call, { type: 'answered' });
  const longestSec = Math.floor(call.maxDurationMs / 1000);
  if (script.ending === 'completed') await after(app, tx, call.id, Math.min(script.talkSec, longestSec), 'end');
}

export const simulatedJobs = [transactionalJob(nextStep, takeStep)];
