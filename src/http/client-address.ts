import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from 'koa';
import type { Config } from '../base/config/schema.ts';
import { canonicalAddress, isInNetworks, type Network, parseNetworks } from '../base/outbound/addresses.ts';

/** Whether a request comes through a trusted proxy, so that its `X-Forwarded-…` headers count. */
export function throughTrustedProxy(config: Config): (ctx: Context) => boolean {
  const trusted = parseNetworks(config.http.trusted_proxies);
  return ({ req }) => isInNetworks(connectionAddress(req.socket), trusted);
}

/** Returns the client's address (docs/api/http.md, "Rate limits"): behind a trusted proxy, the one that the proxy reports. */
export function clientAddress(config: Config): (req: IncomingMessage) => string {
  const trusted = parseNetworks(config.http.trusted_proxies);
  if (trusted.length === 0) return ({ socket }) => connectionAddress(socket);
  return ({ socket, headers }) =>
    addressOf(connectionAddress(socket), String(headers['x-forwarded-for'] ?? ''), trusted);
}

/** Addresses of connections in canonical form, which costs each request of a connection 5 µs otherwise. */
const addresses = new WeakMap<Socket, string>();

export function connectionAddress(socket: Socket): string {
  const known = addresses.get(socket);
  if (known !== undefined) return known;
  const address = socket.remoteAddress ?? '';
  const canonical = canonicalAddress(address) ?? address;
  addresses.set(socket, canonical);
  return canonical;
}

/**
 * The client's address: that of the connection or, if this is a trusted proxy, the last entry of `X-Forwarded-For` that is not a trusted
 * proxy. Earlier entries came from the client and prove nothing. If all entries are trusted, or a malformed one comes first from the end,
 * it is the connection's address.
 */
export function addressOf(connection: string, forwardedFor: string, trusted: readonly Network[]): string {
  const own = canonicalAddress(connection) ?? connection;
  if (!isInNetworks(own, trusted)) return own;
  for (const entry of forwardedFor.split(',').toReversed()) {
    const address = canonicalAddress(withoutPort(entry.trim()));
    if (address === null) return own;
    if (!isInNetworks(address, trusted)) return address;
  }
  return own;
}

/** Some proxies report `192.0.2.1:5678` or `[2001:db8::1]:5678`. */
const withoutPort = (entry: string): string =>
  /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(entry)?.slice(1).join('') ?? entry;
