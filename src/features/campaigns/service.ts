import { conflict, type Fault, invalid, notFound } from '../../base/errors.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { cancel, enqueue } from '../../kernel/queue.ts';
import * as numbers from '../numbers/service.ts';
import { appendAudit, operator } from '../requests/audit.ts';
import type { Campaign, CampaignStatus } from './campaign.ts';
import { complete, completeIfDone } from './completion.ts';
import { campaignEnd, campaignTick, tickAt } from './kinds.ts';
import { reasonsAgainst } from './readiness.ts';
import { reschedule } from './rescheduling.ts';
import { endsRetries, movesRetries } from './retry.ts';
import { endOf } from './schedule.ts';
import { blankSettings, type CampaignChanges, settingsAfter } from './settings.ts';
import * as store from './store.ts';
import { moveTo, type States } from './transitions.ts';

/** The limits that are really enforced (contract, section 6): the lowest of campaign, number and organization. */
export type Limits = { maxConcurrent: number; maxCps: number };

/** Faults of a request that its schema cannot see. Without `id`, or if there is no such campaign, as for a new one. */
export async function campaignFaults(app: App, orgId: string, changes: CampaignChanges, id?: string): Promise<Fault[]> {
  const campaign = id === undefined ? undefined : await store.campaignOfOrganization(app.db, orgId, id);
  return (await settingsAfter(app.db, orgId, campaign ?? blankSettings, changes)).faults;
}

/** @throws invalid with every fault; conflict, if it is to start, with every reason why it cannot */
export function createCampaign(
  app: App,
  orgId: string,
  changes: CampaignChanges & { name: string },
): Promise<Campaign> {
  return transact(app.db, orgId, async (tx) => {
    const { settings, faults } = await settingsAfter(tx, orgId, blankSettings, changes);
    if (faults.length > 0) throw invalid(faults);
    const id = app.ids.make();
    const now = app.clock.now();
    await store.insertCampaign(tx, { id, organization_id: orgId, created_at: now, updated_at: now }, settings);
    const draft = (await store.campaignById(tx, id))!;
    const next = moveTo(draft, requestedStates(changes));
    if (next.status === 'active') await requireReady(app, tx, draft, draft);
    return move(app, tx, draft, next);
  });
}

/**
 * Changes settings and, with `status` or `executionStatus`, starts, pauses or completes the campaign; all or nothing.
 * @throws invalid, notFound, conflict, in this order
 */
export function updateCampaign(app: App, orgId: string, id: string, changes: CampaignChanges): Promise<Campaign> {
  return transact(app.db, orgId, async (tx) => {
    const campaign = await store.campaignOfOrganization(tx, orgId, id);
    const { settings, faults } = await settingsAfter(tx, orgId, campaign ?? blankSettings, changes);
    if (faults.length > 0) throw invalid(faults);
    if (!campaign) throw notFound('campaign');
    if (campaign.status === 'completed' && changesMoreThanName(changes)) {
      throw conflict('The campaign is completed: only its name can change. Create a new one instead.');
    }
    const next = moveTo(campaign, requestedStates(changes));
    if (next.status === 'active') await requireReady(app, tx, campaign, { ...campaign, ...settings });
    await store.updateSettings(tx, id, settings, app.clock.now());
    const moved = await move(app, tx, { ...campaign, ...settings }, next);
    if (!movesRetries(campaign.schedule, settings.schedule) && !endsRetries(campaign, settings)) return moved;
    await reschedule(app, tx, moved);
    return (await store.campaignById(tx, id))!;
  });
}

/** Pauses every active campaign of every organization. A restored backup may not know who has opted out since it was made. */
export async function pauseEveryCampaign(app: App): Promise<Campaign[]> {
  const campaigns = await store.activeCampaigns(app.db);
  for (const { orgId, id } of campaigns) {
    await transact(app.db, orgId, async (tx) => {
      const campaign = (await store.campaignById(tx, id))!;
      await move(app, tx, campaign, { status: 'paused', executionStatus: 'paused' });
      await appendAudit(app, tx, {
        orgId,
        actor: operator,
        operation: 'restore.pauseCampaign',
        target: { id },
        requestId: null,
        ip: null,
      });
    });
  }
  return campaigns;
}

const changesMoreThanName = (changes: CampaignChanges): boolean =>
  Object.keys(changes).some((field) => !['name', 'status', 'executionStatus'].includes(field));

/** Sets the statuses of a campaign whose settings are saved, and its jobs accordingly. The move must be allowed. */
async function move(app: App, tx: Tx, campaign: Campaign, next: States): Promise<Campaign> {
  if (next.status === 'completed') {
    if (campaign.status !== 'completed') await complete(app, tx, campaign);
  } else if (next.status !== campaign.status || next.executionStatus !== campaign.executionStatus) {
    await store.updateCampaign(tx, campaign.id, {
      status: next.status,
      execution_status: next.executionStatus,
      started_at: campaign.startedAt ?? (next.status === 'active' ? app.clock.now() : null),
      waiting_for: null,
      updated_at: app.clock.now(),
    });
  }
  const moved = (await store.campaignById(tx, campaign.id))!;
  await setJobs(app, tx, moved);
  return (await store.campaignById(tx, campaign.id))!;
}

const requestedStates = ({ status, executionStatus }: CampaignChanges) => ({
  ...(status === undefined ? {} : { status }),
  ...(executionStatus === undefined ? {} : { executionStatus }),
});

/** A running campaign has a tick; one that is active or paused has a job at its `end`. */
async function setJobs(app: App, tx: Tx, campaign: Campaign): Promise<void> {
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

/**
 * Checks that a campaign that is or becomes active can call. For one that is active already only new reasons count: changes are not
 * refused because its agent was set INACTIVE earlier.
 * @throws conflict with every reason
 */
async function requireReady(app: App, tx: Tx, before: Campaign, after: Campaign): Promise<void> {
  const present = new Set(before.status === 'active' ? await reasonsAgainst(app, tx, before) : []);
  const reasons = (await reasonsAgainst(app, tx, after)).filter((reason) => !present.has(reason));
  if (reasons.length > 0) throw conflict(`The campaign cannot be active. ${reasons.join(' ')}`);
}

/** Completes a campaign whose `end` has passed; if calls are live, the last of them does it when it ends. */
export async function onEnd(app: App, tx: Tx, id: string): Promise<void> {
  const campaign = await store.campaignById(tx, id);
  if (campaign) await completeIfDone(app, tx, campaign);
}

/** @throws notFound also for a campaign of another organization */
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

/** @throws conflict while it is running */
export function deleteCampaign(app: App, orgId: string, id: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    const campaign = await campaignOf(tx, orgId, id);
    if (campaign.executionStatus === 'running') throw conflict('The campaign is running. Pause or complete it first.');
    await cancel(tx, campaignEnd, id);
    await store.deleteCampaign(tx, id);
  });
}

export async function limitsOf(app: App, campaign: Campaign): Promise<Limits> {
  const organization = app.config.limits.organization;
  const number =
    campaign.phoneNumberId === null
      ? undefined
      : await numbers.findNumber(app.db, campaign.orgId, campaign.phoneNumberId);
  return {
    maxConcurrent: Math.min(
      campaign.schedule.maxConcurrent,
      number?.maxConcurrent ?? Number.POSITIVE_INFINITY,
      organization.max_concurrent,
    ),
    maxCps: Math.min(campaign.maxCps, number?.maxCps ?? Number.POSITIVE_INFINITY, organization.max_cps),
  };
}
