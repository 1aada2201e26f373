import { conflict, type Fault, invalid, notFound } from '../../base/errors.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { maxBatchRows } from '../../kernel/batch-size.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { findAgent } from '../agents/service.ts';
import { carrierFaults } from './carrier-choice.ts';
import { forgetPauses } from './carrier-pause-store.ts';
import {
  numberLimitsRaised,
  numberCarrierChosen,
  numberRegistrationChanged,
  numberReleasing,
  numberTrunkChanged,
  type Trunk,
} from './events.ts';
import { numberDefaults, type OfferedNumber, type PhoneNumber, encryptionContext } from './number.ts';
import * as store from './store.ts';

/** A SIP trunk number to import. Fields are named as in the request body, so that faults can point to them. */
export type ImportedNumber = {
  phone: string;
  name?: string | null;
  termination_uri: string;
  sip_username?: string | null;
  sip_password?: string | null;
} & CarrierFields;

/** How calls reach the number's carrier, and who answers calls to the number. */
type CarrierFields = {
  transport?: PhoneNumber['transport'];
  carrier?: PhoneNumber['carrier'];
  dial_format?: PhoneNumber['dialFormat'];
  register?: boolean;
  sip_from?: PhoneNumber['sipFrom'];
  inbound_agent_id?: string | null;
};

export type NumberChanges = {
  name?: string | null;
  max_concurrent?: number;
  max_cps?: number;
  termination_uri?: string;
  sip_username?: string | null;
  sip_password?: string | null;
} & CarrierFields;

/** @throws notFound when the organization has no such number */
export async function numberOf(db: Queryable, orgId: string, id: string): Promise<PhoneNumber> {
  const number = await store.numberById(db, orgId, id);
  if (!number) throw notFound('phone number');
  return number;
}

/** One of the organization's numbers, active or released; undefined if it has no such number. */
export const findNumber = (db: Queryable, orgId: string, id: string): Promise<PhoneNumber | undefined> =>
  store.numberById(db, orgId, id);

/** The organization's active number with this phone; undefined if it has none. */
export const activeNumberByPhone = (db: Queryable, orgId: string, phone: string): Promise<PhoneNumber | undefined> =>
  store.activeByPhone(db, orgId, phone);

/** The active number with this phone, of whichever organization: for incoming calls. */
export const numberCalled = (db: Queryable, phone: string): Promise<PhoneNumber | undefined> =>
  store.activeWithPhone(db, phone);

/** Active numbers that have a trunk, of one organization or of all. */
export const numbersWithTrunk = (db: Queryable, orgId: string | undefined, limit: number): Promise<PhoneNumber[]> =>
  store.numbersWithTrunk(db, orgId, limit);

/** A page of the active numbers whose account is registered, by id, of all organizations. */
export const registeredAfter = (db: Queryable, after: string, limit: number): Promise<PhoneNumber[]> =>
  store.registeredAfter(db, after, limit);

/** A page of the active numbers that have a trunk, by id, of all organizations. */
export const trunksAfter = (
  db: Queryable,
  after: string,
  limit: number,
): Promise<Array<{ numberId: string; orgId: string; trunk: Trunk }>> => store.trunksAfter(db, after, limit);

/** The first active numbers of a trunk, as E.164. */
export const phonesOfTrunk = (db: Queryable, orgId: string, trunk: Trunk, limit: number): Promise<string[]> =>
  store.phonesOfTrunk(db, orgId, trunk, limit);

const trunkOf = ({ terminationUri: uri, transport }: PhoneNumber): Trunk | null =>
  uri === null ? null : { uri, transport };

async function emitTrunk(app: App, tx: Tx, before: PhoneNumber | null, after: PhoneNumber | null): Promise<void> {
  const { orgId } = (before ?? after)!;
  const [from, to] = [before && trunkOf(before), after && trunkOf(after)];
  if (from?.uri === to?.uri && from?.transport === to?.transport) return;
  await app.events.emit(app, tx, numberTrunkChanged, { orgId, before: from, after: to });
}

export const listNumbers = (app: App, orgId: string, page: Page): Promise<Paged<PhoneNumber>> =>
  store.numbersPage(app.db, orgId, undefined, page);

/** Numbers whose phone or name contains a folded text, newest first. */
export const searchNumbers = (app: App, orgId: string, text: string, page: Page): Promise<Paged<PhoneNumber>> =>
  store.numbersPage(app.db, orgId, text, page);

/** Faults that the schema cannot find: of a carrier without its settings, and of an agent that the organization does not have. */
export async function numberFaults(app: App, orgId: string, input: CarrierFields): Promise<Fault[]> {
  const { inbound_agent_id: agentId } = input;
  const isAgentKnown = typeof agentId !== 'string' || (await findAgent(app.db, orgId, agentId)) !== undefined;
  const agentFaults = isAgentKnown ? [] : [{ path: 'inbound_agent_id', message: 'no such agent' }];
  return [...carrierFaults(app, input.carrier), ...agentFaults];
}

async function requireValid(app: App, orgId: string, input: CarrierFields): Promise<void> {
  const faults = await numberFaults(app, orgId, input);
  if (faults.length > 0) throw invalid(faults);
}

/** @throws invalid for an account without the fields that its use needs */
function requireAccount({ sipFrom, register, sipUsername, terminationUri }: PhoneNumber): void {
  const faults: Fault[] = [];
  const users = [
    ...(sipFrom === 'username' ? ['sip_from is username'] : []),
    ...(register ? ['register is true'] : []),
  ];
  if (users.length > 0 && sipUsername === null)
    faults.push({ path: 'sip_username', message: `is required while ${users.join(' and ')}` });
  if (register && terminationUri === null)
    faults.push({ path: 'termination_uri', message: 'is required while register is true' });
  if (faults.length > 0) throw invalid(faults);
}

async function emitRegistration(
  app: App,
  tx: Tx,
  before: PhoneNumber | null,
  after: PhoneNumber | null,
): Promise<void> {
  const isConcerned = [before, after].some((number) => number?.status === 'active' && number.register);
  const { orgId, id: numberId } = (before ?? after)!;
  if (isConcerned) await app.events.emit(app, tx, numberRegistrationChanged, { orgId, numberId });
}

async function emitCarrier(app: App, tx: Tx, before: PhoneNumber | null, after: PhoneNumber): Promise<void> {
  const { orgId, carrier } = after;
  if (carrier !== null && carrier !== before?.carrier)
    await app.events.emit(app, tx, numberCarrierChosen, { orgId, carrier });
}

/** Whether an active number of any organization names the carrier. */
export const isCarrierUsed = (db: Queryable, carrier: string): Promise<boolean> => store.isCarrierUsed(db, carrier);

const sealPassword = (app: App, numberId: string, password: string | null): string | null =>
  password === null ? null : app.secrets.encrypt(password, encryptionContext(numberId));

/**
 * Imports a SIP trunk number.
 * @throws invalid for an unusable carrier or an unknown agent; conflict when the phone is active in any organization
 */
export async function importNumber(app: App, orgId: string, input: ImportedNumber): Promise<PhoneNumber> {
  await requireValid(app, orgId, input);
  const blank = newNumber(app, orgId, input.phone);
  const number: PhoneNumber = {
    ...blank,
    name: input.name ?? null,
    terminationUri: input.termination_uri,
    sipUsername: input.sip_username ?? null,
    encryptedSipPassword: sealPassword(app, blank.id, input.sip_password ?? null),
    transport: input.transport ?? null,
    carrier: input.carrier ?? null,
    dialFormat: input.dial_format ?? blank.dialFormat,
    register: input.register ?? blank.register,
    sipFrom: input.sip_from ?? blank.sipFrom,
    inboundAgentId: input.inbound_agent_id ?? null,
  };
  requireAccount(number);
  return addNumber(app, number);
}

/** The numbers of the operator's inventory that no organization has. The inventory is short, so this is not paged. */
export async function availableNumbers(app: App): Promise<OfferedNumber[]> {
  const offered = app.config.numbers.inventory;
  const taken = await store.activeAnywhere(
    app.db,
    offered.map((offer) => offer.phone),
  );
  return offered
    .filter((offer) => !taken.has(offer.phone))
    .map((offer) => ({
      phone: offer.phone,
      name: offer.name ?? null,
      monthlyPrice: offer.monthly_price ?? null,
    }));
}

/**
 * Buys a number of the operator's inventory.
 * @throws notFound when the inventory does not offer the number; conflict when an organization already has it
 */
export async function purchaseNumber(app: App, orgId: string, phone: string): Promise<PhoneNumber> {
  const offer = app.config.numbers.inventory.find((candidate) => candidate.phone === phone);
  if (!offer) throw notFound('phone number on offer');
  return addNumber(app, {
    ...newNumber(app, orgId, phone),
    type: 'purchased',
    name: offer.name ?? null,
    terminationUri: offer.termination_uri ?? null,
  });
}

/** The number with the fields that are given. */
function changed(app: App, before: PhoneNumber, changes: NumberChanges): PhoneNumber {
  const { sip_password: password } = changes;
  const given = <T>(value: T | undefined, kept: T): T => (value === undefined ? kept : value);
  return {
    ...before,
    name: given(changes.name, before.name),
    terminationUri: given(changes.termination_uri, before.terminationUri),
    sipUsername: given(changes.sip_username, before.sipUsername),
    encryptedSipPassword: password === undefined ? before.encryptedSipPassword : sealPassword(app, before.id, password),
    transport: given(changes.transport, before.transport),
    carrier: given(changes.carrier, before.carrier),
    dialFormat: given(changes.dial_format, before.dialFormat),
    register: given(changes.register, before.register),
    sipFrom: given(changes.sip_from, before.sipFrom),
    inboundAgentId: given(changes.inbound_agent_id, before.inboundAgentId),
    maxConcurrent: given(changes.max_concurrent, before.maxConcurrent),
    maxCps: given(changes.max_cps, before.maxCps),
  };
}

/**
 * Changes the fields that are given; live calls go on.
 * @throws invalid for an unusable carrier or an unknown agent; notFound when the organization has no such number
 */
export function updateNumber(app: App, orgId: string, id: string, changes: NumberChanges): Promise<PhoneNumber> {
  return transact(app.db, orgId, async (tx) => {
    await requireValid(app, orgId, changes);
    const before = await numberOf(tx, orgId, id);
    const number = changed(app, before, changes);
    requireAccount(number);
    await store.updateSettings(tx, number);
    await emitRegistration(app, tx, before, number);
    await emitCarrier(app, tx, before, number);
    if (number.status === 'active') await emitTrunk(app, tx, before, number);
    if (number.maxConcurrent > before.maxConcurrent || number.maxCps > before.maxCps) {
      await app.events.emit(app, tx, numberLimitsRaised, { orgId, numberId: id });
    }
    return number;
  });
}

/**
 * Releases a number, which any organization may then import or buy.
 * @throws notFound when the organization has no such active number; conflict while an active campaign calls from it
 */
export function releaseNumber(
  app: App,
  orgId: string,
  phone: string,
): Promise<{ id: string; phone: string; releasedAt: number }> {
  return transact(app.db, orgId, async (tx) => {
    const number = await store.activeByPhone(tx, orgId, phone);
    if (!number) throw notFound('phone number');
    await app.events.emit(app, tx, numberReleasing, { orgId, numberId: number.id, phone });
    const releasedAt = app.clock.now();
    await store.markReleased(tx, number.id, releasedAt);
    await forgetPauses(tx, number.id);
    await emitTrunk(app, tx, number, null);
    await emitRegistration(app, tx, number, null);
    return { id: number.id, phone, releasedAt };
  });
}

/**
 * Counts a call that starts. The caller has checked the number's limits. The next call from the number may start at `paceAt` (Unix
 * milliseconds); null for an incoming call, which changes no pace.
 */
export const reserveCapacity = (tx: Tx, id: string, paceAt: number | null): Promise<void> =>
  store.addInFlight(tx, id, 1, paceAt);
/** Counts a call from the number that has ended. */
export const releaseCapacity = (tx: Tx, id: string): Promise<void> => store.addInFlight(tx, id, -1);
/** Sets when the next call from the number may start (Unix milliseconds). */
export const setPaceAt = (tx: Tx, id: string, paceAt: number): Promise<void> => store.setPaceAt(tx, id, paceAt);

const newNumber = (app: App, orgId: string, phone: string): PhoneNumber => ({
  ...numberDefaults,
  id: app.ids.make(),
  orgId,
  phone,
  name: null,
  type: 'sip',
  terminationUri: null,
  sipUsername: null,
  encryptedSipPassword: null,
  transport: null,
  carrier: null,
  dialFormat: 'e164',
  register: false,
  sipFrom: 'number',
  inboundAgentId: null,
  status: 'active',
  inFlight: 0,
  paceAt: 0,
  version: 1,
  createdAt: app.clock.now(),
  releasedAt: null,
});

const addNumber = (app: App, number: PhoneNumber): Promise<PhoneNumber> =>
  transact(app.db, number.orgId, async (tx) => {
    if ((await store.activeAnywhere(tx, [number.phone])).has(number.phone)) {
      throw conflict(`${number.phone} is already active; release it before you add it again.`);
    }
    await store.insertNumber(tx, number);
    await emitTrunk(app, tx, null, number);
    await emitRegistration(app, tx, null, number);
    await emitCarrier(app, tx, null, number);
    return number;
  });

/** Calls to the numbers of a deleted agent are refused from then on. */
export async function onAgentForgetting(
  _app: App,
  tx: Tx,
  { agentId, batch }: { agentId: string; batch: { isLast: boolean } },
): Promise<void> {
  if ((await store.forgetInboundAgent(tx, agentId, maxBatchRows)) === maxBatchRows) batch.isLast = false;
}
