import { conflict, type Fault, invalid } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { enqueue, type Job } from '../../kernel/queue.ts';
import { type Agent } from '../agents/agent.ts';
import { findAgent } from '../agents/service.ts';
import { type ContactWithoutMetadata, nameOf } from '../contacts/contact.ts';
import { personZone } from '../contacts/person-zone.ts';
import { findContacts, isDoNotCall } from '../contacts/service.ts';
import type { PhoneNumber } from '../numbers/number.ts';
import * as numbers from '../numbers/service.ts';
import { callingStopped } from '../organizations/calling-stop.ts';
import * as organizations from '../organizations/service.ts';
import { type Call, plainOutcome, type ScriptedCall } from './call.ts';
import { askForLine } from './carrier-lines.ts';
import { isSimulated } from './carriers/placing.ts';
import { startCall } from './kinds.ts';
import { type Cap, capsOn } from './contact-caps.ts';
import { paceAfter, slotFrom } from './pacing.ts';
import { createCall, dialQueued, endCall, type Paces } from './service.ts';
import { notSimulated } from './scripted-call.ts';
import * as store from './store.ts';

export type PlaceCall = {
  agentId: string;
  to: string;
  from?: string;
  phoneNumberId?: string;
  contactId?: string;
  metadata?: JsonObject;
  simulate?: ScriptedCall;
  /** Places the call although limits of calls to one number forbid it. Only for admins: the caller has checked that. */
  force?: boolean;
};

/**
 * Places one call outside any campaign.
 * @throws invalid for ids and numbers that the organization does not have, or without a caller number; otherwise conflict with every
 * reason why the call cannot be placed
 */
export function placeCall(app: App, orgId: string, input: PlaceCall): Promise<Call> {
  return transact(app.db, orgId, async (tx) => {
    // Together: on PostgreSQL they take one round trip.
    const [{ agent, number, contact }, usage, offLimits, rules] = await Promise.all([
      resolve(app, tx, orgId, input),
      organizations.usageOf(tx, orgId),
      isDoNotCall(tx, orgId, input.to, input.contactId ?? null),
      organizations.contactRulesOf(app, tx, orgId),
    ]);
    const reasons = await refusals(app, tx, { orgId, to: input.to, agent, number, contact, usage, offLimits });
    const caps = await capsOnSingle(app, tx, { orgId, to: input.to, zone: contact?.timezone ?? null }, rules);
    if (!input.force) reasons.push(...caps.map(({ reason }) => reason));
    if (reasons.length > 0) throw conflict(reasons.join(' '));
    const { startAt, ...paces } = nextSlot(app, number, usage.paceAt);
    const id = await createCall(
      app,
      tx,
      {
        ...paces,
        orgId,
        agent,
        phoneNumberId: number.id,
        carrier: number.carrier,
        from: number.phone,
        to: input.to,
        attempt: 1,
        contactId: contact?.id ?? null,
        callerName: contact ? nameOf(contact) : null,
        callerEmail: contact?.email ?? null,
        ...(input.metadata ? { metadata: input.metadata } : {}),
        ...(input.simulate ? { simulate: input.simulate } : {}),
        forced: caps.length > 0,
      },
      startAt,
    );
    return (await store.callById(tx, id))!;
  });
}

type ContactRules = Awaited<ReturnType<typeof organizations.contactRulesOf>>;
type SingleCall = { orgId: string; to: string; /** The contact's own. */ zone: string | null };

/**
 * The limits of calls to one number that forbid a single call now. Without a zone of the contact or of the number's country, days are those
 * of UTC. `isPlaced`: the question is about a call that counts once the carrier has it.
 */
async function capsOnSingle(
  app: App,
  db: Queryable,
  { orgId, to, zone }: SingleCall,
  rules: ContactRules,
  { isPlaced = false } = {},
): Promise<Cap[]> {
  if (!rules?.limits) return [];
  const { timezone } = personZone(zone ?? '', to, 'UTC');
  return capsOn(db, to, timezone, { orgId, limits: rules.limits, now: app.clock.now(), handedOver: isPlaced });
}

/** The limit of calls to one number that has come to forbid a single call since it was placed. */
async function capReached(app: App, tx: Tx, call: Call): Promise<string | undefined> {
  if (call.forced) return undefined;
  const [[contact], rules] = await Promise.all([
    call.contactId === null ? [] : findContacts(tx, call.orgId, [call.contactId]),
    organizations.contactRulesOf(app, tx, call.orgId),
  ]);
  const person = { orgId: call.orgId, to: call.to, zone: contact?.timezone ?? null };
  return (await capsOnSingle(app, tx, person, rules, { isPlaced: true }))[0]?.reason;
}

/** The faults of those ids and numbers in `input` that are given; the schema reports missing fields. */
export const placeFaults = async (app: App, orgId: string, input: Partial<PlaceCall>): Promise<Fault[]> =>
  (await references(app, app.db, orgId, input)).faults;

type Resolved = { agent: Agent; number: PhoneNumber; contact: ContactWithoutMetadata | undefined };

async function resolve(app: App, tx: Tx, orgId: string, input: PlaceCall): Promise<Resolved> {
  const { agent, number, contact, faults } = await references(app, tx, orgId, input);
  if (input.from === undefined && input.phoneNumberId === undefined) faults.push(...bothNumbers('give one of the two'));
  if (!agent || !number || faults.length > 0) throw invalid(faults);
  return { agent, number, contact };
}

type References = { [Name in keyof Resolved]: Resolved[Name] | undefined } & { faults: Fault[] };

async function references(app: App, tx: Queryable, orgId: string, input: Partial<PlaceCall>): Promise<References> {
  const faults: Fault[] = [];
  const numberFaults: Fault[] = [];
  const [agent, number, [contact]] = await Promise.all([
    input.agentId === undefined ? undefined : findAgent(tx, orgId, input.agentId),
    callerNumber(tx, orgId, input, numberFaults),
    input.contactId === undefined ? [] : findContacts(tx, orgId, [input.contactId]),
  ]);
  if (input.agentId !== undefined && !agent) faults.push({ path: 'agent_id', message: 'no such agent' });
  faults.push(...numberFaults);
  if (input.simulate && number && !isSimulated(app, number.carrier))
    faults.push({ path: 'simulate', message: notSimulated });
  if (input.contactId !== undefined && !contact) faults.push({ path: 'contact_id', message: 'no such contact' });
  return { agent, number, contact, faults };
}

async function callerNumber(
  tx: Queryable,
  orgId: string,
  { from, phoneNumberId }: Partial<PlaceCall>,
  faults: Fault[],
): Promise<PhoneNumber | undefined> {
  const [byId, byPhone] = await Promise.all([
    phoneNumberId === undefined ? undefined : numbers.findNumber(tx, orgId, phoneNumberId),
    from === undefined ? undefined : numbers.activeNumberByPhone(tx, orgId, from),
  ]);
  if (phoneNumberId !== undefined && byId?.status !== 'active') {
    faults.push({ path: 'phone_number_id', message: 'no such number, or it is released' });
  }
  if (from !== undefined && !byPhone) faults.push({ path: 'from', message: 'is not one of your active numbers' });
  if (byId && byPhone && byId.id !== byPhone.id) faults.push(...bothNumbers('are different numbers'));
  return byId ?? byPhone;
}

const bothNumbers = (problem: string): Fault[] =>
  ['from', 'phone_number_id'].map((path) => ({ path, message: `from and phone_number_id: ${problem}` }));

type CallToCheck = Resolved & {
  orgId: string;
  to: string;
  usage: organizations.OrganizationUsage;
  offLimits: boolean;
};

async function refusals(app: App, tx: Tx, call: CallToCheck): Promise<string[]> {
  const { agent, number, usage, offLimits } = call;
  const organizationLimit = app.config.limits.organization.max_concurrent;
  return [
    usage.isStopped ? callingStopped : '',
    agent.status === 'ACTIVE' ? '' : 'The agent is INACTIVE; set it ACTIVE.',
    offLimits ? `${call.to} is on the do-not-call list.` : '',
    number.inFlight < number.maxConcurrent ? '' : `${number.phone} has all its ${number.maxConcurrent} lines in use.`,
    (await askForLine(app, tx, { orgId: call.orgId, carrier: number.carrier })) ?? '',
    usage.inFlight < organizationLimit ? '' : `The organization has all its ${organizationLimit} lines in use.`,
  ].filter((reason) => reason !== '');
}

/** The earliest instant at which the calls per second of the number and of the organization allow the call, and their `paceAt` after it. */
export function nextSlot(app: App, number: PhoneNumber, orgPaceAt: number): Paces & { startAt: number } {
  const startAt = slotFrom(app.clock.now(), [number.paceAt, orgPaceAt]);
  return {
    startAt,
    numberPaceAt: paceAfter(number.paceAt, startAt, number.maxCps),
    orgPaceAt: paceAfter(orgPaceAt, startAt, app.config.limits.organization.max_cps),
  };
}

/** A call that starts this late needs a new slot: it waited for a stopped server or for the carrier, probably together with other calls. */
export const lateMs = 1000;
/** How long a single call waits to be handed to the carrier, from its slot on (docs/calling.md). */
export const maxWaitMs = 60_000;
/** The error message of a call that waited longer than `maxWaitMs`. */
export const waitedTooLong = `The call could not be handed to the carrier within ${maxWaitMs / 1000} s of its turn.`;

/**
 * Dials a queued call whose slot has come. The call fails if it may not be dialed any more or is 60 s late, and waits for a new slot if
 * it is 1 s late.
 */
export async function startQueued(app: App, tx: Tx, { dueAt, payload }: Job<{ callId: string }>): Promise<void> {
  const call = await store.callById(tx, payload.callId);
  if (call?.state !== 'queued') return;
  const [number, reason] = await Promise.all([
    numbers.numberOf(tx, call.orgId, call.phoneNumberId),
    reasonToFail(app, tx, call),
  ]);
  const now = app.clock.now();
  const errorMessage = reason(number) ?? (now - dueAt >= maxWaitMs ? waitedTooLong : undefined);
  if (errorMessage !== undefined) return endCall(app, tx, call, plainOutcome('failed', { errorMessage }));
  if (now - dueAt < lateMs) return dialQueued(app, tx, call);
  const usage = await organizations.usageOf(tx, call.orgId);
  const { startAt, numberPaceAt, orgPaceAt } = nextSlot(app, number, usage.paceAt);
  await numbers.setPaceAt(tx, number.id, numberPaceAt);
  await organizations.setPace(tx, call.orgId, orgPaceAt);
  if (startAt <= now) return dialQueued(app, tx, call);
  return enqueue(app, tx, startCall, { key: call.id, dueAt: startAt, payload });
}

/** Why a call may not be dialed or ring; depends on its number, which is read beside it. */
type ReasonOf = (number: PhoneNumber) => string | undefined;

/** Why a single call that the carrier does not have yet may not be dialed any more, although it could be when it was placed. */
export async function reasonToFail(app: App, tx: Tx, call: Call): Promise<ReasonOf> {
  const [against, cap] = await Promise.all([reasonAgainst(tx, call), capReached(app, tx, call)]);
  return (number) => against(number) ?? cap;
}

/** Why a single call may not ring any more. Limits of calls to one number do not concern a call that the carrier has. */
export async function reasonAgainst(tx: Tx, call: Call): Promise<ReasonOf> {
  const [usage, agent, offLimits] = await Promise.all([
    organizations.usageOf(tx, call.orgId),
    findAgent(tx, call.orgId, call.agentId),
    isDoNotCall(tx, call.orgId, call.to, call.contactId),
  ]);
  return (number) => {
    if (usage.isStopped) return 'Calling was stopped.';
    if (agent?.status !== 'ACTIVE') return 'The agent was no longer ACTIVE.';
    if (number.status !== 'active') return `${number.phone} was released.`;
    return offLimits ? 'On the do-not-call list.' : undefined;
  };
}
