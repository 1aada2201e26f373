import { type Fault, invalid, notFound } from '../../base/errors.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { inBatches, partsOf } from '../../kernel/batches.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { Actor } from '../requests/audit.ts';
import type { DoNotCallEntry } from './contact.ts';
import * as store from './do-not-call-store.ts';
import { doNotCallChanged } from './events.ts';

/**
 * What an erased person leaves on the list: the number, without a reason, if it may not be called and stays; else nothing. Another contact's
 * opt-out is not touched.
 */
export async function keepNumberAlone(app: App, tx: Tx, orgId: string, phone: string, isKept: boolean): Promise<void> {
  await store.deleteEntry(tx, orgId, phone);
  if (isKept) await store.insertEntries(tx, orgId, [phone], { reason: null, createdAt: app.clock.now(), by: null });
  await app.events.emit(app, tx, doNotCallChanged, { orgId });
}

/** One phone or several, and the reason for listing them. */
export type DoNotCallInput = { phone?: string; phones?: readonly string[]; reason?: string | null };

/** Which of the phones must not be called: those on the organization's list, and those of contacts flagged do-not-call. */
export const findDoNotCallPhones = async (
  db: Queryable,
  orgId: string,
  phones: readonly string[],
): Promise<Set<string>> => new Set(await store.doNotCallPhones(db, orgId, phones));

/** A page of the do-not-call list: newest first, entries of the same instant by phone. With `part`, only phones that contain it. */
export const listDoNotCall = (app: App, orgId: string, page: Page, part?: string): Promise<Paged<DoNotCallEntry>> =>
  store.entriesPage(app.db, orgId, page, part);

/** The faults of a body; none if it has exactly one of `phone` and `phones`. */
export function doNotCallFaults({ phone, phones }: DoNotCallInput): Fault[] {
  if ((phone === undefined) !== (phones === undefined)) return [];
  const messageNaming = (other: string): string =>
    phone === undefined ? `is required unless ${other} is given` : `cannot be given together with ${other}`;
  return [
    { path: 'phone', message: messageNaming('phones') },
    { path: 'phones', message: messageNaming('phone') },
  ];
}

/** The number of phones that one transaction adds, in some 5 ms. */
const batchSize = 1000;

/**
 * Adds phones to the list and returns how many were new. Outside of a transaction, each batch is committed on its own.
 * @throws invalid unless exactly one of `phone` and `phones` is given
 */
export async function addDoNotCall(
  app: App,
  orgId: string,
  input: DoNotCallInput,
  by: Actor | null = null,
): Promise<number> {
  const faults = doNotCallFaults(input);
  if (faults.length > 0) throw invalid(faults);
  const phones = input.phones ?? [input.phone!];
  const entry = { reason: input.reason ?? null, createdAt: app.clock.now(), by };
  let added = 0;
  await inBatches(app.db, partsOf(phones, batchSize), async (batch) => {
    added += await transact(app.db, orgId, async (tx) => {
      await app.events.emit(app, tx, doNotCallChanged, { orgId });
      return store.insertEntries(tx, orgId, batch, entry);
    });
  });
  return added;
}

/** @throws notFound when the phone is not listed */
export function removeDoNotCall(app: App, orgId: string, phone: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    if (!(await store.deleteEntry(tx, orgId, phone))) throw notFound('entry on the do-not-call list');
    await app.events.emit(app, tx, doNotCallChanged, { orgId });
  });
}
