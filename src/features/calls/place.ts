import { conflict, type Fault, invalid } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { type Agent } from '../agents/agent.ts';
import { findAgent } from '../agents/service.ts';
import { type Contact, nameOf } from '../contacts/contact.ts';
import { findContacts, isDoNotCall } from '../contacts/service.ts';
import type { PhoneNumber } from '../numbers/number.ts';
import * as numbers from '../numbers/service.ts';
import * as organizations from '../organizations/service.ts';
import type { Call } from './call.ts';
import { paceAfter, slotFrom } from './pacing.ts';
import { createCall } from './service.ts';
import * as store from './store.ts';

export type PlaceCall = {
  agentId: string;
  to: string;
  from?: string;
  phoneNumberId?: string;
  contactId?: string;
  metadata?: Record<string, unknown>;
};

/**
 * Places one call outside any campaign (contract, section 7).
 * @throws invalid for references that lead nowhere; conflict, with every reason, when it may not be dialed now
 */
export function placeCall(app: App, orgId: string, input: PlaceCall): Promise<Call> {
  return transact(app.db, async (tx) => {
    const { agent, number, contact } = await resolve(tx, orgId, input);
    const lines = await organizations.linesOf(tx, orgId);
    const reasons = await refusals(app, tx, { orgId, to: input.to, agent, number, contact, inFlight: lines.inFlight });
    if (reasons.length > 0) throw conflict(reasons.join(' '));
    const startAt = await reserveSlot(app, tx, number, orgId, lines.paceAt);
    const id = await createCall(
      app,
      tx,
      {
        orgId,
        agent,
        phoneNumberId: number.id,
        from: number.phone,
        to: input.to,
        attempt: 1,
        contactId: contact?.id ?? null,
        callerName: contact ? nameOf(contact) : null,
        callerEmail: contact?.email ?? null,
        ...(input.metadata ? { metadata: input.metadata } : {}),
      },
      startAt,
    );
    return (await store.callById(tx, id))!;
  });
}

type Resolved = { agent: Agent; number: PhoneNumber; contact: Contact | undefined };

async function resolve(tx: Tx, orgId: string, input: PlaceCall): Promise<Resolved> {
  const faults: Fault[] = [];
  const agent = await findAgent(tx, orgId, input.agentId);
  if (!agent) faults.push({ path: 'agent_id', message: 'no such agent' });
  const number = await callerNumber(tx, orgId, input, faults);
  const contacts = input.contactId === undefined ? [] : await findContacts(tx, orgId, [input.contactId]);
  if (input.contactId !== undefined && contacts.length === 0)
    faults.push({ path: 'contact_id', message: 'no such contact' });
  if (!agent || !number || faults.length > 0) throw invalid(faults);
  return { agent, number, contact: contacts[0] };
}

async function callerNumber(
  tx: Tx,
  orgId: string,
  input: PlaceCall,
  faults: Fault[],
): Promise<PhoneNumber | undefined> {
  const { from, phoneNumberId } = input;
  if (from === undefined && phoneNumberId === undefined) {
    faults.push({ path: 'from', message: 'is required, or phone_number_id' });
    return undefined;
  }
  const byId = phoneNumberId === undefined ? undefined : await numbers.findNumber(tx, orgId, phoneNumberId);
  if (phoneNumberId !== undefined && byId?.status !== 'active') {
    faults.push({ path: 'phone_number_id', message: 'no such number, or it is released' });
    return undefined;
  }
  const byPhone = from === undefined ? undefined : await numbers.activeNumberByPhone(tx, orgId, from);
  if (from !== undefined && !byPhone) faults.push({ path: 'from', message: 'is not one of your active numbers' });
  else if (byId && byPhone && byId.id !== byPhone.id) {
    faults.push({ path: 'from', message: 'is another number than phone_number_id' });
  }
  return byId ?? byPhone;
}

type Attempted = Resolved & { orgId: string; to: string; inFlight: number };

async function refusals(app: App, tx: Tx, call: Attempted): Promise<string[]> {
  const { agent, number, contact } = call;
  const most = app.config.limits.organization.max_concurrent;
  const listed = await isDoNotCall(tx, call.orgId, [call.to]);
  return [
    agent.status === 'ACTIVE' ? '' : 'The agent is INACTIVE; set it ACTIVE.',
    listed.has(call.to) || contact?.doNotCall ? `${call.to} is on the do-not-call list.` : '',
    number.inFlight < number.maxConcurrent ? '' : `${number.phone} has all its ${number.maxConcurrent} lines in use.`,
    call.inFlight < most ? '' : `The organization has all its ${most} lines in use.`,
  ].filter((reason) => reason !== '');
}

/** The first instant at which both the number and the organization may start a call. */
async function reserveSlot(app: App, tx: Tx, number: PhoneNumber, orgId: string, orgPaceAt: number): Promise<number> {
  const now = app.clock.now();
  const startAt = slotFrom(now, [number.paceAt, orgPaceAt]);
  await numbers.setPace(tx, number.id, paceAfter(number.paceAt, startAt, number.maxCps));
  await organizations.setPace(tx, orgId, paceAfter(orgPaceAt, startAt, app.config.limits.organization.max_cps));
  return startAt;
}
