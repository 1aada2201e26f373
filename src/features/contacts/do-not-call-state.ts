import type { Queryable } from '../../db/transaction.ts';
import type { OptOut } from './contact.ts';
import * as store from './do-not-call-store.ts';

/** A person as a list shows them. */
export type Called = { phone: string | null; contactId: string | null };

/**
 * Whether somebody may be called, decided from the list and from the flags of all contacts with the phone. `first` is the older of the two
 * reasons against it.
 */
export type DoNotCallState = { onList: boolean; optedOut: boolean; first: OptOut | null };

/** Finds the state of each person of a page with one look-up for all of them. */
export async function doNotCallStateOf<T>(
  db: Queryable,
  orgId: string,
  items: readonly T[],
  calledOf: (item: T) => Called,
): Promise<(item: T) => DoNotCallState> {
  const states = await doNotCallStates(db, orgId, items.map(calledOf));
  const stateOf = new Map(items.map((item, at) => [item, states[at]!]));
  return (item) => stateOf.get(item)!;
}

/** The states of people, in their order. */
async function doNotCallStates(db: Queryable, orgId: string, people: readonly Called[]): Promise<DoNotCallState[]> {
  const known = <T>(values: ReadonlyArray<T | null>): T[] => [...new Set(values.filter((value) => value !== null))];
  const phones = known(people.map(({ phone }) => phone));
  const contactIds = known(people.map(({ contactId }) => contactId));
  const found = await store.reasonsAgainst(db, orgId, phones, contactIds);
  return people.map(({ phone, contactId }) => {
    const reasons = found.filter(
      (reason) => reason.phone === phone || (contactId !== null && reason.contactId === contactId),
    );
    const [first] = reasons.toSorted((a, b) => a.optOut.at - b.optOut.at);
    return {
      onList: reasons.some((reason) => reason.contactId === null),
      optedOut: reasons.some((reason) => reason.contactId !== null),
      first: first?.optOut ?? null,
    };
  });
}
