import type { OpenDatabase } from '../db/sqlite/open.ts';
import type { Carriers } from '../features/calls/carriers/carriers.ts';
import type { App } from '../kernel/app.ts';
import type { DataDirectory } from './data-directory.ts';

/** What holds the database: a server, or a command that has opened it for itself. */
export type TaskContext = { app: App; database: OpenDatabase; directory: DataDirectory; carriers: Carriers };
