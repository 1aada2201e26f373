import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A parsed entry of `outbound.allow_networks`. */
export type Network = readonly [address: Address, prefixLength: number];

const network = (cidr: string): Network => ipaddr.parseCIDR(cidr);

/** The only IPv6 unicast range that IANA has allocated; every other address is special-purpose or unassigned. */
const GLOBAL_UNICAST = network('2000::/3');

/** RFC 6052. On a host without IPv4, DNS64 resolves every IPv4-only name to an address in this range. */
const NAT64 = network('64:ff9b::/96');

/** Azure's host agent serves its guest machines on this address, which looks public. */
const AZURE_HOST_AGENT = network('168.63.129.16/32');

function within(address: Address, [base, prefixLength]: Network): boolean {
  return address.kind() === base.kind() && address.match(base, prefixLength);
}

/** Turns an IPv4-mapped address into its IPv4 address, because that is where the operating system connects to. */
function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * Parses a canonical address; null for anything else. ipaddr.js alone would accept 0x7f.1, 0177.0.0.1 and 127.1, which other parsers
 * read differently, and would take ::10.0.0.1 for ::ffff:10.0.0.1. So the URL parser first rewrites IPv6 addresses in hexadecimal groups.
 */
function parseAddress(ip: string): Address | null {
  const version = isIP(ip);
  if (version === 0) return null;
  if (version === 4) return ipaddr.parse(ip);
  const bare = ip.replace(/%.*$/, ''); // a zone names the interface and is no part of the address
  return ipaddr.parse(new URL(`http://[${bare}]`).hostname.slice(1, -1));
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !within(address, AZURE_HOST_AGENT);
}

/**
 * ipaddr.js names 6to4, Teredo, ORCHID, documentation and the rest of 2001::/23 as ranges of their own, but calls IPv4-compatible
 * addresses (`::7f00:1`) unicast. Those are refused because they lie outside 2000::/3.
 */
function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (within(address, NAT64)) return isPublicIPv4(ipaddr.fromByteArray(address.toByteArray().slice(12)) as ipaddr.IPv4);
  return within(address, GLOBAL_UNICAST) && address.range() === 'unicast';
}

/**
 * Whether an address is on the public internet or in an allowed network (docs/api/outbound.md). Anything but the canonical notations of
 * `net.isIP` is not public. IPv4-mapped and NAT64 addresses are checked as the IPv4 address inside them, but `allowed` does not apply
 * inside NAT64: it names networks that this host reaches directly, not networks behind a translator.
 */
export function isPublicAddress(ip: string, allowed: readonly Network[] = []): boolean {
  const parsed = parseAddress(ip);
  if (parsed === null) return false;
  const address = unmapped(parsed);
  if (allowed.some((entry) => within(address, entry))) return true;
  return address instanceof ipaddr.IPv6 ? isPublicIPv6(address) : isPublicIPv4(address);
}

/** 127.0.0.0/8, also as IPv4-mapped addresses, and ::1. */
export function isLoopbackAddress(ip: string): boolean {
  const address = parseAddress(ip);
  return address !== null && unmapped(address).range() === 'loopback';
}

/**
 * Parses CIDRs such as `["10.0.0.0/8", "fd00::/8"]`. A bare address is a network of one address; an IPv4-mapped network becomes the
 * IPv4 network. Throws a RangeError whose message names the first entry that is not a network.
 */
export function parseNetworks(cidrs: readonly string[]): Network[] {
  return cidrs.map((cidr) => {
    const [ip = '', prefix, ...rest] = cidr.split('/');
    const address = ip.includes('%') ? null : parseAddress(ip);
    const widest = address?.kind() === 'ipv4' ? 32 : 128;
    const length = prefix === undefined ? widest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity;
    if (address === null || rest.length > 0 || length > widest) {
      throw new RangeError(`"${cidr}" is not a network in CIDR notation such as 10.0.0.0/8 or fd00::/8.`);
    }
    const inner = unmapped(address);
    return inner !== address && length >= 96 ? [inner, length - 96] : [address, length];
  });
}

/** The form in which an address is compared and shown: without zone, and an IPv4-mapped address as IPv4. Null if it is not an address. */
export function canonicalAddress(ip: string): string | null {
  const address = parseAddress(ip);
  return address === null ? null : unmapped(address).toString();
}

/** Whether a canonical address is in one of the networks. */
export function isInNetworks(ip: string, networks: readonly Network[]): boolean {
  if (networks.length === 0) return false;
  const address = parseAddress(ip);
  return address !== null && networks.some((entry) => within(address, entry));
}

/**
 * The key under which limits count a sender: an IPv4 address, or the /64 of an IPv6 address, since every host of a /64 can use all of its
 * 2^64 addresses.
 */
export function senderOf(ip: string): string {
  const address = parseAddress(ip);
  if (address === null) return ip;
  const inner = unmapped(address);
  if (!(inner instanceof ipaddr.IPv6)) return inner.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${inner.toString()}/64`).toString()}/64`;
}
