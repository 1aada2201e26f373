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
import { endCall, endCallById, findCall, enqueueHangUp } from './service.ts';
import { callsByIds } from './store.ts';

/** Delays after the 1st, 2nd, … failure to reach the carrier; after the last one the call fails. */
export const carrierRetryDelaysMs = [1000, 5000];

/** Reads a call by its id. Up to 256 dial jobs start together: their reads share one query. */
const readCall = appLocal(({ db }) => batchReads((ids) => callsByIds(db, ids)));

/**
 * Hands the call to the carrier, once. Dials again only if the carrier certainly does not have the call. If that is unknown, because an
 * earlier run died or failed midway, asks the carrier by the call's id instead and fails the call if it is not known there (contract,
 * section 6, "Dialing").
 */
export async function dial(
  app: App,
  carrier: Carrier,
  { attempt, payload }: Job<DialPayload>,
  signal: AbortSignal,
): Promise<Completion> {
  const call = await readCall(app)(payload.callId);
  if (!call) return nothingToWrite;
  const mayBeDialed = attempt > 1 || payload.doubt !== undefined;
  if (call.state === 'ended' && mayBeDialed) return { write: (tx) => hangUpIfRequested(app, tx, call) };
  // It ended before it was dialed, or the carrier has already reported on it.
  if (call.state !== 'dialing') return nothingToWrite;
  if (mayBeDialed) return queryCarrier(app, carrier, call, payload, signal);
  try {
    faultPoint('dial.unsent');
    const answer = await carrier.dial(app, call, signal);
    faultPoint('dial.unrecorded');
    return { write: (tx) => recordAnswer(app, tx, payload, answer) };
  } catch (error) {
    // The carrier may have the call: the next run asks it instead of dialing.
    const doubt = messageOf(error);
    return { write: (tx) => dialLater(app, tx, { callId: call.id, doubt }, carrierRetryDelaysMs[0]!) };
  }
}

/** Fails a call whose fate the carrier could not be asked, and tells the carrier to hang up in case it has the call. */
export async function giveUp(app: App, tx: Tx, { payload }: Job<DialPayload>, error: unknown): Promise<void> {
  const errorMessage = `The carrier could not be reached: ${messageOf(error)}`;
  await endCallById(app, tx, payload.callId, plainOutcome('failed', { errorMessage }));
  await enqueueHangUp(app, tx, payload.callId);
}

async function queryCarrier(
  app: App,
  carrier: Carrier,
  call: Call,
  { doubt }: DialPayload,
  signal: AbortSignal,
): Promise<Completion> {
  if (await carrier.knows(app, call.id, signal)) return { write: (tx) => hangUpIfRequested(app, tx, call) };
  const errorMessage =
    doubt === undefined
      ? 'The server stopped while dialing and the carrier does not know the call.'
      : `Dialing met an error and the carrier does not know the call. ${doubt}`;
  return { write: (tx) => endCallById(app, tx, call.id, plainOutcome('failed', { errorMessage })) };
}

/** Reads the call again: it may have ended while the carrier was dialing. */
async function recordAnswer(app: App, tx: Tx, payload: DialPayload, answer: DialAnswer): Promise<void> {
  const call = await findCall(tx, payload.callId);
  if (!call) return;
  if (answer.accepted) {
    if (call.state !== 'ended') await answer.remember?.(app, tx);
    if (call.hangupRequested) await enqueueHangUp(app, tx, call.id);
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

/** Passes on a hang-up that was requested while the carrier was dialing: earlier it could not have known the call. */
async function hangUpIfRequested(app: App, tx: Tx, { id }: Call): Promise<void> {
  const call = await findCall(tx, id);
  if (call?.hangupRequested) await enqueueHangUp(app, tx, id);
}
