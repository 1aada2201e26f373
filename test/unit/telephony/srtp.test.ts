import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { test } from 'node:test';
import { parseRtp, writeRtp } from '../../../src/telephony/media/rtp.ts';
import { deriveKeys, protector, unprotector } from '../../../src/telephony/media/srtp.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(/\s/g, ''), 'hex');
/** The master key and salt of RFC 3711, appendix B.3, which libsrtp's tests use, too. */
const master = bytes('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6');

test('keys are derived as in RFC 3711, appendix B.3', () => {
  const { key, salt, authKey } = deriveKeys(master, 0);
  assert.equal(key.toString('hex').toUpperCase(), 'C61E7A93744F39EE10734AFE3FF7A087');
  assert.equal(salt.toString('hex').toUpperCase(), '30CBBC08863D8C85D49DB34A9AE1');
  assert.equal(authKey.toString('hex').toUpperCase(), 'CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4');
});

test('node:crypto makes the key stream of RFC 3711, appendix B.2', () => {
  const key = bytes('2B7E151628AED2A6ABF7158809CF4F3C');
  const stream = createCipheriv('aes-128-ctr', key, bytes('F0F1F2F3F4F5F6F7F8F9FAFBFCFD0000')).update(
    Buffer.alloc(0xff02 * 16),
  );
  assert.deepEqual(stream.subarray(0, 32), bytes('E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB'));
  assert.deepEqual(
    stream.subarray(0xfeff * 16, 0xff01 * 16),
    bytes('EC8CDF7398607CB0F2D21675EA9EA1E4 362B7C3C6773516318A077D7FC5073AE'),
  );
});

test("a packet becomes the one of libsrtp's test, and back", () => {
  const plain = bytes('800f1234decafbadcafebabe abababababababababababababababab');
  const sealed = bytes('800f1234decafbadcafebabe 4e55dc4ce79978d88ca4d215949d2402 b78d6acc99ea179b8dbb');
  assert.deepEqual(protector(master).rtp(plain), sealed);
  assert.deepEqual(unprotector(master).rtp(sealed), plain);
});

test("a report becomes the one of libsrtp's test, and back", () => {
  const plain = bytes('81c8000bcafebabe abababababababababababababababab');
  const sealed = bytes('81c8000bcafebabe 7128035be487b9bdbef89041f977a5a8 80000001 993e08cd54d6c1230798');
  const sender = protector(master);
  sender.rtcp(plain); // libsrtp numbers reports from 1
  assert.deepEqual(sender.rtcp(plain), sealed);
  assert.deepEqual(unprotector(master).rtcp(sealed), plain);
});

const packet = (sequence: number, ssrc = 7): Buffer =>
  writeRtp({
    payloadType: 0,
    marker: false,
    sequence: sequence & 0xffff,
    timestamp: sequence * 160,
    ssrc,
    payload: Buffer.from(`packet ${sequence}`),
  });

test('a forged, changed, repeated or short packet is refused', () => {
  const sealed = protector(master).rtp(packet(1));
  const receiver = unprotector(master);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    assert.equal(receiver.rtp(changed), undefined, `byte ${at}`);
    assert.equal(unprotector(master).rtp(sealed.subarray(0, at)), undefined);
  }
  assert.deepEqual(receiver.rtp(sealed), packet(1));
  assert.equal(receiver.rtp(sealed), undefined);
  assert.equal(unprotector(Buffer.alloc(30)).rtp(sealed), undefined);
});

test('numbers that roll over are followed, with packets out of order around it', () => {
  const sender = protector(master);
  const receiver = unprotector(master);
  const numbers = [65_534, 65_535, 65_536, 65_537, 65_538].concat(
    Array.from({ length: 20 }, (_, n) => 80_000 + n * 9000),
  );
  const sealed = numbers.map((number) => [number, sender.rtp(packet(number))] as const);
  const swapped = [sealed[0]!, sealed[2]!, sealed[1]!, ...sealed.slice(3)];
  for (const [number, bytesOf] of swapped) assert.deepEqual(receiver.rtp(bytesOf), packet(number), `${number}`);
});

test('a stream of another source under the same key is numbered anew', () => {
  const receiver = unprotector(master);
  const first = protector(master);
  for (const number of [65_535, 65_536]) assert.ok(receiver.rtp(first.rtp(packet(number, 1))));
  assert.equal(parseRtp(receiver.rtp(protector(master).rtp(packet(5, 2)))!)?.sequence, 5);
});
