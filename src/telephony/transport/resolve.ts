import { isIP } from 'node:net';
import { messageOf } from '../../base/errors.ts';
import { parseUri } from '../message/uri.ts';
import type { Hop, TransportName } from './hop.ts';

/** DNS as RFC 3263 needs it; `node:dns/promises` fits. */
export type Resolver = {
  srv(name: string): Promise<Array<{ name: string; port: number; priority: number; weight: number }>>;
  addresses(name: string): Promise<string[]>;
};

export type Target = {
  /** `termination_uri`: a host with an optional port, or a SIP URI. */
  uri: string;
  /** The number's transport; null: the URI's, else UDP. */
  transport: TransportName | null;
};

export type ResolvedTarget = {
  host: string;
  port: number | null;
  transport: TransportName;
};

/** Whether the number or its URI names the transport. Where neither does, large requests go by TCP. */
export const isTransportNamed = ({ uri, transport }: Target): boolean =>
  transport !== null || /^sips:|;\s*transport\s*=\s*(?:udp|tcp|tls)\b/i.test(uri);

/** @throws Error for text that names no host */
export function readTarget({ uri, transport }: Target): ResolvedTarget {
  const parsed = parseUri(/^sips?:/i.test(uri) ? uri : `sip:${uri}`);
  if (!parsed) throw new Error(`${uri} is not the address of a SIP trunk`);
  const named = parsed.parameters.get('transport')?.toLowerCase();
  const own = named === 'udp' || named === 'tcp' || named === 'tls' ? named : undefined;
  const chosen = transport ?? (parsed.scheme === 'sips' ? 'tls' : own) ?? 'udp';
  return { host: parsed.host.replace(/\.$/, ''), port: parsed.port, transport: chosen };
}

const service: Readonly<Record<TransportName, string>> = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' };
export const defaultPort = (transport: TransportName): number => (transport === 'tls' ? 5061 : 5060);

/** More targets than any trunk names; each may cost 32 s. */
const maxHops = 8;

/**
 * Where to send a request, in order (RFC 3263 without NAPTR): a literal address as it is, a name with a port by its addresses, and any
 * other name by its SRV records, or else by its addresses.
 * @throws Error when the name leads nowhere
 */
export const resolveHops = async (target: ResolvedTarget, resolver: Resolver, draw: () => number): Promise<Hop[]> =>
  (await allHops(target, resolver, draw)).slice(0, maxHops);

/** More addresses, and more SRV records, than any trunk has. */
const maxAddresses = 64;
const maxRecords = 16;

/**
 * The addresses that calls of a trunk may come from: all that a call to it could go to.
 * @throws Error when the name leads nowhere
 */
export async function addressesOfTrunk(trunk: Target, resolver: Resolver): Promise<string[]> {
  const hops = await allHops(readTarget(trunk), resolver, () => 0);
  return [...new Set(hops.map(({ address }) => address))].slice(0, maxAddresses);
}

async function allHops(target: ResolvedTarget, resolver: Resolver, draw: () => number): Promise<Hop[]> {
  const { host, port, transport } = target;
  const hop = (address: string, at: number): Hop => ({ transport, address, port: at, serverName: host });
  if (isIP(host) !== 0) return [hop(host, port ?? defaultPort(transport))];
  if (port !== null) return (await addressesOf(resolver, host)).map((address) => hop(address, port));
  const records = await resolver.srv(`${service[transport]}.${host}`).catch(() => []);
  const named = records.filter(({ name }) => name !== '' && name !== '.');
  if (named.length === 0) {
    if (records.length > 0)
      throw new Error(`${host} takes no calls over ${transport.toUpperCase()} (its SRV record says so)`);
    return (await addressesOf(resolver, host)).map((address) => hop(address, defaultPort(transport)));
  }
  const hops: Hop[] = [];
  for (const record of orderSrv(named, draw).slice(0, maxRecords)) {
    const found = await addressesOf(resolver, record.name).catch(() => []);
    hops.push(...found.map((address) => hop(address, record.port)));
  }
  if (hops.length === 0) throw new Error(`none of the hosts that ${host} names has an address`);
  return hops;
}

async function addressesOf(resolver: Resolver, host: string): Promise<string[]> {
  try {
    const found = await resolver.addresses(host);
    if (found.length > 0) return found;
  } catch (error) {
    throw new Error(`${host} was not found: ${messageOf(error)}`, { cause: error });
  }
  throw new Error(`${host} has no address`);
}

/** Lowest priority first; within one, drawn by weight (RFC 2782). */
export function orderSrv<R extends { priority: number; weight: number }>(
  records: readonly R[],
  draw: () => number,
): R[] {
  const left = records.toSorted((a, b) => a.priority - b.priority || a.weight - b.weight);
  const ordered: R[] = [];
  while (left.length > 0) {
    const group = left.filter(({ priority }) => priority === left[0]!.priority);
    const total = group.reduce((sum, { weight }) => sum + weight, 0);
    let remaining = draw() * total;
    const chosen = group.find(({ weight }) => (remaining -= weight) <= 0) ?? group.at(-1)!;
    ordered.push(chosen);
    left.splice(left.indexOf(chosen), 1);
  }
  return ordered;
}
