import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isTerminationUri } from '../../../src/features/numbers/termination-uri.ts';

const good = [
  'sip.example.com',
  'sip.example.com.',
  'pbx',
  'SIP.Example.COM:5060',
  '192.0.2.7',
  '192.0.2.7:5061',
  '[2001:db8::1]:5060',
  'sip:sip.example.com',
  'sips:trunk.example.com:5061',
  'SIP:trunk@sip.example.com',
  'sip:+4930901820@192.0.2.7:5060;transport=tcp',
  'sip:[2001:db8::1];transport=tls;lr',
];

const bad = [
  '',
  ' ',
  'sip:',
  'sip.example.com:0',
  'sip.example.com:65536',
  'sip.example.com:',
  'sip.example.com:50a',
  'sip..example.com',
  '-sip.example.com',
  'sip_trunk.example.com',
  '192.0.2',
  '192.0.2.256',
  '1234',
  '[2001:db8::1',
  '[192.0.2.7]',
  '2001:db8::1',
  'https://sip.example.com',
  'sip:sip.example.com;transport=ws',
  'sip:sip.example.com;lr;transport=',
  'tel:+4930901820',
  'trunk@sip.example.com',
  'sip.example.com;transport=tcp',
  'sip:user:password@sip.example.com',
  'sip:sip.example.com?subject=x',
  'sip:sip.example.com sip:other.example.com',
  'sip.example.com\n',
];

test('hosts with or without a port, and SIP URIs, are accepted', () => {
  for (const text of good) assert.equal(isTerminationUri(text), true, text);
});

test('other schemes, malformed hosts and ports, passwords and headers are refused', () => {
  for (const text of bad) assert.equal(isTerminationUri(text), false, JSON.stringify(text));
});

test('any domain, IPv4 or IPv6 address is accepted, with any port', () => {
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
  );
  fc.assert(
    fc.property(
      host,
      fc.integer({ min: 1, max: 65_535 }),
      fc.constantFrom('', 'sip:', 'sips:'),
      (name, port, scheme) => {
        assert.equal(isTerminationUri(`${scheme}${name}`), true);
        assert.equal(isTerminationUri(`${scheme}${name}:${port}`), true);
      },
    ),
  );
});

test('the check never throws, and refuses any text with a space', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      assert.equal(isTerminationUri(`${text} `), false);
      isTerminationUri(text);
    }),
  );
});
