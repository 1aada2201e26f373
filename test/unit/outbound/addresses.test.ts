import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLoopbackAddress, isPublicAddress, parseNetworks } from '../../../src/base/outbound/addresses.ts';

/** First and last address of each range in IANA's IPv4 special-purpose registry, of multicast, class E and Azure's host agent. */
const SPECIAL_IPV4 = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
] as const;

const toInteger = (ip: string): number => ip.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
const toOctets = (integer: number): number[] => [24, 16, 8, 0].map((shift) => (integer >>> shift) & 255);
const toIPv4 = (integer: number): string => toOctets(integer).join('.');
const toHextets = (ip: string): string => {
  const hex = toInteger(ip).toString(16).padStart(8, '0');
  return `${hex.slice(0, 4)}:${hex.slice(4)}`;
};

/** Any IPv4 address; half of them lie in or next to a special range. */
const anyIPv4 = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(toIPv4),
  fc
    .constantFrom(...SPECIAL_IPV4)
    .chain(([first, last]) =>
      fc
        .integer({ min: Math.max(0, toInteger(first) - 2), max: Math.min(2 ** 32 - 1, toInteger(last) + 2) })
        .map(toIPv4),
    ),
);

test('an IPv4 address is public exactly when it is in no special-purpose range', () => {
  const special = new BlockList();
  for (const [first, last] of SPECIAL_IPV4) {
    special.addRange(first, last, 'ipv4');
    assert.equal(isPublicAddress(first), false, first);
    assert.equal(isPublicAddress(last), false, last);
  }
  fc.assert(
    fc.property(anyIPv4, (ip) => isPublicAddress(ip) === !special.check(ip, 'ipv4')),
    { numRuns: 2000 },
  );
});

test('the neighbours of the special ranges are public', () => {
  for (const ip of [
    ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
    ...[
      '168.63.129.17',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.0',
      '192.167.255.255',
    ],
    ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '8.8.8.8'],
    ...['2001:200::1', '2001:4860:4860::8888', '2003::1', '2606:4700:4700::1111', '2a00:1450::1', '3ffe::1'],
  ]) {
    assert.equal(isPublicAddress(ip), true, ip);
  }
});

test('special IPv6 addresses are not public', () => {
  for (const ip of [
    ...['::', '::1', '::2', '::7f00:1', '::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
    ...['64:ff9b:1::', '64:ff9b:1::808:808', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '100::', '100::1', '100:0:0:1::'],
    ...['2001::', '2001::1', '2001:0:808:808::', '2001:1::1', '2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::1'],
    ...['2001:20::1', '2001:30::1', '2001:1ff:ffff::', '2001:db8::1', '2001:db8:ffff::', '2002::', '2002:7f00:1::1'],
    ...[
      '2002:808:808::1',
      '2620:4f:8000::1',
      '3fff::1',
      '3fff:fff::1',
      '4000::1',
      '5f00::1',
      'fc00::1',
      'fd00:ec2::254',
    ],
    ...['fd20:ce::254', 'fdff::1', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'feff::1', 'ff02::1', 'ff0e::1'],
  ]) {
    assert.equal(isPublicAddress(ip), false, ip);
  }
});

test('an IPv4 address gets the same result as an IPv4-mapped or NAT64 address, in every spelling', () => {
  fc.assert(
    fc.property(anyIPv4, (ip) => {
      const expected = isPublicAddress(ip);
      for (const prefix of ['::ffff:', '0:0:0:0:0:ffff:', '::FFFF:', '64:ff9b::', '0064:ff9b:0:0:0:0:']) {
        assert.equal(isPublicAddress(prefix + ip), expected, prefix + ip);
        assert.equal(isPublicAddress(prefix + toHextets(ip)), expected, prefix + toHextets(ip));
      }
    }),
    { numRuns: 1000 },
  );
});

test('IPv4-compatible, translated, 6to4, Teredo and local NAT64 forms are never public', () => {
  fc.assert(
    fc.property(anyIPv4, (ip) => {
      const hextets = toHextets(ip);
      const obscured = toHextets(toIPv4(~toInteger(ip) >>> 0));
      for (const form of [
        ...[`::${ip}`, `::${hextets}`, `::ffff:0:${ip}`, `2002:${hextets}::`, `2002:${hextets}::1`],
        ...[`64:ff9b:1::${ip}`, `2001:0:${hextets}::1`, `2001:0:102:304:0:0:${obscured}`],
      ]) {
        assert.equal(isPublicAddress(form), false, form);
      }
    }),
    { numRuns: 1000 },
  );
});

test('text that is not a canonical address is not public', () => {
  for (const text of [
    '',
    'localhost',
    'example.com',
    '8.8.8',
    '0x08.8.8.8',
    '010.8.8.8',
    '134744072',
    '[2606:4700::1]',
    ' 8.8.8.8',
  ]) {
    assert.equal(isPublicAddress(text), false, text);
    assert.equal(isLoopbackAddress(text), false, text);
  }
});

test('an allowed network makes its addresses public, and no others', () => {
  const allowed = parseNetworks(['10.1.0.0/16', '192.168.7.9', 'fd12:3456::/32', '::1']);
  for (const ip of [
    '10.1.0.0',
    '10.1.255.255',
    '192.168.7.9',
    '::ffff:10.1.2.3',
    '::ffff:a01:203',
    'fd12:3456:ffff::1',
    '::1',
  ]) {
    assert.equal(isPublicAddress(ip, allowed), true, ip);
  }
  for (const ip of ['10.2.0.0', '10.0.255.255', '192.168.7.8', '::ffff:10.2.0.0', 'fd12:3457::1', '::2', '127.0.0.1']) {
    assert.equal(isPublicAddress(ip, allowed), false, ip);
  }
});

test('an allowed IPv4 network does not open its addresses behind a translator or a tunnel', () => {
  const allowed = parseNetworks(['10.0.0.0/8', '0.0.0.0/0']);
  for (const ip of ['64:ff9b::10.0.0.1', '::10.0.0.1', '2002:a00:1::', '64:ff9b:1::a00:1']) {
    assert.equal(isPublicAddress(ip, allowed), false, ip);
  }
  assert.equal(isPublicAddress('64:ff9b::10.0.0.1', parseNetworks(['64:ff9b::/96'])), true);
});

test('an allowed network may be written as IPv4-mapped', () => {
  assert.equal(isPublicAddress('10.1.2.3', parseNetworks(['::ffff:10.0.0.0/104'])), true);
  assert.equal(isPublicAddress('11.1.2.3', parseNetworks(['::ffff:10.0.0.0/104'])), true, 'it is public anyway');
  assert.equal(isPublicAddress('127.0.0.1', parseNetworks(['::ffff:10.0.0.0/104'])), false);
  assert.equal(isPublicAddress('10.1.2.3', parseNetworks(['::ffff:0.0.0.0/96'])), true, 'all of IPv4');
});

test('the error for a malformed network quotes the entry', () => {
  for (const entry of [
    '',
    '/',
    'localhost',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    'fd00::/129',
    '10/8',
    '0x0a.0.0.0/8',
    '10.0.0.0/1e1',
    'fe80::1%eth0/64',
    'fe80::1%eth0',
  ]) {
    assert.throws(
      () => parseNetworks(['10.0.0.0/8', entry]),
      (error: Error) => error instanceof RangeError && error.message.includes(`"${entry}"`),
    );
  }
});

test('loopback addresses are recognized in IPv4, IPv6 and mapped form', () => {
  for (const ip of ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1'])
    assert.equal(isLoopbackAddress(ip), true, ip);
  for (const ip of ['128.0.0.1', '::2', '::7f00:1', '0.0.0.0', '10.0.0.1'])
    assert.equal(isLoopbackAddress(ip), false, ip);
});
