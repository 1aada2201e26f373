import type { Config } from '../../base/config/schema.ts';
import type { SharedDatabase } from '../../db/sqlite/background-connection.ts';
import type { JobMode } from '../../kernel/app.ts';

/** What the thread is started with. */
export type WorkerData = { shared: SharedDatabase; config: Config };

/** To the thread; `now` is the clock's. The last one is `end`: it closes its connection and ends. */
export type Request = { id: number; task: string; args: unknown; now: number } | 'end';

/** From the thread: an answer to each request, and before it what the runner is to be told of. */
export type Reply =
  | { id: number; done: unknown }
  | { id: number; failed: { message: string; code: string | undefined; stack: string | undefined } }
  | { wake: { scope: string; mode: JobMode; dueAt: number } };
