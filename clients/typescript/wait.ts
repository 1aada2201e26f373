/** Waits. @throws the signal's reason when it aborts */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      Math.max(0, ms),
    );
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Twice as long each time, and at random, so that clients do not all come back at once. */
export const backoffMs = (attempt: number, maxMs: number): number =>
  Math.min(maxMs, 250 * 2 ** attempt) * (0.5 + Math.random() / 2);

/**
 * Runs something that may take `ms` (0: as long as it takes). Its signal aborts then, and when `outer` aborts.
 * @throws Error when it takes longer
 */
export async function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const abort = (): void => limit.abort(outer!.reason);
  const late = (): void => limit.abort(new Error(`The answer was not complete within ${ms / 1000} s.`));
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort);
  const timer = ms > 0 ? setTimeout(late, ms) : undefined;
  try {
    return await run(limit.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}
