import { backgroundRead } from '../../kernel/background.ts';
import { type CampaignContactSearch, searchedRows } from './contacts/search-store.ts';
import * as activity from './results/activity-store.ts';
import { countHours, type HourCounts } from './results/hours.ts';
import { type ForecastQuestion, forecastOf } from './plan/play.ts';
import { planFacts, type PlanFacts, type PlanQuestion } from './plan/store.ts';
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

export const readLastEnd = backgroundRead('campaign.last-end', ({ db }, campaignId: string): Promise<number | null> =>
  activity.lastEnd(db, campaignId),
);

export const countCallsOfQuarters = backgroundRead(
  'campaign.count-quarters',
  ({ db }, steps: activity.Steps): Promise<activity.StepCounts[]> => activity.countQuarters(db, steps),
);

export const countCallsOfSteps = backgroundRead(
  'campaign.count-calls',
  ({ db }, steps: activity.Steps & { after: number }) => activity.countCalls(db, steps),
);

export const countCallsOfHours = backgroundRead(
  'campaign.count-hours',
  ({ db }, campaign: { campaignId: string; timezone: string }): Promise<HourCounts[]> => countHours(db, campaign),
);

export const readPlanFacts = backgroundRead(
  'campaign.plan-facts',
  ({ db }, question: PlanQuestion): Promise<PlanFacts> => planFacts(db, question),
);

/** Playing a campaign of many time zones and retries takes up to half a second. */
export const playForecast = backgroundRead('campaign.forecast', ({ db }, question: ForecastQuestion) =>
  forecastOf(db, question),
);
