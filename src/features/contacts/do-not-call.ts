import { type Fault, invalid, notFound } from '../../base/errors.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { DoNotCallEntry } from './contact.ts';
import * as store from './do-not-call-store.ts';

/** One phone or several, and why. */
export type DoNotCallInput = { phone?: string; phones?: readonly string[]; reason?: string | null };

/** Those of the phones that must not be called: on the organization's list, or of a contact that carries the flag. */
export const isDoNotCall = async (db: Queryable, orgId: string, phones: readonly string[]): Promise<Set<string>> =>
  new Set(await store.barredPhones(db, orgId, phones));

/** Newest first, ties by phone. */
export const listDoNotCall = (app: App, orgId: string, page: Page): Promise<Paged<DoNotCallEntry>> =>
  store.entriesPage(app.db, orgId, page);

/** Exactly one of `phone` and `phones` belongs in a body. */
export function doNotCallFaults({ phone, phones }: DoNotCallInput): Fault[] {
  if ((phone === undefined) !== (phones === undefined)) return [];
  const message = phone === undefined ? 'is required, or its counterpart' : 'cannot be given with its counterpart';
  return [
    { path: 'phone', message: `${message} phones` },
    { path: 'phones', message: `${message} phone` },
  ];
}

/**
 * Lists phones and says how many were not listed before.
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
