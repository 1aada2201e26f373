import { sql } from 'kysely';
import { prepared, sent } from '../db/prepared.ts';
import { joinFirstRows, listOf, lockedRows, pairsOf } from '../db/sql.ts';
import type { Queryable, Scope, Tx } from '../db/transaction.ts';
import type { DueJobs } from '../kernel/app.ts';
import { maxBatchRows } from '../kernel/batch-size.ts';
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

const transactionalHead = prepared((db, p: Head) => {
  const ofScope = db.selectFrom('outbox').where('lane', 'is', null).where('scope', '=', p.scope);
  // Not the aggregate min(): PostgreSQL reads all waiting jobs for it where it expects few.
  const next = ofScope.select('due_at').where('due_at', '>', p.now).orderBy('due_at').limit(1);
  return ofScope
    .select(columns)
    .select(next.as('next_at'))
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(p.limit)
    .modifyEnd(lockedRows);
});

/** `nextAt`: when the first job that is not due yet falls due; undefined if no job is due, since then nobody looked. */
export type DueTransactional = { jobs: Array<Job<never>>; nextAt: number | null | undefined };

/**
 * A scope's due transactional jobs, the earliest first, at most `limit`. They stay in the queue until they are removed; in a transaction,
 * nobody else can change them.
 */
export async function dueTransactional(db: Queryable, head: Head): Promise<DueTransactional> {
  const { rows } = await transactionalHead(db, head);
  return { jobs: rows.map(jobOf), nextAt: rows[0]?.next_at };
}

const firstTransactional = prepared((db, p: { scope: Scope }) =>
  db
    .selectFrom('outbox')
    .select('due_at as dueAt')
    .where('lane', 'is', null)
    .where('scope', '=', p.scope)
    .orderBy('due_at')
    .limit(1),
);

/** When a scope's next transactional job falls due. */
export const nextTransactional = async (db: Queryable, scope: Scope): Promise<number | null> =>
  (await firstTransactional(db, { scope })).rows[0]?.dueAt ?? null;

const deleteById = sent((db, job: { id: number }) => db.deleteFrom('outbox').where('id', '=', job.id));

const deleteUnmoved = prepared((db, job: { id: number; dueAt: number }) =>
  db.deleteFrom('outbox').where('id', '=', job.id).where('due_at', '=', job.dueAt),
);

/** Removes a job that cannot have changed since `dueTransactional` read it in the same transaction. */
export const removeDue = (tx: Tx, { id }: Job<never>): Promise<void> => deleteById(tx, { id });

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

/** Names a lane of a scope. */
export type LaneKey = { scope: Scope; lane: string };

export type Claim<L extends LaneKey> = {
  now: number;
  leaseUntil: number;
  lanes: readonly L[];
  /** Limit on the jobs claimed of each lane. */
  perLane: number;
  /** The `exclusive` texts whose jobs are passed over in a lane. */
  around: (lane: L) => readonly string[];
};

/**
 * The jobs claimed of a lane, the earliest first. `nextAt` is when the first job that is left falls due, which may have passed; undefined
 * if no unclaimed job is left.
 */
export type ClaimedOfLane = { jobs: Array<Job<never>>; nextAt: number | undefined };
export type Claimed<L extends LaneKey = LaneKey> = ReadonlyMap<L, ClaimedOfLane>;

/** The first unclaimed jobs of each given lane, at most `limit` per lane. Reads no rows of other lanes, however many jobs wait there. */
const headsOfLanes = prepared(
  (_db, p: { lanes: Array<readonly [Scope, string]>; limit: number }) => sql<Row & { position: number }>`
    SELECT wanted.position, o.id, o.kind, o.key, o.scope, o.lane, o.exclusive, o.due_at, o.attempt, o.payload
    FROM ${pairsOf(p.lanes)} AS wanted ${joinFirstRows(
      'outbox',
      'o',
      sql`WHERE scope = wanted.first AND lane = wanted.second AND lease_until IS NULL
        ORDER BY due_at, id LIMIT ${p.limit}`,
    )}`,
);

/** In a lane with jobs that it may not take, a claim looks at this many due jobs at most. */
const maxPassed = 500;

type Around = LaneKey & { texts: readonly string[]; now: number; limit: number };

/** The first due jobs of a lane without the given `exclusive` texts, if they are among its first 500. */
const headsAround = prepared(
  (_db, p: Around) => sql<Row>`
    SELECT id, kind, key, scope, lane, exclusive, due_at, attempt, payload FROM outbox
    WHERE id IN (
      SELECT near.id FROM (
        SELECT id, exclusive, due_at FROM outbox
        WHERE scope = ${p.scope} AND lane = ${p.lane} AND lease_until IS NULL AND due_at <= ${p.now}
        ORDER BY due_at, id LIMIT ${maxPassed}
      ) AS near
      WHERE near.exclusive IS NULL OR near.exclusive NOT IN ${listOf(p.texts)}
      ORDER BY near.due_at, near.id LIMIT ${p.limit}
    )`,
);

const lease = sent(
  (_db, p: { ids: readonly number[]; until: number }) => sql`
    UPDATE outbox SET lease_until = ${p.until}, attempt = attempt + 1
    WHERE id IN ${listOf(p.ids, 'integer')}`,
);

/** Claims due external jobs of the given lanes, the earliest first, at most `perLane` of each lane. */
export async function claim<L extends LaneKey>(tx: Tx, claiming: Claim<L>): Promise<Claimed<L>> {
  const { now, leaseUntil, lanes, perLane, around } = claiming;
  const claimed = new Map<L, ClaimedOfLane>();
  const plain: L[] = [];
  for (const lane of lanes) {
    const texts = around(lane);
    if (texts.length === 0) plain.push(lane);
    else {
      const { rows } = await headsAround(tx, { scope: lane.scope, lane: lane.lane, texts, now, limit: perLane });
      claimed.set(lane, { ...dueOf(rows, now, perLane), nextAt: now }); // the jobs passed over are due already
    }
  }
  // Read one row more than may be claimed: it tells when to look at the lane again.
  const heads = plain.length === 0 ? [] : await headsOfPlain(tx, plain, perLane + 1);
  for (const [lane, rows] of heads) claimed.set(lane, dueOf(rows, now, perLane));
  const ids = [...claimed.values()].flatMap(({ jobs }) => jobs.map(({ id }) => id));
  if (ids.length > 0) await lease(tx, { ids, until: leaseUntil });
  return claimed;
}

async function headsOfPlain<L extends LaneKey>(tx: Tx, lanes: readonly L[], limit: number): Promise<Map<L, Row[]>> {
  const byLane = new Map<L, Row[]>();
  const { rows } = await headsOfLanes(tx, { lanes: lanes.map(({ scope, lane }) => [scope, lane] as const), limit });
  for (const row of rows) {
    const lane = lanes[row.position]!;
    const known = byLane.get(lane);
    if (known) known.push(row);
    else byLane.set(lane, [row]);
  }
  return byLane;
}

function dueOf(rows: Row[], now: number, limit: number): ClaimedOfLane {
  if (rows.length > 1) rows.sort((a, b) => a.due_at - b.due_at || a.id - b.id);
  const later = rows.findIndex((row, index) => row.due_at > now || index === limit);
  const due = later === -1 ? rows : rows.slice(0, later);
  return { jobs: due.map(jobOf), nextAt: later === -1 ? undefined : rows[later]!.due_at };
}

const deleteByIds = sent(
  (_db, p: { ids: readonly number[] }) => sql`DELETE FROM outbox WHERE id IN ${listOf(p.ids, 'integer')}`,
);

export async function remove(tx: Tx, jobs: ReadonlyArray<Job<never>>): Promise<void> {
  if (jobs.length > 0) await deleteByIds(tx, { ids: idsOf(jobs) });
}

const idsOf = (jobs: ReadonlyArray<Job<never>>): number[] => jobs.map(({ id }) => id);

/** Undoes claims: the jobs are unclaimed, and the claim does not count as an attempt. */
export async function unclaim(db: Queryable, jobs: ReadonlyArray<Job<never>>): Promise<void> {
  if (jobs.length === 0) return;
  const ids = idsOf(jobs);
  await sql`
    UPDATE outbox SET lease_until = NULL, attempt = attempt - 1
    WHERE lease_until IS NOT NULL AND id IN ${listOf(ids, 'integer')}
  `.execute(db);
}

/** Ends all leases that last no longer than `upTo`, except those of the jobs in `except`. Returns the jobs whose leases it ended. */
export async function voidLeases(db: Queryable, upTo: number, except: readonly number[] = []): Promise<DueJobs[]> {
  return db
    .updateTable('outbox')
    .set({ lease_until: null })
    .where('lease_until', '<=', upTo)
    .where('id', 'not in', listOf(except, 'integer'))
    .returning(['kind', 'scope', 'lane', 'due_at as dueAt'])
    .execute();
}

/**
 * The first unclaimed job of every lane, and of every scope's jobs without a lane. Jumps in the index from one lane or scope to the next,
 * so that a million jobs waiting in one lane do not make a start take longer. The next lane and the next scope are two subqueries, because
 * SQLite uses only the first column of the index for `(scope, lane) > (...)`, and would read all lanes of the scope for each of them.
 */
export async function firstJobs(db: Queryable): Promise<DueJobs[]> {
  const { rows } = await sql<DueJobs>`
    WITH RECURSIVE
    heads (id) AS (
      SELECT (SELECT id FROM outbox WHERE lane IS NOT NULL AND lease_until IS NULL ORDER BY scope, lane, due_at, id LIMIT 1)
      UNION ALL
      SELECT coalesce((
        SELECT next.id FROM outbox next
        WHERE next.scope = head.scope AND next.lane > head.lane AND next.lease_until IS NULL
        ORDER BY next.lane, next.due_at, next.id LIMIT 1
      ), (
        SELECT next.id FROM outbox next
        WHERE next.scope > head.scope AND next.lane IS NOT NULL AND next.lease_until IS NULL
        ORDER BY next.scope, next.lane, next.due_at, next.id LIMIT 1
      ))
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

/** The first unclaimed job of a lane that is of one of these kinds. Reads the whole lane if there is none. */
export function firstOfKinds(
  db: Queryable,
  { scope, lane }: { scope: Scope; lane: string },
  kinds: readonly string[],
): Promise<DueJobs | undefined> {
  return db
    .selectFrom('outbox')
    .select(['kind', 'scope', 'lane', 'due_at as dueAt'])
    .where('scope', '=', scope)
    .where('lane', '=', lane)
    .where('lease_until', 'is', null)
    .where('kind', 'in', listOf(kinds))
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** The jobs that were in the queue when the clock was set back, of which those with ids up to `after` are done. */
export type ClockMove = { ms: number; now: number; after: number; last: number };

export async function clockMove(db: Queryable, ms: number, now: number): Promise<ClockMove> {
  const { last } = await db
    .selectFrom('outbox')
    .select((eb) => eb.fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  return { ms, now, after: 0, last: last ?? 0 };
}

/**
 * Moves the instants of the next jobs that lie ahead of `now` back: when they fall due, and when leases end. Returns what is left to do,
 * undefined if nothing. A job that is enqueued again meanwhile may be moved, too: then it runs too early, as if the clock were right.
 */
export async function moveBack(tx: Tx, move: ClockMove): Promise<ClockMove | undefined> {
  const { ms, now, after, last } = move;
  const some = tx.selectFrom('outbox').select('id').where('id', '>', after).where('id', '<=', last);
  const ids = (await some.orderBy('id').limit(maxBatchRows).execute()).map(({ id }) => id);
  await sql`
    UPDATE outbox SET
      due_at = CASE WHEN due_at > ${now} THEN due_at - ${ms} ELSE due_at END,
      lease_until = CASE WHEN lease_until > ${now} THEN lease_until - ${ms} ELSE lease_until END
    WHERE id IN ${listOf(ids, 'integer')} AND (due_at > ${now} OR lease_until > ${now})`.execute(tx);
  return ids.length < maxBatchRows ? undefined : { ...move, after: ids.at(-1)! };
}
