import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress, type Network, parseNetworks } from './addresses.ts';

/** The destinations that the operator allows in addition to public HTTPS. */
export type OutboundPolicy = {
  /** `outbound.allow_networks`: CIDRs whose addresses count as public. HTTPS is still required. */
  allowNetworks: readonly string[];
  /** `webhooks.allow_http_loopback`: allows http (not https) to exactly 127.0.0.1, [::1] and localhost, for tests. */
  allowHttpLoopback: boolean;
  /** Allows http to public hosts, for crawled pages. */
  plainHttp?: boolean;
};

/** A policy with its networks parsed. Each client has one and consults it for every request and every connection. */
export type Guard = {
  /** Why the URL is refused, as a sentence. Null when it is allowed, or when its host is a name, which is checked on connecting. */
  refusalOf: (url: URL) => string | null;
  /** Whether a connection for this host (a name, or an address without brackets) may go to this address. */
  permits: (host: string, address: string) => boolean;
};

const MAX_URL_LENGTH = 2048;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** The URL's host as sockets take it: IPv6 addresses without brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** RFC 6761: these names mean loopback whatever a resolver says, so they are checked like literal addresses. */
const isLocalhostName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

function refusalOfHost(host: string, networks: readonly Network[]): string | null {
  if (isIP(host) !== 0) {
    return isPublicAddress(host, networks) ? null : `The URL must point to a public host; ${host} is not public.`;
  }
  if (isLocalhostName(host) && !['127.0.0.1', '::1'].some((address) => isPublicAddress(address, networks))) {
    return `The URL must point to a public host; ${host} is this machine.`;
  }
  return null;
}

/** Throws a RangeError for an entry of `allowNetworks` that is not a network. */
export function createGuard(policy: OutboundPolicy): Guard {
  const networks = parseNetworks(policy.allowNetworks);
  const scheme = policy.plainHttp ? 'https:// or http://' : 'https://';
  const isTestHost = (host: string): boolean => policy.allowHttpLoopback && LOOPBACK_HOSTS.has(host);

  return {
    refusalOf(url) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:') return `The URL must start with ${scheme}.`;
      if (url.port === '0') return 'The URL must not use port 0, which no server has.';
      if (url.username !== '' || url.password !== '') return 'The URL must not contain a user name or password.';
      const host = hostOf(url);
      if (url.protocol === 'http:' && !policy.plainHttp) {
        return isTestHost(host) ? null : 'The URL must start with https://, not http://.';
      }
      return refusalOfHost(host, networks);
    },
    permits: (host, address) => isPublicAddress(address, networks) || (isTestHost(host) && isLoopbackAddress(address)),
  };
}

/**
 * Checks a URL before it is saved (docs/api/outbound.md): its scheme, credentials, literal addresses in every notation that WHATWG URLs
 * normalise, and names under `localhost`. Other names pass; their addresses are checked on connecting. Returns null, or a sentence for the
 * person who sent the URL.
 */
export function refusalOfUrl(url: string, policy: OutboundPolicy): string | null {
  if (url.length > MAX_URL_LENGTH) return `The URL must have at most ${MAX_URL_LENGTH} characters.`;
  // The URL parser silently drops tabs and line breaks, and adds missing slashes. Refuse those, so that the stored URL is the one that is
  // requested.
  // oxlint-disable-next-line no-control-regex -- the pattern has to find control characters
  const isRewritten = /[\s\u0000-\u001f\u007f]/.test(url) || /^https?:(?!\/\/[^/\\])/i.test(url);
  const parsed = isRewritten ? null : URL.parse(url);
  if (parsed === null) return 'The URL is not valid; write it like https://example.com/path.';
  return createGuard(policy).refusalOf(parsed);
}
