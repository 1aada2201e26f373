/**
 * An owner may occupy at most this many times as many slots as are free. With 2, an owner alone gets two thirds of them, two get two fifths
 * each, and a newcomer finds a free slot instead of waiting for somebody's slow work, unless about half as many owners as there are slots
 * are using them.
 */
const lending = 2;

/**
 * When a full lane gets room, this many of the queues that wait for it may compete for it again, or as many as there is room for, if that
 * is more. With all of them, each end would cost as much as there are owners waiting for the lane. With one, an owner that has used up its
 * share would keep the others from the room.
 */
const minUnblocked = 8;

/** A lane, of all owners: how much may run and does run in it, how often it is held, and the queues that wait for room in it. */
type Lane<Q> = { max: number; running: number; holds: number; blocked: Set<Q> };
/**
 * An owner: how much of its work runs, in total and in each lane, and, in the order of rotation, its queues that do not wait for room in a
 * lane.
 */
type Owner<Q> = { running: number; ready: Set<Q>; runningInLane: Map<string, number> };

/** The waiting work of one owner (`scope`) in one lane. */
export type Queue = { scope: string; lane: string };

/**
 * Decides whose work gets the next slot. Owners, mostly organizations, take turns, and the lanes of an owner (an endpoint, a site, a
 * campaign) take turns in the owner's share. An owner may also use slots that no other wants, but not all of them.
 */
export type Rotation<Q extends Queue> = {
  /** To be called when the queue has work to start. */
  add(queue: Q): void;
  /** To be called when the queue has no more work to start. */
  remove(queue: Q): void;
  /** The next queue that may start work, in the order of rotation. Its slot is taken until `finished`. */
  next(): Q | undefined;
  finished(queue: Q): void;
  isHeld(queue: Q): boolean;
  /** Starts nothing in the lane until each `hold` has been undone by a `release`. */
  hold(queue: Q): void;
  release(queue: Q): void;
};

/** The lanes by name, as long as something runs or waits in them. */
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

/**
 * By hand, because the known fair-queueing libraries limit one resource and have no lanes inside an owner.
 * @param max how many slots there are
 * @param laneMax how many of them a lane may use
 */
export function createRotation<Q extends Queue>(max: number, laneMax: (queue: Q) => number): Rotation<Q> {
  const owners = new Map<string, Owner<Q>>();
  const lanes = createLanes(laneMax);
  let running = 0;

  function ownerOf({ scope }: Q): Owner<Q> {
    const owner = owners.get(scope) ?? { running: 0, ready: new Set(), runningInLane: new Map() };
    owners.set(scope, owner);
    return owner;
  }
  function forgetIdle(queue: Q): void {
    if (isIdleOwner(owners.get(queue.scope))) owners.delete(queue.scope);
    lanes.forgetIdle(queue);
  }
  /** Moves queues that waited for room in the lane back into the rotation of their owners. */
  function unblock(lane: Lane<Q>): void {
    for (const queue of takeBlocked(lane)) ownerOf(queue).ready.add(queue);
  }

  /** How many more slots the owner may take. */
  const roomOf = (owner: Owner<Q>): number => (max - running) * lending - owner.running;

  function countStart(owner: Owner<Q>, queue: Q): void {
    owners.delete(queue.scope);
    owners.set(queue.scope, owner); // moves it to the end: the other owners come first now
    running += 1;
    owner.running += 1;
    lanes.of(queue).running += 1;
    owner.runningInLane.set(queue.lane, (owner.runningInLane.get(queue.lane) ?? 0) + 1);
  }

  return {
    add: (queue) => void (lanes.of(queue).blocked.has(queue) || ownerOf(queue).ready.add(queue)),
    remove(queue) {
      const lane = lanes.of(queue);
      lane.blocked.delete(queue);
      // Another queue may use the room that this one was to use.
      if (ownerOf(queue).ready.delete(queue) && lane.running < lane.max) unblock(lane);
      forgetIdle(queue);
    },
    next() {
      if (running >= max) return undefined;
      for (const owner of owners.values()) {
        const room = roomOf(owner);
        const queue = room > 0 ? nextOf(owner, lanes.of, room) : undefined;
        if (!queue) continue;
        countStart(owner, queue);
        return queue;
      }
      return undefined;
    },
    finished(queue) {
      const lane = lanes.of(queue);
      lane.running -= 1;
      running -= 1;
      countEnd(ownerOf(queue), queue.lane);
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
 * The owner's next queue that may take a slot: its lane has room, and has not used up its part of the owner's share. `room` is how many more
 * slots the owner may take.
 */
function nextOf<Q extends Queue>(owner: Owner<Q>, laneOf: (queue: Q) => Lane<Q>, room: number): Q | undefined {
  const { ready } = owner;
  for (const queue of ready) {
    const lane = laneOf(queue);
    if (isFull(lane)) {
      ready.delete(queue);
      lane.blocked.add(queue);
    } else if (hasShare(owner, queue, room)) {
      ready.delete(queue);
      ready.add(queue); // moves it to the end: the owner's other lanes come first now
      return queue;
    }
  }
  return undefined;
}

/** Whether the lane has no room for more work. */
const isFull = <Q>({ holds, running, max }: Lane<Q>): boolean => holds > 0 || running >= max;

/** Whether the queue's lane has not used up its part of the owner's share. */
function hasShare<Q extends Queue>({ runningInLane }: Owner<Q>, { lane }: Q, room: number): boolean {
  const own = runningInLane.get(lane) ?? 0;
  return own === 0 || own < room * lending;
}

function countEnd<Q>(owner: Owner<Q>, lane: string): void {
  const { runningInLane } = owner;
  owner.running -= 1;
  const left = (runningInLane.get(lane) ?? 0) - 1;
  if (left > 0) runningInLane.set(lane, left);
  else runningInLane.delete(lane);
}

const isIdleOwner = <Q>(owner: Owner<Q> | undefined): boolean => owner?.running === 0 && owner.ready.size === 0;
