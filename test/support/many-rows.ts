import { type RawBuilder, sql } from 'kysely';
import { hexOf, numbersTo } from './both-stores.ts';
import { installation, type Queryable, transact } from '../../src/db/transaction.ts';

/** Ids of rows that fillDatabase() made. */
export type World = { orgId: string; agentId: string; campaignId: string; numberId: string; endpointId: string };

/** The instant at which the first row of each table was created; each further row came a second later. */
export const firstAt = 1_700_000_000_000;

/** The id of row `n` of a kind, in SQL and in JavaScript. Ids of one kind sort in the order of their numbers. */
const idSql = (
  kind: number,
  n: RawBuilder<unknown>,
): RawBuilder<string> => sql`${hexOf(sql`((${sql.lit(firstAt)} + ${n} * 1000) >> 16)`, 8)} || '-' || ${hexOf(sql`((${sql.lit(firstAt)} + ${n} * 1000) & 65535)`, 4)}
  || ${sql.lit(`-7${kind.toString(16).padStart(3, '0')}-8000-`)} || ${hexOf(n, 12)}`;

export function rowId(kind: keyof typeof kinds, n: number): string {
  const time = (firstAt + n * 1000).toString(16).padStart(12, '0');
  const [head, rest] = [kinds[kind].toString(16).padStart(3, '0'), n.toString(16).padStart(12, '0')];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${head}-8000-${rest}`;
}

const kinds = {
  org: 0,
  agent: 1,
  number: 2,
  campaign: 3,
  contact: 4,
  member: 5,
  call: 6,
  endpoint: 7,
  event: 8,
  delivery: 9,
  other: 10,
  source: 11,
};

const either = (condition: RawBuilder<unknown>, yes: string, no: string): RawBuilder<unknown> =>
  sql`CASE WHEN ${condition} THEN ${sql.lit(yes)} ELSE ${sql.lit(no)} END`;

const n = sql`n`;
const at = sql`(${sql.lit(firstAt)} + n * 1000)`;
const statuses = sql`CASE n % 20 WHEN 0 THEN 'busy' WHEN 1 THEN 'voicemail' WHEN 2 THEN 'failed' WHEN 3 THEN 'no_answer' ELSE 'completed' END`;

/**
 * Fills an organization: `rows` contacts, campaign contacts, calls, deliveries, audit entries, notices and phones not to call, all of one
 * agent, campaign and endpoint, and a second, small one of each. Writes rows directly, because a million requests would take hours.
 */
export const fillDatabase = (database: Queryable, rows: number): Promise<World> =>
  transact(database, installation, (tx) => fill(tx, rows));

async function fill(db: Queryable, rows: number): Promise<World> {
  const [orgId, agentId, numberId, campaignId, endpointId] = (
    ['org', 'agent', 'number', 'campaign', 'endpoint'] as const
  ).map((kind) => rowId(kind, 0)) as [string, string, string, string, string];
  const run = (statement: RawBuilder<unknown>): Promise<unknown> => statement.execute(db);
  await run(sql`INSERT INTO organizations (id, name, created_at) VALUES (${orgId}, 'Large', ${firstAt})`);
  await run(sql`INSERT INTO llm_models VALUES ('m', 'model', '', 0, 1, 0) ON CONFLICT DO NOTHING`);
  await run(sql`INSERT INTO voices VALUES ('v', 'm', 'voice', NULL, 'en', NULL, NULL, 0) ON CONFLICT DO NOTHING`);
  await run(sql`${numbersTo(2)} INSERT INTO agents (id, organization_id, agent_name, status, model, voice_id, temperature, reminder_trigger_ms,
      max_call_duration_ms, calendar_timezone, emotion, created_at, updated_at)
    SELECT ${idSql(kinds.agent, n)}, ${orgId}, 'Agent ' || n, 'ACTIVE', 'model', 'v', 0.7, 10000, 3600000, 'UTC', 0, ${at}, ${at} FROM numbers`);
  await run(sql`INSERT INTO phone_numbers (id, organization_id, phone, type, status, max_concurrent, max_cps, created_at)
    VALUES (${numberId}, ${orgId}, '+4930901800', 'sip', 'active', 100, 10, ${firstAt})`);
  await run(sql`${numbersTo(rows)} INSERT INTO contacts (id, organization_id, first_name, last_name, email, phone, company, metadata, search,
      created_at, updated_at)
    SELECT ${idSql(kinds.contact, n)}, ${orgId}, 'Ada ' || n, 'Lovelace', 'ada' || n || '@example.com', ${phoneSql}, 'Engines', '{}',
      'ada ' || n || ' lovelace' || ${'\n'} || 'ada' || n || '@example.com' || ${'\n'} || ${phoneSql} || ${'\n'} || 'engines',
      ${at}, ${at} FROM numbers`);
  await fillCampaigns(db, rows, { orgId, agentId, numberId });
  await fillCalls(db, rows, { orgId, numberId });
  await fillWebhooks(db, rows, orgId);
  await run(sql`${numbersTo(rows)} INSERT INTO audit_log (id, organization_id, at, actor_kind, actor_id, operation, target,
      verb, target_kind, target_id)
    SELECT ${idSql(kinds.other, n)}, ${orgId}, ${at}, 'api_key', ${agentId}, ${either(sql`n % 2 <> 0`, 'createContact', 'updateContact')}, '{}',
      ${either(sql`n % 2 <> 0`, 'create', 'update')}, ${either(sql`n % 3 <> 0`, 'contact', 'campaign')},
      ${either(sql`n % 50 <> 0`, campaignId, agentId)} FROM numbers`);
  await run(sql`${numbersTo(rows)} INSERT INTO notices (id, organization_id, kind, subject, body, created_at)
    SELECT ${idSql(kinds.other, n)}, ${orgId}, 'webhook.endpoint_failing', 'A URL fails', '', ${at} FROM numbers`);
  await run(
    sql`${numbersTo(rows)} INSERT INTO do_not_call SELECT ${orgId}, '+4940' || (10000000 + n), NULL, NULL, ${at} FROM numbers`,
  );
  await run(sql`${numbersTo(rows)} INSERT INTO contact_notes
    SELECT ${idSql(kinds.other, n)}, ${orgId}, ${rowId('contact', 0)}, 'Called back.', ${at} FROM numbers`);
  await fillKnowledge(db, rows, orgId);
  return { orgId, agentId, campaignId, numberId, endpointId };
}

/** A hundred calls are live, however many others there are. */
const isLiveOf = (rows: number): RawBuilder<unknown> => sql`n % ${sql.lit(Math.max(10, Math.floor(rows / 100)))} = 7`;

const phoneSql = sql`('+4930' || (10000000 + n))`;

async function fillCampaigns(
  db: Queryable,
  rows: number,
  { orgId, agentId, numberId }: Pick<World, 'orgId' | 'agentId' | 'numberId'>,
): Promise<void> {
  const isLive = isLiveOf(rows);
  const status = sql`CASE WHEN ${isLive} THEN 'in_progress' ELSE CASE n % 20 WHEN 0 THEN 'busy' WHEN 1 THEN 'voicemail' WHEN 2 THEN 'failed'
    WHEN 3 THEN 'no_answer' WHEN 4 THEN 'cancelled' WHEN 5 THEN 'expired' ELSE 'completed' END END`;
  const timezone = sql`CASE n % 11 WHEN 3 THEN 'Europe/Berlin' WHEN 7 THEN 'America/New_York' ELSE '' END`;
  await sql`${numbersTo(2)} INSERT INTO campaigns (id, organization_id, name, agent_id, phone_number_id, status, execution_status, window_days,
      timezone, max_concurrent, max_cps, retry_attempts, retry_gap_min, retry_on, created_at, updated_at)
    SELECT ${idSql(kinds.campaign, n)}, ${orgId}, 'Campaign ' || n, ${agentId}, ${numberId}, 'paused', 'paused', '[1,2,3,4,5,6,7]', 'UTC', 10, 1,
      0, 60, '[]', ${at}, ${at} FROM numbers`.execute(db);
  // They join as pending and then get their status, because only that change is counted, as in the program.
  await sql`${numbersTo(rows)} INSERT INTO campaign_contacts (id, campaign_id, contact_id, position, name, phone, email, timezone, tags, status)
    SELECT ${idSql(kinds.member, n)}, ${rowId('campaign', 0)}, ${idSql(kinds.contact, n)}, n, 'Ada ' || n || ' Lovelace', ${phoneSql}, 'ada' || n || '@example.com', ${timezone}, ${either(sql`n % 7 <> 0`, '["cold"]', '["vip","cold"]')}, 'pending'
    FROM numbers`.execute(db);
  await sql`UPDATE campaign_contacts SET status = (SELECT ${status} FROM (SELECT position AS n) AS given)
    WHERE position % 20 < 8 OR (SELECT ${isLive} FROM (SELECT position AS n) AS given)`.execute(db);
  await sql`UPDATE campaign_contacts SET next_retry_at = ${firstAt} - position / 300 WHERE status = 'pending' AND position % 3 = 0`.execute(
    db,
  );
  await sql`UPDATE campaign_contacts SET last_attempted_at = ${firstAt} - position / 100, attempt_count = 1
    WHERE status IN ('busy', 'voicemail', 'no_answer', 'completed', 'in_progress') OR next_retry_at IS NOT NULL
      OR (status <> 'pending' AND position % 100 < 50)`.execute(db);
  await sql`UPDATE campaigns SET next_position = c.total, total = c.total, contacted = c.contacted, failed = c.failed, no_answer = c.no_answer, pending = c.pending,
      in_progress = c.in_progress
    FROM (SELECT campaign_id, count(*) AS total, count(*) FILTER (WHERE status = 'completed') AS contacted,
      count(*) FILTER (WHERE status IN ('failed', 'cancelled', 'expired')) AS failed,
      count(*) FILTER (WHERE status IN ('no_answer', 'busy', 'voicemail')) AS no_answer,
      count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'in_progress') AS in_progress
      FROM campaign_contacts GROUP BY 1) AS c WHERE c.campaign_id = campaigns.id`.execute(db);
  await sql`${numbersTo(rows)} INSERT INTO campaign_events (campaign_id, number, at, type, detail)
    SELECT ${rowId('campaign', 0)}, n + 1, ${at}, 'edited', '{}' FROM numbers`.execute(db);
  await sql`INSERT INTO campaign_zones SELECT campaign_id, timezone, count(*) FROM campaign_contacts WHERE status = 'pending'
    GROUP BY 1, 2`.execute(db);
}

async function fillCalls(
  db: Queryable,
  rows: number,
  { orgId, numberId }: Pick<World, 'orgId' | 'numberId'>,
): Promise<void> {
  const isLive = isLiveOf(rows);
  const isOther = sql`n % 50 = 11`;
  const ofKind = (kind: number): RawBuilder<unknown> => {
    const name = kind === kinds.agent ? 'agent' : 'campaign';
    return either(isOther, rowId(name, 1), rowId(name, 0));
  };
  await sql`${numbersTo(rows)} INSERT INTO calls (id, organization_id, agent_id, agent_name, phone_number_id, campaign_id, contact_id,
      campaign_contact_id, attempt, driver, from_phone, to_phone, max_duration_ms, state, status, summary, transcripts, created_at, started_at,
      agent_edition, duration_sec, analysis, ended_at)
    SELECT ${idSql(kinds.call, n)}, ${orgId}, ${ofKind(kinds.agent)}, 'Agent', ${numberId}, CASE WHEN n % 10 <> 9 THEN ${ofKind(kinds.campaign)} END,
      ${idSql(kinds.contact, n)}, ${idSql(kinds.member, n)}, 1, 'simulated', '+4930901800', ${phoneSql}, 3600000, ${either(isLive, 'ringing', 'ended')},
      CASE WHEN NOT (${isLive}) THEN ${statuses} END, 'They agreed.',
      '[{"id":"1","timestamp_ms":0,"created_at":"2026-03-02T09:00:00.000Z","role":"agent","message":{"format":"text","content":"'
        || ${'A sentence that somebody said. '.repeat(50)} || '"}}]', ${at}, ${at},
      n % 3 + 1, n % 90,
      CASE WHEN n % 4 = 0 THEN '{"sentiment":"neutral","next_steps":"","disposition":'
        || ${either(sql`n % 8 <> 0`, '"not_interested","goals_met":false}', '"meeting_booked","goals_met":true}')} END,
      CASE WHEN NOT (${isLive}) THEN ${at} + 60000 END FROM numbers`.execute(db);
}

async function fillWebhooks(db: Queryable, rows: number, orgId: string): Promise<void> {
  await sql`${numbersTo(2)} INSERT INTO webhook_endpoints (id, organization_id, agent_id, url, status, created_at)
    SELECT ${idSql(kinds.endpoint, n)}, ${orgId}, ${idSql(kinds.agent, n)}, 'https://example.com/' || n, 'delivering', ${at}
    FROM numbers`.execute(db);
  await sql`${numbersTo(rows)} INSERT INTO webhook_events (id, organization_id, agent_id, event, body, created_at)
    SELECT ${idSql(kinds.event, n)}, ${orgId}, ${rowId('agent', 0)}, 'call.completed', '{}', ${at} FROM numbers`.execute(
    db,
  );
  const status = sql`CASE n % 20 WHEN 0 THEN 'held' WHEN 1 THEN 'retrying' WHEN 2 THEN 'exhausted' WHEN 3 THEN 'pending'
    WHEN 4 THEN 'cancelled' ELSE 'delivered' END`;
  await sql`${numbersTo(rows)} INSERT INTO webhook_deliveries (id, organization_id, event_id, endpoint_id, status, next_attempt_at, created_at,
      delivered_at, settled_at)
    SELECT ${idSql(kinds.delivery, n)}, ${orgId}, ${idSql(kinds.event, n)}, ${either(sql`n % 50 = 11`, rowId('endpoint', 1), rowId('endpoint', 0))},
      ${status}, NULL, ${at}, CASE WHEN n % 20 > 4 THEN ${at} END, CASE WHEN n % 20 NOT IN (0, 1, 3) THEN ${at} END FROM numbers`.execute(
    db,
  );
}

async function fillKnowledge(db: Queryable, rows: number, orgId: string): Promise<void> {
  const [base, source] = [rowId('org', 0), rowId('other', 0)];
  await sql`INSERT INTO knowledge_bases (id, organization_id, name, enable_auto_refresh, document_count, created_at, updated_at)
    VALUES (${base}, ${orgId}, 'Base', 0, ${rows}, ${firstAt}, ${firstAt})`.execute(db);
  await sql`INSERT INTO knowledge_sources (id, organization_id, knowledge_base_id, type, name, status, created_at, updated_at)
    VALUES (${source}, ${orgId}, ${base}, 'text', 'Source', 'complete', ${firstAt}, ${firstAt})`.execute(db);
  await sql`${numbersTo(rows)} INSERT INTO knowledge_sources (id, organization_id, knowledge_base_id, type, name, url, status, created_at,
      updated_at)
    SELECT ${idSql(kinds.source, n)}, ${orgId}, ${base}, CASE n % 4 WHEN 0 THEN 'file' WHEN 1 THEN 'document' ELSE 'text' END, 'Source ' || n,
      NULL, CASE n % 9 WHEN 0 THEN 'error' WHEN 1 THEN 'pending' WHEN 2 THEN 'processing' ELSE 'complete' END, ${at}, ${at}
    FROM numbers`.execute(db);
  await sql`${numbersTo(rows)} INSERT INTO knowledge_documents (id, organization_id, knowledge_base_id, source_id, doc_id, name, status,
      created_at, updated_at)
    SELECT ${idSql(kinds.other, n)}, ${orgId}, ${base}, ${source}, 'doc ' || n, 'Document', 'complete', ${at}, ${at} FROM numbers`.execute(
    db,
  );
}
