import { sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import { joinInOrder, listOf } from '../db/sql.ts';
import type { Queryable, Scope, Tx } from '../db/transaction.ts';
import type { JobMode } from '../kernel/app.ts';
import type { Job } from '../kernel/queue.ts';

type Row = {
  id: number;
  kind: string;
  key: string;
  scope: Scope;
  lane: string | null;
  due_at: number;
  attempt: number;
  payload: string;
};

const columns = ['id', 'kind', 'key', 'scope', 'lane', 'due_at', 'attempt', 'payload'] as const;

const jobOf = (row: Row): Job<never> => ({
  id: row.id,
  kind: row.kind,
  key: row.key,
  scope: row.scope,
  lane: row.lane,
  dueAt: row.due_at,
  attempt: row.attempt + 1,
  payload: JSON.parse(row.payload) as never,
});

type Head = { scope: Scope; now: number; limit: number };

const transactionalHead = prepared((db, p: Head) =>
  db
    .selectFrom('outbox')
    .select(columns)
    .where('lane', 'is', null)
    .where('scope', '=', p.scope)
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(p.limit),
);

/** A scope's transactional jobs due now, in the order of their instants. They stay in place until `take`. */
export async function dueTransactional(db: Queryable, head: Head): Promise<Array<Job<never>>> {
  const { rows } = await transactionalHead(db, head);
  return rows.map(jobOf);
}

const firstTransactional = prepared((db, p: { scope: Scope }) =>
  db
    .selectFrom('outbox')
    .select((eb) => eb.fn.min('due_at').as('dueAt'))
    .where('lane', 'is', null)
    .where('scope', '=', p.scope),
);

/** When a scope's next transactional job falls due. */
export const nextTransactional = async (db: Queryable, scope: Scope): Promise<number | null> =>
  (await firstTransactional(db, { scope })).rows[0]?.dueAt ?? null;

const deleteUnmoved = prepared((db, job: { id: number; dueAt: number }) =>
  db.deleteFrom('outbox').where('id', '=', job.id).where('due_at', '=', job.dueAt),
);

/** Removes a job unless it was cancelled or moved since it was read; returns whether it did. */
export async function take(tx: Tx, { id, dueAt }: Job<never>): Promise<boolean> {
  const { numAffectedRows } = await deleteUnmoved(tx, { id, dueAt });
  return numAffectedRows === 1n;
}

/** Puts a failed job off. */
export async function postpone(db: Queryable, job: Job<never>, dueAt: number, error: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ due_at: dueAt, attempt: job.attempt, last_error: error, lease_until: null })
    .where('id', '=', job.id)
    .execute();
}

export type Claim = {
  scope: Scope;
  now: number;
  leaseUntil: number;
  /** Lanes without room for another job. */
  busyLanes: ReadonlySet<string>;
  /** Most jobs to claim of one lane, and in all. */
  perLane: number;
  limit: number;
};

const lease = prepared(
  (_db, p: { ids: readonly number[]; until: number }) => sql`
    UPDATE outbox SET lease_until = ${p.until}, attempt = attempt + 1
    WHERE id IN ${listOf(p.ids)}`,
);

export type Claimed = {
  jobs: Array<Job<never>>;
  /** Every job of the scope that was due is claimed. */
  leftNothing: boolean;
  /** The lanes in which due jobs were left; undefined when not known. */
  lanesLeft?: ReadonlySet<string>;
  /** When the scope's next job falls due after now. */
  nextAt: number | null;
};

/** Claims a scope's external jobs that are due, in the order of their instants, except those in busy lanes. */
export async function claim(tx: Tx, wanted: Claim): Promise<Claimed> {
  const { rows, ...left } = await claimable(tx, wanted);
  if (rows.length > 0) await lease(tx, { ids: rows.map((row) => row.id), until: wanted.leaseUntil });
  const { rows: next } = await firstExternalAfter(tx, { scope: wanted.scope, now: wanted.now });
  return { jobs: rows.map(jobOf), ...left, nextAt: next[0]?.dueAt ?? null };
}

const firstExternalAfter = prepared((db, p: { scope: Scope; now: number }) =>
  db
    .selectFrom('outbox')
    .select((eb) => eb.fn.min('due_at').as('dueAt'))
    .where('lane', 'is not', null)
    .where('lease_until', 'is', null)
    .where('scope', '=', p.scope)
    .where('due_at', '>', p.now),
);

const externalHead = prepared((db, p: Head) =>
  db
    .selectFrom('outbox')
    .select(columns)
    .where('lane', 'is not', null)
    .where('lease_until', 'is', null)
    .where('scope', '=', p.scope)
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(p.limit),
);

/** Usually little is due, and the head of the queue is all of it; only a backlog is read lane by lane. */
async function claimable(tx: Tx, wanted: Claim): Promise<{ rows: Row[] } & Pick<Claimed, 'leftNothing' | 'lanesLeft'>> {
  const { rows: head } = await externalHead(tx, { scope: wanted.scope, now: wanted.now, limit: wanted.perLane });
  if (head.length === wanted.perLane) return { rows: await claimableByLane(tx, wanted), leftNothing: false };
  const isBusy = ({ lane }: Row): boolean => wanted.busyLanes.has(lane ?? '');
  const lanesLeft = new Set(head.filter(isBusy).map(({ lane }) => lane ?? ''));
  return { rows: head.filter((row) => !isBusy(row)), leftNothing: lanesLeft.size === 0, lanesLeft };
}

/**
 * Finds lanes by skipping from one to the next in their index, so the cost grows with the lanes that have work, not with the jobs in
 * them: an endpoint that hangs with 100,000 deliveries waiting slows no other.
 */
const headsOfLanes = prepared(
  (_db, p: { scope: Scope; busy: Iterable<string>; now: number; perLane: number; limit: number }) => sql<Row>`
    WITH RECURSIVE lanes (lane) AS (
      SELECT min(lane) FROM outbox WHERE scope = ${p.scope} AND lane IS NOT NULL AND lease_until IS NULL
      UNION ALL
      SELECT (SELECT min(o.lane) FROM outbox o WHERE o.scope = ${p.scope} AND o.lane > lanes.lane AND o.lease_until IS NULL)
      FROM lanes WHERE lanes.lane IS NOT NULL
    ),
    free (lane) AS (
      SELECT lane FROM lanes WHERE lane IS NOT NULL AND lane NOT IN ${listOf(p.busy)}
    )
    SELECT o.id, o.kind, o.key, o.scope, o.lane, o.due_at, o.attempt, o.payload
    FROM free ${joinInOrder} outbox o
    ON o.id IN (
      SELECT due.id FROM outbox due
      WHERE due.scope = ${p.scope} AND due.lane = free.lane AND due.lease_until IS NULL AND due.due_at <= ${p.now}
      ORDER BY due.due_at, due.id LIMIT ${p.perLane}
    )
    LIMIT ${p.limit}`,
);

async function claimableByLane(tx: Tx, { scope, now, busyLanes, perLane, limit }: Claim): Promise<Row[]> {
  const { rows } = await headsOfLanes(tx, { scope, busy: busyLanes, now, perLane, limit });
  return rows.toSorted((a, b) => a.due_at - b.due_at || a.id - b.id);
}

const deleteByIds = prepared(
  (_db, p: { ids: readonly number[] }) => sql`DELETE FROM outbox WHERE id IN ${listOf(p.ids)}`,
);

export async function remove(tx: Tx, jobs: ReadonlyArray<Job<never>>): Promise<void> {
  if (jobs.length > 0) await deleteByIds(tx, { ids: idsOf(jobs) });
}

const idsOf = (jobs: ReadonlyArray<Job<never>>): number[] => jobs.map(({ id }) => id);

/** Puts jobs back as they were before they were claimed. */
export async function unclaim(db: Queryable, jobs: ReadonlyArray<Job<never>>): Promise<void> {
  if (jobs.length === 0) return;
  const ids = idsOf(jobs);
  await sql`
    UPDATE outbox SET lease_until = NULL, attempt = attempt - 1
    WHERE lease_until IS NOT NULL AND id IN ${listOf(ids)}
  `.execute(db);
}

/** Ends the leases that run out by `upTo`, but for the jobs in `except`. Returns the scope of each job. */
export async function voidLeases(db: Queryable, upTo: number, except: readonly number[] = []): Promise<Scope[]> {
  const rows = await db
    .updateTable('outbox')
    .set({ lease_until: null })
    .where('lease_until', '<=', upTo)
    .where('id', 'not in', listOf(except))
    .returning('scope')
    .execute();
  return rows.map(({ scope }) => scope);
}

/** When each scope's unclaimed jobs first fall due, by mode. Reads the whole queue: for the start. */
export async function firstDue(db: Queryable): Promise<Array<{ scope: Scope; mode: JobMode; dueAt: number }>> {
  const { rows } = await sql<{ scope: Scope; mode: JobMode; dueAt: number }>`
    SELECT scope, 'transactional' AS mode, min(due_at) AS "dueAt" FROM outbox WHERE lane IS NULL GROUP BY scope
    UNION ALL
    SELECT scope, 'external' AS mode, min(due_at) AS "dueAt" FROM outbox
    WHERE lane IS NOT NULL AND lease_until IS NULL GROUP BY scope`.execute(db);
  return rows;
}
