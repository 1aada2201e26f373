import { afterIo } from './clock.ts';

type Waiter<V> = { key: string; resolve: (value: V | undefined) => void; reject: (error: unknown) => void };

/**
 * Reads by key, where all that is asked for in one turn of the event loop is read at its end by one call of `load`. For hot paths whose
 * askers do not know of each other: one read for thirty keeps its code and pages in the processor's caches, which costs a third of
 * thirty reads between other work. Nothing is kept, so what is answered is never older than the question. When the read fails each
 * key is read alone, so that one that cannot be read fails for nobody but who asked for it. By hand: the library for it (dataloader) is
 * a cache first, with a job per key and turn to be switched off.
 */
export function batchReads<V>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): (key: string) => Promise<V | undefined> {
  let asked: Array<Waiter<V>> = [];
  async function answer(askers: ReadonlyArray<Waiter<V>>): Promise<void> {
    try {
      const found = await load(askers.map(({ key }) => key));
      for (const { key, resolve } of askers) resolve(found.get(key));
    } catch (error) {
      if (askers.length > 1) for (const asker of askers) await answer([asker]);
      else askers[0]!.reject(error);
    }
  }
  function answerAll(): void {
    const askers = asked;
    asked = [];
    void answer(askers);
  }
  return (key) =>
    new Promise((resolve, reject) => {
      if (asked.push({ key, resolve, reject }) === 1) afterIo(answerAll);
    });
}
