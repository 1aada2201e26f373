import { lookup, type LookupAddress } from 'node:dns';
import { after } from '../clock.ts';
import { currentOwner } from '../on-behalf-of.ts';
import { createSlots } from '../fair/slots.ts';

/** The part of `dns.lookup` that is used: all addresses of a name at once. */
export type Resolver = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type Callback = Parameters<Resolver>[2];
/** A name that somebody asks for. A lookup cannot be cancelled: it keeps its thread until the system's resolver gives up. */
type Lookup = { hostname: string; owner: string; waiting: Set<Callback> };

export type FairOptions = {
  /** Lookups that run at the same time; each occupies a thread. With at least three, one organization alone leaves one free. */
  maxRunning: number;
  /** Whoever waits longer gets an error, whether or not the lookup has begun. */
  timeoutMs: number;
};

/**
 * A resolver that runs few lookups at a time and shares them fairly between organizations: names whose name server does not answer delay
 * only the organization that asks for them. A name that is being looked up is not looked up a second time.
 */
export function fairResolver(resolve: Resolver, { maxRunning, timeoutMs }: FairOptions): Resolver {
  const slots = createSlots({ max: maxRunning });
  /** Lookups that wait for a slot, by owner and name. */
  const waiting = new Map<string, Lookup>();
  const running = new Map<string, Lookup>();

  const keyOf = ({ owner, hostname }: Pick<Lookup, 'owner' | 'hostname'>): string => `${owner} ${hostname}`;

  function run(wanted: Lookup): Promise<void> {
    const { hostname } = wanted;
    waiting.delete(keyOf(wanted));
    const same = running.get(hostname);
    if (same || wanted.waiting.size === 0) {
      for (const callback of wanted.waiting) same?.waiting.add(callback);
      wanted.waiting = same?.waiting ?? wanted.waiting;
      return Promise.resolve();
    }
    running.set(hostname, wanted);
    return new Promise((ended) => {
      resolve(hostname, { all: true }, (error, addresses) => {
        running.delete(hostname);
        ended();
        for (const callback of wanted.waiting) callback(error, addresses);
      });
    });
  }

  return (hostname, _options, callback) => {
    const owner = currentOwner();
    const known = running.get(hostname) ?? waiting.get(keyOf({ owner, hostname }));
    const wanted: Lookup = known ?? { hostname, owner, waiting: new Set() };
    const answer: Callback = (error, addresses) => {
      cancelTimeout();
      callback(error, addresses);
    };
    const cancelTimeout = after(timeoutMs, () => {
      if (!wanted.waiting.delete(answer)) return;
      callback(new Error(`there was no answer within ${timeoutMs} ms`), []);
    });
    wanted.waiting.add(answer);
    if (known) return;
    waiting.set(keyOf(wanted), wanted);
    void slots.run(owner, () => run(wanted));
  };
}

/** Threads that stay free for files and compression. */
const otherThreads = 4;
const minLookups = 3;

/** How many lookups may run: libuv's pool has four threads unless the environment says otherwise (bin/parley.js does). */
function maxLookups(): number {
  const threads = Number.parseInt(process.env['UV_THREADPOOL_SIZE'] ?? '4', 10);
  return Math.max(minLookups, (Number.isNaN(threads) ? 4 : threads) - otherThreads);
}

let shared: Resolver | undefined;

/** `dns.lookup`, which honours the hosts file, for all clients of the process. */
export const systemResolver: Resolver = (...query) => {
  shared ??= fairResolver(lookup, { maxRunning: maxLookups(), timeoutMs: 15_000 });
  shared(...query);
};
