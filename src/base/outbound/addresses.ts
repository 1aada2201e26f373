import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** One entry of `outbound.allow_networks`, parsed: the network's address and the length of its prefix. */
export type Network = readonly [address: Address, prefixLength: number];

const network = (cidr: string): Network => ipaddr.parseCIDR(cidr);

/** All IPv6 unicast that has been given out (IANA); what lies outside is special, or nobody's yet. */
const GLOBAL_UNICAST = network('2000::/3');

/** RFC 6052. On a host without IPv4, DNS64 answers every IPv4-only name with an address in here. */
const NAT64 = network('64:ff9b::/96');

/** Azure's host agent listens for its guests on an address that looks public. */
const AZURE_HOST_AGENT = network('168.63.129.16/32');

function within(address: Address, [base, prefixLength]: Network): boolean {
  return address.kind() === base.kind() && address.match(base, prefixLength);
}

/** Of an IPv4-mapped address the IPv4 address: the operating system connects to that one. */
function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * Parses a canonical address, null if it is none. ipaddr.js alone would also take 0x7f.1, 0177.0.0.1 and 127.1, which
 * others read differently, and reads ::10.0.0.1 as ::ffff:10.0.0.1; the URL parser leaves hexadecimal groups only.
 */
function parseAddress(ip: string): Address | null {
  const version = isIP(ip);
  if (version === 0) return null;
  if (version === 4) return ipaddr.parse(ip);
  const bare = ip.replace(/%.*$/, ''); // a zone says through which interface, not which address
  return ipaddr.parse(new URL(`http://[${bare}]`).hostname.slice(1, -1));
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !within(address, AZURE_HOST_AGENT);
}

/**
 * 6to4, Teredo, ORCHID, documentation and the rest of 2001::/23 are ranges of their own to ipaddr.js; IPv4-compatible
 * addresses (`::7f00:1`) are plain unicast to it, and fall with everything else outside 2000::/3.
 */
function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (within(address, NAT64)) return isPublicIPv4(ipaddr.fromByteArray(address.toByteArray().slice(12)) as ipaddr.IPv4);
  return within(address, GLOBAL_UNICAST) && address.range() === 'unicast';
}

/**
 * Whether an address is on the public internet, or in one of the networks allowed (contract, section 4).
 * Takes the canonical notations that `net.isIP` takes; anything else is not public. An IPv4-mapped address has the
 * verdict of its IPv4 address, a NAT64 address that of the IPv4 address in it without the exceptions: those name
 * networks reached directly, not what a translator reaches.
 */
export function isPublicAddress(ip: string, allowed: readonly Network[] = []): boolean {
  const parsed = parseAddress(ip);
  if (parsed === null) return false;
  const address = unmapped(parsed);
  if (allowed.some((entry) => within(address, entry))) return true;
  return address instanceof ipaddr.IPv6 ? isPublicIPv6(address) : isPublicIPv4(address);
}

/** 127.0.0.0/8, ::1, and the first as IPv4-mapped addresses. */
export function isLoopbackAddress(ip: string): boolean {
  const address = parseAddress(ip);
  return address !== null && unmapped(address).range() === 'loopback';
}

/**
 * Parses a list of CIDRs such as `["10.0.0.0/8", "fd00::/8"]`; a bare address is a network of one. IPv4-mapped
 * networks become the IPv4 networks they are. Throws a RangeError whose sentence names the entry that is none.
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
