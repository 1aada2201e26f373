import { sql } from 'kysely';
import { fromIndex } from '../../../db/sql.ts';

/**
 * Campaign contacts as their partial indexes divide them (sql/sqlite/0001_baseline.sql). Conditions
 * are literals: with bound values SQLite would not use a partial index.
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

/** First attempts have no time of a retry, but the index has that column: PostgreSQL follows the index only if the order names it. */
export const inOrderOfFirstAttempts = sql`next_retry_at, position`;

/** Contacts that wait for a retry, by position. */
export const retryRows = rowsIn('retries');

/** Contacts that wait for their first attempt because the carrier was out of reach, by position. */
export const isPostponed = sql`${isRetry} AND last_attempted_at IS NULL`;
export const postponedRows = rowsIn('postponed');

/** Contacts that are being called or will not be called again, by status and position. */
export const isCalled = sql`status <> 'pending'`;
export const calledRows = rowsIn('called');

/** Contacts that have had an attempt, by the time of the last one and position. */
export const isAttempted = sql`last_attempted_at IS NOT NULL`;
export const attemptedRows = rowsIn('attempted');

/** Contacts that ended without an attempt, by status and position. */
export const isUnattempted = sql`last_attempted_at IS NULL AND status <> 'pending'`;
export const unattemptedRows = rowsIn('unattempted');
