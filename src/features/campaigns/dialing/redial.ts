import { nextMacrotask } from '../../../base/clock.ts';
import { conflict } from '../../../base/errors.ts';
import type { Position } from '../../../db/pages.ts';
import { transact, type Tx, unguarded } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { maxBatchRows } from '../../../kernel/batch-size.ts';
import type { Actor } from '../../requests/audit.ts';
import type { Campaign, FinalStatus } from '../campaign.ts';
import { addEarlierContacts } from '../contacts/campaign-contacts.ts';
import { type CampaignContactFilter, list } from '../contacts/list-store.ts';
import { recordEvent } from '../results/history.ts';
import { deleteCampaign } from '../removal.ts';
import { campaignOf } from '../service.ts';
import * as store from '../store.ts';

export const unreached = ['no_answer', 'busy', 'voicemail', 'failed'] as const satisfies readonly FinalStatus[];

/** `text` (folded) and `tag` narrow the contacts down, as they do in the list of campaign contacts. */
export type RedialOptions = Pick<CampaignContactFilter, 'text' | 'tag'> & {
  statuses?: readonly FinalStatus[];
  name?: string;
};
/** `left` is the number of contacts found that were not copied, because they may not be called any more. */
export type Redial = { campaign: Campaign; added: number; left: number };

const maxNameLength = 200;
const suffix = ' (redial)';

/**
 * Makes a draft from a completed campaign, with those of its contacts that the filter finds and that may still be called. The contacts
 * are copied in batches; a failure deletes the draft. Only a crash may leave a draft with a part of the contacts.
 * @throws notFound when the organization has no such campaign; conflict unless it is completed
 */
export async function redialCampaign(
  app: App,
  orgId: string,
  id: string,
  { name, statuses = unreached, ...filter }: RedialOptions,
  actor: Actor,
): Promise<Redial> {
  const draft = await transact(app.db, orgId, (tx) => draftFrom(app, tx, orgId, id, name, actor));
  try {
    return await transferContacts(app, id, draft, { statuses, ...filter }, actor);
  } catch (error) {
    await unguarded(() => deleteCampaign(app, orgId, draft.id));
    throw error;
  }
}

async function draftFrom(
  app: App,
  tx: Tx,
  orgId: string,
  id: string,
  name: string | undefined,
  actor: Actor,
): Promise<Campaign> {
  const completed = await campaignOf(tx, orgId, id);
  if (completed.status !== 'completed') {
    throw conflict(`The campaign is ${completed.status}. Complete it first; then it can be redialed.`);
  }
  const now = app.clock.now();
  const draftId = app.ids.make();
  await store.insertCampaign(
    tx,
    { id: draftId, organization_id: orgId, created_at: now, updated_at: now },
    {
      ...completed,
      name: name ?? completed.name.slice(0, maxNameLength - suffix.length) + suffix,
      schedule: { ...completed.schedule, start: null, end: null },
    },
  );
  await recordEvent(app, tx, draftId, 'created', actor, { redial_of: id });
  return (await store.campaignById(tx, draftId))!;
}

async function transferContacts(
  app: App,
  from: string,
  draft: Campaign,
  filter: CampaignContactFilter,
  actor: Actor,
): Promise<Redial> {
  const { id, orgId } = draft;
  const counts = { added: 0, left: 0 };
  let after: Position | null = null;
  for (let hasMore = true; hasMore; await nextMacrotask()) {
    const page = await list(app.db, from, filter, { limit: maxBatchRows, offset: 0, after, owner: orgId });
    const { positions, hasMore: isPart } = page.cursors!;
    const added = await transact(app.db, orgId, (tx) => addEarlierContacts(app, tx, draft, page.items));
    counts.added += added;
    counts.left += page.items.length - added;
    after = positions.at(-1) ?? null;
    hasMore = isPart;
  }
  return transact(app.db, orgId, async (tx) => {
    const detail = { added: counts.added, skipped: counts.left };
    if (counts.added > 0) await recordEvent(app, tx, id, 'contacts_added', actor, detail);
    return { campaign: await campaignOf(tx, orgId, id), ...counts };
  });
}
