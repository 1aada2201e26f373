import { after, monotonicMs } from '../../base/clock.ts';
import { lateness, type Lateness } from './lateness.ts';

/** Calls back every 20 ms for each call. `skipped`: slots that passed without a call back, because the thread was busy. */
export type Tick = (nowMs: number, skipped: number) => void;

/**
 * One timer for all calls of the thread. The calls are spread over the 20 ms, so that no slot has the work of all of them; a timer a call
 * would cost more than the packet.
 */
export type Pacer = {
  /** Returns a function that removes the call. */
  add(tick: Tick): () => void;
  /**
   * Runs the slots that are due before the timer does. Called for every packet that comes: the event loop reads thousands of waiting packets
   * before it looks at timers again, and sending would stand still meanwhile.
   */
  catchUp(): void;
  lateness: Lateness;
  skippedSlots(): number;
  stop(): void;
};

const packetMs = 20;
const slotMs = 2;
const slots = packetMs / slotMs;

type Slot = { dueMs: number; ticks: Set<Tick> };

/** By hand: libraries for pacing do not exist. `now` and `wait` are replaced by tests. */
export function createPacer({ now = monotonicMs, wait = after } = {}): Pacer {
  const late = lateness();
  const startMs = now();
  const table: Slot[] = Array.from({ length: slots }, (_, index) => ({
    dueMs: startMs + index * slotMs,
    ticks: new Set(),
  }));
  let skippedSlots = 0;
  let cancel: (() => void) | undefined;
  /** When the timer should ring. */
  let nextMs = Infinity;

  function run(slot: Slot, nowMs: number): void {
    const lateMs = nowMs - slot.dueMs;
    const skipped = Math.floor(lateMs / packetMs);
    slot.dueMs += (skipped + 1) * packetMs;
    skippedSlots += skipped * slot.ticks.size;
    for (const tick of slot.ticks) {
      const atMs = now();
      late.add(lateMs + atMs - nowMs);
      tick(atMs, skipped);
    }
  }

  function runDue(): void {
    cancel = undefined;
    nextMs = Infinity;
    for (const slot of table) {
      const nowMs = now();
      if (slot.ticks.size > 0 && slot.dueMs <= nowMs) run(slot, nowMs);
    }
    arm();
  }

  function arm(): void {
    const used = table.filter(({ ticks }) => ticks.size > 0);
    if (used.length === 0 || cancel) return;
    nextMs = Math.min(...used.map((slot) => slot.dueMs));
    cancel = wait(Math.max(0, Math.ceil(nextMs - now())), runDue);
  }

  function stop(): void {
    cancel?.();
    cancel = undefined;
    nextMs = Infinity;
  }

  /** A slot that had no calls stood still. */
  function wake(slot: Slot): void {
    const behindMs = now() - slot.dueMs;
    if (behindMs > 0) slot.dueMs += Math.ceil(behindMs / packetMs) * packetMs;
  }

  return {
    add(tick) {
      const slot = table.reduce((least, other) => (other.ticks.size < least.ticks.size ? other : least));
      if (slot.ticks.size === 0) wake(slot);
      slot.ticks.add(tick);
      stop(); // the new slot may be due before the one that the timer waits for
      arm();
      return () => slot.ticks.delete(tick);
    },
    catchUp() {
      if (now() < nextMs) return;
      stop();
      runDue();
    },
    lateness: late,
    skippedSlots: () => skippedSlots,
    stop,
  };
}
