import { sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import type { Queryable, Tx } from '../db/transaction.ts';
import { joinInOrder, listOf } from '../db/sql.ts';
import type { Job } from '../kernel/queue.ts';

type Row = {
  id: number;
  kind: string;
  key: string;
  lane: string | null;
  due_at: number;
  attempt: number;
  payload: string;
};

const columns = ['id', 'kind', 'key', 'lane', 'due_at', 'attempt', 'payload'] as const;

const jobOf = (row: Row, attempt: number): Job<never> => ({
  id: row.id,
  kind: row.kind,
  key: row.key,
  lane: row.lane,
  dueAt: row.due_at,
  attempt,
  payload: JSON.parse(row.payload) as never,
});

const headTransactional = prepared((db, p: { now: number; limit: number }) =>
  db
    .selectFrom('outbox')
    .select(columns)
    .where('lane', 'is', null)
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(p.limit),
);

/** Transactional jobs due now, in the order of their instants. They stay in place until `take`. */
export async function dueTransactional(db: Queryable, now: number, limit: number): Promise<Array<Job<never>>> {
  const { rows } = await headTransactional(db, { now, limit });
  return rows.map((row) => jobOf(row, row.attempt + 1));
}

const deleteUnmoved = prepared((db, job: { id: number; dueAt: number }) =>
  db.deleteFrom('outbox').where('id', '=', job.id).where('due_at', '=', job.dueAt),
);

/** Removes a job if it is still there as it was read; false when it was cancelled or moved meanwhile. */
export async function take(tx: Tx, { id, dueAt }: Job<never>): Promise<boolean> {
  const { numAffectedRows } = await deleteUnmoved(tx, { id, dueAt });
  return numAffectedRows === 1n;
}

/** Puts a failed transactional job off. */
export async function postpone(db: Queryable, job: Job<never>, dueAt: number, error: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ due_at: dueAt, attempt: job.attempt, last_error: error, lease_until: null })
    .where('id', '=', job.id)
    .execute();
}

export type Claim = {
  now: number;
  leaseUntil: number;
  /** Lanes that take nothing more for now. */
  busyLanes: ReadonlySet<string>;
  /** At most so many of one lane, and in all. */
  perLane: number;
  limit: number;
};

const lease = prepared(
  (_db, p: { ids: readonly number[]; until: number }) => sql`
    UPDATE outbox SET lease_until = ${p.until}, attempt = attempt + 1
    WHERE id IN ${listOf(p.ids)}`,
);

/** `leftNothing`: certainly no job that is due stayed behind. */
export type Claimed = { jobs: Array<Job<never>>; leftNothing: boolean };

/** Claims external jobs that are due, in the order of their instants, leaving busy lanes out. */
export async function claimExternal(db: Queryable, claim: Claim): Promise<Claimed> {
  const { rows, leftNothing } = await claimable(db, claim);
  if (rows.length === 0) return { jobs: [], leftNothing };
  await lease(db, { ids: rows.map((row) => row.id), until: claim.leaseUntil });
  return { jobs: rows.map((row) => jobOf(row, row.attempt + 1)), leftNothing };
}

const headExternal = prepared((db, p: { now: number; limit: number }) =>
  db
    .selectFrom('outbox')
    .select(columns)
    .where('lane', 'is not', null)
    .where('lease_until', 'is', null)
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(p.limit),
);

/** Mostly little is due, and the head of the queue is all of it; only a backlog is worth looking at lane by lane. */
async function claimable(db: Queryable, claim: Claim): Promise<{ rows: Row[]; leftNothing: boolean }> {
  const { rows: head } = await headExternal(db, { now: claim.now, limit: claim.perLane });
  if (head.length === claim.perLane) return { rows: await claimableByLane(db, claim), leftNothing: false };
  const rows = head.filter((row) => !claim.busyLanes.has(row.lane ?? ''));
  return { rows, leftNothing: rows.length === head.length };
}

/**
 * Lanes are found by skipping from one to the next in their index, so this costs what there are lanes with work, whatever waits
 * in one of them: an endpoint that hangs with 100,000 deliveries behind it slows no other.
 */
const headsOfLanes = prepared(
  (_db, p: { busy: Iterable<string>; now: number; perLane: number; limit: number }) => sql<Row>`
    WITH RECURSIVE lanes (lane) AS (
      SELECT min(lane) FROM outbox WHERE lane IS NOT NULL AND lease_until IS NULL
      UNION ALL
      SELECT (SELECT min(o.lane) FROM outbox o WHERE o.lane > lanes.lane AND o.lease_until IS NULL)
      FROM lanes WHERE lanes.lane IS NOT NULL
    ),
    free (lane) AS (
      SELECT lane FROM lanes WHERE lane IS NOT NULL AND lane NOT IN ${listOf(p.busy)}
    )
    SELECT o.id, o.kind, o.key, o.lane, o.due_at, o.attempt, o.payload
    FROM free ${joinInOrder} outbox o
    ON o.id IN (
      SELECT due.id FROM outbox due
      WHERE due.lane = free.lane AND due.lease_until IS NULL AND due.due_at <= ${p.now}
      ORDER BY due.due_at, due.id LIMIT ${p.perLane}
    )
    LIMIT ${p.limit}`,
);

async function claimableByLane(db: Queryable, { now, busyLanes, perLane, limit }: Claim): Promise<Row[]> {
  const { rows } = await headsOfLanes(db, { busy: busyLanes, now, perLane, limit });
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
  await sql`
    UPDATE outbox SET lease_until = NULL, attempt = attempt - 1
    WHERE lease_until IS NOT NULL AND id IN ${listOf(idsOf(jobs))}
  `.execute(db);
}

/** Gives back what a dead process had claimed, or what nobody here works on though its lease has run out. Returns how many. */
export async function voidLeases(db: Queryable, upTo: number, except: readonly number[] = []): Promise<number> {
  const result = await db
    .updateTable('outbox')
    .set({ lease_until: null })
    .where('lease_until', '<=', upTo)
    .where('id', 'not in', listOf(except))
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** When unclaimed work falls due, of each sort. */
export type NextDue = { transactional: number | null; external: number | null };

const instantsAfter = prepared(
  (_db, p: Record<keyof NextDue, number>) => sql<NextDue>`
    SELECT (SELECT min(due_at) FROM outbox WHERE lane IS NULL AND due_at > ${p.transactional}) AS transactional,
           (SELECT min(due_at) FROM outbox WHERE lane IS NOT NULL AND lease_until IS NULL AND due_at > ${p.external}) AS external`,
);

/** When unclaimed work of each sort next falls due after an instant. */
export async function nextDueAfter(db: Queryable, after: Record<keyof NextDue, number>): Promise<NextDue> {
  const { rows } = await instantsAfter(db, after);
  return rows[0]!;
}

const externalAfter = prepared(
  (_db, p: { after: number }) => sql<{ dueAt: number | null }>`
    SELECT min(due_at) AS "dueAt" FROM outbox WHERE lane IS NOT NULL AND lease_until IS NULL AND due_at > ${p.after}`,
);

export const nextExternalAfter = async (db: Queryable, after: number): Promise<number | null> =>
  (await externalAfter(db, { after })).rows[0]!.dueAt;
