import { notFound } from '../../../base/errors.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Page, Paged } from '../../../kernel/paging.ts';
import type { Actor } from '../../requests/audit.ts';
import type { Campaign } from '../campaign.ts';
import type { CampaignEvent, CampaignEventType, EventDetail } from './campaign-event.ts';
import * as history from './history-store.ts';
import type { Settings } from '../settings.ts';
import * as store from '../store.ts';
import type { States } from '../transitions.ts';

/** Records what happened to a campaign. Call it in the transaction of the change, so that both commit or neither does. */
export const recordEvent = (
  app: Pick<App, 'clock'>,
  tx: Tx,
  campaignId: string,
  type: CampaignEventType,
  actor: Actor | null,
  detail: EventDetail = {},
): Promise<void> => history.insertEvent(tx, campaignId, { at: app.clock.now(), type, actor, detail });

/**
 * The events of a campaign, newest first.
 * @throws notFound when the organization has no such campaign
 */
export async function campaignEvents(
  app: App,
  orgId: string,
  campaignId: string,
  page: Page,
): Promise<Paged<CampaignEvent>> {
  if (!(await store.campaignOfOrganization(app.db, orgId, campaignId))) throw notFound('campaign');
  return history.eventPage(app.db, campaignId, page);
}

/** Records a change of a campaign's statuses, if it is one. `reason` is given when parley itself made the change. */
export async function recordMove(
  app: App,
  tx: Tx,
  before: Campaign,
  after: States,
  actor: Actor | null,
  reason?: string,
): Promise<void> {
  const type = moveOf(before, after);
  if (type !== null) await recordEvent(app, tx, before.id, type, actor, reason === undefined ? {} : { reason });
}

/** The type of the event for a change of the two statuses; null if nothing changed. An active campaign may also be paused. */
function moveOf(before: States, after: States): CampaignEventType | null {
  if (after.status === 'completed') return before.status === 'completed' ? null : 'completed';
  if (before.status === 'completed') return after.status === 'active' ? 'reopened' : null;
  if (before.status === 'draft' && after.status === 'active') return 'activated';
  if (before.executionStatus === after.executionStatus) return null;
  return after.executionStatus === 'running' ? 'resumed' : 'paused';
}

/** Records which settings of a campaign changed, if any did. */
export async function recordEdit(
  app: App,
  tx: Tx,
  campaignId: string,
  [before, after]: readonly [Settings, Settings],
  actor: Actor | null,
): Promise<void> {
  const fields = changedFields(before, after);
  if (fields.length > 0) await recordEvent(app, tx, campaignId, 'edited', actor, { fields });
}

/** The names of the settings that differ, as requests name them. */
function changedFields(before: Settings, after: Settings): string[] {
  const { schedule, ...others } = after;
  const ofSchedule = differences(before.schedule, schedule).map((field) => `schedule.${field}`);
  return [...differences(before, others), ...ofSchedule];
}

const differences = <T extends object>(before: T, after: T): string[] =>
  Object.entries(after)
    .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof T]))
    .map(([field]) => field);
