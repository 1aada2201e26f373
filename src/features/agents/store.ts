import { type Selectable, sql } from 'kysely';
import { countRows, readFiltered, readList, type RowsOfPage } from '../../db/pages.ts';
import { compiledOnce, prepared, sentBy } from '../../db/prepared.ts';
import type { AgentsTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { contains, containsFolded } from '../../db/sql.ts';
import { type Page, type Paged, pagedOf } from '../../kernel/paging.ts';
import type { Agent, CountedStatus, WebhookEventName } from './agent.ts';

type AgentRow = Selectable<AgentsTable>;

const agentOf = (row: AgentRow): Agent => ({
  id: row.id,
  orgId: row.organization_id,
  agentName: row.agent_name,
  status: row.status,
  model: row.model,
  voiceId: row.voice_id,
  temperature: row.temperature,
  reminderTriggerMs: row.reminder_trigger_ms,
  maxCallDurationMs: row.max_call_duration_ms,
  silenceTimeoutMs: row.silence_timeout_ms,
  calendarTimezone: row.calendar_timezone,
  emotion: row.emotion === 1,
  voicemailDetection: row.voicemail_detection === 1,
  emergencyFallback: row.emergency_fallback,
  transferPhone: row.transfer_phone,
  recordCalls: row.recording === 1,
  recordingNotice: row.recording_notice,
  prompt: row.prompt,
  firstMessage: row.first_message,
  voicemailMessage: row.voicemail_message,
  knowledgeBaseIds: JSON.parse(row.knowledge_base_ids) as string[],
  webhookEvents: JSON.parse(row.webhook_events) as WebhookEventName[],
  callStats: {
    total: row.total_calls,
    completed: row.completed_calls,
    failed: row.failed_calls,
    noAnswer: row.no_answer_calls,
    busy: row.busy_calls,
    voicemail: row.voicemail_calls,
  },
  version: row.version,
  edition: row.edition,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** All columns but those that never change or that `countCall`, `markRemoved` and versions write: the compiler names one that is missing below. */
type SavedColumns = Omit<
  AgentRow,
  'id' | 'organization_id' | 'version' | 'created_at' | 'removed_at' | `${string}_calls`
>;

const savedColumns = (agent: Agent): SavedColumns => ({
  agent_name: agent.agentName,
  status: agent.status,
  model: agent.model,
  voice_id: agent.voiceId,
  temperature: agent.temperature,
  reminder_trigger_ms: agent.reminderTriggerMs,
  max_call_duration_ms: agent.maxCallDurationMs,
  silence_timeout_ms: agent.silenceTimeoutMs,
  calendar_timezone: agent.calendarTimezone,
  emotion: Number(agent.emotion),
  voicemail_detection: Number(agent.voicemailDetection),
  emergency_fallback: agent.emergencyFallback,
  transfer_phone: agent.transferPhone,
  recording: agent.recordCalls ? (1 as const) : (0 as const),
  recording_notice: agent.recordingNotice,
  prompt: agent.prompt,
  first_message: agent.firstMessage,
  voicemail_message: agent.voicemailMessage,
  knowledge_base_ids: JSON.stringify(agent.knowledgeBaseIds),
  webhook_events: JSON.stringify(agent.webhookEvents),
  edition: agent.edition,
  updated_at: agent.updatedAt,
});

export async function insertAgent(tx: Tx, agent: Agent): Promise<void> {
  const row = { id: agent.id, organization_id: agent.orgId, created_at: agent.createdAt, ...savedColumns(agent) };
  await tx.insertInto('agents').values(row).execute();
}

export async function updateAgent(tx: Tx, agent: Agent): Promise<void> {
  await tx.updateTable('agents').set(savedColumns(agent)).where('id', '=', agent.id).execute();
}

/** The agents of an organization that use a knowledge base. */
export async function agentsWithKnowledgeBase(tx: Tx, orgId: string, baseId: string): Promise<Agent[]> {
  const rows = await agentsOf(tx, orgId)
    .selectAll()
    .where(sql<boolean>`${contains('knowledge_base_ids', baseId)}`)
    .execute();
  return rows.map(agentOf);
}

/** Hides an agent from all readers. */
export async function markRemoved(tx: Tx, id: string, now: number): Promise<void> {
  await tx.updateTable('agents').set({ removed_at: now }).where('id', '=', id).execute();
}

/** Deletes a removed agent, which no campaign has any more. */
export async function deleteAgent(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('agents').where('id', '=', id).where('removed_at', 'is not', null).execute();
}

/** The agents of an organization that were not removed. */
const agentsOf = (db: Queryable, orgId: string) =>
  db.selectFrom('agents').where('organization_id', '=', orgId).where('removed_at', 'is', null);

const byId = prepared((db, p: { orgId: string; id: string }) =>
  agentsOf(db, p.orgId).selectAll().where('id', '=', p.id),
);

export async function agentById(db: Queryable, orgId: string, id: string): Promise<Agent | undefined> {
  const [row] = (await byId(db, { orgId, id })).rows;
  return row && agentOf(row);
}

/** Agents, newest first; with `name`, those whose name contains this folded text. */
export async function organizationOfAgent(db: Queryable, id: string): Promise<string | undefined> {
  const agent = db.selectFrom('agents').select('organization_id').where('id', '=', id).where('removed_at', 'is', null);
  return (await agent.executeTakeFirst())?.organization_id;
}

export async function agentsPage(
  db: Queryable,
  orgId: string,
  name: string | undefined,
  page: Page,
): Promise<Paged<Agent>> {
  return pagedOf(await (name === undefined ? allAgents(db, orgId, page) : agentsNamed(db, orgId, name, page)), agentOf);
}

/**
 * About the largest row of an agent, in UTF-16 code units: a prompt of 65,536, two messages of 20,000 each, and room for a hundred knowledge bases
 * and the other fields.
 */
const maxRowLength = 120_000;

/** Up to this many agents are counted here; more by countRows, which may do so on the background thread. */
const maxCountedHere = 1000;

const countFew = prepared(
  (db, p: { orgId: string; max: number }) =>
    sql<{ n: number }>`SELECT count(*) AS n FROM (${agentsOf(db, p.orgId).select('id').limit(p.max)}) AS found`,
);
async function countAgents(db: Queryable, orgId: string): Promise<number> {
  const { n } = (await countFew(db, { orgId, max: maxCountedHere + 1 })).rows[0]!;
  return n <= maxCountedHere ? n : countRows(db, agentsOf(db, orgId), orgId);
}
const pageOfAll = compiledOnce((db, p: { orgId: string; limit: number; offset: number }) =>
  agentsOf(db, p.orgId).selectAll().orderBy('id', 'desc').limit(p.limit).offset(p.offset),
);

const allAgents = (db: Queryable, orgId: string, page: Page): Promise<RowsOfPage<AgentRow>> =>
  readList<AgentRow>(
    db,
    {
      rows: (_, range) => pageOfAll(db, { orgId, ...range }),
      positionOf: ({ id }) => [id],
      total: () => countAgents(db, orgId),
      maxRowLength,
    },
    page,
  );

function agentsNamed(db: Queryable, orgId: string, name: string, page: Page): Promise<RowsOfPage<AgentRow>> {
  const all = agentsOf(db, orgId);
  return readFiltered<AgentRow>(db, all, all.where(containsFolded(['agent_name'], name)), page);
}

const counters = {
  completed: 'completed_calls',
  failed: 'failed_calls',
  no_answer: 'no_answer_calls',
  busy: 'busy_calls',
  voicemail: 'voicemail_calls',
} as const satisfies Record<CountedStatus, keyof AgentsTable>;

const countEnded = sentBy((status: CountedStatus) => (db, p: { id: string }) => {
  const counter = counters[status];
  return db
    .updateTable('agents')
    .set((eb) => ({ total_calls: eb('total_calls', '+', 1), [counter]: eb(counter, '+', 1) }))
    .where('id', '=', p.id);
});

export async function countCall(tx: Tx, id: string, status: CountedStatus): Promise<void> {
  await countEnded(status)(tx, { id });
}
