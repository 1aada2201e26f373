import { randomUUID } from 'node:crypto';
// oxlint-disable-next-line no-restricted-imports -- real time: it waits for another node's heartbeats, which the database's clock judges
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { monotonicMs } from '../../base/clock.ts';
import { createSharedDeadline, setDeadline, type SharedDeadline } from '../../base/shared-deadline.ts';
import { type NodeRole, rolesWhenActive } from '../open-database.ts';
import { runAll } from './client.ts';
import { StorageRefusal } from '../storage.ts';
import { isLockTimeout, isLoss } from './errors.ts';
import { lockSpace } from './locks.ts';
import { requireAllowedSchema } from './migrate.ts';
import type { PostgresStorage } from './storage.ts';
import { forgetNode, giveUpNode, type NodeIdentity, notGivenUp, recordNode } from './nodes.ts';

/**
 * How often a node says that it lives, how soon again where that failed, and after which time without an answer it begins nothing outside.
 * Real time.
 */
const [heartbeatMs, againMs, unsureAfterMs] = [5000, 500, 10_000];
/** How often a node that stands by looks whether the active one is gone. Real time. */
const standbyMs = 500;
/** How long a heartbeat waits for a connection, and then for the answer. */
export const maxBeatMs = 3000;
/** A node that takes over waits for open transactions, which end after `store.statement_timeout_ms` or 10 s of standing still. */
const maxClaimMs = 60_000;

/** The right to work with the database. One node at a time has it. */
export type ActiveNode = {
  /** The number of this node's turn: a transaction of an earlier turn commits nothing. */
  epoch: number;
  /** Whether the last heartbeat is recent. */
  isSure(): boolean;
  /** Until when it is. */
  ends: SharedDeadline;
  /** Sends a heartbeat, unless the last one is recent. Resolves to whether this node is the active one; false also where nothing answers. */
  confirm(): Promise<boolean>;
  /** Called when a transaction has found another epoch than this node's. */
  lose(): void;
  /** Called once when another node has become active. */
  onLost(handler: () => void): void;
  /** Lets another node become active at once. */
  release(): Promise<void>;
};

type Row = { node: string; name: string; epoch: number; alive: 0 | 1 };

const select = `SELECT node, name, epoch, NOT ended AND ${notGivenUp} AS alive FROM active_node`;

/** How long a transaction of a node that was given up may stand still before it is ended, once it is in the way. */
const maxStillMs = 2000;

/** The transactions that stand still and hold the lock that each shares. Those of other roles must be waited for. */
const endStanding = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND state LIKE 'idle in transaction%'
    AND state_change < clock_timestamp() - interval '${maxStillMs} ms'
    AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = ${lockSpace} AND objid = 0 AND mode = 'ShareLock' AND granted)`;

/**
 * Begins a transaction beside which no other one is open. A frozen node has several that wait for one another: each would stand still
 * anew when the one before it was ended.
 */
async function beginAlone(client: pg.ClientBase): Promise<void> {
  for (;;) {
    try {
      await runAll(
        client,
        `BEGIN; SET LOCAL lock_timeout = ${standbyMs}; SELECT pg_advisory_xact_lock(${lockSpace}, 0); SET LOCAL lock_timeout = 0`,
      );
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await client.query('ROLLBACK');
      await client.query(endStanding);
    }
  }
}

/** Tries to become the active node. Returns the name of the one that is. Waits for transactions that are open. */
async function claim(client: pg.ClientBase, node: NodeIdentity, shown: string): Promise<number | { active: string }> {
  const [before] = (await client.query(select)).rows as Row[];
  if (before?.alive === 1) return { active: before.name };
  await beginAlone(client);
  try {
    const [found] = (await client.query(select)).rows as Row[];
    if (found?.alive !== 1) {
      await requireAllowedSchema(client, { shown, version: node.version });
      const { rows } = await client.query(
        `INSERT INTO active_node (id, node, name, epoch, seen_at, ended) VALUES (1, $1, $2, 1, clock_timestamp(), false)
         ON CONFLICT (id) DO UPDATE SET node = excluded.node, name = excluded.name, epoch = active_node.epoch + 1,
           seen_at = excluded.seen_at, ended = false
         RETURNING epoch`,
        [node.id, node.name],
      );
      if (found) await giveUpNode(client, { id: found.node });
      await client.query('COMMIT');
      return (rows as Row[])[0]!.epoch;
    }
    await client.query('ROLLBACK');
    return { active: found.name };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Lets no node go on that was active before, also one that wakes only later, as long as the open transaction commits.
 * @throws an Error when a node lives
 */
export async function endActiveNode(client: pg.ClientBase, shown: string): Promise<void> {
  const { rows } = await client.query(`SELECT name FROM nodes WHERE ${notGivenUp} ORDER BY name`);
  const names = (rows as Array<{ name: string }>).map(({ name }) => name);
  if (names.length > 0)
    throw new Error(
      `${shown} is served by ${names.join(', ')}; stop all nodes first. One that was killed counts for another 15 seconds`,
    );
  await client.query('UPDATE active_node SET epoch = epoch + 1, ended = true');
}

export type Claiming = {
  pool: Pick<pg.Pool, 'connect'>;
  node: Omit<NodeIdentity, 'id'>;
  /** The database, for messages. */
  shown: string;
  /** Called with the name of the node that is active while this one stands by. */
  onStandby: (active: string) => Promise<void>;
  signal: AbortSignal | undefined;
  /** Records whether the database answers. */
  storage: Pick<PostgresStorage, 'failed' | 'succeeded'>;
};

/** Resolves when this node is the active one. Looks every half second while another one is. */
export async function becomeActive(claiming: Claiming): Promise<ActiveNode> {
  const { pool, node: described, shown, onStandby, signal } = claiming;
  const node: NodeIdentity = { ...described, id: randomUUID() };
  let recordedMs = -Infinity;
  let hasStoodBy = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const beganMs = monotonicMs();
      try {
        const claimed = await withClient(pool, maxClaimMs, (client) => claim(client, node, shown));
        if (typeof claimed === 'number') return await activeNode(claiming, { ...node, epoch: claimed }, beganMs);
        hasStoodBy = true;
        await onStandby(claimed.active);
        if (beganMs - recordedMs >= heartbeatMs) {
          await withClient(pool, maxBeatMs, (client) => recordNode(client, node, ['standby']));
          recordedMs = beganMs;
        }
      } catch (error) {
        // The database may be away for a while, as for the active node.
        if (!hasStoodBy || !(isLoss(error) || error instanceof StorageRefusal)) throw error;
      }
      await pause(standbyMs, undefined, signal && { signal });
    }
  } catch (error) {
    if (recordedMs > 0) await withClient(pool, maxBeatMs, (client) => forgetNode(client, node)).catch(() => undefined);
    throw error;
  }
}

/** Runs statements on a connection, which ends if they take longer than the limit. */
async function withClient<T>(
  pool: Claiming['pool'],
  limitMs: number,
  run: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // oxlint-disable-next-line no-restricted-globals -- real time, as a time-out of the network
  const tooLate = setTimeout(() => void (client as unknown as pg.Client).end(), limitMs);
  try {
    const result = await run(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  } finally {
    clearTimeout(tooLate);
  }
}

async function activeNode(
  { pool, storage }: Claiming,
  { epoch, ...node }: NodeIdentity & { epoch: number },
  claimedMs: number,
): Promise<ActiveNode> {
  let seenMs = -Infinity;
  const ends = createSharedDeadline();
  function seen(atMs: number): void {
    seenMs = atMs;
    setDeadline(ends, atMs + unsureAfterMs - monotonicMs());
  }
  seen(claimedMs);
  let lost = (): void => undefined;
  let isLost = false;
  let beating: Promise<void> | undefined;
  const record = (client: pg.ClientBase, roles: readonly NodeRole[]): Promise<void> => recordNode(client, node, roles);

  /** Changes the row of the active node as long as it is this one's. */
  const inTurn = (set: string, then: (client: pg.ClientBase) => Promise<void>): Promise<boolean> =>
    withClient(pool, maxBeatMs, async (client) => {
      const { rowCount } = await client.query(`UPDATE active_node SET ${set} WHERE node = $1 AND epoch = $2`, [
        node.id,
        epoch,
      ]);
      if (rowCount === 1) await then(client);
      return rowCount === 1;
    });

  async function beat(): Promise<void> {
    const beganMs = monotonicMs();
    try {
      const isOurs = await inTurn('seen_at = clock_timestamp()', (client) => record(client, rolesWhenActive));
      storage.succeeded();
      if (isOurs) seen(beganMs);
      else lose();
    } catch (error) {
      storage.failed(error);
    }
  }

  /** The next heartbeat, or the one that is under way. */
  const beatOnce = (): Promise<void> => (beating ??= beat().finally(() => (beating = undefined)));

  function lose(): void {
    if (isLost) return;
    isLost = true;
    setDeadline(ends, 0);
    clearInterval(timer);
    lost();
  }

  const isSure = (): boolean => !isLost && monotonicMs() - seenMs < unsureAfterMs;
  await withClient(pool, maxBeatMs, (client) => record(client, rolesWhenActive));
  // oxlint-disable-next-line no-restricted-globals -- real time: other nodes judge the heartbeats by the database's clock
  const timer = setInterval(() => {
    if (monotonicMs() - seenMs >= heartbeatMs - againMs / 2) void beatOnce();
  }, againMs);
  timer.unref();
  return {
    epoch,
    isSure,
    ends,
    async confirm() {
      if (!isLost && !isSure()) await beatOnce();
      return isSure();
    },
    lose,
    onLost: (handler) => void (lost = handler),
    async release() {
      clearInterval(timer);
      await beating;
      if (!isLost) await inTurn('ended = true', (client) => forgetNode(client, node)).catch(() => undefined);
    },
  };
}
