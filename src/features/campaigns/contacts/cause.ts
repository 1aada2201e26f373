import type { Queryable } from '../../../db/transaction.ts';
import { doNotCallStateOf } from '../../contacts/do-not-call-state.ts';
import type { Actor } from '../../requests/audit.ts';

export const causeCodes = [
  'do_not_call',
  'removed',
  'no_phone',
  'contact_deleted',
  'campaign_ended',
  'campaign_completed',
] as const;

/** Why a contact is never called, or not in this campaign: what came first, since when, and who did it. */
export type Cause = { code: (typeof causeCodes)[number]; at: number; by: Actor | null; reason: string | null };

export const causeSentences: Readonly<Record<Cause['code'], string>> = {
  do_not_call: 'On the do-not-call list.',
  removed: 'The contact was removed from the campaign.',
  no_phone: 'The contact has no phone any more.',
  contact_deleted: 'The contact was deleted.',
  campaign_ended: 'The end of the campaign has passed.',
  campaign_completed: 'The campaign was completed.',
};

export const causeNow = (code: Cause['code'], at: number, by: Actor | null = null): Cause => ({
  code,
  at,
  by,
  reason: null,
});

type Called = { phone: string; contactId: string | null };

/** The opt-out or entry of the do-not-call list that stands against a call; null if there is none. */
export async function doNotCallCause(db: Queryable, orgId: string, called: Called): Promise<Cause | null> {
  const { first } = (await doNotCallStateOf(db, orgId, [called], (each) => each))(called);
  return first && { code: 'do_not_call', ...first };
}
