import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type KeyPacket, keyReceiver, keySender } from '../../../src/telephony/media/dtmf.ts';

/** The packets of keys, with the audio between them left out. */
function packetsOf(digits: string, timestamp = 1000): KeyPacket[] {
  const sender = keySender();
  sender.add(digits);
  return Array.from({ length: digits.length * 12 + 5 }, (_, slot) =>
    sender.next((timestamp + slot * 160) >>> 0),
  ).filter((packet) => packet !== undefined);
}

const heard = (packets: readonly KeyPacket[], receiver = keyReceiver()): string =>
  packets.map(({ timestamp, marker, payload }) => receiver.receive(timestamp, marker, payload) ?? '').join('');

const press = (event: number, isEnd: boolean, units: number): Uint8Array =>
  Uint8Array.of(event, isEnd ? 0x8a : 10, units >> 8, units & 0xff);

test('a key is sent for 100 ms with one timestamp, and its end three times', () => {
  const packets = packetsOf('5');
  assert.deepEqual(new Set(packets.map(({ timestamp }) => timestamp)), new Set([1000]));
  assert.deepEqual(
    packets.map(({ marker }) => marker),
    [true, false, false, false, false, false, false],
  );
  assert.deepEqual(
    packets.map(({ payload }) => [payload[0], payload[1]! >> 7, (payload[2]! << 8) | payload[3]!]),
    [
      [5, 0, 160],
      [5, 0, 320],
      [5, 0, 480],
      [5, 0, 640],
      [5, 1, 800],
      [5, 1, 800],
      [5, 1, 800],
    ],
  );
});

test('every key is heard once, whatever is lost, repeated or reordered within it', () => {
  assert.equal(heard(packetsOf('0123456789*#ABCD')), '0123456789*#ABCD');
  assert.equal(heard(packetsOf('11#')), '11#');
  assert.equal(heard(packetsOf('abcd x7')), 'ABCD7');
  const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789*#ABCD')), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(
      digits,
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.infiniteStream(fc.nat(6)),
      (keys, start, picks) => {
        const byKey = Map.groupBy(packetsOf(keys, start), ({ timestamp }) => timestamp);
        const damaged = [...byKey.values()].flatMap((packets) =>
          Array.from({ length: 1 + picks.next().value }, () => packets[picks.next().value]!),
        );
        assert.equal(heard(damaged), keys);
      },
    ),
  );
});

test('a late packet of an earlier key, and one that is no key, is not heard', () => {
  const receiver = keyReceiver();
  const [first, second] = [packetsOf('1', 1000), packetsOf('2', 5000)];
  assert.equal(heard([first[0]!, second[0]!, first[4]!, second[4]!], receiver), '12');
  assert.equal(receiver.receive(9000, true, press(16, false, 160)), undefined, 'hook flash');
  assert.equal(receiver.receive(9900, true, Uint8Array.of(1, 0)), undefined, 'too short');
});

test('a key that is held for long is sent in segments, and heard once; the same key pressed again is heard again', () => {
  const receiver = keyReceiver();
  const hear = (timestamp: number, payload: Uint8Array): string | undefined =>
    receiver.receive(timestamp, false, payload);
  assert.equal(receiver.receive(0, true, press(3, false, 160)), '3');
  assert.equal(hear(0, press(3, false, 0xffff)), undefined);
  assert.equal(hear(0xffff, press(3, false, 160)), undefined, 'the second segment');
  assert.equal(hear(0xffff, press(3, true, 800)), undefined);
  assert.equal(hear(0xffff + 800, press(3, false, 160)), '3', 'pressed again at once');
});
