import { afterIo } from './clock.ts';

type Waiter<V> = { key: string; resolve: (value: V | undefined) => void; reject: (error: unknown) => void };

/**
 * Combines reads by key into one call of `load`: those of `ticks` turns of the event loop, and those that came while the call before was
 * under way. For hot paths whose callers do not know of each other: one read of thirty keys costs a third of thirty reads. Nothing is
 * cached, so an answer is never older than its request. If the combined read fails, each key is read alone, so that a bad key fails only
 * for its own caller. By hand, because dataloader is primarily a cache, which would have to be disabled for every key.
 */
export function batchReads<V>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
  { ticks = 1 }: { ticks?: number } = {},
): (key: string) => Promise<V | undefined> {
  let waiting: Array<Waiter<V>> = [];
  let isLoading = false;
  async function answer(waiters: ReadonlyArray<Waiter<V>>): Promise<void> {
    try {
      const found = await load(waiters.map(({ key }) => key));
      for (const { key, resolve } of waiters) resolve(found.get(key));
    } catch (error) {
      if (waiters.length > 1) for (const waiter of waiters) await answer([waiter]);
      else waiters[0]!.reject(error);
    }
  }
  async function answerAll(): Promise<void> {
    const waiters = waiting;
    waiting = [];
    await answer(waiters);
    if (waiting.length > 0) soon();
    else isLoading = false;
  }
  function soon(left = ticks): void {
    afterIo(() => (left > 1 ? soon(left - 1) : void answerAll()));
  }
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (isLoading) return;
      isLoading = true;
      soon();
    });
}
