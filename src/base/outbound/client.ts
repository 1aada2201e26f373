import { memoize } from '../memoize.ts';
import { OutboundError, stoppingMessage } from './errors.ts';
import { type OutboundRequest, type OutboundResponse, type Target, exchange, type MaySend } from './exchange.ts';
import { type Guard, type OutboundPolicy, createGuard } from './guard.ts';
import type { Pools } from './pools.ts';
import { type Resolver, systemResolver } from './resolver.ts';
import { trust } from './trust.ts';

export { OutboundError } from './errors.ts';
export type { OutboundRequest, OutboundResponse } from './exchange.ts';
export type { Resolver } from './resolver.ts';

/** `guard: false` is for addresses that the operator configures, such as the calendar's and the carrier's (docs/api/outbound.md). */
export type OutboundOptions = ({ policy: OutboundPolicy } | { guard: false }) & {
  /** Default: `dns.lookup`, which honours the hosts file, with a bound that organizations share. */
  resolver?: Resolver | undefined;
  /** PEM certificates (the content of `outbound.ca_file`) to trust in addition to the runtime's own. */
  ca?: string | undefined;
  /** Connections per origin; further requests queue for one, and their time-outs run meanwhile. */
  connectionsPerOrigin?: number;
  /** Default: always. */
  maySend?: MaySend;
};

export type Outbound = {
  /** Sends one request. Every status is a response, redirects included; anything else rejects with an OutboundError. */
  request: (url: string, request: OutboundRequest) => Promise<OutboundResponse>;
  post: (url: string, request: Omit<OutboundRequest, 'method'>) => Promise<OutboundResponse>;
  /** Closes every connection. Requests in flight, and later ones, fail with reason `aborted`. */
  close: () => Promise<void>;
};

/** More connections than the job runner has requests in flight, so that hanging URLs never block another URL of their origin. */
const CONNECTIONS_PER_ORIGIN = 512;

/** Where a URL leads, or a sentence that says why it is refused. */
function targetOrRefusal(guard: Guard, address: string): Target | string {
  const url = URL.parse(address);
  if (url === null) return 'The URL is not valid.';
  return guard.refusalOf(url) ?? { origin: url.origin, host: url.host, path: url.pathname + url.search };
}

/** Parsed URLs that are kept. With fewer, an installation with 10,000 webhook URLs would parse one per delivery. */
const maxTargets = 20_000;

/** Allows every address. */
const UNGUARDED: Guard = {
  refusalOf: (url) => (/^https?:$/.test(url.protocol) ? null : 'The URL must start with https:// or http://.'),
  permits: () => true,
};

/**
 * An HTTP client with keep-alive pools. The guard checks the URL of every request and the address of every connection.
 * Throws a RangeError when `policy.allowNetworks` is malformed, and a TypeError when `ca` is.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const guard = 'policy' in options ? createGuard(options.policy) : UNGUARDED;
  const connecting = {
    resolver: options.resolver ?? systemResolver,
    permits: guard.permits,
    secureContext: options.ca === undefined ? undefined : trust(options.ca),
    connectionsPerOrigin: options.connectionsPerOrigin ?? CONNECTIONS_PER_ORIGIN,
  };
  // The same few URLs are requested again and again, and the guard's answer for a URL never changes.
  const targetOf = memoize(maxTargets, (address) => targetOrRefusal(guard, address));
  let pools: Promise<Pools> | undefined;
  let isClosed = false;
  // Loaded with the first request: undici is a large part of the start-up time, and many installations send nothing for a while.
  const load = (): Promise<Pools> => import('./pools.ts').then(({ createPools }) => createPools(connecting));

  const request: Outbound['request'] = async (address, init) => {
    const target = targetOf(address);
    if (typeof target === 'string') throw new OutboundError('refused_address', target);
    if (isClosed) throw new OutboundError('aborted', stoppingMessage);
    return exchange(await (pools ??= load()), target, init, options.maySend);
  };
  return {
    request,
    post: (url, init) => request(url, { ...init, method: 'POST' }),
    async close() {
      isClosed = true;
      await (await pools)?.destroy();
    },
  };
}
