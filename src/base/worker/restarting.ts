import type { WorkerProtocol } from './messages.ts';
import type { Thread } from './thread.ts';

/** A thread that is started for the first request, and again for the first one after it died. */
export type RestartingThread<P extends WorkerProtocol> = Pick<Thread<P>, 'request' | 'end'>;

export function restarting<P extends WorkerProtocol>(start: () => Promise<Thread<P>>): RestartingThread<P> {
  let current: Promise<Thread<P>> | undefined;

  async function begin(): Promise<Thread<P>> {
    try {
      const thread = await start();
      void thread.ended.then(() => (current = undefined));
      return thread;
    } catch (error) {
      current = undefined;
      throw error;
    }
  }

  return {
    async request(request, transfer) {
      return (await (current ??= begin())).request(request, transfer);
    },
    async end(graceMs) {
      const thread = await current?.catch(() => undefined); // one that could not be started need not be ended
      await thread?.end(graceMs);
    },
  };
}
