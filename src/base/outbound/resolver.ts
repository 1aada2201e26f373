import { lookup, type LookupAddress } from 'node:dns';
import { after } from '../clock.ts';
import { currentOwner } from '../on-behalf-of.ts';
import { createShares } from '../shares.ts';

/** The part of `dns.lookup` that is used: all addresses of a name at once. */
export type Resolver = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type Callback = Parameters<Resolver>[2];
/** A name that somebody asks for. A lookup cannot be cancelled: it keeps its thread until the system's resolver gives up. */
type Lookup = { hostname: string; waiting: Set<Callback> };
/** The lookups of one organization that wait for a thread. */
type OwnLookups = { poolName: 'lookups'; scope: string; lane: string; waiting: Lookup[] };

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
  const shares = createShares<OwnLookups>({ pool: () => maxRunning, lane: () => maxRunning });
  const owners = new Map<string, OwnLookups>();
  const running = new Map<string, Lookup>();

  function ownOf(scope: string): OwnLookups {
    const own = owners.get(scope) ?? { poolName: 'lookups', scope, lane: scope, waiting: [] };
    owners.set(scope, own);
    return own;
  }

  function leave(own: OwnLookups): void {
    shares.remove(own);
    owners.delete(own.scope);
  }

  function start(): void {
    for (let own = shares.next(); own; own = shares.next()) {
      const next = own.waiting.shift();
      if (own.waiting.length === 0) leave(own);
      if (next) run(own, next);
      else shares.finished(own);
    }
  }

  function run(own: OwnLookups, wanted: Lookup): void {
    const { hostname } = wanted;
    const same = running.get(hostname);
    if (same || wanted.waiting.size === 0) {
      for (const callback of wanted.waiting) same?.waiting.add(callback);
      wanted.waiting = same?.waiting ?? wanted.waiting;
      shares.finished(own);
      return;
    }
    running.set(hostname, wanted);
    resolve(hostname, { all: true }, (error, addresses) => {
      running.delete(hostname);
      shares.finished(own);
      for (const callback of wanted.waiting) callback(error, addresses);
      start();
    });
  }

  function lookupOf(hostname: string): Lookup {
    const same = running.get(hostname);
    if (same) return same;
    const own = ownOf(currentOwner());
    const asked = own.waiting.find((other) => other.hostname === hostname);
    if (asked) return asked;
    const wanted: Lookup = { hostname, waiting: new Set() };
    own.waiting.push(wanted);
    shares.add(own);
    return wanted;
  }

  return (hostname, _options, callback) => {
    const wanted = lookupOf(hostname);
    const answer: Callback = (error, addresses) => {
      cancelTimeout();
      callback(error, addresses);
    };
    const cancelTimeout = after(timeoutMs, () => {
      if (!wanted.waiting.delete(answer)) return;
      callback(new Error(`there was no answer within ${timeoutMs} ms`), []);
    });
    wanted.waiting.add(answer);
    start();
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
