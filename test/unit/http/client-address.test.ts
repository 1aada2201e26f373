import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNetworks, senderOf } from '../../../src/base/outbound/addresses.ts';
import { addressOf } from '../../../src/http/client-address.ts';

const trusted = parseNetworks(['10.0.0.0/8', 'fd00::/8']);
const reported = (connection: string, forwardedFor: string) => addressOf(connection, forwardedFor, trusted);

test("without a trusted proxy the address is the connection's, whatever X-Forwarded-For says", () => {
  assert.equal(reported('192.0.2.1', '198.51.100.7'), '192.0.2.1');
  assert.equal(reported('::ffff:192.0.2.1', ''), '192.0.2.1');
  assert.equal(addressOf('10.0.0.1', '198.51.100.7', []), '10.0.0.1');
});

test('behind trusted proxies the client address is the last address that is not a trusted proxy', () => {
  assert.equal(reported('10.0.0.1', '198.51.100.7'), '198.51.100.7');
  assert.equal(reported('::ffff:10.0.0.1', '198.51.100.7'), '198.51.100.7');
  assert.equal(reported('10.0.0.1', '1.2.3.4, 198.51.100.7 , fd00::1,10.9.9.9'), '198.51.100.7');
  assert.equal(reported('fd00::1', '2001:db8::7'), '2001:db8::7');
  assert.equal(reported('10.0.0.1', '1.2.3.4, 192.0.2.1:5678'), '192.0.2.1');
  assert.equal(reported('10.0.0.1', '1.2.3.4, [2001:db8::1]:5678'), '2001:db8::1');
});

test("it stays the proxy's when X-Forwarded-For names nobody else, or nonsense", () => {
  for (const header of ['', '10.0.0.2', 'unknown', '1.2.3.4, unknown', '1.2.3.4,', '1.2.3.4, 0x7f.1']) {
    assert.equal(reported('10.0.0.1', header), '10.0.0.1', header);
  }
});

test('hosts of one IPv6 /64 are one sender, IPv4 addresses each their own', () => {
  assert.equal(senderOf('192.0.2.1'), '192.0.2.1');
  assert.equal(senderOf('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(senderOf('2001:db8:1:2:3:4:5:6'), senderOf('2001:db8:1:2::1'));
  assert.notEqual(senderOf('2001:db8:1:2::1'), senderOf('2001:db8:1:3::1'));
  assert.equal(senderOf(''), '');
});
