import { messageOf } from '../../base/errors.ts';
import { faultPoint } from '../../base/fault-points.ts';
import { batchReads } from '../../base/batch-reads.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { appLocal } from '../../kernel/node.ts';
import { type Completion, enqueue, type Job, nothingToWrite } from '../../kernel/queue.ts';
import { type Call, plainOutcome } from './call.ts';
import type { Carrier, DialAnswer } from './carriers/carrier.ts';
import { carrierLane, dialCall, type DialPayload } from './kinds.ts';
import { endCall, endCallById, findCall, tellHangUp } from './service.ts';
import { callsByIds } from './store.ts';

/** Waits after the 1st, 2nd, … time that the carrier was not reached, before a call is given up. */
export const carrierRetryDelaysMs = [1000, 5000];

/** Many calls are dialed in one turn of the event loop. */
const callIn = appLocal(({ db }) => batchReads((ids) => callsByIds(db, ids)));

/**
 * Tells the carrier to dial, once. Only when it certainly has not taken the call is it told again. When that is open, because an
 * earlier run died in the middle or met an error, the carrier is asked by the call's id instead; what it does not know has failed
 * (contract, section 6, "Dialing").
 */
export async function dial(
  app: App,
  carrier: Carrier,
  { attempt, payload }: Job<DialPayload>,
  signal: AbortSignal,
): Promise<Completion> {
  const call = await callIn(app)(payload.callId);
  if (!call) return nothingToWrite;
  const isOpen = attempt > 1 || payload.doubt !== undefined;
  if (call.state === 'ended' && isOpen) return { write: (tx) => hangUpIfAsked(app, tx, call) };
  // Ended before it was dialed, or the carrier has reported of it already.
  if (call.state !== 'dialing') return nothingToWrite;
  if (isOpen) return ask(app, carrier, call, payload, signal);
  try {
    faultPoint('dial.unsent');
    const answer = await carrier.dial(app, call, signal);
    faultPoint('dial.unrecorded');
    return { write: (tx) => record(app, tx, payload, answer) };
  } catch (error) {
    const doubt = messageOf(error);
    return { write: (tx) => dialLater(app, tx, { callId: call.id, doubt }, carrierRetryDelaysMs[0]!) };
  }
}

/** The carrier could not be asked what became of the call: should it have it after all, it is told to drop it. */
export async function giveUp(app: App, tx: Tx, { payload }: Job<DialPayload>, error: unknown): Promise<void> {
  const errorMessage = `The carrier could not be reached: ${messageOf(error)}`;
  await endCallById(app, tx, payload.callId, plainOutcome('failed', { errorMessage }));
  await tellHangUp(app, tx, payload.callId);
}

async function ask(
  app: App,
  carrier: Carrier,
  call: Call,
  { doubt }: DialPayload,
  signal: AbortSignal,
): Promise<Completion> {
  if (await carrier.knows(app, call.id, signal)) return { write: (tx) => hangUpIfAsked(app, tx, call) };
  const errorMessage =
    doubt === undefined
      ? 'The server stopped while dialing and the carrier does not know the call.'
      : `Dialing met an error and the carrier does not know the call. ${doubt}`;
  return { write: (tx) => endCallById(app, tx, call.id, plainOutcome('failed', { errorMessage })) };
}

/** Looks at the call anew: it may have ended while the carrier was being told of it. */
async function record(app: App, tx: Tx, payload: DialPayload, answer: DialAnswer): Promise<void> {
  const call = await findCall(tx, payload.callId);
  if (!call) return;
  if (answer.accepted) {
    if (call.state !== 'ended') await answer.remember?.(app, tx);
    if (call.hangupRequested) await tellHangUp(app, tx, call.id);
    return;
  }
  const refusals = payload.refusals ?? 0;
  const delayMs = carrierRetryDelaysMs[refusals];
  if (answer.dialAgain && delayMs !== undefined && call.state === 'dialing') {
    return dialLater(app, tx, { callId: call.id, refusals: refusals + 1 }, delayMs);
  }
  const { reason: errorMessage, invalidNumber = false } = answer;
  await endCall(app, tx, call, plainOutcome('failed', { errorMessage, invalidNumber }));
}

const dialLater = (app: App, tx: Tx, payload: DialPayload, delayMs: number): Promise<void> =>
  enqueue(app, tx, dialCall, {
    key: payload.callId,
    lane: carrierLane,
    dueAt: app.clock.now() + delayMs,
    payload,
  });

/** A hang-up in the middle of dialing is passed on once the carrier has the call: earlier it would not know what to hang up. */
async function hangUpIfAsked(app: App, tx: Tx, { id }: Call): Promise<void> {
  const call = await findCall(tx, id);
  if (call?.hangupRequested) await tellHangUp(app, tx, id);
}
