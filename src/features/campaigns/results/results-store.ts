import { sql } from 'kysely';
import { readInBackground } from '../../../db/long-reads.ts';
import { compiledOnce } from '../../../db/prepared.ts';
import { entriesOf } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/transaction.ts';

/** A contact of a campaign with its last call. */
export type ResultRow = {
  position: number;
  contactId: string | null;
  phone: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  company: string | null;
  status: string;
  attempts: number;
  lastAttemptedAt: number | null;
  durationSec: number | null;
  disconnectReason: string | null;
  errorMessage: string | null;
  summary: string | null;
  callSessionId: string | null;
  /** JSON array. */
  tags: string;
  /** 0 while a call or a retry may still change the row. */
  isFinal: number;
  /** JSON object; null for a contact that was deleted. */
  metadata: string | null;
};

/** Metadata can be large, so a page also ends at this size: parsing it takes a few milliseconds. */
const maxPageBytes = 524_288;

const resultsAfter = compiledOnce(
  (_db, p: { campaignId: string; after: number; limit: number }) => sql<ResultRow>`
    SELECT cc.position, cc.contact_id AS "contactId", CASE WHEN cc.phone LIKE '+%' THEN cc.phone ELSE '' END AS phone, c.first_name AS "firstName",
      c.last_name AS "lastName", cc.email, c.company,
      CASE WHEN cc.status = 'pending' AND campaign.contacts_change IS NOT DISTINCT FROM 'expiring' THEN 'expired' ELSE cc.status END AS status, cc.attempt_count AS attempts,
      cc.last_attempted_at AS "lastAttemptedAt", cc.call_duration_sec AS "durationSec",
      call.disconnect_reason AS "disconnectReason", cc.error_message AS "errorMessage", call.summary,
      cc.call_session_id AS "callSessionId", cc.tags,
      cc.status <> 'in_progress' AND (cc.status <> 'pending' OR campaign.contacts_change IS NOT DISTINCT FROM 'expiring') AS "isFinal", c.metadata
    FROM campaign_contacts cc
    JOIN campaigns campaign ON campaign.id = cc.campaign_id
    LEFT JOIN contacts c ON c.id = cc.contact_id AND c.removed_at IS NULL
    LEFT JOIN calls call ON call.id = cc.call_session_id
    WHERE cc.campaign_id = ${p.campaignId} AND cc.position > ${p.after}
    ORDER BY cc.position LIMIT ${p.limit}`,
);

/**
 * A page of a campaign's results in the order of its queue, read on the background thread, because an export may take minutes. A page with
 * large metadata is cut short; an empty page marks the end.
 */
export const resultPage = async (
  db: Queryable,
  { orgId, ...campaign }: { orgId: string; campaignId: string; after: number; limit: number },
): Promise<ResultRow[]> =>
  (await readInBackground(db, resultsAfter(db, campaign), { owner: orgId, maxBytes: maxPageBytes })).rows;

/** The number of contacts whose metadata one step reads: at most 32 MiB of JSON, in a tenth of a second. */
const contactsPerStep = 500;

/** No metadata has as many keys, or as many bytes. */
const maxKeys = 1_048_576;

export type MetadataKeys = { keys: string[]; last: number | null };

/** The keys in the metadata of the next contacts of a campaign, in the order in which they first appear; `last` is null at the end. */
export async function metadataKeysAfter(db: Queryable, campaignId: string, after: number): Promise<MetadataKeys> {
  const step = sql`SELECT position, contact_id FROM campaign_contacts
    WHERE campaign_id = ${campaignId} AND position > ${after} ORDER BY position LIMIT ${contactsPerStep}`;
  const { rows } = await sql<{ key: string }>`
    SELECT entry.key FROM (${step}) AS cc JOIN contacts c ON c.id = cc.contact_id, ${entriesOf('c.metadata')} AS entry
    WHERE c.metadata <> '{}' GROUP BY entry.key ORDER BY min(cc.position * ${maxKeys} + entry.id)`.execute(db);
  const end = await sql<{ last: number | null }>`SELECT max(position) AS last FROM (${step}) AS cc`.execute(db);
  return { keys: rows.map(({ key }) => key), last: end.rows[0]?.last ?? null };
}
