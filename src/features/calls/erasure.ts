import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { listOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { envelopeFileOf, fileOf } from './recordings/files.ts';
import * as recordings from './recordings/store.ts';
import type { PostCallAnalysis } from './call.ts';
import { liveOf, withheld } from './store.ts';

/** The contact and, unless another contact has it too, the phone of a person. */
export type CalledPerson = { contactId: string; phone: string | null };

/** Whether the organization has a live call with a phone. */
export async function isOnPhone(db: Queryable, orgId: string, phone: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM ${liveOf(orgId)} AND (to_phone = ${phone} OR from_phone = ${phone}) LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** The next ended calls of a person. Calls of other contacts with the phone are not among them. */
export async function callsOfPerson(
  db: Queryable,
  orgId: string,
  { contactId, phone }: CalledPerson,
  limit: number,
): Promise<string[]> {
  const ended = sql`organization_id = ${orgId} AND status IS NOT NULL`;
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM calls WHERE contact_id = ${contactId} AND ${ended}
    UNION SELECT id FROM calls
      WHERE to_phone = ${phone} AND direction = 'outbound' AND contact_id IS NULL AND ${ended}
    UNION SELECT id FROM calls
      WHERE from_phone = ${phone} AND direction = 'inbound' AND contact_id IS NULL AND ${ended}
    LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Calls stay as numbers without a person: everything that was said, and with whom, goes. Their recordings can no longer be fetched. */
export async function anonymizeCalls(tx: Tx, ids: readonly string[]): Promise<void> {
  const analyzed = await tx
    .selectFrom('calls')
    .select(['id', 'analysis'])
    .where('id', 'in', listOf(ids))
    .where('analysis', 'is not', null)
    .execute();
  await sql`
    UPDATE calls SET contact_id = NULL, caller_name = NULL, caller_email = NULL, error_message = NULL, recording_url = NULL,
      to_phone = CASE direction WHEN 'outbound' THEN '' ELSE to_phone END,
      from_phone = CASE direction WHEN 'inbound' THEN ${withheld} ELSE from_phone END,
      sip = NULL, speech = NULL, simulate = NULL, metadata = '{}', ending = NULL, summary = NULL, transcripts = '[]'
    WHERE id IN ${listOf(ids)}`.execute(tx);
  // Judgements are counted; what is to be done next is about the person.
  for (const { id, analysis } of analyzed) {
    const kept = { ...(JSON.parse(analysis!) as PostCallAnalysis), next_steps: '' };
    await tx
      .updateTable('calls')
      .set({ analysis: JSON.stringify(kept) })
      .where('id', '=', id)
      .execute();
  }
  await sql`UPDATE call_timeline SET detail = NULL WHERE call_id IN ${listOf(ids)}`.execute(tx);
  await recordings.drop(tx, ids);
}

/** Deletes the files of dropped recordings. Returns the calls that had one; `forgetRecordings` records that they are gone. */
export async function deleteRecordings(app: App, orgId: string): Promise<string[]> {
  const dropped = await app.db
    .selectFrom('call_recordings')
    .selectAll()
    .where('ended_at', '=', 0)
    .where('organization_id', '=', orgId)
    .execute();
  for (const { call_id: callId, month } of dropped) {
    await rm(fileOf(app, { callId, orgId, month }), { force: true });
    await rm(envelopeFileOf(app, { callId, orgId, month }), { force: true });
  }
  return dropped.map(({ call_id: id }) => id);
}

export const forgetRecordings = recordings.forget;
