import { type Insertable, type Selectable, sql } from 'kysely';
import { readFiltered } from '../../db/pages.ts';
import { prepared, sent, updateById } from '../../db/prepared.ts';
import type { CampaignsTable } from '../../db/schema.generated.ts';
import { contains, containsFolded, withoutIndex } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { type Page, type Paged, pagedOf } from '../../kernel/paging.ts';
import type {
  Bottleneck,
  Campaign,
  CampaignContact,
  CampaignContactStatus,
  CampaignStatus,
  ContactStats,
  NumberUse,
  RetryableStatus,
} from './campaign.ts';
import { paceAtUnder } from '../numbers/pace.ts';
import type { Settings } from './settings.ts';

export const campaignOf = (row: Selectable<CampaignsTable>): Campaign => ({
  id: row.id,
  orgId: row.organization_id,
  name: row.name,
  agentId: row.agent_id,
  ...numbersOf(row),
  fromPhoneNumber: row.from_phone_number,
  localPresence: row.local_presence === 1,
  status: row.status,
  executionStatus: row.execution_status,
  schedule: {
    start: row.starts_at,
    end: row.ends_at,
    windowStart: row.window_start,
    windowEnd: row.window_end,
    windowDays: JSON.parse(row.window_days) as number[],
    timezone: row.timezone,
    maxConcurrent: row.max_concurrent,
    retryAttempts: row.retry_attempts,
    retryGapMin: row.retry_gap_min,
  },
  maxCps: row.max_cps,
  retryOn: JSON.parse(row.retry_on) as RetryableStatus[],
  stats: statsOf(row),
  paceAt: row.pace_at,
  queueNumberId: row.phone_number_id,
  numberUse: row.number_use === null ? null : (JSON.parse(row.number_use) as NumberUse),
  waitingFor: row.waiting_for as Bottleneck | null,
  wakeAt: row.wake_at,
  version: row.version,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  contactsChange: row.contacts_change,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

function numbersOf({ phone_number_id: queued, number_ids: several }: Selectable<CampaignsTable>) {
  const phoneNumberIds = several === null ? (queued === null ? [] : [queued]) : (JSON.parse(several) as string[]);
  return { phoneNumberIds, phoneNumberId: phoneNumberIds[0] ?? null };
}

/** When a campaign was completed, its pending contacts count as expired at once, although their rows are changed in batches. */
function statsOf(row: Selectable<CampaignsTable>): ContactStats {
  const expiring = row.contacts_change === 'expiring' ? row.pending : 0;
  return {
    total: row.total,
    contacted: row.contacted,
    successful: row.successful,
    failed: row.failed + expiring,
    noAnswer: row.no_answer,
    pending: row.pending - expiring,
    inProgress: row.in_progress,
  };
}

const settingsRow = (settings: Settings) => ({
  name: settings.name,
  agent_id: settings.agentId,
  phone_number_id: settings.phoneNumberId,
  from_phone_number: settings.fromPhoneNumber,
  number_ids: settings.phoneNumberIds.length > 1 ? JSON.stringify(settings.phoneNumberIds) : null,
  local_presence: settings.localPresence ? 1 : 0,
  starts_at: settings.schedule.start,
  ends_at: settings.schedule.end,
  window_start: settings.schedule.windowStart,
  window_end: settings.schedule.windowEnd,
  window_days: JSON.stringify(settings.schedule.windowDays),
  timezone: settings.schedule.timezone,
  max_concurrent: settings.schedule.maxConcurrent,
  max_cps: settings.maxCps,
  retry_attempts: settings.schedule.retryAttempts,
  retry_gap_min: settings.schedule.retryGapMin,
  retry_on: JSON.stringify(settings.retryOn),
});

export async function insertCampaign(
  tx: Tx,
  row: Pick<Insertable<CampaignsTable>, 'id' | 'organization_id' | 'created_at' | 'updated_at' | 'removed_at'>,
  settings: Settings,
): Promise<void> {
  await tx
    .insertInto('campaigns')
    .values({ ...row, ...settingsRow(settings), status: 'draft', execution_status: 'draft' })
    .execute();
}

export async function updateSettings(tx: Tx, id: string, settings: Settings, updatedAt: number): Promise<void> {
  await tx
    .updateTable('campaigns')
    .set({ ...settingsRow(settings), pace_at: paceAtUnder(settings.maxCps), updated_at: updatedAt })
    .where('id', '=', id)
    .execute();
}

export const updateCampaign = updateById('campaigns');

const countUp = sent((db, by: ContactStats & { id: string }) =>
  db
    .updateTable('campaigns')
    .set((eb) => ({
      total: eb('total', '+', by.total),
      contacted: eb('contacted', '+', by.contacted),
      successful: eb('successful', '+', by.successful),
      failed: eb('failed', '+', by.failed),
      no_answer: eb('no_answer', '+', by.noAnswer),
      pending: eb('pending', '+', by.pending),
      in_progress: eb('in_progress', '+', by.inProgress),
    }))
    .where('id', '=', by.id),
);

const countStart = sent((db, p: { id: string; paceAt: number; waitingFor: Bottleneck | null }) =>
  db
    .updateTable('campaigns')
    .set((eb) => ({
      pending: eb('pending', '-', 1),
      in_progress: eb('in_progress', '+', 1),
      pace_at: p.paceAt,
      waiting_for: p.waitingFor,
      wake_at: null,
    }))
    .where('id', '=', p.id),
);

/** Counts a pending contact that is being called now, and records what the campaign's next call waits for. Its wakeup is over. */
export async function recordStart(
  tx: Tx,
  id: string,
  next: { paceAt: number; waitingFor: Bottleneck | null },
): Promise<void> {
  await countStart(tx, { id, ...next });
}

const unchanged: ContactStats = {
  total: 0,
  contacted: 0,
  successful: 0,
  failed: 0,
  noAnswer: 0,
  pending: 0,
  inProgress: 0,
};

/** Adds to the counters. A CHECK of the table refuses counters that do not add up to `total`. */
export async function addStats(tx: Tx, id: string, changes: Partial<ContactStats>): Promise<void> {
  await countUp(tx, { ...unchanged, ...changes, id });
}

/** All campaigns that were not removed; the rows of removed ones are deleted in batches. */
const current = (db: Queryable) => db.selectFrom('campaigns').where('removed_at', 'is', null);

const byId = prepared((db, p: { id: string }) => current(db).selectAll().where('id', '=', p.id));

const byContact = prepared((db, p: { campaignContactId: string }) =>
  db
    .selectFrom('campaign_contacts as m')
    .innerJoin('campaigns as c', 'c.id', 'm.campaign_id')
    .selectAll('c')
    .select(['m.id as contact_id', 'm.status as contact_status', 'm.timezone as contact_timezone'])
    .select(['m.attempt_count', 'm.call_session_id'])
    .where('m.id', '=', p.campaignContactId)
    .where('c.removed_at', 'is', null),
);

export type CalledContact = Pick<CampaignContact, 'id' | 'status' | 'timezone' | 'attemptCount' | 'callSessionId'>;

/** For jobs and subscribers, which work for every organization. */
export async function campaignById(db: Queryable, id: string): Promise<Campaign | undefined> {
  const [row] = (await byId(db, { id })).rows;
  return row && campaignOf(row);
}

/** The campaign of a campaign contact, with what the end of a call needs to know of the contact; undefined if either is gone. */
export async function campaignOfContact(
  db: Queryable,
  campaignContactId: string,
): Promise<{ campaign: Campaign; contact: CalledContact } | undefined> {
  const [row] = (await byContact(db, { campaignContactId })).rows;
  if (!row) return undefined;
  const contact = {
    id: row.contact_id,
    status: row.contact_status as CampaignContactStatus,
    timezone: row.contact_timezone,
    attemptCount: row.attempt_count,
    callSessionId: row.call_session_id,
  };
  return { campaign: campaignOf(row), contact };
}

export async function campaignOfOrganization(db: Queryable, orgId: string, id: string): Promise<Campaign | undefined> {
  const campaign = await campaignById(db, id);
  return campaign?.orgId === orgId ? campaign : undefined;
}

export type CampaignFilter = {
  status?: CampaignStatus;
  agentId?: string;
  phoneNumberId?: string;
  /** Part of the name, folded. */
  name?: string;
};

/** A page of campaigns, newest first. */
export async function listCampaigns(
  db: Queryable,
  orgId: string,
  { status, agentId, phoneNumberId, name }: CampaignFilter,
  page: Page,
): Promise<Paged<Campaign>> {
  let indexed = current(db).where('organization_id', '=', orgId);
  if (status !== undefined) indexed = indexed.where('status', '=', status);
  let found = indexed;
  if (agentId !== undefined) found = found.where(sql<boolean>`${withoutIndex('agent_id')} = ${agentId}`);
  if (phoneNumberId !== undefined)
    found = found.where(
      sql<boolean>`(${withoutIndex('phone_number_id')} = ${phoneNumberId} OR ${contains('number_ids', phoneNumberId)})`,
    );
  if (name !== undefined) found = found.where(containsFolded(['name'], name));
  return pagedOf(await readFiltered<Selectable<CampaignsTable>>(db, indexed, found, page), campaignOf);
}

export async function markRemoved(tx: Tx, id: string, now: number): Promise<void> {
  await tx.updateTable('campaigns').set({ removed_at: now }).where('id', '=', id).execute();
}

/** Makes a campaign visible that was inserted as a removed one. Returns whether it still exists. */
export async function show(tx: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('campaigns')
    .set({ removed_at: null })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The organizations and ids of removed campaigns whose rows are not deleted yet. */
export const removedCampaigns = (db: Queryable): Promise<Array<{ id: string; organization_id: string }>> =>
  db.selectFrom('campaigns').select(['id', 'organization_id']).where('removed_at', 'is not', null).execute();

export async function deleteCampaign(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('campaigns').where('id', '=', id).execute();
}

const otherRunning = prepared((db, p: { id: string; orgId: string }) =>
  current(db)
    .select('id')
    .where('organization_id', '=', p.orgId)
    .where('status', '=', 'active')
    .where('execution_status', '=', 'running')
    .where('pending', '>', 0)
    .where('id', '!=', p.id)
    .limit(1),
);

/** Whether another running campaign of the organization has pending contacts. */
export async function hasOtherPending(tx: Tx, { id, orgId }: Campaign): Promise<boolean> {
  return (await otherRunning(tx, { id, orgId })).rows.length > 0;
}

export async function activeCampaigns(db: Queryable): Promise<Campaign[]> {
  return (await current(db).selectAll().where('status', '=', 'active').execute()).map(campaignOf);
}

export async function activeCampaignsOfAgent(tx: Tx, agentId: string): Promise<Campaign[]> {
  const query = current(tx).selectAll().where('agent_id', '=', agentId);
  return (await query.where('status', '=', 'active').execute()).map(campaignOf);
}

export async function activeCampaignsOfNumber(tx: Tx, numberId: string): Promise<Campaign[]> {
  const query = current(tx).selectAll().where('phone_number_id', '=', numberId);
  const queued = (await query.where('status', '=', 'active').execute()).map(campaignOf);
  const others = (await campaignsWithSeveral(tx, numberId)).filter(({ status }) => status === 'active');
  return [...queued, ...others.filter(({ id }) => !queued.some((one) => one.id === id))];
}

/** The campaigns that have several numbers and this one among them, and are not completed. */
export async function campaignsWithSeveral(tx: Tx, numberId: string): Promise<Campaign[]> {
  const query = current(tx).selectAll().where('number_ids', 'is not', null).where('status', '!=', 'completed');
  return (await query.execute()).map(campaignOf).filter(({ phoneNumberIds }) => phoneNumberIds.includes(numberId));
}

/** Takes a number out of a campaign that has others. */
export async function setNumbers(
  tx: Tx,
  id: string,
  { phoneNumberIds, fromPhoneNumber }: Pick<Settings, 'phoneNumberIds' | 'fromPhoneNumber'>,
  updatedAt: number,
): Promise<void> {
  await tx
    .updateTable('campaigns')
    .set((eb) => ({
      phone_number_id: phoneNumberIds[0] ?? null,
      from_phone_number: fromPhoneNumber,
      number_ids: phoneNumberIds.length > 1 ? JSON.stringify(phoneNumberIds) : null,
      version: eb('version', '+', 1),
      updated_at: updatedAt,
    }))
    .where('id', '=', id)
    .execute();
}

/** The ids of the organization's campaigns that were started and are not completed. */
export async function startedCampaigns(tx: Tx, orgId: string): Promise<string[]> {
  const query = current(tx)
    .select('id')
    .where('organization_id', '=', orgId)
    .where('status', 'in', ['active', 'paused']);
  return (await query.execute()).map(({ id }) => id);
}

/** Clears the agent in up to `limit` campaigns, and returns in how many. */
export async function forgetAgent(tx: Tx, agentId: string, limit: number): Promise<number> {
  const result = await sql`
    UPDATE campaigns SET agent_id = NULL, version = version + 1
    WHERE id IN (SELECT id FROM campaigns WHERE agent_id = ${agentId} LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Reserves consecutive positions at the end of the campaign's queue, and returns the first. */
export async function takePositions(tx: Tx, id: string, count: number): Promise<number> {
  const { next_position: next } = await tx
    .updateTable('campaigns')
    .set((eb) => ({ next_position: eb('next_position', '+', count) }))
    .where('id', '=', id)
    .returning('next_position')
    .executeTakeFirstOrThrow();
  return next - count;
}

/** The position that the next contact added to a campaign takes. */
export async function nextPosition(db: Queryable, id: string): Promise<number> {
  const row = await db.selectFrom('campaigns').select('next_position').where('id', '=', id).executeTakeFirst();
  return row?.next_position ?? 0;
}
