import { messageOf } from '../../base/errors.ts';
import { faultPoint } from '../../base/fault-points.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { appLocal } from '../../kernel/node.ts';
import { type Completion, enqueue, type Job, nothingToWrite } from '../../kernel/queue.ts';
import { pauseAfter } from '../numbers/carrier-pause.ts';
import { recordNoAnswer, recordOutOfReach, recordReached } from '../numbers/carrier-reach.ts';
import { type Call, plainOutcome } from './call.ts';
import type { Carrier, DialAnswer } from './carriers/carrier.ts';
import { carrierLane, dialCall, type DialPayload } from './kinds.ts';
import { type CampaignCalls, hasWaitedTooLong, lastLooks, nextLookAt } from './last-look.ts';
import { endCall, enqueueHangUp, findCall } from './service.ts';
import * as store from './store.ts';

/** How long a carrier that may have the call in spite of an error gets to take note of it, before it is asked. */
const firstQuestionMs = 1000;

type Dialing = { app: App; carrier: Carrier; campaigns: CampaignCalls };

/**
 * The dial job: hands calls to the carrier. Dials only after a last look, and again only if the carrier certainly does not have the call.
 * If that is unknown, because an earlier run died or failed midway, asks the carrier by the call's id first (contract, section 6).
 */
export function dialer(carrier: Carrier, campaigns: CampaignCalls) {
  const looks = appLocal((app) => ({ at: lastLooks(app, campaigns) }));
  return async (app: App, { scope, payload }: Job<DialPayload>): Promise<Completion> => {
    const look = await looks(app).at(scope, payload.callId);
    const dialing = { app, carrier, campaigns };
    switch (look.next) {
      case 'dial':
        return handOver(dialing, look.call);
      case 'ask':
        return askCarrier(dialing, look.call, payload);
      case 'wait':
        return { write: (tx) => dialAt(app, tx, payload, look.until) };
      case 'nothing':
        return look.call?.state === 'ended' && look.call.handedOverAt !== null
          ? { write: (tx) => hangUpIfRequested(app, tx, look.call!) }
          : nothingToWrite;
    }
  };
}

async function handOver(dialing: Dialing, call: Call): Promise<Completion> {
  const { app, carrier } = dialing;
  try {
    faultPoint('dial.unsent');
    const answer = await carrier.dial(app, call);
    faultPoint('dial.unrecorded');
    return { write: (tx) => recordAnswer(dialing, tx, call, answer) };
  } catch (error) {
    // The carrier may have the call: the next run asks it instead of dialing.
    const doubt = messageOf(error);
    return {
      async write(tx) {
        await recordOutOfReach(app, tx, numberOf(call), doubt);
        await dialAt(app, tx, { callId: call.id, doubt }, app.clock.now() + firstQuestionMs);
      },
    };
  }
}

const numberOf = (call: Call) => ({ orgId: call.orgId, numberId: call.phoneNumberId });

/** Reads the call again: it may have ended while the carrier was dialing. */
async function recordAnswer(dialing: Dialing, tx: Tx, dialed: Call, answer: DialAnswer): Promise<void> {
  const { app } = dialing;
  const call = await findCall(tx, dialed.id);
  if (!answer.accepted && 'outOfReach' in answer) {
    await recordOutOfReach(app, tx, numberOf(dialed), answer.reason);
    if (call) await notTaken(dialing, tx, call, answer.reason);
    return;
  }
  await recordReached(app, tx, numberOf(dialed), dialed.handedOverAt ?? dialed.createdAt);
  if (!call) return;
  if (answer.accepted) {
    if (call.state !== 'ended') await answer.remember?.(app, tx);
    if (call.hangupRequested) await enqueueHangUp(app, tx, call.id);
    return;
  }
  const { reason: errorMessage, invalidNumber = false } = answer;
  await endCall(app, tx, call, plainOutcome('failed', { errorMessage, invalidNumber }));
}

/** The carrier certainly does not have the call: a campaign chooses anew whom it calls, and a single call waits for the carrier. */
async function notTaken({ app, campaigns }: Dialing, tx: Tx, call: Call, reason: string): Promise<void> {
  // It was hung up meanwhile, or the carrier reports on a call that it says it does not have.
  if (call.state !== 'dialing') return;
  if (call.campaignContactId !== null) return campaigns.outOfReach(app, tx, call, reason);
  await store.updateCall(tx, call.id, { handed_over_at: null });
  return dialAt(app, tx, { callId: call.id }, nextLookAt(app, call, Infinity));
}

async function askCarrier(dialing: Dialing, call: Call, payload: DialPayload): Promise<Completion> {
  const { app, carrier } = dialing;
  const askedAt = app.clock.now();
  try {
    const isKnown = await carrier.knows(app, call.id);
    return {
      write: (tx) => (isKnown ? recordKnown(app, tx, call, askedAt) : recordUnknown(dialing, tx, call, payload)),
    };
  } catch (error) {
    return { write: (tx) => askAgain(app, tx, call, payload, messageOf(error)) };
  }
}

/** The carrier took the call in spite of the error, so it takes calls. */
async function recordKnown(app: App, tx: Tx, call: Call, askedAt: number): Promise<void> {
  await recordReached(app, tx, numberOf(call), askedAt);
  await hangUpIfRequested(app, tx, call);
}

async function recordUnknown(dialing: Dialing, tx: Tx, asked: Call, { doubt }: DialPayload): Promise<void> {
  const call = await findCall(tx, asked.id);
  if (!call) return;
  if (doubt !== undefined) return notTaken(dialing, tx, call, doubt);
  const errorMessage = 'The server stopped while dialing and the carrier does not know the call.';
  await endCall(dialing.app, tx, call, plainOutcome('failed', { errorMessage }));
}

/**
 * Asks later again. A single call is given up after its time, and the carrier told to hang up in case it has it; an attempt of a campaign
 * stays in progress until the carrier answers or the call would have ended anyway.
 */
async function askAgain(app: App, tx: Tx, asked: Call, payload: DialPayload, error: string): Promise<void> {
  await recordNoAnswer(app, tx, numberOf(asked), error);
  const call = await findCall(tx, asked.id);
  if (call?.state !== 'dialing') return;
  const now = app.clock.now();
  const isSingle = call.campaignContactId === null;
  if (isSingle && hasWaitedTooLong(call, now)) {
    const errorMessage = `The carrier could not be reached: ${error}`;
    await endCall(app, tx, call, plainOutcome('failed', { errorMessage }));
    return enqueueHangUp(app, tx, call.id);
  }
  const { questions = 0 } = payload;
  const at = now + pauseAfter(questions);
  await dialAt(app, tx, { ...payload, questions: questions + 1 }, isSingle ? nextLookAt(app, call, at) : at);
}

export const dialAt = (app: App, tx: Tx, payload: DialPayload, dueAt: number): Promise<void> =>
  enqueue(app, tx, dialCall, { key: payload.callId, lane: carrierLane, dueAt, payload });

/** Passes on a hang-up that was requested while the carrier was dialing: earlier it could not have known the call. */
async function hangUpIfRequested(app: App, tx: Tx, { id }: Call): Promise<void> {
  const call = await findCall(tx, id);
  if (call?.hangupRequested) await enqueueHangUp(app, tx, id);
}
