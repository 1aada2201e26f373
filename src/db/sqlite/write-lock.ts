import { nextMacrotask } from '../../base/clock.ts';

/**
 * Whose turn it is to write. SQLite lets one connection write at a time, and one that finds another writing holds up its whole thread
 * until that is done; of the two connections of the process (open.ts, beside.ts) each waits here instead, which holds up nobody. The
 * turn goes to the main side at once; the side beside, whose thread may be in the middle of something else, is left the time to take it.
 */
export type WriteLock = {
  /** Resolves when it is the caller's. Who takes it gives it back. */
  acquire(): Promise<void>;
  release(): void;
  /** Whether the other connection has it now. */
  isHeldByPeer(): boolean;
  /** Resolves when the other connection has it no more, as far as can be seen. */
  whenFree(): Promise<void>;
};

/** Does something while the turn is its own; gives it back however that ends. */
export async function withWriteLock<T>(turn: WriteLock, work: () => Promise<T>): Promise<T> {
  await turn.acquire();
  try {
    return await work();
  } finally {
    turn.release();
  }
}

/** The words that both threads see: who has the turn, a word for each side that says whether it waits, and whether `aside` may go on. */
export type WriteLockState = Int32Array<SharedArrayBuffer>;
const holder = 0;
const held = 3;
const free = 0;

/** The connection that requests are answered on, and the one of the thread beside it. Each is also the place of its own word. */
export type Side = 1 | 2;
export const main: Side = 1;
export const background: Side = 2;

export const createWriteLockState = (): WriteLockState =>
  new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT));

export function createWriteLock(words: WriteLockState, side: Side): WriteLock {
  const other: Side = side === main ? background : main;
  const queue: Array<() => void> = [];
  let taken = false;

  /** Whether the turn is this side's: it was free, or was handed over. */
  function tryTake(): boolean {
    const before = Atomics.compareExchange(words, holder, free, side);
    return before === free || before === side;
  }

  async function takeFromOther(): Promise<void> {
    Atomics.store(words, side, 1);
    while (!tryTake()) await change(words, holder, other);
    Atomics.store(words, side, 0);
  }

  return {
    async acquire() {
      if (taken) await new Promise<void>((resolve) => queue.push(resolve));
      taken = true;
      if (side === main && Atomics.load(words, other) === 1) await nextMacrotask();
      if (side === background) while (Atomics.load(words, held) === 1) await change(words, held, 1);
      if (!tryTake()) await takeFromOther();
    },
    release() {
      Atomics.store(words, holder, side === background && Atomics.load(words, main) === 1 ? main : free);
      Atomics.notify(words, holder);
      const next = queue.shift();
      if (next) next();
      else taken = false;
    },
    isHeldByPeer: () => Atomics.load(words, holder) === other,
    async whenFree() {
      while (Atomics.load(words, holder) === other) await change(words, holder, other);
    },
  };
}

/** Resolves when a word is no longer what it is said to be. */
async function change(words: WriteLockState, word: number, from: number): Promise<void> {
  const waiting = Atomics.waitAsync(words, word, from);
  if (waiting.async) await waiting.value;
}

/** Keeps the other side from writing until it is let go again. Called by the main side, which then has to take the turn once. */
export const pauseBackground = (words: WriteLockState): void => void Atomics.store(words, held, 1);

export function resumeBackground(words: WriteLockState): void {
  Atomics.store(words, held, 0);
  Atomics.notify(words, held);
}

/** After the thread of the other side has ended, however it did: what it had is free. */
export function releaseAbandoned(words: WriteLockState): void {
  Atomics.store(words, background, 0);
  Atomics.compareExchange(words, holder, background, free);
  Atomics.notify(words, holder);
}
