import type { BackgroundTask } from '../kernel/app.ts';
import { longReadTask } from '../kernel/long-reads.ts';
import {
  deletePassagesTask,
  writeFilePieceTask,
  addPassagesTask,
  writeTextTask,
} from './knowledge/ingestion/background-tasks.ts';
import { searchPassages } from './knowledge/query.ts';
import { emptyLogTask } from './privacy/background-tasks.ts';
import { sumFigures } from './analytics/background-tasks.ts';
import { indexContacts, searchContactRows } from './contacts/background-tasks.ts';
import {
  countCallsOfHours,
  playForecast,
  countCallsOfQuarters,
  countCallsOfSteps,
  readLastEnd,
  readMetadataKeys,
  readPlanFacts,
  searchCampaignContacts,
} from './campaigns/background-tasks.ts';

/** All tasks that the background thread can run. */
export const backgroundTasks: ReadonlyArray<BackgroundTask<never, unknown>> = [
  longReadTask,
  searchPassages,
  searchContactRows,
  searchCampaignContacts,
  indexContacts,
  readMetadataKeys,
  countCallsOfHours,
  playForecast,
  countCallsOfQuarters,
  countCallsOfSteps,
  readLastEnd,
  readPlanFacts,
  sumFigures,
  emptyLogTask,
  writeFilePieceTask,
  writeTextTask,
  deletePassagesTask,
  addPassagesTask,
];
