import { lookup } from 'node:dns';
import { Agent } from 'undici';
import { type Resolver, createConnector } from './connector.ts';
import { OutboundError } from './errors.ts';
import { type OutboundRequest, type OutboundResponse, exchange } from './exchange.ts';
import { type Guard, type OutboundPolicy, createGuard } from './guard.ts';

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

/** A connection attempt outlives a request that was given up; this ends it. Not less than webhooks may take in all. */
const CONNECT_TIMEOUT_MS = 30_000;
/** Idle connections go after this, and an origin's pool with its last one. Servers mostly keep 5 s and more. */
const KEEP_ALIVE_MS = 4_000;
/** A server's own `Keep-Alive: timeout=…` is followed up to here. */
const KEEP_ALIVE_MAX_MS = 60_000;
/** A busy connection is renewed after this, so that a name that moved is resolved, and judged, again. */
const CONNECTION_LIFETIME_MS = 300_000;
/** Above what the runner has in flight, so that hanging URLs never keep another URL of their origin waiting. */
const CONNECTIONS_PER_ORIGIN = 512;

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
  const agent = new Agent({
    connect: createConnector({
      resolver: options.resolver ?? lookup,
      permits: guard.permits,
      ca: options.ca,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
    }),
    connections: options.connectionsPerOrigin ?? CONNECTIONS_PER_ORIGIN,
    clientTtl: CONNECTION_LIFETIME_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    // The exchange's one timer covers these phases.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });

  const request: Outbound['request'] = async (address, init) => {
    const url = URL.parse(address);
    if (url === null) throw new OutboundError('refused_address', 'The URL is not valid.');
    const fault = guard.judge(url);
    if (fault !== null) throw new OutboundError('refused_address', fault);
    return exchange(agent, url, init);
  };
  return {
    request,
    post: (url, init) => request(url, { ...init, method: 'POST' }),
    close: () => agent.destroy(),
  };
}
