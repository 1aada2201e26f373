import type { BackgroundTask } from '../kernel/app.ts';
import {
  deletePassagesTask,
  writeFilePieceTask,
  addPassagesTask,
  writeTextTask,
} from './knowledge/ingestion/background-tasks.ts';
import { searchPassages } from '../search/service.ts';

/** All tasks that the background thread can run. */
export const backgroundTasks: ReadonlyArray<BackgroundTask<never, unknown>> = [
  searchPassages,
  writeFilePieceTask,
  writeTextTask,
  deletePassagesTask,
  addPassagesTask,
];
