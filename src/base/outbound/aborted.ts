/** `at` is where it stands in its list; -1 once it is out of it. */
type Waiting = { callback: () => void; at: number };

const waiting = new WeakMap<AbortSignal, Waiting[]>();

/**
 * All who wait for a signal, behind one listener of its own: adding and removing listeners costs a tenth of a request. A list and no
 * Set: V8 makes a Set's table anew after so many additions and leaves in the old one what was in it and where the new one is, so
 * tables that got old would keep alive all that ever waited until the whole heap is collected.
 */
function waitingFor(signal: AbortSignal): Waiting[] {
  const known = waiting.get(signal);
  if (known) return known;
  const list: Waiting[] = [];
  waiting.set(signal, list);
  signal.addEventListener('abort', () => [...list].forEach(({ callback }) => callback()), { once: true });
  return list;
}

/** Calls back when the signal aborts; answers a function that ends the waiting. */
export function onceAborted(signal: AbortSignal, callback: () => void): () => void {
  const list = waitingFor(signal);
  const own: Waiting = { callback, at: list.length };
  list.push(own);
  return () => {
    if (own.at === -1) return;
    const last = list.pop()!;
    if (last !== own) {
      list[own.at] = last;
      last.at = own.at;
    }
    own.at = -1;
  };
}
