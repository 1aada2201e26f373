import { nextMacrotask } from '../base/clock.ts';

/**
 * Whose turn it is to write. SQLite lets one connection write at a time, and one that finds another writing holds up its whole thread
 * until that is done; of the two connections of the process (open.ts, beside.ts) each waits here instead, which holds up nobody. The
 * turn goes to the main side at once; the side beside, whose thread may be in the middle of something else, is left the time to take it.
 */
export type Turn = {
  /** Resolves when it is the caller's. Who takes it gives it back. */
  take(): Promise<void>;
  give(): void;
  /** Whether the other connection has it now. */
  isOthers(): boolean;
  /** Resolves when the other connection has it no more, as far as can be seen. */
  othersEnd(): Promise<void>;
};

/** Does something while the turn is its own; gives it back however that ends. */
export async function having<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  await turn.take();
  try {
    return await work();
  } finally {
    turn.give();
  }
}

/** The words that both threads see: who has the turn, a word for each side that says whether it waits, and whether `aside` may go on. */
export type TurnWords = Int32Array<SharedArrayBuffer>;
const holder = 0;
const held = 3;
const free = 0;

/** The connection that requests are answered on, and the one of the thread beside it. Each is also the place of its own word. */
export type Side = 1 | 2;
export const main: Side = 1;
export const aside: Side = 2;

export const turnWords = (): TurnWords => new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT));

export function createTurn(words: TurnWords, side: Side): Turn {
  const other: Side = side === main ? aside : main;
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
    async take() {
      if (taken) await new Promise<void>((resolve) => queue.push(resolve));
      taken = true;
      if (side === main && Atomics.load(words, other) === 1) await nextMacrotask();
      if (side === aside) while (Atomics.load(words, held) === 1) await change(words, held, 1);
      if (!tryTake()) await takeFromOther();
    },
    give() {
      Atomics.store(words, holder, side === aside && Atomics.load(words, main) === 1 ? main : free);
      Atomics.notify(words, holder);
      const next = queue.shift();
      if (next) next();
      else taken = false;
    },
    isOthers: () => Atomics.load(words, holder) === other,
    async othersEnd() {
      while (Atomics.load(words, holder) === other) await change(words, holder, other);
    },
  };
}

/** Resolves when a word is no longer what it is said to be. */
async function change(words: TurnWords, word: number, from: number): Promise<void> {
  const waiting = Atomics.waitAsync(words, word, from);
  if (waiting.async) await waiting.value;
}

/** Keeps the other side from writing until it is let go again. Called by the main side, which then has to take the turn once. */
export const holdAside = (words: TurnWords): void => void Atomics.store(words, held, 1);

export function letAsideGo(words: TurnWords): void {
  Atomics.store(words, held, 0);
  Atomics.notify(words, held);
}

/** After the thread of the other side has ended, however it did: what it had is free. */
export function freeAside(words: TurnWords): void {
  Atomics.store(words, aside, 0);
  Atomics.compareExchange(words, holder, aside, free);
  Atomics.notify(words, holder);
}
