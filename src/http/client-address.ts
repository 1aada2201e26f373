import type { Context, Middleware } from 'koa';
import type { Config } from '../base/config/schema.ts';
import { canonicalAddress, isInNetworks, type Network, parseNetworks } from '../base/outbound/addresses.ts';

/** Whether a request comes through a trusted proxy, so that its `X-Forwarded-…` headers count. */
export function throughTrustedProxy(config: Config): (ctx: Context) => boolean {
  const trusted = parseNetworks(config.http.trusted_proxies);
  return ({ req }) => {
    const connection = req.socket.remoteAddress ?? '';
    return isInNetworks(canonicalAddress(connection) ?? connection, trusted);
  };
}

/** Sets `ctx.ip` to the client's address (contract, section 1): behind a trusted proxy, the one that the proxy reports. */
export function clientAddress(config: Config): Middleware {
  const trusted = parseNetworks(config.http.trusted_proxies);
  return (ctx, next) => {
    const connection = ctx.req.socket.remoteAddress ?? '';
    ctx.request.ip = addressOf(connection, ctx.get('x-forwarded-for'), trusted);
    return next();
  };
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
