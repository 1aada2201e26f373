import { after, afterIo } from '../../base/clock.ts';

/** Runs a task soon. A task that waits already is not added again. */
export type Spread = (task: () => void) => void;

/** How long the first task waits, so that topics which are read shortly after one another reach a stream in one write. */
const gatherMs = 40;
/** Tasks that run in one tick of the event loop. A write to a socket takes some 20 µs, and other requests wait for the whole tick. */
const tasksAtOnce = 20;
/** The pause between two ticks: 500 streams are written to within some 150 ms. */
const pauseMs = 5;

/** Spreads short tasks over many ticks of the event loop, because 500 writes in one tick would delay every other request by 10 ms. */
export function createSpread(): Spread {
  const waiting = new Set<() => void>();
  let isScheduled = false;

  function runSome(): void {
    isScheduled = false;
    let left = tasksAtOnce;
    for (const task of waiting) {
      if (left-- === 0) break;
      waiting.delete(task);
      task();
    }
    if (waiting.size > 0) schedule(pauseMs);
  }

  /** Late timers may fire one after the other in one tick; `afterIo` puts other requests between them. */
  function schedule(ms: number): void {
    if (isScheduled) return;
    isScheduled = true;
    after(ms, () => afterIo(runSome));
  }

  return (task) => {
    waiting.add(task);
    schedule(gatherMs);
  };
}
