import { nextMacrotask } from '../../../base/clock.ts';
import type { Position } from '../../../db/pages.ts';
import { transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { maxBatchRows } from '../../../kernel/batch-size.ts';
import type { Actor } from '../../requests/audit.ts';
import { causeNow } from './cause.ts';
import { type CampaignContactFilter, list } from './list-store.ts';
import * as campaignContacts from './store.ts';
import { completeIfDone } from '../completion.ts';
import { recordEvent } from '../results/history.ts';
import { forgetPlans } from '../plan/cache.ts';
import { campaignOf } from '../service.ts';
import * as store from '../store.ts';

/** One request removes at most this many contacts, which takes a few seconds. */
export const maxRemoved = 50_000;

export type RemovalFilter = Required<Pick<CampaignContactFilter, 'statuses'>> &
  Pick<CampaignContactFilter, 'text' | 'tag'>;

/** `hasMore`: contacts were left out because of `maxRemoved`. */
export type Removal = { removed: number; hasMore: boolean };

/**
 * Removes the contacts that a filter finds and that are still waiting, as removeCampaignContact() does with one. Contacts that are on the
 * phone or have a final status stay as they are. Works in small transactions: if the process dies halfway, some are removed, and the same
 * request removes the others.
 * @throws notFound when the organization has no such campaign
 */
export async function removeCampaignContacts(
  app: App,
  orgId: string,
  campaignId: string,
  { statuses, ...filter }: RemovalFilter,
  actor: Actor | null = null,
): Promise<Removal> {
  await campaignOf(app.db, orgId, campaignId);
  if (!statuses.includes('pending')) return { removed: 0, hasMore: false };
  // Contacts that are added meanwhile have later positions.
  const nextPosition = await store.nextPosition(app.db, campaignId);
  const waiting: CampaignContactFilter = { ...filter, statuses: ['pending'] };
  let removed = 0;
  let after: Position | null = null;
  for (; ; await nextMacrotask()) {
    const limit = Math.min(maxBatchRows, maxRemoved - removed);
    const page = await list(app.db, campaignId, waiting, { limit, offset: 0, after, owner: orgId });
    const found = page.items.filter(({ position }) => position < nextPosition).map(({ id }) => id);
    const { positions, hasMore } = page.cursors!;
    const isFull = removed + found.length >= maxRemoved;
    const isLast = !hasMore || isFull || found.length < page.items.length;
    removed += await transact(app.db, orgId, (tx) =>
      removeBatch(app, tx, { orgId, campaignId, actor }, found, isLast ? removed : null),
    );
    if (isLast) return { removed, hasMore: hasMore && isFull };
    after = positions.at(-1) ?? null;
  }
}

type Work = { orgId: string; campaignId: string; actor: Actor | null };

/** Cancels those of the contacts that are still pending, and returns how many. `removedBefore` is given with the last batch. */
async function removeBatch(
  app: App,
  tx: Tx,
  { orgId, campaignId, actor }: Work,
  ids: readonly string[],
  removedBefore: number | null,
): Promise<number> {
  // Since the last batch the campaign may have been deleted, or completed, which expires whoever is waiting.
  const { contactsChange } = await campaignOf(tx, orgId, campaignId);
  const cause = causeNow('removed', app.clock.now(), actor);
  const zones = contactsChange === 'expiring' ? [] : await campaignContacts.cancelPendingOf(tx, campaignId, ids, cause);
  for (const { timezone, pending } of zones) await campaignContacts.addPending(tx, campaignId, timezone, -pending);
  const removed = zones.reduce((sum, { pending }) => sum + pending, 0);
  await store.addStats(tx, campaignId, { pending: -removed, failed: removed });
  forgetPlans(app, tx, orgId);
  const total = removed + (removedBefore ?? 0);
  if (removedBefore !== null && total > 0)
    await recordEvent(app, tx, campaignId, 'contacts_removed', actor, { removed: total });
  await completeIfDone(app, tx, await campaignOf(tx, orgId, campaignId));
  return removed;
}
