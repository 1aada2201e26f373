import type { BackgroundTask } from '../kernel/app.ts';
import {
  deletePassagesTask,
  writeFilePieceTask,
  addPassagesTask,
  writeTextTask,
} from './knowledge/ingestion/background-tasks.ts';
import { searchPassages } from '../search/service.ts';

/** All that is done in the thread beside the one that answers requests. */
export const backgroundTasks: ReadonlyArray<BackgroundTask<never, unknown>> = [
  searchPassages,
  writeFilePieceTask,
  writeTextTask,
  deletePassagesTask,
  addPassagesTask,
];
