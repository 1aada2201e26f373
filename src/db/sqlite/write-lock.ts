import { afterIo, nextMacrotask } from '../../base/clock.ts';

/**
 * Decides which of the process's two connections (open.ts, background-connection.ts) may write. SQLite allows one writer at a time and
 * makes the other wait by blocking its whole thread. A connection that acquires this lock first waits without blocking anything.
 *
 * The background side hands the lock directly to a waiting main side. The main side only frees it, because the background thread may be
 * busy and take a while to notice; before the main side acquires the lock again, it gives a waiting background side time to take it.
 */
export type WriteLock = {
  /** Resolves when the caller holds the lock. The caller must release it. */
  acquire(): Promise<void>;
  release(): void;
  /** Whether the other side holds the lock now. */
  isHeldByPeer(): boolean;
  /** Resolves when the other side no longer holds the lock. That side may acquire the lock again at any moment. */
  whenFree(): Promise<void>;
  /** Whether callers on this side wait for the lock. */
  isAwaited(): boolean;
};

/** Runs `work` while holding the lock, and releases it even if `work` throws. */
export async function withWriteLock<T>(lock: WriteLock, work: () => Promise<T>): Promise<T> {
  await lock.acquire();
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Shared by both threads: the holder, and for each side whether it waits. */
export type WriteLockState = Int32Array<SharedArrayBuffer>;

/** The main thread's connection or the background thread's. The number is also the index of the side's waiting flag. */
export type Side = 1 | 2;
export const main: Side = 1;
export const background: Side = 2;

/** Index of the holder: a side, or `free`. */
const holder = 0;
const free = 0;

export const createWriteLockState = (): WriteLockState =>
  new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT));

export function createWriteLock(state: WriteLockState, side: Side): WriteLock {
  const peer: Side = side === main ? background : main;
  /** Callers on this side that wait for one another; only the first of a side competes with the peer. */
  const queue: Array<() => void> = [];
  let isTaken = false;

  /** Succeeds if the lock was free or the peer handed it over. */
  function tryAcquire(): boolean {
    const before = Atomics.compareExchange(state, holder, free, side);
    return before === free || before === side;
  }

  async function acquireFromPeer(): Promise<void> {
    Atomics.store(state, side, 1);
    while (!tryAcquire()) await changeOf(state, holder, peer);
    Atomics.store(state, side, 0);
  }

  return {
    async acquire() {
      if (isTaken) await new Promise<void>((resolve) => queue.push(resolve));
      isTaken = true;
      if (side === main && Atomics.load(state, peer) === 1) await nextMacrotask();
      if (!tryAcquire()) await acquireFromPeer();
    },
    release() {
      Atomics.store(state, holder, side === background && Atomics.load(state, main) === 1 ? main : free);
      Atomics.notify(state, holder);
      const next = queue.shift();
      // The next holder begins in the next tick of the event loop: a hundred transactions in a row would hold up all I/O.
      if (next) afterIo(next);
      else isTaken = false;
    },
    isAwaited: () => queue.length > 0,
    isHeldByPeer: () => Atomics.load(state, holder) === peer,
    async whenFree() {
      while (Atomics.load(state, holder) === peer) await changeOf(state, holder, peer);
    },
  };
}

/** Resolves when state[index] is no longer `value`. */
async function changeOf(state: WriteLockState, index: number, value: number): Promise<void> {
  const waiting = Atomics.waitAsync(state, index, value);
  if (waiting.async) await waiting.value;
}

/** Releases whatever the background side held or waited for. Call it after its thread has ended, for whatever reason. */
export function releaseAbandoned(state: WriteLockState): void {
  Atomics.store(state, background, 0);
  Atomics.compareExchange(state, holder, background, free);
  Atomics.notify(state, holder);
}
