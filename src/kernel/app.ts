import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config/schema.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Outbound } from '../base/outbound/client.ts';
import type { Secrets } from '../base/secrets.ts';
import type { Queryable, Scope } from '../db/transaction.ts';
import type { Background } from './background.ts';
import type { Events } from './events.ts';

/** `transactional` jobs run inside one transaction; `external` ones talk to the outside first (queue.ts). */
export type JobMode = 'transactional' | 'external';

/** Everything a service function may use, passed as its first argument. A plain frozen object, made in main/app.ts. */
export type App = Readonly<{
  version: string;
  config: Config;
  db: Queryable;
  clock: Clock;
  ids: Ids;
  log: Log;
  secrets: Secrets;
  events: Events;
  /** HTTP to addresses that customers name: guarded (contract, section 4). */
  outbound: Outbound;
  /** HTTP to pages that customers name: guarded as well, but for the scheme, which may be http (contract, section 10). */
  web: Outbound;
  /** HTTP to addresses that the operator configured: exempt from the guard (contract, section 12). */
  upstream: Outbound;
  /** Runs database work that would block the main thread for long, on a thread of its own. */
  background: Background;
  /** Tells the runner when a scope's work falls due; called after the commit that enqueued it. */
  wake(scope: Scope, mode: JobMode, dueAt: number): void;
}>;
