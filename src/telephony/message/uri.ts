import { isIPv6 } from 'node:net';
import { type Parameters, parseParameters } from './parameters.ts';

/** A `sip:` or `sips:` URI. Headers behind a `?` are dropped: this program never acts on them. */
export type SipUri = {
  scheme: 'sip' | 'sips';
  /** As it stands in the URI: with percent escapes, and with a password, which is deprecated, behind a colon. */
  user: string | null;
  /** A name, an IPv4 address, or an IPv6 address without its brackets. */
  host: string;
  port: number | null;
  parameters: Parameters;
};

const uriPattern =
  /^(?<scheme>sips?):(?:(?<user>[^\s@<>"]+)@)?(?<host>\[[0-9a-f:.]+\]|[\w\-.]+)(?::(?<port>\d{1,5}))?(?<parameters>;[^\s?<>"]*)?(?:\?[^\s<>"]*)?$/i;

/** Undefined for text that is no SIP URI. */
export function parseUri(text: string): SipUri | undefined {
  const groups = uriPattern.exec(text.trim())?.groups;
  if (groups === undefined) return undefined;
  const host = bareHost(groups['host']!);
  const port = groups['port'] === undefined ? null : Number(groups['port']);
  if (host === undefined || (port !== null && (port < 1 || port > 65_535))) return undefined;
  return {
    scheme: groups['scheme']!.toLowerCase() as SipUri['scheme'],
    user: groups['user'] ?? null,
    host,
    port,
    parameters: parseParameters(groups['parameters'] ?? ''),
  };
}

/** Takes the brackets off an IPv6 address. Undefined for brackets around anything else. */
export function bareHost(host: string): string | undefined {
  if (!host.startsWith('[')) return host;
  const address = host.slice(1, -1);
  return isIPv6(address) ? address : undefined;
}

/** A host as it stands in URIs and headers: an IPv6 address in brackets. */
const writtenHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export const writtenHostPort = (host: string, port: number | null): string =>
  port === null ? writtenHost(host) : `${writtenHost(host)}:${port}`;

/** A name as the user of a URI: with escapes for what RFC 3261 does not allow there. */
export const writtenUser = (name: string): string =>
  name.toWellFormed().replace(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/gu, encodeURIComponent);

export function writeUri({ scheme, user, host, port, parameters }: SipUri): string {
  const written = [...parameters].map(([name, value]) => (value === '' ? `;${name}` : `;${name}=${value}`)).join('');
  return `${scheme}:${user === null ? '' : `${user}@`}${writtenHostPort(host, port)}${written}`;
}
