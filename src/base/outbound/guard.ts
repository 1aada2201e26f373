import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress, type Network, parseNetworks } from './addresses.ts';

/** What the operator lets through beside public HTTPS. */
export type OutboundPolicy = {
  /** `outbound.allow_networks`: CIDRs whose addresses count as public. HTTPS stays required. */
  allowNetworks: readonly string[];
  /** `webhooks.allow_http_loopback`: http, not https, to exactly 127.0.0.1, [::1] and localhost, for tests. */
  allowHttpLoopback: boolean;
  /** For pages that are read (contract, section 10): http to public hosts, too. */
  plainHttp?: boolean;
};

/** A policy made ready: one is built per client, and asked at every request and every connection. */
export type Guard = {
  /** A sentence that says why the URL is refused; null when its host may be connected to or is a name. */
  judge: (url: URL) => string | null;
  /** Whether a connection for this host (a name, or a literal address without brackets) may go to this address. */
  permits: (host: string, address: string) => boolean;
};

const MAX_URL_LENGTH = 2048;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** The URL's host as sockets want it: IPv6 addresses without their brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** RFC 6761: these names are loopback whatever a resolver says, so they are judged like literal addresses. */
const isLocalhostName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

function judgeHost(host: string, networks: readonly Network[]): string | null {
  if (isIP(host) !== 0) {
    return isPublicAddress(host, networks) ? null : `The URL must point to a public host; ${host} is not public.`;
  }
  if (isLocalhostName(host) && !['127.0.0.1', '::1'].some((address) => isPublicAddress(address, networks))) {
    return `The URL must point to a public host; ${host} is this machine.`;
  }
  return null;
}

/** Builds the guard of a policy. Throws a RangeError for an entry of `allowNetworks` that is not a network. */
export function createGuard(policy: OutboundPolicy): Guard {
  const networks = parseNetworks(policy.allowNetworks);
  const scheme = policy.plainHttp ? 'https:// or http://' : 'https://';
  const isTestHost = (host: string): boolean => policy.allowHttpLoopback && LOOPBACK_HOSTS.has(host);

  return {
    judge(url) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:') return `The URL must start with ${scheme}.`;
      if (url.username !== '' || url.password !== '') return 'The URL must not contain a user name or password.';
      const host = hostOf(url);
      if (url.protocol === 'http:' && !policy.plainHttp) {
        return isTestHost(host) ? null : 'The URL must start with https://, not http://.';
      }
      return judgeHost(host, networks);
    },
    permits: (host, address) => isPublicAddress(address, networks) || (isTestHost(host) && isLoopbackAddress(address)),
  };
}

/**
 * Judges a URL that is to be saved (contract, sections 4 and 12): scheme, credentials, literal addresses in every
 * notation that WHATWG URLs normalise, and the names under `localhost`. Other names pass: they are judged by what they
 * resolve to, when connecting. Answers null, or one sentence for the person who sent the URL.
 */
export function refusalOfUrl(url: string, policy: OutboundPolicy): string | null {
  if (url.length > MAX_URL_LENGTH) return `The URL must have at most ${MAX_URL_LENGTH} characters.`;
  // The URL parser drops tabs and line breaks silently; what is stored and shown should be what is connected to.
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const parsed = /[\s\u0000-\u001f\u007f]/.test(url) ? null : URL.parse(url);
  if (parsed === null) return 'The URL is not valid; write it like https://example.com/path.';
  return createGuard(policy).judge(parsed);
}
