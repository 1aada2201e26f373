import { Agent, get } from 'node:http';

/** Times of a small read in ascending order; it is sent every few ms until stopped, on another connection when the one before waits. */
export function startReads(url: string, apiKey: string, everyMs = 5): { stop(): Promise<number[]> } {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const pending = new Set<Promise<void>>();
  const read = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const onAnswer = (): void => {
        times.push(performance.now() - startedAt);
        resolve();
      };
      get(url, { agent, headers: { 'x-api-key': apiKey } }, (answer) => answer.on('end', onAnswer).resume()).once(
        'error',
        reject,
      );
    });
  const timer = setInterval(() => {
    const reading = read().finally(() => pending.delete(reading));
    pending.add(reading);
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      agent.destroy();
      return times.toSorted((a, b) => a - b);
    },
  };
}
