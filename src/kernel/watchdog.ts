import { afterIo, monotonicMs } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { App } from './app.ts';
import { appLocal } from './node.ts';

/** A piece of work on the main thread, such as a request. Use one object for all of its marks. */
export type Work = {
  kind: 'operation' | 'job';
  /** The operation's id or the job's kind. */
  name: string;
  /** How much there is to do: bytes of a body, rows, jobs of a batch. May change while the work runs. */
  size: number;
};

/** How often and for how long one operation or job has blocked the main thread. */
export type Blocked = { kind: Work['kind']; name: string; count: number; seconds: number };

export type Watchdog = {
  /** Call it whenever the work starts or continues after waiting for anything but queries. */
  mark(work: Work): void;
  blocked(): Iterable<Blocked>;
};

/** Processor time that work may take in one go; longer work noticeably delays every other request. */
const maxBlockingMs = 100;

/**
 * Returns a function that reads the processor time of this thread, which, unlike elapsed time, does not grow while the machine is busy with
 * other processes. The function asks the system once a millisecond at most, because asking costs as much as parsing a small request.
 */
function threadCpuReader(): () => number {
  let readAtMs = -Infinity;
  let cpuMs = 0;
  return () => {
    const nowMs = monotonicMs();
    if (nowMs - readAtMs < 1) return cpuMs;
    const { user, system } = process.threadCpuUsage();
    readAtMs = nowMs;
    cpuMs = (user + system) / 1000;
    return cpuMs;
  };
}

/** Adds a job to the current work if that is jobs of its kind, because reading the processor time costs as much as a small job. */
function isMoreOf(current: Work | undefined, work: Work): boolean {
  if (current?.kind !== 'job' || work.kind !== 'job' || current.name !== work.name) return false;
  current.size += work.size;
  return true;
}

/**
 * Finds work that blocks the main thread. Processor time is charged to the work that was marked last, until other work is marked or the
 * event loop has handled the pending I/O. Database queries are synchronous, so a whole request often runs in one tick of the event loop.
 */
export function createWatchdog(log: Pick<Log, 'warn'>, cpuMs: () => number): Watchdog {
  const found = new Map<string, Blocked>();
  let current: Work | undefined;
  let startedMs = 0;
  let isTickWatched = false;

  function report({ kind, name, size }: Work, blockedMs: number): void {
    const key = `${kind} ${name}`;
    const entry = found.get(key) ?? { kind, name, count: 0, seconds: 0 };
    entry.count += 1;
    entry.seconds += blockedMs / 1000;
    found.set(key, entry);
    log.warn({ [kind]: name, size, cpuMs: Math.round(blockedMs) }, 'blocked the main thread for more than 100 ms');
  }

  function settle(nowMs: number): void {
    if (current && nowMs - startedMs > maxBlockingMs) report(current, nowMs - startedMs);
    current = undefined;
  }

  function endTick(): void {
    isTickWatched = false;
    settle(cpuMs());
  }

  return {
    mark(work) {
      if (work === current || isMoreOf(current, work)) return;
      const nowMs = cpuMs();
      settle(nowMs);
      current = work;
      startedMs = nowMs;
      if (isTickWatched) return;
      isTickWatched = true;
      afterIo(endTick);
    },
    blocked: () => found.values(),
  };
}

/** The process's watchdog. */
export const watchdogOf: (app: App) => Watchdog = appLocal(({ log }) => createWatchdog(log, threadCpuReader()));
