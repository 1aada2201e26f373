/**
 * An organization may occupy at most this many times as many places as are free in the pool. With 2, an organization alone gets two thirds
 * of the pool, two get two fifths each, and a newcomer finds a free place instead of waiting for somebody's slow job, unless about half as
 * many organizations as the pool has places are using it.
 */
const lending = 2;

/**
 * When a full lane gets room, this many of the queues that wait for it may compete for it again, or as many as there is room for, if that
 * is more. With all of them, each ended job would cost as much as there are organizations waiting for the lane. With one, an organization
 * that has used up its share would keep the others from the room.
 */
const minUnblocked = 8;

/**
 * A lane, with the jobs of all organizations: how many may run and do run, how often the lane is held, and the queues that wait for room in
 * it.
 */
type Lane<Q> = { max: number; running: number; holds: number; blocked: Set<Q> };
/**
 * An organization in a pool: how many of its jobs run, in total and in each lane, and, in the order of their turns, its queues that do not
 * wait for room in a lane.
 */
type Tenant<Q> = { running: number; ready: Set<Q>; runningInLane: Map<string, number> };

/** One organization's waiting jobs in one lane of a pool. `scope` is the organization. */
export type Queue = { poolName: string; scope: string; lane: string };

/**
 * Decides whose job starts next. Every pool has a limit. Organizations take turns in a pool, and the lanes of an organization (an endpoint,
 * a site, a campaign) take turns in the organization's share. An organization may also use places that no other wants, but not all of them.
 */
export type Shares<Q extends Queue> = {
  /** To be called when the queue has jobs to start. */
  add(queue: Q): void;
  /** To be called when the queue has no more jobs to start. */
  remove(queue: Q): void;
  /** The next queue that may start a job, in the order of turns. The job counts as running until `finished`. */
  next(): Q | undefined;
  /** Whether the queue, in which no job waits, may start one now. If so, that job counts as running until `finished`. */
  take(queue: Q): boolean;
  finished(queue: Q): void;
  isHeld(queue: Q): boolean;
  /** Starts nothing in the lane until each `hold` has been undone by a `release`. */
  hold(queue: Q): void;
  release(queue: Q): void;
  /** How many jobs of the lane may run at the same time. */
  maxOf(queue: Q): number;
};

/** How many jobs of the queue's pool, and of its lane, may run at the same time. */
export type ShareLimits<Q> = { pool: (queue: Q) => number; lane: (queue: Q) => number };

/** By hand, because the known fair-queueing libraries limit one resource and have no lanes inside a tenant. */
export function createShares<Q extends Queue>(limits: ShareLimits<Q>): Shares<Q> {
  const pools = new Map<string, PoolShares<Q>>();

  function poolOf(queue: Q): PoolShares<Q> {
    const known = pools.get(queue.poolName);
    if (known) return known;
    const pool = createPool(limits.pool(queue), limits.lane);
    pools.set(queue.poolName, pool);
    return pool;
  }

  return {
    add: (queue) => poolOf(queue).add(queue),
    remove: (queue) => poolOf(queue).remove(queue),
    next() {
      for (const pool of pools.values()) {
        const queue = pool.next();
        if (queue) return queue;
      }
      return undefined;
    },
    take: (queue) => poolOf(queue).take(queue),
    finished: (queue) => poolOf(queue).finished(queue),
    isHeld: (queue) => poolOf(queue).isHeld(queue),
    hold: (queue) => poolOf(queue).hold(queue),
    release: (queue) => poolOf(queue).release(queue),
    maxOf: (queue) => limits.lane(queue),
  };
}

type PoolShares<Q extends Queue> = Omit<Shares<Q>, 'maxOf'>;

/** The lanes of a pool by name, as long as something runs or waits in them. */
function createLanes<Q extends Queue>(maxOf: (queue: Q) => number) {
  const lanes = new Map<string, Lane<Q>>();
  return {
    of: (queue: Q): Lane<Q> => {
      const lane = lanes.get(queue.lane) ?? { max: maxOf(queue), running: 0, holds: 0, blocked: new Set() };
      lanes.set(queue.lane, lane);
      return lane;
    },
    isHeld: ({ lane }: Q): boolean => (lanes.get(lane)?.holds ?? 0) > 0,
    forgetIdle({ lane: name }: Q): void {
      const lane = lanes.get(name);
      if (lane?.running === 0 && lane.holds === 0 && lane.blocked.size === 0) lanes.delete(name);
    },
  };
}

/** Takes the queues that have waited longest for room in the lane, as many as may use it. */
function takeBlocked<Q>({ blocked, holds, max, running }: Lane<Q>): Q[] {
  if (holds > 0) return [];
  const taken = [...blocked.keys().take(Math.max(minUnblocked, max - running))];
  for (const queue of taken) blocked.delete(queue);
  return taken;
}

function createPool<Q extends Queue>(max: number, laneMax: (queue: Q) => number): PoolShares<Q> {
  const tenants = new Map<string, Tenant<Q>>();
  const lanes = createLanes(laneMax);
  let running = 0;

  function tenantOf({ scope }: Q): Tenant<Q> {
    const tenant = tenants.get(scope) ?? { running: 0, ready: new Set(), runningInLane: new Map() };
    tenants.set(scope, tenant);
    return tenant;
  }
  function forgetIdle(queue: Q): void {
    if (isIdleTenant(tenants.get(queue.scope))) tenants.delete(queue.scope);
    lanes.forgetIdle(queue);
  }
  /** Moves queues that waited for room in the lane back to their organizations' turns. */
  function unblock(lane: Lane<Q>): void {
    for (const queue of takeBlocked(lane)) tenantOf(queue).ready.add(queue);
  }

  /** How many more jobs the organization may start. */
  const roomOf = (tenant: Tenant<Q>): number => (max - running) * lending - tenant.running;

  function countStart(tenant: Tenant<Q>, queue: Q): void {
    tenants.delete(queue.scope);
    tenants.set(queue.scope, tenant); // moves it to the end: the other organizations come first now
    running += 1;
    tenant.running += 1;
    lanes.of(queue).running += 1;
    tenant.runningInLane.set(queue.lane, (tenant.runningInLane.get(queue.lane) ?? 0) + 1);
  }

  return {
    add: (queue) => void (lanes.of(queue).blocked.has(queue) || tenantOf(queue).ready.add(queue)),
    remove(queue) {
      const lane = lanes.of(queue);
      lane.blocked.delete(queue);
      // Another queue may use the room that this one was to use.
      if (tenantOf(queue).ready.delete(queue) && lane.running < lane.max) unblock(lane);
      forgetIdle(queue);
    },
    next() {
      if (running >= max) return undefined;
      for (const tenant of tenants.values()) {
        const room = roomOf(tenant);
        const queue = room > 0 ? nextOf(tenant, lanes.of, room) : undefined;
        if (!queue) continue;
        countStart(tenant, queue);
        return queue;
      }
      return undefined;
    },
    take(queue) {
      const tenant = tenantOf(queue);
      const room = running < max ? roomOf(tenant) : 0;
      const mayStart = room > 0 && !isFull(lanes.of(queue)) && hasShare(tenant, queue, room);
      if (mayStart) countStart(tenant, queue);
      else forgetIdle(queue);
      return mayStart;
    },
    finished(queue) {
      const lane = lanes.of(queue);
      lane.running -= 1;
      running -= 1;
      countEnd(tenantOf(queue), queue.lane);
      unblock(lane);
      forgetIdle(queue);
    },
    isHeld: lanes.isHeld,
    hold: (queue) => void (lanes.of(queue).holds += 1),
    release(queue) {
      const lane = lanes.of(queue);
      lane.holds -= 1;
      unblock(lane);
      forgetIdle(queue);
    },
  };
}

/**
 * The organization's next queue that may start a job: its lane has room, and has not used up its part of the organization's share. `room`
 * is how many more jobs the organization may start.
 */
function nextOf<Q extends Queue>(tenant: Tenant<Q>, laneOf: (queue: Q) => Lane<Q>, room: number): Q | undefined {
  const { ready } = tenant;
  for (const queue of ready) {
    const lane = laneOf(queue);
    if (isFull(lane)) {
      ready.delete(queue);
      lane.blocked.add(queue);
    } else if (hasShare(tenant, queue, room)) {
      ready.delete(queue);
      ready.add(queue); // moves it to the end: the organization's other lanes come first now
      return queue;
    }
  }
  return undefined;
}

/** Whether the lane has no room for another job. */
const isFull = <Q>({ holds, running, max }: Lane<Q>): boolean => holds > 0 || running >= max;

/** Whether the queue's lane has not used up its part of the organization's share. */
function hasShare<Q extends Queue>({ runningInLane }: Tenant<Q>, { lane }: Q, room: number): boolean {
  const own = runningInLane.get(lane) ?? 0;
  return own === 0 || own < room * lending;
}

function countEnd<Q>(tenant: Tenant<Q>, lane: string): void {
  const { runningInLane } = tenant;
  tenant.running -= 1;
  const left = (runningInLane.get(lane) ?? 0) - 1;
  if (left > 0) runningInLane.set(lane, left);
  else runningInLane.delete(lane);
}

const isIdleTenant = <Q>(tenant: Tenant<Q> | undefined): boolean => tenant?.running === 0 && tenant.ready.size === 0;
