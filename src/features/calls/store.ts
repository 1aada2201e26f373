import { type Selectable, sql } from 'kysely';
import { JsonObject } from '../../base/json.ts';
import { insertInto, prepared, readPage, updateById } from '../../db/prepared.ts';
import type { CallsTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { Call, CallStatus, DisconnectReason, PostCallAnalysis, TranscriptEntry } from './call.ts';

export type CallFilter = { agentId?: string; campaignId?: string; contactId?: string; status?: CallStatus };

const callOf = (row: Selectable<CallsTable>): Call => ({
  id: row.id,
  orgId: row.organization_id,
  agentId: row.agent_id,
  agentName: row.agent_name,
  phoneNumberId: row.phone_number_id,
  campaignId: row.campaign_id,
  contactId: row.contact_id,
  campaignContactId: row.campaign_contact_id,
  attempt: row.attempt,
  from: row.from_phone,
  to: row.to_phone,
  callerName: row.caller_name,
  callerEmail: row.caller_email,
  channel: row.channel as Call['channel'],
  metadata: new JsonObject(row.metadata),
  maxDurationMs: row.max_duration_ms,
  state: row.state,
  status: row.status,
  disconnectReason: row.disconnect_reason as DisconnectReason | null,
  errorMessage: row.error_message,
  hangupRequested: row.hangup_requested === 1,
  durationSec: row.duration_sec,
  summary: row.summary,
  recordingUrl: row.recording_url,
  costTotal: row.cost_total,
  callLatencyMs: row.call_latency_ms,
  analysis: row.analysis === null ? null : (JSON.parse(row.analysis) as PostCallAnalysis),
  transcripts: JSON.parse(row.transcripts) as TranscriptEntry[],
  createdAt: row.created_at,
  turnAt: row.turn_at,
  handedOverAt: row.handed_over_at,
  startedAt: row.started_at,
  answeredAt: row.answered_at,
  endedAt: row.ended_at,
});

export const insertCall = insertInto('calls');
export const updateCall = updateById('calls');

const byId = prepared((db, p: { id: string }) => db.selectFrom('calls').selectAll().where('id', '=', p.id));

/** For jobs and carriers, which work for every organization. */
export async function callById(db: Queryable, id: string): Promise<Call | undefined> {
  const [row] = (await byId(db, { id })).rows;
  return row && callOf(row);
}

export async function callOfOrganization(db: Queryable, orgId: string, id: string): Promise<Call | undefined> {
  const call = await callById(db, id);
  return call?.orgId === orgId ? call : undefined;
}

const ofAttempt = prepared((db, p: { campaignContactId: string; attempt: number }) =>
  db
    .selectFrom('calls')
    .selectAll()
    .where('campaign_contact_id', '=', p.campaignContactId)
    .where('attempt', '=', p.attempt),
);

/** The call of an attempt to reach a campaign contact. */
export async function callOfAttempt(
  db: Queryable,
  campaignContactId: string,
  attempt: number,
): Promise<Call | undefined> {
  const [row] = (await ofAttempt(db, { campaignContactId, attempt })).rows;
  return row && callOf(row);
}

const removeById = prepared((db, p: { id: string }) => db.deleteFrom('calls').where('id', '=', p.id));

export async function deleteCall(tx: Tx, id: string): Promise<void> {
  await removeById(tx, { id });
}

export async function listCalls(db: Queryable, orgId: string, filter: CallFilter, page: Page): Promise<Paged<Call>> {
  let query = db.selectFrom('calls').where('organization_id', '=', orgId);
  if (filter.agentId !== undefined) query = query.where('agent_id', '=', filter.agentId);
  if (filter.campaignId !== undefined) query = query.where('campaign_id', '=', filter.campaignId);
  if (filter.contactId !== undefined) query = query.where('contact_id', '=', filter.contactId);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  const rows = await readPage(db, query.selectAll().orderBy('id', 'desc'), page);
  const count = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { items: rows.map(callOf), total: count.total };
}

export async function hasLiveCall(tx: Tx, contactId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('calls')
    .select('id')
    .where('contact_id', '=', contactId)
    .where('state', '!=', 'ended')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasLiveCallOfAgent(tx: Tx, agentId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('calls')
    .select('id')
    .where('agent_id', '=', agentId)
    // As a literal: with a bound value SQLite would not use the partial index of live calls.
    .where(sql<boolean>`state <> 'ended'`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function forgetContact(tx: Tx, contactId: string): Promise<void> {
  await tx.updateTable('calls').set({ contact_id: null }).where('contact_id', '=', contactId).execute();
}
