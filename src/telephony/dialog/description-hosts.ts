import { isIP, isIPv6 } from 'node:net';
import { within } from '../../base/clock.ts';
import type { Context } from './context.ts';

/** The answer to an INVITE waits for these look-ups, so a slow name server must not hold it up. */
const maxLookupMs = 1000;
/** A description has one connection, or one for each of its media. */
const maxNames = 4;

const connection = /^(c=IN IP[46] )([^\s/]+)/gm;

/** The host names in the `c=` lines of a session description, which may have names as well as addresses (RFC 4566, section 5.7). */
const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(connection)].map(([, , host]) => host!).filter((host) => isIP(host) === 0)),
];

/** A session description with addresses in place of host names. One that is not found stays; what reads the description then refuses it. */
export async function withAddresses(context: Context, body: Buffer): Promise<Buffer> {
  const text = body.toString('utf8');
  const names = namesIn(text).slice(0, maxNames);
  if (names.length === 0) return body;
  const found = await Promise.all(names.map(async (name) => [name, await addressesOf(context, name)] as const));
  const addresses = new Map(found);
  return Buffer.from(
    text.replaceAll(connection, (line, start: string, host: string) => {
      const known = addresses.get(host) ?? [];
      const fitting = known.filter((address) => isIPv6(address) === start.includes('IP6'));
      const [chosen] = [...fitting.filter((address) => context.isAllowed(address)), ...fitting];
      return chosen === undefined ? line : start + chosen;
    }),
  );
}

const addressesOf = (context: Context, name: string): Promise<string[]> =>
  within(maxLookupMs, context.resolver.addresses(name), () => []).catch(() => []);
