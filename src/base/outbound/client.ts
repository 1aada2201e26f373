import { lookup } from 'node:dns';
import { memoize } from '../memoize.ts';
import type { Connections } from './connections.ts';
import type { Resolver } from './connector.ts';
import { OutboundError, stopping } from './errors.ts';
import { type OutboundRequest, type OutboundResponse, type Target, exchange } from './exchange.ts';
import { type Guard, type OutboundPolicy, createGuard } from './guard.ts';
import { trust } from './trust.ts';

export { OutboundError } from './errors.ts';
export type { OutboundRequest, OutboundResponse } from './exchange.ts';
export type { Resolver } from './connector.ts';

/** `guard: false` is for addresses that the operator configures (calendar, carrier): contract, section 12. */
export type OutboundOptions = ({ policy: OutboundPolicy } | { guard: false }) & {
  /** Default: `dns.lookup`, so hosts files and the system's resolver count. */
  resolver?: Resolver | undefined;
  /** `outbound.ca_file`'s content: PEM certificates trusted beside the runtime's own. */
  ca?: string | undefined;
  /** How many connections one origin may have; further requests wait for one, and their time-outs run. */
  connectionsPerOrigin?: number;
};

export type Outbound = {
  /** Sends one request. Rejects with an OutboundError; any status is an answer, redirects too. */
  request: (url: string, request: OutboundRequest) => Promise<OutboundResponse>;
  post: (url: string, request: Omit<OutboundRequest, 'method'>) => Promise<OutboundResponse>;
  /** Gives up what is in flight (reason `aborted`) and closes every connection; later requests fail the same way. */
  close: () => Promise<void>;
};

/** Above what the runner has in flight, so that hanging URLs never keep another URL of their origin waiting. */
const CONNECTIONS_PER_ORIGIN = 512;

/** Where a URL leads, or why it may not be asked, as a sentence. */
function targetOrFault(guard: Guard, address: string): Target | string {
  const url = URL.parse(address);
  if (url === null) return 'The URL is not valid.';
  const fault = guard.judge(url);
  return fault ?? { origin: url.origin, host: url.host, path: url.pathname + url.search };
}

/** Lets everything through that HTTP can reach. */
const UNGUARDED: Guard = {
  judge: (url) => (/^https?:$/.test(url.protocol) ? null : 'The URL must start with https:// or http://.'),
  permits: () => true,
};

/**
 * An HTTP client with keep-alive pools that reaches what its policy lets it, judged anew at every request and every
 * connection. Throws a RangeError or TypeError when `policy.allowNetworks` or `ca` is malformed.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const guard = 'policy' in options ? createGuard(options.policy) : UNGUARDED;
  const connecting = {
    resolver: options.resolver ?? lookup,
    permits: guard.permits,
    secureContext: options.ca === undefined ? undefined : trust(options.ca),
    connectionsPerOrigin: options.connectionsPerOrigin ?? CONNECTIONS_PER_ORIGIN,
  };
  // The same few URLs are asked for again and again, and a guard's verdict on one never changes.
  const targetOf = memoize(1000, (address) => targetOrFault(guard, address));
  let connections: Promise<Connections> | undefined;
  let isClosed = false;
  // With the first request: undici is a large part of what starting would load, and many an installation sends nothing for long.
  const load = (): Promise<Connections> =>
    import('./connections.ts').then(({ createConnections }) => createConnections(connecting));

  const request: Outbound['request'] = async (address, init) => {
    const target = targetOf(address);
    if (typeof target === 'string') throw new OutboundError('refused_address', target);
    if (isClosed) throw new OutboundError('aborted', stopping);
    return exchange(await (connections ??= load()), target, init);
  };
  return {
    request,
    post: (url, init) => request(url, { ...init, method: 'POST' }),
    async close() {
      isClosed = true;
      await (await connections)?.destroy();
    },
  };
}
