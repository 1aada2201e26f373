import { monotonicMs, pause } from '../base/clock.ts';

/** While other jobs run, a result waits so long (real time) for company: a commit costs as much for one as for a hundred. */
const gatherMs = 40;

/** When what finished goes to the store: at once when it is `full`, else when it has waited long enough. */
export type Gathering = {
  isRipe(): boolean;
  /** Something finished: calls `ripe` now or when it has waited long enough. */
  look(): void;
  /** What finished is in the store; what finishes from here on waits anew. */
  emptied(): void;
};

export function createGathering({ full, ripe }: { full: () => boolean; ripe: () => void }): Gathering {
  let ripeAt = 0;
  let alarmed = false;
  const isRipe = (): boolean => full() || monotonicMs() >= ripeAt;
  async function lookLater(): Promise<void> {
    alarmed = true;
    await pause(Math.max(0, ripeAt - monotonicMs()));
    alarmed = false;
    look();
  }
  function look(): void {
    if (isRipe()) ripe();
    else if (!alarmed) void lookLater();
  }
  return { isRipe, look, emptied: () => void (ripeAt = monotonicMs() + gatherMs) };
}
