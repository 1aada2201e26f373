import { type Selectable, sql } from 'kysely';
import { readPage } from '../../../db/pages.ts';
import type { CampaignEventsTable } from '../../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { Page, Paged } from '../../../kernel/paging.ts';
import type { Actor } from '../../requests/audit.ts';
import type { CampaignEvent } from './campaign-event.ts';

const eventOf = (row: Selectable<CampaignEventsTable>): CampaignEvent => ({
  at: row.at,
  type: row.type as CampaignEvent['type'],
  actor: row.actor_kind === null ? null : ({ kind: row.actor_kind, id: row.actor_id, name: row.actor_name } as Actor),
  detail: JSON.parse(row.detail) as CampaignEvent['detail'],
});

/** Adds an event with the campaign's next number. */
export async function insertEvent(tx: Tx, campaignId: string, event: CampaignEvent): Promise<void> {
  const { at, type, actor, detail } = event;
  await sql`
    INSERT INTO campaign_events (campaign_id, number, at, type, actor_kind, actor_id, actor_name, detail)
    SELECT ${campaignId}, coalesce(max(number), 0) + 1, ${at}, ${type}, ${actor?.kind ?? null}, ${actor?.id ?? null},
      ${actor?.name ?? null}, ${JSON.stringify(detail)}
    FROM campaign_events WHERE campaign_id = ${campaignId}`.execute(tx);
}

/** A page of a campaign's events, newest first. It costs the same anywhere in the list, because the numbers have no gaps. */
export async function eventPage(db: Queryable, campaignId: string, page: Page): Promise<Paged<CampaignEvent>> {
  const events = db.selectFrom('campaign_events').where('campaign_id', '=', campaignId);
  const { last } = await events.select((eb) => eb.fn.max('number').as('last')).executeTakeFirstOrThrow();
  const total = last ?? 0;
  const fromThere = events.selectAll().where('number', '<=', total - page.offset);
  const { rows } = await readPage(db, fromThere.orderBy('number', 'desc'), total, { ...page, offset: 0 });
  return { items: rows.map(eventOf), total };
}

/** The last event of a type; undefined if there is none. */
export async function newestEvent(
  db: Queryable,
  campaignId: string,
  type: CampaignEvent['type'],
): Promise<CampaignEvent | undefined> {
  const row = await db
    .selectFrom('campaign_events')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .where('type', '=', type)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && eventOf(row);
}

/** Deletes up to `limit` events of a campaign, and returns how many it deleted. */
export async function deleteEvents(tx: Tx, campaignId: string, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM campaign_events WHERE campaign_id = ${campaignId} AND number IN (
      SELECT number FROM campaign_events WHERE campaign_id = ${campaignId} ORDER BY number LIMIT ${limit}
    )`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}
