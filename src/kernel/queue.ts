import { sql } from 'kysely';
import { prepared, preparedBy } from '../db/prepared.ts';
import { onCommit, type Queryable, type Tx } from '../db/transaction.ts';
import { least } from '../db/sql.ts';
import type { App } from './app.ts';

/** Names a kind of job and types its payload; jobs.ts of a feature binds it to what it does. */
export type JobKind<P> = { readonly name: string; readonly payload?: P };
export const jobKind = <P>(name: string): JobKind<P> => ({ name });

export type Job<P> = {
  id: number;
  kind: string;
  key: string;
  lane: string | null;
  dueAt: number;
  /** 1 on the first run. More means an earlier run failed, or the process died with it claimed: its fate is unknown. */
  attempt: number;
  payload: P;
};

/** Runs in one transaction with its own removal: its effects happen exactly once. */
export type TransactionalJob = {
  mode: 'transactional';
  kind: string;
  run(app: App, tx: Tx, job: Job<never>): Promise<void>;
};

/** What came of an external job, to be written in the transaction that removes it: queries only. */
export type Completion = (Single | Batched) & {
  /** The lane waits for this commit: what is written may change what its next job has to do. */
  barrier?: boolean;
};

/** It may enqueue the same kind and key anew. */
type Single = { write(tx: Tx): Promise<void> };

/** Writes what came of many jobs together, by fewer statements than one after the other. */
export type BatchWriter<R> = (app: App, tx: Tx, results: readonly R[]) => Promise<void>;
type Batched = { writer: BatchWriter<never>; result: unknown };

/** What came of a job of which there are many: `series` is called once with all the results that finished together, in their order. */
export const batched = <R>(writer: BatchWriter<R>, result: R): Batched => ({ writer, result });

/** Talks to the outside first, then records what came of it. At least once: `run` says how it is idempotent. */
export type ExternalJob = {
  mode: 'external';
  kind: string;
  /** How many jobs of one lane run at the same time. */
  laneConcurrency: number;
  /** Domain time after which a claimed job counts as lost; longer than its network time-outs together. */
  leaseMs: number;
  /** Waits after the 1st, 2nd, … failure (a throw); after the last of them `exhausted` runs instead. */
  retryDelaysMs: readonly number[];
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

export type Enqueued<P> = {
  /** One job per kind and key: enqueuing again moves the waiting one. */
  key: string;
  /** Only for external jobs: what must not be hammered, or must stay in order. */
  lane?: string;
  dueAt: number;
  payload: P;
  /** When one waits already: run at the earlier instant of the two (default), or at the new one. */
  onConflict?: 'earliest' | 'replace';
};

type Row = { kind: string; key: string; lane: string | null; dueAt: number; payload: string };

const putJob = preparedBy((onConflict: 'earliest' | 'replace') => (db, row: Row) => {
  const dueAt = onConflict === 'replace' ? row.dueAt : least(sql.ref('outbox.due_at'), row.dueAt);
  return db
    .insertInto('outbox')
    .values({ kind: row.kind, key: row.key, lane: row.lane, due_at: row.dueAt, payload: row.payload })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet({ due_at: dueAt, payload: row.payload, attempt: 0, starts: 0 })
        .where('outbox.lease_until', 'is', null),
    );
});

/** Puts work into the caller's transaction; the runner wakes at its commit. A job that is being run just now is left alone. */
export async function enqueue<P>(app: Pick<App, 'wake'>, tx: Tx, kind: JobKind<P>, job: Enqueued<P>): Promise<void> {
  const { key, lane = null, dueAt, onConflict = 'earliest' } = job;
  await putJob(onConflict)(tx, { kind: kind.name, key, lane, dueAt, payload: JSON.stringify(job.payload) });
  onCommit(tx, () => app.wake(dueAt, lane === null ? 'transactional' : 'external'));
}

const deleteWaiting = prepared((db, job: { kind: string; key: string }) =>
  db.deleteFrom('outbox').where('kind', '=', job.kind).where('key', '=', job.key).where('lease_until', 'is', null),
);

/** Takes waiting work back; a job that is being run just now finishes. */
export async function cancel<P>(tx: Tx, kind: JobKind<P>, key: string): Promise<void> {
  await deleteWaiting(tx, { kind: kind.name, key });
}

const countOne = prepared((db, { id }: { id: number }) =>
  db
    .updateTable('outbox')
    .set((eb) => ({ starts: eb('starts', '+', 1) }))
    .where('id', '=', id)
    .returning('starts'),
);

/** Writes down that a job begins which may have begun before; answers how often that was written. `attempt` counts claims instead. */
export async function countStart(tx: Tx, job: Job<unknown>): Promise<number> {
  const { rows } = await countOne(tx, { id: job.id });
  return rows[0]?.starts ?? 0;
}

/** Whether work of that kind and key waits or runs. */
export async function isQueued<P>(db: Queryable, kind: JobKind<P>, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', kind.name)
    .where('key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}
