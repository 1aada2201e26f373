/**
 * How many times the free places of its pool an organization may occupy. With 2, an organization alone gets two thirds of a pool, two get
 * two fifths each, and a newcomer always finds a free place: nobody has to wait for a stranger's slow job to end.
 */
const lending = 2;

/** Running jobs of one lane, counted over all organizations. */
type Lane = { max: number; running: number; holds: number; blocked: Set<Queue> };
/** Running jobs of one organization in one pool. */
type Tenant = { running: number; ready: Set<Queue> };
type Pool = { max: number; running: number; tenants: Map<string, Tenant>; lanes: Map<string, Lane> };

/** One organization's waiting jobs in one lane of a pool. `scope` is the organization. */
export type Queue = { poolName: string; scope: string; lane: string };

/**
 * Decides whose job starts next. Every pool has a limit; inside it organizations take turns, and inside an organization its lanes (an
 * endpoint, a site, a campaign). Room that nobody else wants is lent, but never all of it.
 */
export type Shares<Q extends Queue> = {
  /** The queue has jobs to start. */
  add(queue: Q): void;
  /** The queue has none any more. */
  remove(queue: Q): void;
  /** The next queue that may start a job, in the order of turns. The job counts as running until `finished`. */
  next(): Q | undefined;
  finished(queue: Q): void;
  /** Starts nothing in the lane until as many calls of `release`. */
  hold(queue: Q): void;
  release(queue: Q): void;
  /** How many jobs of the lane may run at the same time. */
  maxOf(queue: Q): number;
};

/** How many jobs of the queue's pool, and of its lane, may run at the same time. */
export type ShareLimits<Q> = { pool: (queue: Q) => number; lane: (queue: Q) => number };

/** By hand, because the known fair-queueing libraries limit one resource and have no lanes inside a tenant. */
export function createShares<Q extends Queue>(limits: ShareLimits<Q>): Shares<Q> {
  const pools = new Map<string, Pool>();

  function poolOf(queue: Q): Pool {
    const known = pools.get(queue.poolName);
    if (known) return known;
    const pool: Pool = { max: limits.pool(queue), running: 0, tenants: new Map(), lanes: new Map() };
    pools.set(queue.poolName, pool);
    return pool;
  }
  function tenantOf(queue: Q): Tenant {
    const { tenants } = poolOf(queue);
    const known = tenants.get(queue.scope);
    if (known) return known;
    const tenant: Tenant = { running: 0, ready: new Set() };
    tenants.set(queue.scope, tenant);
    return tenant;
  }
  function laneOf(queue: Q): Lane {
    const { lanes } = poolOf(queue);
    const known = lanes.get(queue.lane);
    if (known) return known;
    const lane: Lane = { max: limits.lane(queue), running: 0, holds: 0, blocked: new Set() };
    lanes.set(queue.lane, lane);
    return lane;
  }
  function forgetIdle(queue: Q): void {
    const pool = poolOf(queue);
    const tenant = pool.tenants.get(queue.scope);
    if (tenant?.running === 0 && tenant.ready.size === 0) pool.tenants.delete(queue.scope);
    const lane = pool.lanes.get(queue.lane);
    if (lane?.running === 0 && lane.holds === 0 && lane.blocked.size === 0) pool.lanes.delete(queue.lane);
  }

  /** Moves the queues that waited for room in a lane back to their organizations' turns. */
  function unblock(lane: Lane): void {
    for (const queue of lane.blocked) tenantOf(queue as Q).ready.add(queue);
    lane.blocked.clear();
  }

  function nextOf({ ready }: Tenant, room: number): Q | undefined {
    for (const queue of ready as Set<Q>) {
      const lane = laneOf(queue);
      if (lane.holds > 0 || lane.running >= lane.max) {
        ready.delete(queue);
        lane.blocked.add(queue);
      } else if (lane.running === 0 || lane.running < room * lending) {
        ready.delete(queue);
        ready.add(queue); // at the end: the organization's other lanes come first now
        lane.running += 1;
        return queue;
      }
    }
    return undefined;
  }

  function nextIn(pool: Pool): Q | undefined {
    const free = pool.max - pool.running;
    if (free <= 0) return undefined;
    for (const [scope, tenant] of pool.tenants) {
      const room = free * lending - tenant.running;
      const queue = room > 0 ? nextOf(tenant, room) : undefined;
      if (!queue) continue;
      pool.running += 1;
      tenant.running += 1;
      pool.tenants.delete(scope);
      pool.tenants.set(scope, tenant); // at the end
      return queue;
    }
    return undefined;
  }

  return {
    add: (queue) => void (laneOf(queue).blocked.has(queue) || tenantOf(queue).ready.add(queue)),
    remove(queue) {
      tenantOf(queue).ready.delete(queue);
      laneOf(queue).blocked.delete(queue);
      forgetIdle(queue);
    },
    next() {
      for (const pool of pools.values()) {
        const queue = nextIn(pool);
        if (queue) return queue;
      }
      return undefined;
    },
    finished(queue) {
      const lane = laneOf(queue);
      lane.running -= 1;
      poolOf(queue).running -= 1;
      tenantOf(queue).running -= 1;
      unblock(lane);
      forgetIdle(queue);
    },
    hold: (queue) => void (laneOf(queue).holds += 1),
    release(queue) {
      const lane = laneOf(queue);
      lane.holds -= 1;
      unblock(lane);
      forgetIdle(queue);
    },
    maxOf: (queue) => laneOf(queue).max,
  };
}
