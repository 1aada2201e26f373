import { type Fault, invalid, notFound } from '../../base/errors.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { DoNotCallEntry } from './contact.ts';
import * as store from './do-not-call-store.ts';

/** One phone or several, and the reason for listing them. */
export type DoNotCallInput = { phone?: string; phones?: readonly string[]; reason?: string | null };

/** Which of the phones must not be called: those on the organization's list, and those of contacts flagged do-not-call. */
export const findDoNotCallPhones = async (
  db: Queryable,
  orgId: string,
  phones: readonly string[],
): Promise<Set<string>> => new Set(await store.doNotCallPhones(db, orgId, phones));

/** Newest first; entries of the same instant by phone. */
export const listDoNotCall = (app: App, orgId: string, page: Page): Promise<Paged<DoNotCallEntry>> =>
  store.entriesPage(app.db, orgId, page);

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

/**
 * Adds phones to the list and returns how many were new.
 * @throws invalid unless exactly one of `phone` and `phones` is given
 */
export async function addDoNotCall(app: App, orgId: string, input: DoNotCallInput): Promise<number> {
  const faults = doNotCallFaults(input);
  if (faults.length > 0) throw invalid(faults);
  const phones = input.phones ?? [input.phone!];
  return store.insertEntries(app.db, orgId, phones, { reason: input.reason ?? null, createdAt: app.clock.now() });
}

/** @throws notFound when the phone is not listed */
export async function removeDoNotCall(app: App, orgId: string, phone: string): Promise<void> {
  if (!(await store.deleteEntry(app.db, orgId, phone))) throw notFound('entry on the do-not-call list');
}
