import { sql } from 'kysely';
import { insertInto, prepared } from '../../../db/prepared.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { type Campaign } from '../campaign.ts';
import { campaignOf } from '../store.ts';

const running = prepared((db, p: { orgId: string }) =>
  db
    .selectFrom('campaigns')
    .selectAll()
    .where('organization_id', '=', p.orgId)
    .where('status', '=', 'active')
    .where('execution_status', '=', 'running')
    .where('removed_at', 'is', null)
    .orderBy('id'),
);

export const runningCampaigns = async (tx: Tx, orgId: string): Promise<Campaign[]> =>
  (await running(tx, { orgId })).rows.map(campaignOf);

const insertHeldRow = insertInto('held_campaigns');
export const insertHeld = (tx: Tx, { orgId, id, name }: Campaign): Promise<void> =>
  insertHeldRow(tx, { organization_id: orgId, campaign_id: id, name });

/** A campaign that a stop held; `paused` if somebody paused it although it was held already. */
export type HeldCampaign = { id: string; name: string; paused: boolean };

const held = prepared(
  (_db, p: { orgId: string; limit: number }) => sql<{ id: string; name: string; paused: number }>`
    SELECT h.campaign_id AS id, coalesce(c.name, h.name) AS name, h.paused FROM held_campaigns h
    LEFT JOIN campaigns c ON c.id = h.campaign_id AND c.removed_at IS NULL
    WHERE h.organization_id = ${p.orgId} ORDER BY h.campaign_id LIMIT ${p.limit}`,
);

export const heldCampaigns = async (db: Queryable, orgId: string, limit: number): Promise<HeldCampaign[]> =>
  (await held(db, { orgId, limit })).rows.map(({ paused, ...row }) => ({ ...row, paused: paused === 1 }));

/** Somebody pauses a campaign: it does not run again by itself, also if it is held already. */
export async function keepPaused(tx: Tx, orgId: string, id: string): Promise<void> {
  const ofCampaign = tx.updateTable('held_campaigns').set({ paused: 1 }).where('organization_id', '=', orgId);
  await ofCampaign.where('campaign_id', '=', id).execute();
}

export async function forgetHeld(tx: Tx, orgId: string): Promise<void> {
  await tx.deleteFrom('held_campaigns').where('organization_id', '=', orgId).execute();
}
