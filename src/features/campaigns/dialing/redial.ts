import { nextMacrotask } from '../../../base/clock.ts';
import { AppError, conflict } from '../../../base/errors.ts';
import { faultPoint } from '../../../base/fault-points.ts';
import type { Position } from '../../../db/pages.ts';
import { transact, type Tx, unguarded } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { maxBatchRows } from '../../../kernel/batch-size.ts';
import type { Actor } from '../../requests/audit.ts';
import type { Campaign, CampaignContact, FinalStatus } from '../campaign.ts';
import { addEarlierContacts } from '../contacts/campaign-contacts.ts';
import { type CampaignContactFilter, list } from '../contacts/list-store.ts';
import { recordEvent } from '../results/history.ts';
import { discardHidden } from '../removal.ts';
import { campaignOf } from '../service.ts';
import * as store from '../store.ts';

export const unreached = [
  'no_answer',
  'busy',
  'voicemail',
  'failed',
  'expired',
] as const satisfies readonly FinalStatus[];

/** `text` (folded) and `tag` narrow the contacts down, as they do in the list of campaign contacts. */
export type RedialOptions = Pick<CampaignContactFilter, 'text' | 'tag'> & {
  statuses?: readonly FinalStatus[];
  name?: string;
};
/** How many contacts were left out for a reason: one of `EarlierRefusal`, `still_in_campaign`, `status:<status>` or `not_found`. */
export type LeftOut = { reason: string; count: number };
/** `added` and `leftOut` together are all contacts of the source. */
export type Redial = { campaign: Campaign; added: number; leftOut: LeftOut[] };

const maxNameLength = 200;
const suffix = ' (redial)';

/**
 * Makes a draft from a campaign that was started or completed, with those of its contacts that the filter finds and that may still be
 * called. The contacts are copied in batches. Until the last one the draft is hidden like a removed campaign, so nobody can start it half
 * filled; a failure deletes it, and after a crash the next start does (`discardHalfFilled`).
 * @throws notFound when the organization has no such campaign; conflict when it is a draft
 */
export async function redialCampaign(
  app: App,
  orgId: string,
  id: string,
  { name, statuses = unreached, ...filter }: RedialOptions,
  actor: Actor,
): Promise<Redial> {
  const draft = await transact(app.db, orgId, (tx) => hiddenDraftFrom(app, tx, orgId, id, name));
  try {
    const copied = await copyContacts(app, id, draft, statuses, filter);
    return await transact(app.db, orgId, (tx) => publish(app, tx, id, draft, copied, actor));
  } catch (error) {
    await unguarded(() => discardHidden(app, orgId, draft.id));
    throw error;
  }
}

async function hiddenDraftFrom(
  app: App,
  tx: Tx,
  orgId: string,
  id: string,
  name: string | undefined,
): Promise<Campaign> {
  const source = await campaignOf(tx, orgId, id);
  if (source.status === 'draft') throw conflict('The campaign is a draft: nobody was called yet. Start it first.');
  const now = app.clock.now();
  const draft: Campaign = {
    ...source,
    id: app.ids.make(),
    name: name ?? source.name.slice(0, maxNameLength - suffix.length) + suffix,
    status: 'draft',
    executionStatus: 'draft',
    schedule: { ...source.schedule, start: null, end: null },
  };
  const row = { id: draft.id, organization_id: orgId, created_at: now, updated_at: now, removed_at: now };
  await store.insertCampaign(tx, row, draft);
  return draft;
}

type Copied = { added: number; found: number; leftOut: Map<string, number> };

/** Reads every contact that the filter finds once, in the order of the queue, because a running campaign changes statuses meanwhile. */
async function copyContacts(
  app: App,
  from: string,
  draft: Campaign,
  statuses: readonly FinalStatus[],
  filter: CampaignContactFilter,
): Promise<Copied> {
  const { orgId } = draft;
  const copied: Copied = { added: 0, found: 0, leftOut: new Map() };
  let after: Position | null = null;
  for (let hasMore = true; hasMore; await nextMacrotask()) {
    const page = await list(app.db, from, filter, { limit: maxBatchRows, offset: 0, after, owner: orgId });
    const { positions, hasMore: isPart } = page.cursors!;
    const unwanted = page.items.flatMap((contact) => reasonAgainst(contact, statuses) ?? []);
    const wanted = page.items.filter((contact) => reasonAgainst(contact, statuses) === undefined);
    const refused =
      wanted.length === 0 ? [] : await transact(app.db, orgId, (tx) => addEarlierContacts(app, tx, draft, wanted));
    faultPoint('redial.batch');
    for (const reason of [...unwanted, ...refused]) copied.leftOut.set(reason, (copied.leftOut.get(reason) ?? 0) + 1);
    copied.added += wanted.length - refused.length;
    copied.found += page.items.length;
    after = positions.at(-1) ?? null;
    hasMore = isPart;
  }
  return copied;
}

/** Why a contact's status keeps it out of the redial. One that its campaign may still call would be called by both. */
function reasonAgainst({ status }: CampaignContact, statuses: readonly FinalStatus[]): string | undefined {
  if (status === 'pending' || status === 'in_progress') return 'still_in_campaign';
  return statuses.includes(status) ? undefined : `status:${status}`;
}

async function publish(
  app: App,
  tx: Tx,
  from: string,
  { id, orgId }: Campaign,
  { added, found, leftOut }: Copied,
  actor: Actor,
): Promise<Redial> {
  if (!(await store.show(tx, id))) throw new AppError('unavailable', 'The redial was interrupted. Send it again.');
  const { stats } = await campaignOf(tx, orgId, from);
  const all = new Map(leftOut);
  if (stats.total > found) all.set('not_found', stats.total - found);
  const skipped = [...all.values()].reduce((sum, count) => sum + count, 0);
  await recordEvent(app, tx, id, 'created', actor, { redial_of: from });
  if (added > 0) await recordEvent(app, tx, id, 'contacts_added', actor, { added, skipped });
  return {
    campaign: await campaignOf(tx, orgId, id),
    added,
    leftOut: [...all].map(([reason, count]) => ({ reason, count })),
  };
}
