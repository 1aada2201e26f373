import { number, section } from '../../../../base/config/kinds.ts';
import type { Static } from '../../../../base/typebox.ts';
import type { Tx } from '../../../../db/transaction.ts';
import type { App } from '../../../../kernel/app.ts';
import { enqueue, isQueued, type Job, jobKind, transactionalJob } from '../../../../kernel/queue.ts';
import type { Call, CallOutcome } from '../../call.ts';
import { endCall, findCall, reportProgress } from '../../service.ts';
import type { Carrier, DialAnswer } from '../carrier.ts';
import { carrierDriver } from '../driver.ts';
import { simulatedControl } from './control.ts';
import { conversationUntilNow, outcomeOf } from './conversation.ts';
import { type Script, scriptOf } from './script.ts';
import { ownTextsOf } from './texts.ts';

export const simulatedSettings = {
  'carrier.simulated': section({
    speed: number(1, 'How much faster than real ring and talk times the simulated carrier runs.', {
      exclusiveMinimum: 0,
    }),
  }),
};

type SimulatedSettings = Static<(typeof simulatedSettings)['carrier.simulated']>;
type Step = { callId: string; step: 'answer' | 'end' };

/** The next step of a simulated call, keyed by the call's id. As a job it survives a restart. */
const nextStep = jobKind<Step>('simulated.step');

/**
 * Calls nobody: the dialed number decides how a call ends. Ringing and talking take domain time, `carrier.simulated.speed` times as fast
 * as in a real call.
 */
export const simulatedDriver = carrierDriver({
  name: 'simulated',
  summary: 'no telephone rings',
  simulated: true,
  settings: simulatedSettings,
  create({ settings }) {
    const own = settings['carrier.simulated'];
    return {
      carrier: simulatedCarrier(own),
      jobs: [transactionalJob(nextStep, (app, tx, job) => takeStep(app, tx, job, own))],
      health: () => Promise.resolve({ status: 'warn', message: 'carrier.driver is simulated: no telephone rings' }),
    };
  },
});

/** The conversation of an answered call until now. */
const untilNow =
  (settings: SimulatedSettings) =>
  async (app: App, call: Call): Promise<Partial<CallOutcome>> => {
    const script = scriptOf(app, call);
    const { firstMessage } = await ownTextsOf(app.db, call);
    return conversationUntilNow(app, call, script, {
      plannedMs: atSpeed(talkMsOf(call, script), settings),
      firstMessage,
    });
  };

const simulatedCarrier = (settings: SimulatedSettings): Carrier => ({
  maxRequestMs: 0,
  dial(app, call) {
    const script = scriptOf(app, call);
    const answer: DialAnswer =
      script.ending === 'refused'
        ? { accepted: false, reason: 'The carrier refused the call.' }
        : { accepted: true, remember: (_, tx) => ring(app, tx, call, script, settings) };
    return Promise.resolve(answer);
  },
  // The driver stores nothing of a call but its next step. An answered silent call has none either, but parley asks only about calls
  // that it is still dialing: of those, one without a next step was never accepted.
  knows: (app, callId) => isQueued(app.db, nextStep, callId),
  async hangUp() {
    // Nothing to do: once the call has ended, its remaining step changes nothing.
  },
  conversationSoFar: untilNow(settings),
  control: simulatedControl(untilNow(settings)),
});

const atSpeed = (ms: number, { speed }: SimulatedSettings): number => Math.round(ms / speed);
const talkMsOf = (call: Call, { talkMs }: Script): number => Math.min(talkMs, call.maxDurationMs);

/** A mailbox and a failed call are only answered if the request for the call lets them talk. */
const answers = ({ ending, talkMs, given }: Script): boolean =>
  ending === 'completed' ||
  ending === 'silent' ||
  (given !== undefined && talkMs > 0 && (ending === 'voicemail' || ending === 'failed'));

async function ring(app: App, tx: Tx, call: Call, script: Script, settings: SimulatedSettings): Promise<void> {
  await reportProgress(app, tx, call, { type: 'ringing' });
  const step = answers(script) ? 'answer' : 'end';
  await stepAfter(app, tx, { callId: call.id, step }, script.ringMs, settings);
}

async function stepAfter(app: App, tx: Tx, payload: Step, ms: number, settings: SimulatedSettings): Promise<void> {
  const dueAt = app.clock.now() + atSpeed(ms, settings);
  await enqueue(app, tx, nextStep, { key: payload.callId, dueAt, payload });
}

async function takeStep(app: App, tx: Tx, { payload }: Job<Step>, settings: SimulatedSettings): Promise<void> {
  const call = await findCall(tx, payload.callId);
  if (!call || call.state === 'ended') return;
  const script = scriptOf(app, call);
  if (payload.step === 'end') {
    await endCall(app, tx, call, outcomeOf(app, call, script, await ownTextsOf(tx, call)));
    return;
  }
  await reportProgress(app, tx, call, { type: 'answered' });
  if (script.ending === 'silent') return; // a silent call never ends by itself
  await stepAfter(app, tx, { callId: call.id, step: 'end' }, talkMsOf(call, script), settings);
}
