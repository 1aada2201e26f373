import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import { JsonObject } from '../../base/json.ts';
import { insertInto, prepared, sent, updateById } from '../../db/prepared.ts';
import type { CallsTable } from '../../db/schema.generated.ts';
import { fromIndex, joinInOrder, listOf, withoutIndex } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { SpeechFacts } from '../../telephony/audio/speech.ts';
import type { SipFacts } from '../../telephony/dialog/reports.ts';
import type {
  Call,
  CallOutcome,
  CallState,
  DisconnectReason,
  PostCallAnalysis,
  ScriptedCall,
  TranscriptEntry,
} from './call.ts';

/** The caller number of an incoming call that has none. */
export const withheld = '';

export const callOf = (row: Selectable<CallsTable>): Call => ({
  id: row.id,
  orgId: row.organization_id,
  agentId: row.agent_id,
  agentName: row.agent_name,
  agentEdition: row.agent_edition,
  phoneNumberId: row.phone_number_id ?? '',
  campaignId: row.campaign_id,
  contactId: row.contact_id,
  campaignContactId: row.campaign_contact_id,
  attempt: row.attempt,
  driver: row.driver,
  direction: row.direction,
  from: row.from_phone === withheld ? null : row.from_phone,
  to: row.to_phone,
  sendsEvent: row.sends_event === 1,
  callerName: row.caller_name,
  callerEmail: row.caller_email,
  channel: row.channel as Call['channel'],
  sip: row.sip === null ? null : (JSON.parse(row.sip) as SipFacts),
  speech: row.speech === null ? null : (JSON.parse(row.speech) as SpeechFacts),
  simulate: row.simulate === null ? null : (JSON.parse(row.simulate) as ScriptedCall),
  forced: row.forced === 1,
  metadata: new JsonObject(row.metadata),
  maxDurationMs: row.max_duration_ms,
  state: row.state,
  status: row.status,
  disconnectReason: row.disconnect_reason as DisconnectReason | null,
  errorMessage: row.error_message,
  hangupRequested: row.hangup_requested === 1,
  ending: row.ending === null ? null : (JSON.parse(row.ending) as CallOutcome),
  durationSec: row.duration_sec,
  summary: row.summary,
  recordingUrl: row.recording_url,
  costTotal: row.cost_total,
  callLatencyMs: row.call_latency_ms,
  analysis: row.analysis === null ? null : (JSON.parse(row.analysis) as PostCallAnalysis),
  transcripts: JSON.parse(row.transcripts) as TranscriptEntry[],
  createdAt: row.created_at,
  slotAt: row.slot_at,
  handedOverAt: row.handed_over_at,
  startedAt: row.started_at,
  answeredAt: row.answered_at,
  endedAt: row.ended_at,
});

const insert = insertInto('calls');

/** Inserts a live call. */
export const insertCall = (tx: Tx, call: Omit<Insertable<CallsTable>, 'status'>): Promise<void> => insert(tx, call);
export const updateCall = updateById('calls');

const byId = prepared((db, p: { id: string }) => db.selectFrom('calls').selectAll().where('id', '=', p.id));

/** A call of any organization; for jobs and carriers, which work for all organizations. */
export async function callById(db: Queryable, id: string): Promise<Call | undefined> {
  const [row] = (await byId(db, { id })).rows;
  return row && callOf(row);
}

export async function callOfOrganization(db: Queryable, orgId: string, id: string): Promise<Call | undefined> {
  const call = await callById(db, id);
  return call?.orgId === orgId ? call : undefined;
}

export type CallSubject = Pick<Call, 'callerName' | 'status'> & { phone: string | null };

export async function subjectsOf(
  db: Queryable,
  orgId: string,
  ids: readonly string[],
): Promise<Map<string, CallSubject>> {
  const rows = await db
    .selectFrom('calls')
    .select(['id', 'direction', 'from_phone', 'to_phone', 'caller_name', 'status'])
    .where('id', 'in', listOf(ids))
    .where('organization_id', '=', orgId)
    .execute();
  return new Map(
    rows.map(({ id, direction, from_phone: from, to_phone: to, caller_name: callerName, status }) => [
      id,
      { callerName, phone: (direction === 'inbound' ? from : to) || null, status },
    ]),
  );
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

const removeById = sent((db, p: { id: string }) => db.deleteFrom('calls').where('id', '=', p.id));

export async function deleteCall(tx: Tx, id: string): Promise<void> {
  await removeById(tx, { id });
}

/** SQL to follow `FROM`: an organization's calls that have not ended. */
export const liveOf = (orgId: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${fromIndex('calls', 'calls_live')} WHERE organization_id = ${orgId} AND status IS NULL`;

/** SQL to follow `FROM`: the live calls of a carrier driver, of all organizations. */
const liveOfDriver = (driver: string) => sql`live_call_counts counted ${joinInOrder} ${fromIndex('calls', 'calls_live')}
  ON calls.organization_id = counted.organization_id AND calls.status IS NULL AND calls.driver = counted.driver
  WHERE counted.driver = ${driver} AND counted.calls > 0`;

const idsOfDriver = prepared(
  (_db, p: { driver: string }) =>
    sql<{
      id: string;
      org_id: string;
    }>`SELECT calls.id, calls.organization_id AS org_id FROM ${liveOfDriver(p.driver)}`,
);

const liveByOrganization = prepared(
  (_db, p: { driver: string }) => sql<{ org_id: string; calls: number }>`
    SELECT organization_id AS org_id, calls FROM live_call_counts WHERE driver = ${p.driver} AND calls > 0`,
);

const liveInOrganization = prepared(
  (_db, p: { orgId: string }) => sql<{ calls: number }>`
    SELECT coalesce(sum(calls), 0) AS calls FROM live_call_counts WHERE organization_id = ${p.orgId}`,
);

export const countLive = async (db: Queryable, orgId: string): Promise<number> =>
  (await liveInOrganization(db, { orgId })).rows[0]!.calls;

/** How many calls of a carrier driver each organization has that have not ended. */
export const liveCallsByOrganization = async (db: Queryable, driver: string): Promise<Map<string, number>> =>
  new Map((await liveByOrganization(db, { driver })).rows.map((row) => [row.org_id, row.calls]));

export const liveCallsOfDriver = async (db: Queryable, driver: string): Promise<Array<{ id: string; orgId: string }>> =>
  (await idsOfDriver(db, { driver })).rows.map((row) => ({ id: row.id, orgId: row.org_id }));

export type LiveCall = Pick<Call, 'id' | 'state' | 'maxDurationMs' | 'createdAt' | 'startedAt' | 'answeredAt'>;

const liveAfter = prepared(
  (_db, p: { orgId: string; after: string; limit: number }) => sql<LiveCall>`
    SELECT id, state, max_duration_ms AS "maxDurationMs", created_at AS "createdAt", started_at AS "startedAt", answered_at AS "answeredAt"
    FROM ${liveOf(p.orgId)} AND id > ${p.after} ORDER BY id LIMIT ${p.limit}`,
);

/** The next live calls of an organization after an id, in order. */
export const liveCallsAfter = async (tx: Tx, orgId: string, after: string, limit: number): Promise<LiveCall[]> =>
  (await liveAfter(tx, { orgId, after, limit })).rows;

const beforeRinging = prepared(
  (_db, p: { orgId: string; after: string; limit: number }) => sql<Selectable<CallsTable>>`
    SELECT * FROM ${liveOf(p.orgId)} AND id > ${p.after} AND state = 'dialing' AND handed_over_at IS NOT NULL
    ORDER BY id LIMIT ${p.limit}`,
);

/** The next calls of an organization after an id that a carrier has and that have not rung, in order. */
export const callsBeforeRinging = async (tx: Tx, orgId: string, after: string, limit: number): Promise<Call[]> =>
  (await beforeRinging(tx, { orgId, after, limit })).rows.map(callOf);

const wholeLive = prepared(
  (_db, p: { orgId: string; after: string; limit: number }) => sql<Selectable<CallsTable>>`
    SELECT * FROM ${liveOf(p.orgId)} AND id > ${p.after} ORDER BY id LIMIT ${p.limit}`,
);

/** The next live calls of an organization after an id, with all that is known of them. */
export const wholeLiveCallsAfter = async (tx: Tx, orgId: string, after: string, limit: number): Promise<Call[]> =>
  (await wholeLive(tx, { orgId, after, limit })).rows.map(callOf);

const outgoingByState = prepared(
  (_db, p: { orgId: string }) =>
    sql<{
      state: CallState;
      calls: number;
    }>`SELECT state, count(*) AS calls FROM ${liveOf(p.orgId)} AND direction = 'outbound' AND channel <> 'web' GROUP BY state`,
);

/** An organization's live calls to telephones, by state. */
export const outgoingStates = async (db: Queryable, orgId: string): Promise<Map<CallState, number>> =>
  new Map((await outgoingByState(db, { orgId })).rows.map((row) => [row.state, row.calls]));

const liveByState = prepared(
  (_db, p: { driver: string }) =>
    sql<{
      state: CallState;
      calls: number;
    }>`SELECT state, count(*) AS calls FROM ${liveOfDriver(p.driver)} GROUP BY state`,
);

export const liveCallStates = async (db: Queryable, driver: string): Promise<Map<CallState, number>> =>
  new Map((await liveByState(db, { driver })).rows.map((row) => [row.state, row.calls]));

/** The oldest calls after an id and before another, in order. */
export async function callIdsBetween(
  tx: Tx,
  { after, until, limit }: { after: string; until: string; limit: number },
): Promise<string[]> {
  const query = tx.selectFrom('calls').select('id').where('id', '>', after).where('id', '<', until);
  return (await query.orderBy('id').limit(limit).execute()).map(({ id }) => id);
}

/** Deletes those of the calls that ended before an instant, unless their campaign contact may be called again. */
export async function deleteEnded(tx: Tx, ids: readonly string[], before: number): Promise<void> {
  await sql`
    DELETE FROM calls WHERE id IN ${listOf(ids)} AND state = 'ended' AND ended_at < ${before}
    AND NOT EXISTS (
      SELECT 1 FROM campaign_contacts cc
      WHERE cc.id = calls.campaign_contact_id AND cc.status IN ('pending', 'in_progress')
    )`.execute(tx);
  // The files of those that are gone are deleted by the care for recordings.
  await sql`
    UPDATE call_recordings SET ended_at = 0 WHERE call_id IN ${listOf(ids)}
    AND NOT EXISTS (SELECT 1 FROM calls WHERE calls.id = call_recordings.call_id)`.execute(tx);
}

export const hasLiveCallOfAgent = (tx: Tx, orgId: string, id: string): Promise<boolean> =>
  hasLiveCallOf(tx, orgId, 'agent_id', id);
export const hasLiveCallOfContact = (tx: Tx, orgId: string, id: string): Promise<boolean> =>
  hasLiveCallOf(tx, orgId, 'contact_id', id);

/** Looks among the live calls of the organization only, because an agent or a contact may have very many calls that have ended. */
async function hasLiveCallOf(tx: Tx, orgId: string, column: 'agent_id' | 'contact_id', id: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM ${liveOf(orgId)} AND ${sql.ref(column)} = ${id} LIMIT 1`.execute(tx);
  return rows.length > 0;
}

/** Clears the contact in up to `limit` of its calls, and returns in how many. */
export async function forgetContact(tx: Tx, orgId: string, contactId: string, limit: number): Promise<number> {
  const result = await sql`
    UPDATE calls SET contact_id = NULL
    WHERE id IN (
      SELECT id FROM ${fromIndex('calls', 'calls_of_contact')} WHERE contact_id = ${contactId}
        AND ${withoutIndex('organization_id')} = ${orgId} LIMIT ${limit}
    )`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}
