import { sql } from 'kysely';
import { prepared, sent, sentBy } from '../db/prepared.ts';
import { least } from '../db/sql.ts';
import { onCommit, type Queryable, type Scope, scopeOf, type Tx } from '../db/transaction.ts';
import type { App } from './app.ts';
import type { Job } from './job.ts';

export type { Job } from './job.ts';

/** Names a kind of job and types its payload; a feature's jobs.ts binds it to what it does. */
export type JobKind<P> = { readonly name: string; readonly payload?: P };
export const jobKind = <P>(name: string): JobKind<P> => ({ name });

/** Runs in the transaction that removes it, so its effects happen exactly once. */
export type TransactionalJob = {
  mode: 'transactional';
  kind: string;
  run(app: App, tx: Tx, job: Job<never>): Promise<void>;
};

/** The result of an external job. It is written in the transaction that removes the job, so writing it may await nothing but queries. */
export type Completion = (Single | Batched) & {
  /** Start no further job of the lane before this result is committed, because the result may change what the next job has to do. */
  barrier?: boolean;
};

/** For a job that turns out to have nothing to write. */
export const nothingToWrite: Completion = { write: () => Promise.resolve() };

/** A result that `write` writes. The job has been removed by then, so `write` may enqueue the same kind and key again. */
type Single = { write(tx: Tx): Promise<void> };

/** Writes the results of many jobs at once, in fewer statements than one by one. All results are of one scope. */
export type BatchWriter<R> = (app: App, tx: Tx, results: readonly R[]) => Promise<void>;
type Batched = { writer: BatchWriter<never>; result: unknown };

/** A result for `writer`, which is called once with all results that are committed together, in order of completion. */
export const batched = <R>(writer: BatchWriter<R>, result: R): Batched => ({ writer, result });

/**
 * Jobs that share one limit. No other pool's jobs count, so a backlog of webhooks never delays a call. Organizations share a pool fairly,
 * and the lanes of an organization share its part (base/fair/rotation.ts).
 */
export type JobPool = { name: string; maxRunning: number };

/** The limit of a kind that names no pool: its own jobs only. */
export const defaultMaxRunning = 64;

/** Talks to the outside first, then records the result. It runs at least once: each `run` says how it is idempotent. */
export type ExternalJob = {
  mode: 'external';
  kind: string;
  /** All kinds of one lane belong to the same pool. */
  pool?: JobPool;
  /** How many jobs of one lane run at the same time, those of all organizations together. */
  laneConcurrency: number;
  /** Domain time after which a claimed job counts as lost. It must exceed the sum of the job's network time-outs. */
  leaseMs: number;
  /** Delays after the 1st, 2nd, … failure (an exception); after the last of them `exhausted` runs instead. */
  retryDelaysMs: readonly number[];
  /**
   * How many small results, such as a delivery's, take as long to write as one of this kind; default: 1. A commit writes fewer results of a
   * kind that costs more, so that requests need not wait for dozens of crawled pages.
   */
  resultCost?: number;
  run(app: App, job: Job<never>, signal: AbortSignal): Promise<Completion>;
  exhausted(app: App, tx: Tx, job: Job<never>, error: unknown): Promise<void>;
};

export type JobDefinition = TransactionalJob | ExternalJob;

export const transactionalJob = <P>(
  kind: JobKind<P>,
  run: (app: App, tx: Tx, job: Job<P>) => Promise<void>,
): TransactionalJob => ({ mode: 'transactional', kind: kind.name, run });

export const externalJob = <P>(
  kind: JobKind<P>,
  definition: Omit<ExternalJob, 'mode' | 'kind' | 'run' | 'exhausted'> & {
    run(app: App, job: Job<P>, signal: AbortSignal): Promise<Completion>;
    exhausted(app: App, tx: Tx, job: Job<P>, error: unknown): Promise<void>;
  },
): ExternalJob => ({ mode: 'external', kind: kind.name, ...definition }) as unknown as ExternalJob;

export type NewJob<P> = {
  /** Unique per kind: enqueuing the key again gives the waiting job the new payload and, depending on `onConflict`, the new `dueAt`. */
  key: string;
  /** Makes the job an external one. Jobs of a lane (an endpoint, a site, a mailbox) start in order, up to the kind's `laneConcurrency`. */
  lane?: string;
  /** Jobs of one lane with the same text here never run at the same time, even if the lane may run several jobs. */
  exclusive?: string | null;
  dueAt: number;
  payload: P;
  /** The organization or named scope whose data the job changes. Default: the scope of the transaction that enqueues it. */
  scope?: Scope;
  /**
   * If a job with the key is already waiting: keep the earlier of the two `dueAt` (default), replace it, or change nothing unless the new
   * one is due earlier, which writes nothing.
   */
  onConflict?: OnConflict;
};

type OnConflict = 'earliest' | 'replace' | 'if_earlier';

type Row = Pick<Job<never>, 'kind' | 'key' | 'scope' | 'lane' | 'exclusive' | 'dueAt'> & { payload: string };

const changedIn = new WeakMap<Tx, Set<string>>();
const nameOf = ({ kind, key }: Pick<Row, 'kind' | 'key'>): string => `${kind} ${key}`;

/**
 * Watches which jobs a transaction enqueues or cancels from now on. Returns a function that tells whether a job may be among them: only then
 * can it have changed since it was read and locked in the same transaction.
 */
export function watchChanges(tx: Tx): (job: Pick<Job<never>, 'kind' | 'key'>) => boolean {
  const changed = changedIn.get(tx) ?? new Set();
  changedIn.set(tx, changed);
  return (job) => changed.has(nameOf(job));
}

const putJob = sentBy((onConflict: OnConflict) => (db, row: Row) => {
  const isChanged = onConflict === 'if_earlier' ? sql<boolean>`outbox.due_at > ${row.dueAt}` : sql<boolean>`TRUE`;
  const dueAt = onConflict === 'replace' ? row.dueAt : least(sql.ref('outbox.due_at'), row.dueAt);
  return db
    .insertInto('outbox')
    .values({
      kind: row.kind,
      key: row.key,
      scope: row.scope,
      lane: row.lane,
      exclusive: row.exclusive,
      due_at: row.dueAt,
      payload: row.payload,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet({
          due_at: dueAt,
          scope: row.scope,
          lane: row.lane,
          exclusive: row.exclusive,
          payload: row.payload,
          attempt: 0,
          starts: 0,
        })
        .where('outbox.lease_until', 'is', null)
        .where(isChanged),
    );
});

/**
 * Adds a job in the caller's transaction, or changes the waiting job of the same kind and key; its commit wakes the runner. Changes nothing
 * while the external job of this kind and key is claimed or runs.
 */
export async function enqueue<P>(app: Pick<App, 'wake'>, tx: Tx, kind: JobKind<P>, job: NewJob<P>): Promise<void> {
  const { key, lane = null, exclusive = null, dueAt, scope = scopeOf(tx), onConflict = 'earliest' } = job;
  const row = { kind: kind.name, key, scope, lane, exclusive, dueAt, payload: JSON.stringify(job.payload) };
  changedIn.get(tx)?.add(nameOf(row));
  await putJob(onConflict)(tx, row);
  onCommit(tx, () => app.wake({ kind: kind.name, scope, lane, dueAt }));
}

const deleteWaiting = sent((db, job: { kind: string; key: string }) =>
  db.deleteFrom('outbox').where('kind', '=', job.kind).where('key', '=', job.key).where('lease_until', 'is', null),
);

/** Removes a waiting job. An external job that is claimed stays, and runs or finishes. */
export async function cancel<P>(tx: Tx, kind: JobKind<P>, key: string): Promise<void> {
  changedIn.get(tx)?.add(nameOf({ kind: kind.name, key }));
  await deleteWaiting(tx, { kind: kind.name, key });
}

const countOne = prepared((db, { id }: { id: number }) =>
  db
    .updateTable('outbox')
    .set((eb) => ({ starts: eb('starts', '+', 1) }))
    .where('id', '=', id)
    .returning('starts'),
);

/** Records that a job starts, and returns how many starts are recorded. `attempt` counts claims instead, whether or not the job started. */
export async function countStart(tx: Tx, job: Job<unknown>): Promise<number> {
  const { rows } = await countOne(tx, { id: job.id });
  return rows[0]?.starts ?? 0;
}

/** Whether a job of this kind and key waits or runs. */
export async function isQueued<P>(db: Queryable, kind: JobKind<P>, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', kind.name)
    .where('key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}
