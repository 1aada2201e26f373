import { conflict, type Fault, invalid, notFound } from '../../base/errors.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { cancel, enqueue } from '../../kernel/queue.ts';
import { lookAgain } from '../calls/withdrawal.ts';
import type { PhoneNumber } from '../numbers/number.ts';
import * as numbers from '../numbers/service.ts';
import { type Actor, appendAudit, operator } from '../requests/audit.ts';
import type { Campaign } from './campaign.ts';
import { wakeWaiting } from './dialing/capacity-queue.ts';
import { complete, completeIfDone } from './completion.ts';
import { recordEdit, recordEvent, recordMove } from './results/history.ts';
import { campaignEnd, campaignTick, tickAt } from './kinds.ts';
import { type Missing, missingFor } from './dialing/readiness.ts';
import { reschedule } from './contacts/rescheduling.ts';
import { endsRetries, movesRetries } from './dialing/retry.ts';
import { reopenExpired, requireReopenable } from './reopening.ts';
import { endOf } from './schedule/schedule.ts';
import { blankSettings, type CampaignChanges, settingsAfter } from './settings.ts';
import { keepPaused } from './stop/store.ts';
import * as store from './store.ts';
import { moveTo, type States } from './transitions.ts';
import { followWindow } from './schedule/window-events.ts';

/** The limits in effect: the lowest of campaign, number and organization. */
export type Limits = { maxConcurrent: number; maxCps: number };

/**
 * The faults of a request that its schema cannot find. Without `id`, or if there is no such campaign, the request is checked as for a new
 * campaign.
 */
export async function campaignFaults(app: App, orgId: string, changes: CampaignChanges, id?: string): Promise<Fault[]> {
  const campaign = id === undefined ? undefined : await store.campaignOfOrganization(app.db, orgId, id);
  return (await settingsAfter(app.db, orgId, campaign ?? blankSettings, changes)).faults;
}

/**
 * Creates a campaign and, with `status` or `executionStatus`, starts or completes it.
 * @throws invalid with every fault; otherwise conflict when the status is not allowed, or with every reason why the campaign cannot start
 */
export function createCampaign(
  app: App,
  orgId: string,
  changes: CampaignChanges & { name: string },
  actor: Actor | null = null,
): Promise<Campaign> {
  return transact(app.db, orgId, async (tx) => {
    const { settings, faults } = await settingsAfter(tx, orgId, blankSettings, changes);
    if (faults.length > 0) throw invalid(faults);
    const id = app.ids.make();
    const now = app.clock.now();
    await store.insertCampaign(tx, { id, organization_id: orgId, created_at: now, updated_at: now }, settings);
    const draft = (await store.campaignById(tx, id))!;
    const next = moveTo(draft, requestedStates(changes));
    if (next.status === 'active') await requireReady(app, tx, draft, draft, next);
    await recordEvent(app, tx, id, 'created', actor);
    return move(app, tx, draft, next, actor);
  });
}

/**
 * Changes settings and, with `status` or `executionStatus`, starts, pauses or completes the campaign; all or nothing.
 * @throws invalid with every fault; otherwise notFound when the organization has no such campaign; otherwise conflict when the campaign is
 * completed and more than its name and end change, the status is not allowed, or the campaign cannot start
 */
export function updateCampaign(
  app: App,
  orgId: string,
  id: string,
  changes: CampaignChanges,
  actor: Actor | null = null,
): Promise<{ campaign: Campaign; becameActive: boolean }> {
  return transact(app.db, orgId, async (tx) => {
    const campaign = await store.campaignOfOrganization(tx, orgId, id);
    const { settings, faults } = await settingsAfter(tx, orgId, campaign ?? blankSettings, changes);
    if (faults.length > 0) throw invalid(faults);
    if (!campaign) throw notFound('campaign');
    if (campaign.status === 'completed' && changesMoreThanNameAndEnd(changes)) {
      throw conflict('The campaign is completed: only its name and schedule.end can change until it is active again.');
    }
    const next = moveTo(campaign, requestedStates(changes));
    if (campaign.status === 'completed' && next.status === 'active') await requireReopenable(tx, campaign);
    if (next.status === 'active') await requireReady(app, tx, campaign, { ...campaign, ...settings }, next);
    await store.updateSettings(tx, id, settings, app.clock.now());
    await recordEdit(app, tx, id, [campaign, settings], actor);
    const moved = await move(app, tx, { ...campaign, ...settings }, next, actor);
    if (changes.status === 'paused' || changes.executionStatus === 'paused') await keepPaused(tx, orgId, id);
    const becameActive = campaign.status !== 'active' && next.status === 'active';
    if (!movesRetries(campaign.schedule, settings.schedule) && !endsRetries(campaign, settings))
      return { campaign: moved, becameActive };
    await reschedule(app, tx, moved);
    return { campaign: (await store.campaignById(tx, id))!, becameActive };
  });
}

/** Pauses every active campaign after a restore, because the backup does not know who has opted out since. Returns the paused campaigns. */
export async function pauseEveryCampaign(app: App): Promise<Campaign[]> {
  const campaigns = await store.activeCampaigns(app.db);
  for (const { orgId, id } of campaigns) {
    await transact(app.db, orgId, async (tx) => {
      const campaign = (await store.campaignById(tx, id))!;
      await move(app, tx, campaign, { status: 'paused', executionStatus: 'paused' }, operator, 'restore');
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

const changesMoreThanNameAndEnd = ({ schedule = {}, ...changes }: CampaignChanges): boolean =>
  Object.keys(changes).some((field) => !['name', 'status', 'executionStatus'].includes(field)) ||
  Object.keys(schedule).some((field) => field !== 'end');

/** Sets the statuses of a campaign and its jobs accordingly. The caller has saved its settings and checked that the change is allowed. */
async function move(
  app: App,
  tx: Tx,
  campaign: Campaign,
  next: States,
  actor: Actor | null,
  reason?: string,
): Promise<Campaign> {
  await recordMove(app, tx, campaign, next, actor, reason);
  if (next.status === 'completed') {
    if (campaign.status !== 'completed') await complete(app, tx, campaign);
  } else if (next.status !== campaign.status || next.executionStatus !== campaign.executionStatus) {
    await store.updateCampaign(tx, campaign.id, {
      status: next.status,
      execution_status: next.executionStatus,
      started_at: campaign.startedAt ?? (next.status === 'active' ? app.clock.now() : null),
      completed_at: null,
      waiting_for: null,
      wake_at: null,
      updated_at: app.clock.now(),
    });
    if (campaign.wakeAt !== null) await wakeWaiting(app, tx, campaign.orgId);
    if (campaign.status === 'completed') await reopenExpired(app, tx, campaign);
  }
  if (next.executionStatus !== 'running') lookAgain(app, tx, campaign.orgId);
  const moved = (await store.campaignById(tx, campaign.id))!;
  await setJobs(app, tx, moved);
  return (await store.campaignById(tx, campaign.id))!;
}

const requestedStates = ({ status, executionStatus }: CampaignChanges) => ({
  ...(status === undefined ? {} : { status }),
  ...(executionStatus === undefined ? {} : { executionStatus }),
});

/** A running campaign has a tick, and a job at the next bound of its calling window; one that is active or paused has a job at its `end`. */
async function setJobs(app: App, tx: Tx, campaign: Campaign): Promise<void> {
  if (campaign.executionStatus === 'running') await tickAt(app, tx, campaign.id, app.clock.now());
  else await cancel(tx, campaignTick, campaign.id);
  await followWindow(app, tx, campaign);
  const end = endOf(campaign.schedule);
  if (end === null || (campaign.status !== 'active' && campaign.status !== 'paused')) {
    await cancel(tx, campaignEnd, campaign.id);
    return;
  }
  const payload = { campaignId: campaign.id };
  await enqueue(app, tx, campaignEnd, { key: campaign.id, dueAt: end, payload, onConflict: 'replace' });
}

/**
 * Checks that a campaign that is or becomes active can call. If it is active already, only new reasons count, so that an agent that was set
 * INACTIVE earlier does not stop other changes.
 * @throws conflict with every reason
 */
async function requireReady(app: App, tx: Tx, before: Campaign, after: Campaign, next: States): Promise<void> {
  const startsNow = next.executionStatus === 'running' && before.executionStatus !== 'running';
  const present = before.status === 'active' ? await missingFor(app, tx, before) : [];
  const isNew = ({ code, message }: Missing): boolean =>
    (startsNow && code === 'calling_stopped') || !present.some((each) => each.message === message);
  const reasons = (await missingFor(app, tx, after)).filter(isNew);
  if (reasons.length === 0) return;
  throw conflict(`The campaign cannot be active. ${reasons.map(({ message }) => message).join(' ')}`);
}

/** Completes a campaign whose `end` has passed. If calls are live, the end of the last one completes it instead. */
export async function onEnd(app: App, tx: Tx, id: string): Promise<void> {
  const campaign = await store.campaignById(tx, id);
  if (campaign) await completeIfDone(app, tx, campaign);
}

/** @throws notFound when the organization has no such campaign */
export async function campaignOf(db: Queryable, orgId: string, id: string): Promise<Campaign> {
  const campaign = await store.campaignOfOrganization(db, orgId, id);
  if (!campaign) throw notFound('campaign');
  return campaign;
}

export const findCampaign = (app: App, orgId: string, id: string): Promise<Campaign | undefined> =>
  store.campaignOfOrganization(app.db, orgId, id);

/** @throws notFound when the organization has no such campaign */
export const getCampaign = (app: App, orgId: string, id: string): Promise<Campaign> => campaignOf(app.db, orgId, id);

export const listCampaigns = (
  app: App,
  orgId: string,
  filter: store.CampaignFilter,
  page: Page,
): Promise<Paged<Campaign>> => store.listCampaigns(app.db, orgId, filter, page);

export async function limitsOf(
  app: App,
  campaign: Pick<Campaign, 'orgId' | 'phoneNumberIds' | 'schedule' | 'maxCps'>,
): Promise<Limits> {
  const organization = app.config.limits.organization;
  const own: Array<PhoneNumber | undefined> = [];
  for (const id of campaign.phoneNumberIds) own.push(await numbers.findNumber(app.db, campaign.orgId, id));
  const sum = (limit: (number: PhoneNumber) => number): number =>
    own.length === 0
      ? Number.POSITIVE_INFINITY
      : own.reduce((total, number) => total + (number ? limit(number) : 0), 0);
  return {
    maxConcurrent: Math.min(
      campaign.schedule.maxConcurrent,
      sum(({ maxConcurrent }) => maxConcurrent),
      organization.max_concurrent,
    ),
    maxCps: Math.min(
      campaign.maxCps,
      sum(({ maxCps }) => maxCps),
      organization.max_cps,
    ),
  };
}
