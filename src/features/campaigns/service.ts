import { conflict, type Fault, invalid, notFound } from '../../base/errors.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { cancel, enqueue } from '../../kernel/queue.ts';
import { findAgent } from '../agents/service.ts';
import * as numbers from '../numbers/service.ts';
import {
  type Campaign,
  type CampaignStatus,
  defaultSchedule,
  type ExecutionStatus,
  retryableStatuses,
  type RetryableStatus,
} from './campaign.ts';
import { complete, completeIfDone } from './completion.ts';
import { tickAt } from './dialer.ts';
import { campaignEnd, campaignTick } from './kinds.ts';
import { endOf, mergeSchedule, type ScheduleChanges, scheduleFaults } from './schedule.ts';
import * as store from './store.ts';
import { moveTo } from './transitions.ts';

const defaultMaxCps = 1;

/** What create and patch take; a field left out stays, `null` clears it. */
export type CampaignChanges = {
  name?: string;
  agentId?: string | null;
  phoneNumberId?: string | null;
  fromPhoneNumber?: string | null;
  schedule?: ScheduleChanges;
  maxCps?: number | null;
  retryOn?: RetryableStatus[] | null;
  status?: CampaignStatus;
  executionStatus?: ExecutionStatus;
};

/** What is really enforced beside the campaign's own settings (contract, section 6). */
export type Limits = { maxConcurrent: number; maxCps: number };

export function createCampaign(
  app: App,
  orgId: string,
  changes: CampaignChanges & { name: string },
): Promise<Campaign> {
  return transact(app.db, async (tx) => {
    const id = app.ids.make();
    const now = app.clock.now();
    const blank: store.Settings = {
      name: changes.name,
      agentId: null,
      phoneNumberId: null,
      fromPhoneNumber: null,
      schedule: defaultSchedule,
      maxCps: defaultMaxCps,
      retryOn: retryableStatuses,
    };
    const settings = await merge(tx, orgId, blank, changes);
    await store.insertCampaign(tx, { id, organization_id: orgId, created_at: now, updated_at: now }, settings);
    return move(app, tx, (await store.campaignById(tx, id))!, changes);
  });
}

/** Changes settings and, with `status` or `executionStatus`, moves the campaign. All of it or nothing. */
export function updateCampaign(app: App, orgId: string, id: string, changes: CampaignChanges): Promise<Campaign> {
  return transact(app.db, async (tx) => {
    const campaign = await campaignOf(tx, orgId, id);
    const settings = await merge(tx, orgId, campaign, changes);
    if (campaign.status === 'completed' && touchesCalling(changes)) {
      throw conflict('The campaign is completed: only its name can change. Make a new one.');
    }
    await store.updateSettings(tx, id, settings, app.clock.now());
    return move(app, tx, { ...campaign, ...settings }, changes);
  });
}

const touchesCalling = (changes: CampaignChanges): boolean =>
  Object.keys(changes).some((field) => !['name', 'status', 'executionStatus'].includes(field));

async function merge(
  tx: Tx,
  orgId: string,
  current: store.Settings,
  changes: CampaignChanges,
): Promise<store.Settings> {
  const schedule = mergeSchedule(current.schedule, changes.schedule ?? {});
  const faults = scheduleFaults(schedule);
  const agentId = changes.agentId === undefined ? current.agentId : changes.agentId;
  if (changes.agentId && !(await findAgent(tx, orgId, changes.agentId))) {
    faults.push({ path: 'agentId', message: 'no such agent' });
  }
  const number = await mergeNumber(tx, orgId, current, changes, faults);
  if (faults.length > 0) throw invalid(faults);
  return {
    name: changes.name ?? current.name,
    agentId,
    ...number,
    schedule,
    maxCps: changes.maxCps === undefined ? current.maxCps : (changes.maxCps ?? defaultMaxCps),
    retryOn: changes.retryOn === undefined ? current.retryOn : (changes.retryOn ?? retryableStatuses),
  };
}

type NumberChoice = Pick<store.Settings, 'phoneNumberId' | 'fromPhoneNumber'>;

/** `phoneNumberId` and `fromPhoneNumber` fill each other (contract, section 12); they name an owned, unreleased number. */
async function mergeNumber(
  tx: Tx,
  orgId: string,
  current: NumberChoice,
  { phoneNumberId, fromPhoneNumber }: CampaignChanges,
  faults: Fault[],
): Promise<NumberChoice> {
  if (phoneNumberId === undefined && fromPhoneNumber === undefined) {
    return { phoneNumberId: current.phoneNumberId, fromPhoneNumber: current.fromPhoneNumber };
  }
  const byId = phoneNumberId ? await numbers.findNumber(tx, orgId, phoneNumberId) : undefined;
  const byPhone = fromPhoneNumber ? await numbers.activeNumberByPhone(tx, orgId, fromPhoneNumber) : undefined;
  if (phoneNumberId && byId?.status !== 'active') {
    faults.push({ path: 'phoneNumberId', message: 'no such phone number, or it is released' });
  }
  if (fromPhoneNumber && !byPhone) {
    faults.push({ path: 'fromPhoneNumber', message: 'is not one of your active phone numbers' });
  }
  if (byId && byPhone && byId.id !== byPhone.id) {
    const message = 'phoneNumberId and fromPhoneNumber are different numbers';
    faults.push({ path: 'phoneNumberId', message }, { path: 'fromPhoneNumber', message });
  }
  const number = byId ?? byPhone;
  return { phoneNumberId: number?.id ?? null, fromPhoneNumber: number?.phone ?? null };
}

/** Applies the wanted statuses to a campaign whose settings are saved, and sets its jobs to match. */
async function move(app: App, tx: Tx, campaign: Campaign, changes: CampaignChanges): Promise<Campaign> {
  const next = moveTo(campaign, wantedOf(changes));
  if (next.status === 'active' && (campaign.status !== 'active' || touchesCalling(changes))) {
    await requireReady(app, tx, campaign);
  }
  if (next.status === 'completed') {
    if (campaign.status !== 'completed') await complete(app, tx, campaign);
  } else if (next.status !== campaign.status || next.executionStatus !== campaign.executionStatus) {
    await store.updateCampaign(tx, campaign.id, {
      status: next.status,
      execution_status: next.executionStatus,
      started_at: campaign.startedAt ?? (next.executionStatus === 'running' ? app.clock.now() : null),
      waiting_for: null,
      updated_at: app.clock.now(),
    });
  }
  const moved = (await store.campaignById(tx, campaign.id))!;
  await schedule(app, tx, moved);
  return (await store.campaignById(tx, campaign.id))!;
}

const wantedOf = ({ status, executionStatus }: CampaignChanges) => ({
  ...(status === undefined ? {} : { status }),
  ...(executionStatus === undefined ? {} : { executionStatus }),
});

/** A running campaign ticks; one that is under way or paused completes at its `end`. */
async function schedule(app: App, tx: Tx, campaign: Campaign): Promise<void> {
  if (campaign.executionStatus === 'running') await tickAt(app, tx, campaign.id, app.clock.now());
  else await cancel(tx, campaignTick, campaign.id);
  const end = endOf(campaign.schedule);
  if (end === null || (campaign.status !== 'active' && campaign.status !== 'paused')) {
    await cancel(tx, campaignEnd, campaign.id);
    return;
  }
  const payload = { campaignId: campaign.id };
  await enqueue(app, tx, campaignEnd, { key: campaign.id, dueAt: end, payload, onConflict: 'replace' });
}

/** @throws conflict with every reason why the campaign cannot be active */
async function requireReady(app: App, tx: Tx, campaign: Campaign): Promise<void> {
  const agent = campaign.agentId === null ? undefined : await findAgent(tx, campaign.orgId, campaign.agentId);
  const number =
    campaign.phoneNumberId === null ? undefined : await numbers.findNumber(tx, campaign.orgId, campaign.phoneNumberId);
  const end = endOf(campaign.schedule);
  const reasons = [
    !agent && 'It has no agent: set agentId.',
    agent && agent.status !== 'ACTIVE' && 'Its agent is INACTIVE: set it ACTIVE.',
    !number && 'It has no caller number: set phoneNumberId or fromPhoneNumber.',
    number && number.status !== 'active' && `Its number ${number.phone} is released: set another.`,
    end !== null && end <= app.clock.now() && 'Its schedule.end has passed: set a later one.',
  ].filter((reason) => typeof reason === 'string');
  if (reasons.length > 0) throw conflict(`The campaign cannot be active. ${reasons.join(' ')}`);
}

/** `end` of a campaign has come; the last live call completes it if one is left. */
export async function onEnd(app: App, tx: Tx, id: string): Promise<void> {
  const campaign = await store.campaignById(tx, id);
  if (campaign) await completeIfDone(app, tx, campaign);
}

/** @throws notFound unless it is the organization's */
export async function campaignOf(db: Queryable, orgId: string, id: string): Promise<Campaign> {
  const campaign = await store.campaignOfOrganization(db, orgId, id);
  if (!campaign) throw notFound('campaign');
  return campaign;
}

export const getCampaign = (app: App, orgId: string, id: string): Promise<Campaign> => campaignOf(app.db, orgId, id);

export const listCampaigns = (
  app: App,
  orgId: string,
  status: CampaignStatus | undefined,
  page: Page,
): Promise<Paged<Campaign>> => store.listCampaigns(app.db, orgId, status, page);

/** @throws conflict while it runs: pause or complete it first */
export function deleteCampaign(app: App, orgId: string, id: string): Promise<void> {
  return transact(app.db, async (tx) => {
    const campaign = await campaignOf(tx, orgId, id);
    if (campaign.executionStatus === 'running') throw conflict('The campaign is running; pause or complete it first.');
    await cancel(tx, campaignEnd, id);
    await store.deleteCampaign(tx, id);
  });
}

/** The least of the campaign's, the number's and the organization's limits. */
export async function limitsOf(app: App, campaign: Campaign): Promise<Limits> {
  const most = app.config.limits.organization;
  const number =
    campaign.phoneNumberId === null
      ? undefined
      : await numbers.findNumber(app.db, campaign.orgId, campaign.phoneNumberId);
  return {
    maxConcurrent: Math.min(
      campaign.schedule.maxConcurrent,
      number?.maxConcurrent ?? Number.POSITIVE_INFINITY,
      most.max_concurrent,
    ),
    maxCps: Math.min(campaign.maxCps, number?.maxCps ?? Number.POSITIVE_INFINITY, most.max_cps),
  };
}
