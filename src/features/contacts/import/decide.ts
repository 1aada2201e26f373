import type { Contact, ContactFields } from '../contact.ts';
import type { PhoneRows } from './phone-rows.ts';

/** `phone`: a row with a known phone is about the contact that has it. `none`: every row creates a contact. */
export const dedupeModes = ['phone', 'none'] as const;
export type Dedupe = (typeof dedupeModes)[number];

/** Treatment of rows whose phone belongs to an existing contact. */
export const duplicateModes = ['update', 'skip'] as const;
export type OnDuplicate = (typeof duplicateModes)[number];

/** A row whose values are valid. */
export type ValidRow = { row: number; fields: Partial<ContactFields>; tags: string[] };

/** The facts about a contact that decide whether it may be added to a campaign. */
export type Joiner = { phone: string; doNotCall: boolean };

/** The facts that decisions depend on, read before the rows are written. */
export type Facts = {
  /** The contacts that exist, by phone. */
  known: ReadonlyMap<string, Contact>;
  /** Returns why a contact cannot join the campaign; absent without a campaign. */
  refusal?: (joiner: Joiner) => string | undefined;
};

export type Decision = ValidRow & {
  /** `keep`: the contact is known and stays as it is. */
  action: 'create' | 'update' | 'keep';
  /** The earlier row with the same phone. */
  firstRow: number | null;
  /** Why the row does not join the campaign; null if it does. */
  refusal: string | null;
};

export type DecisionOptions = { dedupe: Dedupe; onDuplicate: OnDuplicate };

/**
 * Decides the action for a row. A trial run and a real import must decide alike, so the decision depends on nothing that writing earlier
 * rows changes: the phone of an earlier row counts as known, and joins the campaign with that row or not at all.
 */
export function decide(row: ValidRow, facts: Facts, phones: PhoneRows, options: DecisionOptions): Decision {
  const phone = row.fields.phone ?? null;
  const firstRow = phone === null ? null : (phones.firstRow(phone, row.row) ?? null);
  const existing = phone === null ? undefined : facts.known.get(phone);
  const isKnown = options.dedupe === 'phone' && (existing !== undefined || firstRow !== null);
  const action = !isKnown ? 'create' : options.onDuplicate === 'update' ? 'update' : 'keep';
  const flag = action === 'keep' ? undefined : row.fields.doNotCall;
  const doNotCall = flag ?? (isKnown ? existing?.doNotCall : undefined) ?? false;
  return { ...row, action, firstRow, refusal: refusalOf({ phone, doNotCall }, firstRow, facts) };
}

function refusalOf(
  { phone, doNotCall }: { phone: string | null; doNotCall: boolean },
  firstRow: number | null,
  { refusal }: Facts,
): string | null {
  // Rows without a phone that should join a campaign were rejected.
  if (!refusal || phone === null) return null;
  if (firstRow !== null) return `repeats the phone number of row ${firstRow}`;
  return refusal({ phone, doNotCall }) ?? null;
}
