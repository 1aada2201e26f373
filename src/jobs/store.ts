import { sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import { joinInOrder, listOf, rowsOf } from '../db/sql.ts';
import type { Queryable, Scope, Tx } from '../db/transaction.ts';
import type { DueJobs } from '../kernel/app.ts';
import type { Job } from '../kernel/queue.ts';

type Row = {
  id: number;
  kind: string;
  key: string;
  scope: Scope;
  lane: string | null;
  exclusive: string | null;
  due_at: number;
  attempt: number;
  payload: string;
};

const columns = ['id', 'kind', 'key', 'scope', 'lane', 'exclusive', 'due_at', 'attempt', 'payload'] as const;

const jobOf = (row: Row): Job<never> => ({
  id: row.id,
  kind: row.kind,
  key: row.key,
  scope: row.scope,
  lane: row.lane,
  exclusive: row.exclusive,
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

/** A scope's due transactional jobs, the earliest first, at most `limit`. They stay in the queue until `take` removes them. */
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

/** Removes a job, unless it was cancelled or moved since it was read. Returns whether the job was removed. */
export async function take(tx: Tx, { id, dueAt }: Job<never>): Promise<boolean> {
  const { numAffectedRows } = await deleteUnmoved(tx, { id, dueAt });
  return numAffectedRows === 1n;
}

/** Makes a failed job due again at `dueAt`, and ends its claim. */
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
  lanes: readonly string[];
  /** Limit on the jobs claimed of each lane. */
  perLane: number;
};

export type Claimed = {
  /** By lane, the earliest first. */
  jobs: ReadonlyMap<string, ReadonlyArray<Job<never>>>;
  /** When the first job that is left in a lane falls due; it may be due already. Lanes without unclaimed jobs have no entry. */
  nextAt: ReadonlyMap<string, number>;
};

/** The first unclaimed jobs of each given lane, at most `limit` per lane. Reads no rows of other lanes, however many jobs wait there. */
const headsOfLanes = prepared(
  (_db, p: { scope: Scope; lanes: Iterable<string>; limit: number }) => sql<Row>`
    SELECT o.id, o.kind, o.key, o.scope, o.lane, o.exclusive, o.due_at, o.attempt, o.payload
    FROM ${rowsOf(p.lanes)} AS wanted ${joinInOrder} outbox o
    ON o.id IN (
      SELECT head.id FROM outbox head
      WHERE head.scope = ${p.scope} AND head.lane = wanted.value AND head.lease_until IS NULL
      ORDER BY head.due_at, head.id LIMIT ${p.limit}
    )`,
);

const lease = prepared(
  (_db, p: { ids: readonly number[]; until: number }) => sql`
    UPDATE outbox SET lease_until = ${p.until}, attempt = attempt + 1
    WHERE id IN ${listOf(p.ids)}`,
);

/** Claims due external jobs of the given lanes, the earliest first, at most `perLane` of each lane. */
export async function claim(tx: Tx, { scope, now, leaseUntil, lanes, perLane }: Claim): Promise<Claimed> {
  const jobs = new Map<string, Array<Job<never>>>();
  const nextAt = new Map<string, number>();
  if (lanes.length === 0) return { jobs, nextAt };
  // One row more than may be claimed tells when to look at the lane again.
  const { rows } = await headsOfLanes(tx, { scope, lanes, limit: perLane + 1 });
  const claimed: number[] = [];
  for (const row of rows.toSorted((a, b) => a.due_at - b.due_at || a.id - b.id)) {
    const lane = row.lane ?? '';
    const taken = jobs.get(lane) ?? [];
    if (row.due_at <= now && taken.length < perLane) {
      jobs.set(lane, taken);
      taken.push(jobOf(row));
      claimed.push(row.id);
    } else if (!nextAt.has(lane)) nextAt.set(lane, row.due_at);
  }
  if (claimed.length > 0) await lease(tx, { ids: claimed, until: leaseUntil });
  return { jobs, nextAt };
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

/** Ends all leases that last no longer than `upTo`, except those of the jobs in `except`. Returns the jobs whose leases it ended. */
export async function voidLeases(db: Queryable, upTo: number, except: readonly number[] = []): Promise<DueJobs[]> {
  return db
    .updateTable('outbox')
    .set({ lease_until: null })
    .where('lease_until', '<=', upTo)
    .where('id', 'not in', listOf(except))
    .returning(['kind', 'scope', 'lane', 'due_at as dueAt'])
    .execute();
}

/**
 * The first unclaimed job of every lane, and of every scope's jobs without a lane. Jumps in the index from one lane or scope to the next,
 * so that a million jobs waiting in one lane do not make a start take longer.
 */
export async function firstJobs(db: Queryable): Promise<DueJobs[]> {
  const { rows } = await sql<DueJobs>`
    WITH RECURSIVE
    heads (id) AS (
      SELECT (SELECT id FROM outbox WHERE lane IS NOT NULL AND lease_until IS NULL ORDER BY scope, lane, due_at, id LIMIT 1)
      UNION ALL
      SELECT (
        SELECT next.id FROM outbox next
        WHERE next.lane IS NOT NULL AND next.lease_until IS NULL AND (next.scope, next.lane) > (head.scope, head.lane)
        ORDER BY next.scope, next.lane, next.due_at, next.id LIMIT 1)
      FROM heads JOIN outbox head ON head.id = heads.id
    ),
    firsts (id) AS (
      SELECT (SELECT id FROM outbox WHERE lane IS NULL ORDER BY scope, due_at, id LIMIT 1)
      UNION ALL
      SELECT (
        SELECT next.id FROM outbox next WHERE next.lane IS NULL AND next.scope > first.scope
        ORDER BY next.scope, next.due_at, next.id LIMIT 1)
      FROM firsts JOIN outbox first ON first.id = firsts.id
    )
    SELECT kind, scope, lane, due_at AS "dueAt" FROM outbox
    WHERE id IN (SELECT id FROM heads) OR id IN (SELECT id FROM firsts)`.execute(db);
  return rows;
}

/** Moves the instants that lie ahead of `now` back: when jobs fall due, and when leases end. */
export async function moveBack(db: Queryable, ms: number, now: number): Promise<void> {
  await sql`UPDATE outbox SET due_at = due_at - ${ms} WHERE due_at > ${now}`.execute(db);
  await sql`UPDATE outbox SET lease_until = lease_until - ${ms} WHERE lease_until > ${now}`.execute(db);
}
