import { createRotation, type Queue } from './rotation.ts';

/** Runs a limited number of pieces of work at once. Owners, mostly organizations, take turns (rotation.ts). */
export type Slots = {
  /**
   * Runs work when a slot is free and it is the owner's turn.
   * @throws the work's error; the error of `full` if too much work of the owner waits; the reason of `signal`, or the error of `close`, if
   *   either comes before the work starts
   */
  run<R>(owner: string, work: () => Promise<R>, signal?: AbortSignal): Promise<R>;
  /** Rejects all waiting and future work with `reason`, and resolves when the running work has ended. */
  close(reason: () => Error): Promise<void>;
};

export type SlotsOptions = {
  /** How much runs at once. With at least three, one owner alone leaves one free. */
  max: number;
  /** How much work of each owner may wait, and the error for more. Without it: any amount, bounded by whoever sends it. */
  waiting?: { max: number; full: () => Error };
};

type Waiter = { hasStarted: boolean; start: PromiseWithResolvers<void> };
type Line = Queue & { waiters: Waiter[] };

/** Own code instead of p-limit, which has no owners and no maximum length, and cannot reject waiting work. */
export function createSlots({ max, waiting }: SlotsOptions): Slots {
  const rotation = createRotation<Line>(max, () => max);
  const lines = new Map<string, Line>();
  let running = 0;
  let closed: (() => Error) | undefined;
  let onIdle: (() => void) | undefined;

  function join(owner: string): { line: Line; waiter: Waiter } {
    const line = lines.get(owner) ?? { scope: owner, lane: owner, waiters: [] };
    const waiter: Waiter = { hasStarted: false, start: Promise.withResolvers() };
    lines.set(owner, line);
    line.waiters.push(waiter);
    rotation.add(line);
    return { line, waiter };
  }

  /** Takes a waiter that does not start out of its line. */
  function leave(line: Line, waiter: Waiter): void {
    line.waiters.splice(line.waiters.indexOf(waiter), 1);
    forgetEmpty(line);
  }

  function forgetEmpty(line: Line): void {
    if (line.waiters.length > 0) return;
    rotation.remove(line);
    lines.delete(line.scope);
  }

  function startNext(): void {
    for (let line = rotation.next(); line; line = rotation.next()) {
      const waiter = line.waiters.shift()!;
      forgetEmpty(line);
      running += 1;
      waiter.hasStarted = true;
      waiter.start.resolve();
    }
  }

  async function untilStart({ line, waiter }: ReturnType<typeof join>, signal: AbortSignal | undefined): Promise<void> {
    const abort = (): void => {
      if (waiter.hasStarted) return;
      leave(line, waiter);
      waiter.start.reject(signal!.reason);
    };
    signal?.addEventListener('abort', abort);
    try {
      await waiter.start.promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  return {
    async run(owner, work, signal) {
      signal?.throwIfAborted();
      if (closed) throw closed();
      const joined = join(owner);
      const { line, waiter } = joined;
      startNext();
      if (!waiter.hasStarted && waiting && line.waiters.length > waiting.max) {
        leave(line, waiter);
        throw waiting.full();
      }
      if (!waiter.hasStarted) await untilStart(joined, signal);
      try {
        return await work();
      } finally {
        running -= 1;
        rotation.finished(line);
        startNext();
        if (running === 0) onIdle?.();
      }
    },
    async close(reason) {
      closed = reason;
      for (const line of lines.values()) {
        for (const { start } of line.waiters.splice(0)) start.reject(reason());
        forgetEmpty(line);
      }
      if (running > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
}
