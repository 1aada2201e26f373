import { randomUUID } from 'node:crypto';
// oxlint-disable-next-line no-restricted-imports -- real time: it waits for another node's heartbeats, which the database's clock judges
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { monotonicMs } from '../../base/clock.ts';
import { type NodeRole, rolesWhenActive } from '../open-database.ts';
import { runAll } from './client.ts';
import { requireAllowedSchema } from './migrate.ts';
import { forgetNode, type NodeIdentity, notGivenUp, recordNode } from './nodes.ts';

/** How often a node says that it lives, and after which time without an answer it begins nothing outside. Real time. */
const [heartbeatMs, unsureAfterMs] = [5000, 10_000];

/** The right to work with the database. One node at a time has it. */
export type ActiveNode = {
  /** The number of this node's turn: a transaction of an earlier turn commits nothing. */
  epoch: number;
  /** Whether the last heartbeat is recent. */
  isSure(): boolean;
  /** Called once when another node has become active. */
  onLost(handler: () => void): void;
  /** Lets another node become active at once. */
  release(): Promise<void>;
};

type Row = { node: string; name: string; epoch: number; alive: 0 | 1 };

const select = `SELECT node, name, epoch, NOT ended AND ${notGivenUp} AS alive FROM active_node`;

/** Tries to become the active node. Returns the name of the one that is. Waits for transactions that are open. */
async function claim(client: pg.ClientBase, node: NodeIdentity, shown: string): Promise<number | { active: string }> {
  const [before] = (await client.query(select)).rows as Row[];
  if (before?.alive === 1) return { active: before.name };
  await runAll(client, `BEGIN; SELECT pg_advisory_xact_lock(1886547065, 0)`);
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

export type Claiming = {
  pool: Pick<pg.Pool, 'connect'>;
  node: Pick<NodeIdentity, 'name' | 'version'>;
  /** The database, for messages. */
  shown: string;
  /** Called with the name of the node that is active while this one stands by. */
  onStandby: (active: string) => Promise<void>;
  signal: AbortSignal | undefined;
};

/** Resolves when this node is the active one. Looks every half second while another one is. */
export async function becomeActive({ pool, node: described, shown, onStandby, signal }: Claiming): Promise<ActiveNode> {
  const node: NodeIdentity = { ...described, id: randomUUID() };
  let recordedMs = -Infinity;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const beganMs = monotonicMs();
      const claimed = await withClient(pool, (client) => claim(client, node, shown));
      if (typeof claimed === 'number') return await activeNode(pool, { ...node, epoch: claimed }, beganMs);
      await onStandby(claimed.active);
      if (beganMs - recordedMs >= heartbeatMs) {
        await withClient(pool, (client) => recordNode(client, node, ['standby']));
        recordedMs = beganMs;
      }
      await pause(standbyMs, undefined, signal && { signal });
    }
  } catch (error) {
    if (recordedMs > 0) await withClient(pool, (client) => forgetNode(client, node)).catch(() => undefined);
    throw error;
  }
}

/** How often a node that stands by looks whether the active one is gone. Real time. */
const standbyMs = 500;

async function withClient<T>(pool: Claiming['pool'], run: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await run(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function activeNode(
  pool: Claiming['pool'],
  { epoch, ...node }: NodeIdentity & { epoch: number },
  claimedMs: number,
): Promise<ActiveNode> {
  let seenMs = claimedMs;
  let lost = (): void => undefined;
  let isLost = false;
  let beating: Promise<void> | undefined;
  const record = (client: pg.ClientBase, roles: readonly NodeRole[]): Promise<void> => recordNode(client, node, roles);

  /** Changes the row of the active node as long as it is this one's. */
  const inTurn = (set: string, then: (client: pg.ClientBase) => Promise<void>): Promise<boolean> =>
    withClient(pool, async (client) => {
      const { rowCount } = await client.query(`UPDATE active_node SET ${set} WHERE node = $1 AND epoch = $2`, [
        node.id,
        epoch,
      ]);
      await then(client);
      return rowCount === 1;
    });

  async function beat(): Promise<void> {
    const beganMs = monotonicMs();
    try {
      if (await inTurn('seen_at = clock_timestamp()', (client) => record(client, rolesWhenActive))) seenMs = beganMs;
      else lose();
    } catch {
      // The database is away: the next heartbeat tries again, and isSure() tells meanwhile.
    }
  }

  function lose(): void {
    if (isLost) return;
    isLost = true;
    clearInterval(timer);
    lost();
  }

  await withClient(pool, (client) => record(client, rolesWhenActive));
  // oxlint-disable-next-line no-restricted-globals -- real time: other nodes judge the heartbeats by the database's clock
  const timer = setInterval(() => {
    beating ??= beat().finally(() => (beating = undefined));
  }, heartbeatMs);
  timer.unref();
  return {
    epoch,
    isSure: () => !isLost && monotonicMs() - seenMs < unsureAfterMs,
    onLost: (handler) => void (lost = handler),
    async release() {
      clearInterval(timer);
      await beating;
      if (!isLost) await inTurn('ended = true', (client) => forgetNode(client, node)).catch(() => undefined);
    },
  };
}
