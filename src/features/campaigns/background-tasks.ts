import { backgroundRead } from '../../kernel/background.ts';
import { type CampaignContactSearch, searchedRows } from './contacts/search-store.ts';
import { countsBetween, type PeriodCounts } from './results/activity-store.ts';
import { type CountedHours, hoursFrom } from './results/hours.ts';
import { planFacts, type PlanFacts } from './plan/store.ts';
import { metadataKeysAfter, type MetadataKeys } from './results/results-store.ts';

/** Reads of a campaign that would take the main thread too long. */

/** Searches in campaigns of many contacts. */
export const searchCampaignContacts = backgroundRead(
  'campaign.search-contacts',
  ({ db }, search: CampaignContactSearch) => searchedRows(db, search),
);

export const readMetadataKeys = backgroundRead(
  'campaign.metadata-keys',
  ({ db }, { campaignId, after }: { campaignId: string; after: number }): Promise<MetadataKeys> =>
    metadataKeysAfter(db, campaignId, after),
);

export const countCalls = backgroundRead(
  'campaign.count-calls',
  ({ db }, { campaignId, bounds }: { campaignId: string; bounds: readonly number[] }): Promise<PeriodCounts[]> =>
    countsBetween(db, campaignId, bounds),
);

export const countHours = backgroundRead(
  'campaign.count-hours',
  ({ db }, period: { campaignId: string; timezone: string; from: number }): Promise<CountedHours> =>
    hoursFrom(db, period),
);

export const readPlanFacts = backgroundRead(
  'campaign.plan-facts',
  ({ db }, { orgId, campaignId }: { orgId: string; campaignId: string }): Promise<PlanFacts> =>
    planFacts(db, orgId, campaignId),
);
