import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config/schema.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Outbound } from '../base/outbound/client.ts';
import type { Secrets } from '../base/secrets.ts';
import type { SharedDeadline } from '../base/shared-deadline.ts';
import type { Queryable, Scope, Tx } from '../db/transaction.ts';

/** When the first job of a lane, or of a scope's jobs without a lane (`lane` is null), falls due. `kind` is used only for a lane. */
export type DueJobs = { kind: string; scope: Scope; lane: string | null; dueAt: number };

/** Everything a service function may use, passed as its first argument. A plain frozen object, made in main/app.ts. */
export type App = Readonly<{
  version: string;
  config: Config;
  db: Queryable;
  /** Whether this process may begin work outside: call, deliver, send (turn.ts). */
  mayAct(this: void): boolean;
  /** Until when it may, for other threads; null: always. */
  turnEnds: SharedDeadline | null;
  clock: Clock;
  ids: Ids;
  log: Log;
  secrets: Secrets;
  events: Events;
  /** HTTP to addresses that customers name: guarded (docs/api/outbound.md). */
  outbound: Outbound;
  /** HTTP to pages that customers name: also guarded, but the URL may be http as well as https. */
  web: Outbound;
  /** HTTP to addresses that the operator configured: exempt from the guard. */
  upstream: Outbound;
  /** Runs database work that would block the main thread for long, on a thread of its own. */
  background: Background;
  /** URL under which others reach this server, without a slash at its end (`http.public_url`, else host and port). */
  baseUrl(): string;
  /** Tells the runner when jobs fall due; called after the commit that enqueued them. */
  wake(jobs: DueJobs): void;
}>;

/** Something that happened, announced inside the transaction in which it happened. The token carries the payload's type. */
export type DomainEvent<P> = { readonly name: string; readonly payload?: P };

export type Subscriber<P> = (app: App, tx: Tx, payload: P) => Promise<void>;

/**
 * A subscriber that reads something first, which no other subscriber of the event changes: all of them read together, in one round trip on
 * PostgreSQL.
 */
export type ReadingSubscriber<P, R> = {
  read(app: App, tx: Tx, payload: P): Promise<R>;
  act(app: App, tx: Tx, payload: P, found: R): Promise<void>;
};

export type Events = {
  on<P, R = never>(event: DomainEvent<P>, subscriber: Subscriber<P> | ReadingSubscriber<P, R>): void;
  /** Runs the subscribers one after the other, in the order in which they were added (main/wiring.ts), in the caller's transaction. */
  emit<P>(app: App, tx: Tx, event: DomainEvent<P>, payload: P): Promise<void>;
  /** Begins what subscribers read, for which `payload` need not be complete. Returns a function that then runs them as `emit` does. */
  begin<P>(app: App, tx: Tx, event: DomainEvent<P>, payload: P): () => Promise<void>;
};

/** The part of the App that background tasks get. Its clock stands still at the time at which the task was requested. */
export type BackgroundApp = Pick<App, 'config' | 'db' | 'wake'> & { clock: Pick<Clock, 'now'> };

/** Database work for the background thread (background.ts). */
export type BackgroundTask<A, R> = {
  readonly name: string;
  readonly writes: boolean;
  run(app: BackgroundApp, args: A, owner?: string): Promise<R>;
};

export type Background = {
  /**
   * Organizations take turns; `owner` is the id of the organization that the task is for.
   * @throws the task's error, with its message and, if the storage refused a write, its `code`; unavailable when too many reads of this
   * owner are waiting, or when the server stops before the task starts
   */
  run<A, R>(task: BackgroundTask<A, R>, args: A, owner?: string): Promise<R>;
};
