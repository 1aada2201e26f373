import type { Config } from '../../base/config/schema.ts';
import type { WorkerProtocol } from '../../base/worker/messages.ts';
import type { SharedPostgres } from '../../db/postgres/background-connection.ts';
import type { SharedDatabase } from '../../db/sqlite/background-connection.ts';
import type { DueJobs } from '../../kernel/app.ts';

export type BackgroundProtocol = WorkerProtocol & {
  data: { shared: SharedDatabase | SharedPostgres; config: Config };
  /** `now` is the time at which the task's clock stands. */
  request: { task: string; args: unknown; now: number } | { copyTo: string; now: number } | { examine: string };
  reply: unknown;
  toThread: never;
  /** Wakes the job runner. */
  fromThread: DueJobs;
};
