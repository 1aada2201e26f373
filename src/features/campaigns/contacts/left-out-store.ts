import { type Selectable, sql } from 'kysely';
import type { CampaignLeftOutTable } from '../../../db/schema.generated.ts';
import { recordsOf } from '../../../db/sql.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { Cause } from './cause.ts';

type LeftOutRow = Selectable<CampaignLeftOutTable>;

/** Replaces what an earlier join recorded of the same contacts. */
export async function insertLeftOut(tx: Tx, rows: readonly LeftOutRow[]): Promise<void> {
  if (rows.length === 0) return;
  // Without WHERE, SQLite parses ON CONFLICT as the ON clause of a join.
  await sql`
    INSERT INTO campaign_left_out (campaign_id, contact_id, at, cause)
    SELECT campaign_id, contact_id, at, cause
    FROM ${recordsOf(rows, { campaign_id: 'text', contact_id: 'text', at: 'integer', cause: 'text' })} AS refused WHERE true
    ON CONFLICT (campaign_id, contact_id) DO UPDATE SET at = excluded.at, cause = excluded.cause`.execute(tx);
}

/** Why the campaign left the contact out after an instant; undefined if it did not. */
export async function leftOutCause(
  db: Queryable,
  { campaignId, contactId, after }: { campaignId: string; contactId: string; after: number },
): Promise<Cause | undefined> {
  const row = await db
    .selectFrom('campaign_left_out')
    .select('cause')
    .where('campaign_id', '=', campaignId)
    .where('contact_id', '=', contactId)
    .where('at', '>', after)
    .executeTakeFirst();
  return row && (JSON.parse(row.cause) as Cause);
}

/** Deletes up to `limit` rows older than an instant, and returns how many. */
export async function deleteLeftOutBefore(tx: Tx, before: number, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM campaign_left_out WHERE (campaign_id, contact_id) IN (
      SELECT campaign_id, contact_id FROM campaign_left_out WHERE at <= ${before} LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Deletes up to `limit` rows of a campaign, and returns how many. */
export async function deleteLeftOut(tx: Tx, campaignId: string, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM campaign_left_out WHERE campaign_id = ${campaignId} AND contact_id IN (
      SELECT contact_id FROM campaign_left_out WHERE campaign_id = ${campaignId} LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}
