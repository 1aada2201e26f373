import { type RawBuilder, sql } from 'kysely';
import { fromIndex } from '../../../db/sql.ts';
import { recentOf } from '../../calls/service.ts';

/**
 * Campaign contacts as their partial indexes divide them (sql/sqlite/0044_campaign_contacts_of_a_call.sql and
 * 0049_recent_rows.sql). Conditions are literals: with bound values SQLite would not use a partial index.
 */
const rowsIn = (index: string) => fromIndex('campaign_contacts', `campaign_contacts_${index}`);

export const isRetry = sql`status = 'pending' AND next_retry_at IS NOT NULL`;
export const isFirstAttempt = sql`status = 'pending' AND next_retry_at IS NULL`;

/** Pending contacts by time zone; in each zone first attempts by position, then retries by due time and position. */
export const pendingRows = rowsIn('pending');

/**
 * The pending contacts of a campaign in two parts, each in the order in which the dialer calls them, whatever their time zone. Most contacts
 * have no time zone of their own, and are only in the first.
 */
export const pendingParts = [
  { rows: pendingRows, isPart: sql`timezone = ''` },
  { rows: rowsIn('pending_zoned'), isPart: sql`timezone <> ''` },
];

/** Contacts that wait for a retry, by position. */
export const retryRows = rowsIn('retries');

export const organizationOf = (campaignId: string): RawBuilder<unknown> =>
  sql`(SELECT organization_id FROM campaigns WHERE id = ${campaignId})`;

/**
 * Contacts in progress, and contacts of any status whose last call has ended and is not filed yet (calls/filing.ts). They are found through
 * their calls, because they are in neither `campaign_contacts_ended` nor `campaign_contacts_attempted`. A contact whose last attempt was taken
 * back is in these indexes, even if its call before is not filed yet.
 */
export const isRecent = (campaignId: string): RawBuilder<unknown> => sql`recent = 1 AND id IN (
  SELECT campaign_contact_id FROM ${recentOf(organizationOf(campaignId))} AND campaign_id = ${campaignId})`;

/** Contacts that are not recent and will not be called again, by status and position. */
export const isEnded = sql`status NOT IN ('pending', 'in_progress') AND recent = 0`;
export const endedRows = rowsIn('ended');

/** Contacts that are not recent and have had an attempt, by the time of the last one and position. */
export const isAttempted = sql`last_attempted_at IS NOT NULL AND recent = 0`;
export const attemptedRows = rowsIn('attempted');

/** Contacts that ended without an attempt, by status and position. */
export const isUnattempted = sql`last_attempted_at IS NULL AND status <> 'pending'`;
export const unattemptedRows = rowsIn('unattempted');
