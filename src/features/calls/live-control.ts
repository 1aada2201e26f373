import { conflict, invalid } from '../../base/errors.ts';
import { transact } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { findAgent } from '../agents/service.ts';
import type { Call } from './call.ts';
import type { Controlled, LiveControl } from './carriers/carrier.ts';
import { carrierOf } from './carriers/placing.ts';
import { getCall } from './service.ts';
import { recordTimeline } from './timeline.ts';

/**
 * An answered call with its carrier's live control (docs/api/telephony.md, "In a call").
 * @throws notFound when the organization has no such call; conflict when the call is not answered or has ended, or when its carrier cannot
 * act in live calls
 */
async function answeredCall(app: App, orgId: string, callId: string): Promise<{ call: Call; control: LiveControl }> {
  const call = await getCall(app, orgId, callId);
  if (call.state === 'ended' || call.hangupRequested) throw conflict('The call has already ended.');
  if (call.state !== 'in_progress') throw conflict(`The call is ${call.state}; this is possible once it is answered.`);
  const { control } = carrierOf(app, call);
  if (!control) throw conflict(`The carrier ${call.driver} cannot do this; only sip and simulated can.`);
  return { call, control };
}

function requireDone(result: Controlled): void {
  if (!result.done) throw conflict(result.reason);
}

/**
 * Sends key presses into an answered call.
 * @throws as `answeredCall`; conflict when the other side does not accept key presses
 */
export async function sendDigits(app: App, orgId: string, callId: string, digits: string): Promise<Call> {
  const { call, control } = await answeredCall(app, orgId, callId);
  requireDone(await control.sendDigits(app, call, digits));
  await transact(app.db, orgId, (tx) =>
    recordTimeline(tx, call.id, { at: app.clock.now(), type: 'dtmf', detail: `sent ${digits}` }),
  );
  return getCall(app, orgId, callId);
}

/**
 * Has the engine speak `text` in an answered call.
 * @throws as `answeredCall`; conflict when the carrier could not do it
 */
export async function say(app: App, orgId: string, callId: string, text: string): Promise<Call> {
  const { call, control } = await answeredCall(app, orgId, callId);
  requireDone(await control.say(app, call, text));
  return getCall(app, orgId, callId);
}

/**
 * Asks the other side to call `to` instead (by default the agent's transfer phone), and waits for its decision.
 * @throws as `answeredCall`; invalid when neither `to` nor a transfer phone is given; conflict when the other side refuses, in which case
 * the call goes on
 */
export async function transfer(app: App, orgId: string, callId: string, to: string | undefined): Promise<Call> {
  const { call, control } = await answeredCall(app, orgId, callId);
  const phone = to ?? (await findAgent(app.db, orgId, call.agentId))?.transferPhone ?? null;
  if (phone === null)
    throw invalid([{ path: 'to', message: "is required, because the call's agent has no transferPhone" }]);
  const result = await control.transfer(app, call, phone);
  if (!result.done) {
    const detail = `${phone}: ${result.reason}`;
    await transact(app.db, orgId, (tx) =>
      recordTimeline(tx, call.id, { at: app.clock.now(), type: 'transfer', detail }),
    );
  }
  requireDone(result);
  return getCall(app, orgId, callId);
}
