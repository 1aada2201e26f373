import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config/schema.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Outbound } from '../base/outbound/client.ts';
import type { Secrets } from '../base/secrets.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Background } from './background.ts';
import type { Events } from './events.ts';

/** The two sorts of jobs: those that run in a transaction of ours, and those that talk to the outside. */
export type JobMode = 'transactional' | 'external';

/** What every service function is given first: the whole world it may touch. A plain frozen object, made in main.ts. */
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
  /** What would hold up everybody else is done in a thread of its own. */
  background: Background;
  /** Tells the runner that work of a sort is due at an instant; called after the commit that made it. */
  wake(dueAt: number, sort: JobMode): void;
}>;
