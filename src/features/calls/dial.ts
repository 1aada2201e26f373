import { messageOf } from '../../base/errors.ts';
import { faultPoint } from '../../base/fault-points.ts';
import { onCommit, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { appLocal } from '../../kernel/node.ts';
import { requireTurn } from '../../kernel/turn.ts';
import { type Completion, enqueue, type Job, nothingToWrite } from '../../kernel/queue.ts';
import { pauseAfter } from '../numbers/carrier-pause.ts';
import {
  carrierStateOf,
  dialFailures,
  isNothingThere,
  recordHandOver,
  recordNoAnswer,
  recordOutOfReach,
  recordReached,
} from '../numbers/carrier-reach.ts';
import { type Call, plainOutcome, startOf } from './call.ts';
import type { Carrier, DialAnswer, Reach } from './carriers/carrier.ts';
import { dialCall, dialLane, type DialPayload } from './kinds.ts';
import { whileDialing } from './dials-in-progress.ts';
import { type CampaignCalls, hasWaitedTooLong, lastLooks, nextLookAt } from './last-look.ts';
import { endCall, enqueueHangUp, findCall, recordNotHandedOver, recordSip } from './service.ts';
import { dialDelays } from './meters.ts';
import * as store from './store.ts';
import { isForbidden, takeBackIfForbidden } from './withdrawal.ts';

/** After a failed dial, how long to wait before asking the carrier whether it has the call, so that it has registered it by then. */
const firstQuestionMs = 1000;

type CarrierOf = (call: Call) => Carrier;
type Dialing = { app: App; carrierOf: CarrierOf; campaigns: CampaignCalls };

/**
 * The dial job: takes the last look at a call and hands it to the carrier. A call is dialed again only if the carrier certainly does not have
 * it. If that is unknown, because an earlier run died or failed midway, the job first asks the carrier by the call's id.
 */
export function dialer(carrierOf: CarrierOf, campaigns: CampaignCalls) {
  const looks = appLocal((app) => ({ at: lastLooks(app, campaigns) }));
  const run = async (app: App, { scope, lane, payload }: Job<DialPayload>): Promise<Completion> => {
    const dialing = { app, carrierOf, campaigns };
    const look = await looks(app).at(scope, payload.callId);
    switch (look.next) {
      case 'dial':
        return handOver(dialing, look.call);
      case 'ask':
        return askCarrier(dialing, look.call, payload);
      case 'wait':
        return { write: (tx) => dialAt(app, tx, lane!, payload, look.until) };
      case 'nothing':
        return look.call?.state === 'ended' && look.call.handedOverAt !== null
          ? { write: (tx) => hangUpIfRequested(app, tx, look.call!) }
          : nothingToWrite;
    }
  };
  return (app: App, job: Job<DialPayload>): Promise<Completion> => whileDialing(app, job.scope, run(app, job));
}

async function handOver(dialing: Dialing, call: Call): Promise<Completion> {
  const { app, carrierOf } = dialing;
  requireTurn(app);
  dialDelays(app).observe(Math.max(0, call.handedOverAt! - startOf(call)) / 1000);
  try {
    faultPoint('dial.unsent');
    const answer = await carrierOf(call).dial(app, call);
    faultPoint('dial.unrecorded');
    return { write: (tx) => recordAnswer(dialing, tx, call, answer) };
  } catch (error) {
    // The carrier may have the call: the next run asks it instead of dialing.
    const doubt = messageOf(error);
    return {
      async write(tx) {
        await recordOutOfReach(app, tx, numberOf(call), { reason: doubt, nothingThere: isNothingThere(error) });
        await dialAt(app, tx, dialLane(call), { callId: call.id, doubt }, app.clock.now() + firstQuestionMs);
      },
    };
  }
}

const numberOf = (call: Call) => ({ orgId: call.orgId, numberId: call.phoneNumberId });

/** Reads the call again: it may have ended while the carrier was dialing. */
async function recordAnswer(dialing: Dialing, tx: Tx, dialed: Call, answer: DialAnswer): Promise<void> {
  const { app } = dialing;
  const [call, state] = await Promise.all([findCall(tx, dialed.id), carrierStateOf(tx, dialed.phoneNumberId)]);
  if (!answer.accepted && 'outOfReach' in answer) {
    await recordOutOfReach(app, tx, numberOf(dialed), answer);
    if (call) await notTaken(dialing, tx, call, answer.reason);
    return;
  }
  if (answer.accepted && answer.reach) onCommit(tx, () => void awaitReach(dialing, dialed, answer.reach!));
  else await recordHandOver(app, tx, numberOf(dialed), dialed.handedOverAt ?? dialed.createdAt, state);
  if (!call) return;
  if (answer.accepted) {
    if (call.state !== 'ended') await answer.remember?.(app, tx);
    if (call.hangupRequested) await enqueueHangUp(app, tx, call);
    return;
  }
  const { reason: errorMessage, invalidNumber = false } = answer;
  onCommit(tx, () => dialFailures(app).add({ reason: invalidNumber ? 'invalid_number' : 'refused' }));
  await endCall(app, tx, call, plainOutcome('failed', { errorMessage, invalidNumber }));
}

/**
 * Waits until the driver knows whether the trunk of an accepted call was reached. If it was not, takes back the call of
 * a campaign and fails a single call.
 */
async function awaitReach(dialing: Dialing, dialed: Call, pending: Promise<Reach | null>): Promise<void> {
  const { app } = dialing;
  try {
    const reach = await pending;
    if (reach === null) return;
    await transact(app.db, dialed.orgId, async (tx) => {
      if (reach.reached) {
        const state = await carrierStateOf(tx, dialed.phoneNumberId);
        return recordHandOver(app, tx, numberOf(dialed), dialed.handedOverAt ?? dialed.createdAt, state);
      }
      await recordOutOfReach(app, tx, numberOf(dialed), reach);
      const call = await findCall(tx, dialed.id);
      if (!call || call.state !== 'dialing') return;
      if (call.campaignContactId !== null) return dialing.campaigns.outOfReach(app, tx, call, reach.reason);
      await recordSip(tx, call.id, reach.sip);
      await recordNotHandedOver(tx, call.id);
      return endCall(app, tx, call, plainOutcome('failed', { errorMessage: reach.reason }));
    });
  } catch (error) {
    // Nothing else is needed: the check whether the call's end was reported (`endSilent`) ends the call.
    app.log.warn(
      { callId: dialed.id, error: messageOf(error) },
      'it could not be recorded whether the carrier is in reach',
    );
  }
}

/**
 * Releases a call that the carrier certainly does not have: its campaign decides again whom to call, and a single call waits for the
 * carrier.
 */
async function notTaken({ app, campaigns }: Dialing, tx: Tx, call: Call, reason: string): Promise<void> {
  // The call was hung up meanwhile, or the carrier has reported on it although it says that it does not have it.
  if (call.state !== 'dialing') return;
  if (call.campaignContactId !== null) return campaigns.outOfReach(app, tx, call, reason);
  await store.updateCall(tx, call.id, { handed_over_at: null });
  return dialAt(app, tx, dialLane(call), { callId: call.id }, nextLookAt(app, call, Infinity));
}

async function askCarrier(dialing: Dialing, call: Call, payload: DialPayload): Promise<Completion> {
  const { app, carrierOf } = dialing;
  const askedAt = app.clock.now();
  try {
    const isKnown = await carrierOf(call).knows(app, call.id);
    return {
      write: (tx) => (isKnown ? recordKnown(app, tx, call, askedAt) : recordUnknown(dialing, tx, call, payload)),
    };
  } catch (error) {
    return { write: (tx) => askAgain(app, tx, call, payload, error) };
  }
}

/** The carrier has the call, so it is in reach. A call that was forbidden while this was in doubt is taken back, unless it has rung. */
async function recordKnown(app: App, tx: Tx, asked: Call, askedAt: number): Promise<void> {
  await recordReached(app, tx, numberOf(asked), askedAt);
  const call = await findCall(tx, asked.id);
  if (call && (call.hangupRequested || (await isForbidden(app, tx, call)))) await enqueueHangUp(app, tx, call);
}

async function recordUnknown(dialing: Dialing, tx: Tx, asked: Call, { doubt }: DialPayload): Promise<void> {
  const call = await findCall(tx, asked.id);
  if (!call) return;
  if (doubt !== undefined) return notTaken(dialing, tx, call, doubt);
  if (await takeBackIfForbidden(dialing.app, tx, call)) return;
  await recordNotHandedOver(tx, call.id);
  const errorMessage = 'The server stopped while dialing and the carrier does not know the call.';
  await endCall(dialing.app, tx, call, plainOutcome('failed', { errorMessage }));
}

/**
 * Asks again later. A single call that has waited too long fails, and the carrier is told to hang up in case it has the call. An attempt of
 * a campaign stays in progress until the carrier answers, or until the call would have ended anyway.
 */
async function askAgain(app: App, tx: Tx, asked: Call, payload: DialPayload, error: unknown): Promise<void> {
  const reason = messageOf(error);
  await recordNoAnswer(app, tx, numberOf(asked), { reason, nothingThere: isNothingThere(error) });
  const call = await findCall(tx, asked.id);
  if (call?.state !== 'dialing') return;
  const now = app.clock.now();
  const isSingle = call.campaignContactId === null;
  if (isSingle && hasWaitedTooLong(call, now)) {
    const errorMessage = `The carrier could not be reached: ${reason}`;
    await endCall(app, tx, call, plainOutcome('failed', { errorMessage }));
    return enqueueHangUp(app, tx, call);
  }
  const { questions = 0 } = payload;
  const at = now + pauseAfter(questions);
  await dialAt(
    app,
    tx,
    dialLane(call),
    { ...payload, questions: questions + 1 },
    isSingle ? nextLookAt(app, call, at) : at,
  );
}

export const dialAt = (app: App, tx: Tx, lane: string, payload: DialPayload, dueAt: number): Promise<void> =>
  enqueue(app, tx, dialCall, { key: payload.callId, lane, dueAt, payload });

/**
 * Tells the carrier to hang up if that was requested while the call was being dialed, when the carrier might not have known the call yet.
 */
async function hangUpIfRequested(app: App, tx: Tx, { id }: Call): Promise<void> {
  const call = await findCall(tx, id);
  if (call?.hangupRequested) await enqueueHangUp(app, tx, call);
}
