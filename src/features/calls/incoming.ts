import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Agent } from '../agents/agent.ts';
import { findAgent } from '../agents/service.ts';
import { nameOf } from '../contacts/contact.ts';
import { contactWithPhone } from '../contacts/service.ts';
import type { PhoneNumber } from '../numbers/number.ts';
import * as numbers from '../numbers/service.ts';
import * as organizations from '../organizations/service.ts';
import type { Call } from './call.ts';
import { checkSilence, leaseUntil } from './service.ts';
import * as store from './store.ts';
import { recordTimeline } from './timeline.ts';

/** A call that comes in, as its carrier describes it (docs/api/telephony.md, "Incoming calls"). */
export type IncomingCall = {
  driver: string;
  /** E.164. */
  to: string;
  /** The caller, as the called number's trunk writes callers; null if withheld or not E.164. */
  callerOf(this: void, number: PhoneNumber): string | null;
  /** Whether the call comes from the number's own trunk, or from a source that the operator trusts. */
  isTrusted(this: void, number: PhoneNumber): boolean;
  /** Why the carrier cannot take the call although the number and its agent would; null if it can. */
  obstacle(this: void, tx: Tx, number: PhoneNumber): Promise<Refusal | null>;
  /** For the timeline: where the call comes from. */
  source: string;
};

/** A refusal as SIP words it, with what the log says. */
export type Refusal = { status: number; phrase: string; reason: string };

const notFound = (reason: string): Refusal => ({ status: 404, phrase: 'Not Found', reason });
const busy = (reason: string): Refusal => ({ status: 486, phrase: 'Busy Here', reason });

/** Writes the call, which its carrier may then answer, and reserves its lines; or says why it is refused. */
export async function takeIncoming(
  app: App,
  incoming: IncomingCall,
): Promise<{ call: Call; number: PhoneNumber } | Refusal> {
  const found = await numbers.numberCalled(app.db, incoming.to);
  if (!found) return notFound(`${incoming.to} is no number of this server`);
  if (!incoming.isTrusted(found)) return notFound(`${incoming.to} has another trunk than the source`);
  return transact(app.db, found.orgId, async (tx) => {
    const number = await numbers.findNumber(tx, found.orgId, found.id);
    if (number?.status !== 'active') return notFound(`${incoming.to} is no number of this server`);
    const { inboundAgentId: agentId } = number;
    const agent = agentId === null ? undefined : await findAgent(tx, number.orgId, agentId);
    if (!agent) return notFound(`no agent answers calls to ${number.phone} (inbound_agent_id)`);
    const refusal = (await refusalOf(app, tx, agent, number)) ?? (await incoming.obstacle(tx, number));
    if (refusal) return refusal;
    return { call: await insertIncoming(app, tx, incoming, agent, number), number };
  });
}

async function refusalOf(app: App, tx: Tx, agent: Agent, number: PhoneNumber): Promise<Refusal | undefined> {
  if (agent.status !== 'ACTIVE') {
    const reason = `the agent of ${number.phone} is INACTIVE`;
    return { status: 480, phrase: 'Temporarily Unavailable', reason };
  }
  if (number.inFlight >= number.maxConcurrent) {
    return busy(`${number.phone} has all its ${number.maxConcurrent} lines in use`);
  }
  const limit = app.config.limits.organization.max_concurrent;
  const { inFlight } = await organizations.usageOf(tx, number.orgId);
  return inFlight < limit ? undefined : busy(`the organization of ${number.phone} has all its ${limit} lines in use`);
}

async function insertIncoming(
  app: App,
  tx: Tx,
  { driver, callerOf, source }: IncomingCall,
  agent: Agent,
  number: PhoneNumber,
): Promise<Call> {
  const [id, now, caller] = [app.ids.make(), app.clock.now(), callerOf(number)];
  const contact = caller === null ? undefined : await contactWithPhone(tx, number.orgId, caller);
  await store.insertCall(tx, {
    id,
    organization_id: number.orgId,
    agent_id: agent.id,
    agent_name: agent.agentName,
    agent_edition: agent.edition,
    phone_number_id: number.id,
    contact_id: contact?.id ?? null,
    attempt: 1,
    driver,
    direction: 'inbound',
    channel: 'sip',
    from_phone: caller ?? store.withheld,
    to_phone: number.phone,
    caller_name: contact ? nameOf(contact) : null,
    caller_email: contact?.email ?? null,
    max_duration_ms: agent.maxCallDurationMs,
    state: 'ringing',
    created_at: now,
    slot_at: now,
    started_at: now,
    handed_over_at: now,
  });
  await organizations.reserveCapacity(tx, number.orgId, null);
  await numbers.reserveCapacity(tx, number.id, null);
  const call = (await store.callById(tx, id))!;
  await checkSilence(app, tx, number.orgId, leaseUntil(call));
  await recordTimeline(tx, id, { at: now, type: 'invite', detail: `from ${source}` });
  return call;
}
