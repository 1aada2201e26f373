import { after, monotonicMs } from '../../base/clock.ts';

/**
 * After a read, the organization's next one waits for this many times as long as the read took. So the watchers of an organization take at
 * most a quarter of the main thread's time.
 */
const restFactor = 3;

/** A read of a topic. It handles its own errors. */
type Read = () => Promise<void>;

/** Runs reads of an organization one after the other. A read that waits already is not added again. */
export type Pace = (orgId: string, read: Read) => void;

/**
 * Makes a pace that leaves most of the main thread's time to others, however many topics an organization watches, and however slow they are
 * to read.
 */
export function createPace(): Pace {
  const waiting = new Map<string, Set<Read>>();

  async function run(orgId: string, reads: Set<Read>): Promise<void> {
    for (const read of reads) {
      reads.delete(read);
      const startedMs = monotonicMs();
      await read();
      await rest(restFactor * (monotonicMs() - startedMs));
    }
    waiting.delete(orgId);
  }

  return (orgId, read) => {
    const reads = waiting.get(orgId);
    if (reads) return void reads.add(read);
    const first = new Set([read]);
    waiting.set(orgId, first);
    void run(orgId, first);
  };
}

const rest = (ms: number): Promise<void> => new Promise((resolve) => void after(ms, resolve));
