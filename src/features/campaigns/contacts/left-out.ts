import { dayMs } from '../../../base/clock.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { nightly } from '../../../kernel/nightly.ts';
import { jobKind } from '../../../kernel/queue.ts';
import { doNotCallStateOf } from '../../contacts/do-not-call-state.ts';
import type { Campaign } from '../campaign.ts';
import { type Cause, causeNow } from './cause.ts';
import * as store from './left-out-store.ts';

/** How long it can be asked why a contact did not join a campaign. */
const retentionMs = 30 * dayMs;

type Refused = { id: string; phone: string | null };

/** Records which of the contacts that a campaign did not take may not be called. The others are in it already. */
export async function recordLeftOut(
  app: App,
  tx: Tx,
  { id: campaignId, orgId }: Pick<Campaign, 'id' | 'orgId'>,
  refused: readonly Refused[],
): Promise<void> {
  if (refused.length === 0) return;
  const now = app.clock.now();
  const contacts = [...new Map(refused.map((contact) => [contact.id, contact])).values()];
  const stateOf = await doNotCallStateOf(tx, orgId, contacts, ({ id, phone }) => ({ contactId: id, phone }));
  const rows = contacts.flatMap((contact) => {
    const { first } = stateOf(contact);
    if (first === null && contact.phone !== null) return [];
    const cause: Cause = first === null ? causeNow('no_phone', now) : { code: 'do_not_call', ...first };
    return [{ campaign_id: campaignId, contact_id: contact.id, at: now, cause: JSON.stringify(cause) }];
  });
  await store.insertLeftOut(tx, rows);
}

/** Why a campaign did not take a contact in the last 30 days; undefined if it did, or was not asked to. */
export const causeOfLeavingOut = (
  app: App,
  db: Queryable,
  campaignId: string,
  contactId: string,
): Promise<Cause | undefined> =>
  store.leftOutCause(db, { campaignId, contactId, after: app.clock.now() - retentionMs });

export const leftOutPruning = nightly(
  jobKind('campaigns.prune'),
  '52 3 * * *',
  async (app, tx, rows) => (await store.deleteLeftOutBefore(tx, app.clock.now() - retentionMs, rows)) === rows,
);
