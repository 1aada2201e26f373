import { conflict, notFound } from '../../base/errors.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { forgetPauses } from './carrier-pause-store.ts';
import { numberLimitsRaised, numberReleasing } from './events.ts';
import { numberDefaults, type OfferedNumber, type PhoneNumber, encryptionContext } from './number.ts';
import * as store from './store.ts';

/** A SIP trunk number to import. Fields are named as in the request body, so that faults can point to them. */
export type ImportedNumber = {
  phone: string;
  name?: string | null;
  termination_uri: string;
  sip_username?: string | null;
  sip_password?: string | null;
  transport?: PhoneNumber['transport'];
};

export type NumberChanges = { name?: string | null; max_concurrent?: number; max_cps?: number };

/** @throws notFound, worded the same for another organization's number */
export async function numberOf(db: Queryable, orgId: string, id: string): Promise<PhoneNumber> {
  const number = await store.numberById(db, orgId, id);
  if (!number) throw notFound('phone number');
  return number;
}

/** One of the organization's numbers, active or released. */
export const findNumber = (db: Queryable, orgId: string, id: string): Promise<PhoneNumber | undefined> =>
  store.numberById(db, orgId, id);

/** The organization's active number with this phone. */
export const activeNumberByPhone = (db: Queryable, orgId: string, phone: string): Promise<PhoneNumber | undefined> =>
  store.activeByPhone(db, orgId, phone);

export const listNumbers = (app: App, orgId: string, page: Page): Promise<Paged<PhoneNumber>> =>
  store.numbersPage(app.db, orgId, page);

/**
 * Imports a SIP trunk number.
 * @throws conflict when the phone is active in any organization
 */
export async function importNumber(app: App, orgId: string, input: ImportedNumber): Promise<PhoneNumber> {
  const blank = newNumber(app, orgId, input.phone);
  const password = input.sip_password ?? null;
  const number: PhoneNumber = {
    ...blank,
    name: input.name ?? null,
    terminationUri: input.termination_uri,
    sipUsername: input.sip_username ?? null,
    encryptedSipPassword: password === null ? null : app.secrets.encrypt(password, encryptionContext(blank.id)),
    transport: input.transport ?? null,
  };
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

/** @throws notFound when the inventory does not offer it (contract, section 12), conflict when an organization already has it */
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

/** Changes name and limits; live calls go on. @throws notFound */
export function updateNumber(app: App, orgId: string, id: string, changes: NumberChanges): Promise<PhoneNumber> {
  return transact(app.db, orgId, async (tx) => {
    const before = await numberOf(tx, orgId, id);
    const number: PhoneNumber = {
      ...before,
      name: changes.name === undefined ? before.name : changes.name,
      maxConcurrent: changes.max_concurrent ?? before.maxConcurrent,
      maxCps: changes.max_cps ?? before.maxCps,
    };
    await store.updateSettings(tx, number);
    if (number.maxConcurrent > before.maxConcurrent || number.maxCps > before.maxCps) {
      await app.events.emit(app, tx, numberLimitsRaised, { orgId, numberId: id });
    }
    return number;
  });
}

/**
 * Releases a number, which any organization may then import or buy.
 * @throws notFound when it is not the organization's or already released, or a conflict while a running campaign uses it
 */
export function releaseNumber(app: App, orgId: string, phone: string): Promise<{ phone: string; releasedAt: number }> {
  return transact(app.db, orgId, async (tx) => {
    const number = await store.activeByPhone(tx, orgId, phone);
    if (!number) throw notFound('phone number');
    await app.events.emit(app, tx, numberReleasing, { orgId, numberId: number.id, phone });
    const releasedAt = app.clock.now();
    await store.markReleased(tx, number.id, releasedAt);
    await forgetPauses(tx, number.id);
    return { phone, releasedAt };
  });
}

/** Counts a call that starts, after the caller checked the number's limits. The next may start at `paceAt` (Unix milliseconds). */
export const reserveCapacity = (tx: Tx, id: string, paceAt: number): Promise<void> =>
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
  status: 'active',
  inFlight: 0,
  paceAt: 0,
  createdAt: app.clock.now(),
  releasedAt: null,
});

const addNumber = (app: App, number: PhoneNumber): Promise<PhoneNumber> =>
  transact(app.db, number.orgId, async (tx) => {
    if ((await store.activeAnywhere(tx, [number.phone])).has(number.phone)) {
      throw conflict(`${number.phone} is already active; release it before you add it again.`);
    }
    await store.insertNumber(tx, number);
    return number;
  });
