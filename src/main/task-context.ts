import type { OpenDatabase } from '../db/open-database.ts';
import type { Carriers } from '../features/calls/carriers/carriers.ts';
import type { App } from '../kernel/app.ts';
import type { DataDirectory } from './data-directory.ts';

/** The open installation that a task works on, either in the server or in a command that opened the database itself. */
export type TaskContext = {
  app: App;
  database: OpenDatabase;
  /** Copies the database to a file. */
  copyTo: (file: string) => Promise<void>;
  directory: DataDirectory;
  carriers: Carriers;
};
