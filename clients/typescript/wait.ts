/** Waits. @throws the signal's reason when it aborts */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Twice as long each time, and at random, so that clients do not all come back at once. */
export const backoffMs = (attempt: number, maxMs: number): number =>
  Math.min(maxMs, 250 * 2 ** attempt) * (0.5 + Math.random() / 2);
