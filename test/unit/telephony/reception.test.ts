import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reception } from '../../../src/telephony/media/reception.ts';
import { parseRtcp, writeRtcp } from '../../../src/telephony/media/rtcp.ts';
import { parseRtp, writeRtp } from '../../../src/telephony/media/rtp.ts';
import { sourceLock } from '../../../src/telephony/media/source-lock.ts';

test('loss is counted over numbers that roll over, with reordering and duplicates', () => {
  const counts = reception();
  const numbers = [65_533, 65_535, 65_534, 0, 0, 3, 4];
  for (const [at, number] of numbers.entries()) counts.receive(9, number, at * 160, at * 20);
  assert.equal(counts.received(), 7);
  assert.deepEqual(counts.report(), { ssrc: 9, fractionLost: 32, lost: 1, highestSequence: 65_540, jitter: 0 });
  counts.receive(9, 5, 1120, 140);
  assert.equal(counts.report()?.fractionLost, 0, 'of the interval since the report before');
  counts.receive(10, 40_000, 0, 160);
  counts.receive(10, 40_002, 320, 200);
  assert.equal(counts.lost(), 2, 'over both streams');
});

test('jitter follows RFC 3550: a constant difference in transit settles at that difference', () => {
  const counts = reception();
  for (let at = 0; at < 400; at += 1) counts.receive(1, at, at * 160, at * 20 + (at % 2) * 10);
  assert.ok(Math.abs(counts.jitterMs() - 10) < 0.1, `${counts.jitterMs()}`);
  const steady = reception();
  for (let at = 0; at < 400; at += 1) steady.receive(1, at, (at * 160 + 2 ** 32 - 3000) >>> 0, at * 20);
  assert.equal(steady.jitterMs(), 0, 'timestamps that roll over are no jitter');
});

test('a packet is read as it was written, and what is no packet is refused', () => {
  const packet = {
    payloadType: 8,
    marker: true,
    sequence: 65_535,
    timestamp: 2 ** 32 - 1,
    ssrc: 2 ** 31,
    payload: Buffer.from('audio'),
  };
  const written = writeRtp(packet);
  assert.deepEqual(parseRtp(written), packet);
  for (let length = 0; length < 12; length += 1) assert.equal(parseRtp(written.subarray(0, length)), undefined);
  const other = Buffer.from(written);
  other[0] = 0x40;
  assert.equal(parseRtp(other), undefined, 'version 1');
});

test('contributing sources, an extension and padding are skipped, and lengths beyond the packet refused', () => {
  const header = Buffer.from('b1080001000000020000000300000004bede0001aabbccdd', 'hex');
  const packet = Buffer.concat([header, Buffer.from('sound'), Buffer.from([0, 0, 3])]);
  assert.equal(Buffer.from(parseRtp(packet)!.payload).toString(), 'sound');
  for (const wrong of [0, 200]) {
    packet[packet.length - 1] = wrong;
    assert.equal(parseRtp(packet), undefined, `padding of ${wrong}`);
  }
  packet.writeUInt16BE(500, 18);
  assert.equal(parseRtp(packet), undefined, 'extension');
});

test('a sender report names the time, what was sent and what was received', () => {
  const report = {
    ssrc: 1,
    fractionLost: 25,
    lost: -2,
    highestSequence: 65_540,
    jitter: 80,
    lastSr: 7,
    delaySinceLastSr: 65_536,
  };
  const packet = writeRtcp({
    ssrc: 0xdeadbeef,
    cname: 'abc@parley',
    unixMs: 1_500,
    sender: { timestamp: 160, packets: 5, bytes: 800 },
    reception: report,
    isLast: true,
  });
  assert.equal(packet.length % 4, 0);
  assert.equal(packet.readUInt32BE(8), 2_208_988_801);
  assert.equal(packet.readUInt32BE(12), 2 ** 31);
  assert.deepEqual([packet.readUInt32BE(20), packet.readUInt32BE(24)], [5, 800]);
  assert.deepEqual([packet.readUInt8(32), packet.readIntBE(33, 3)], [25, -2]);
  assert.equal(parseRtcp(packet)?.lastSr, ((2_208_988_801 & 0xffff) * 65_536 + 2 ** 15) >>> 0);
  assert.equal(packet.readUInt8(packet.length - 7), 203, 'BYE ends it');
});

test('a receiver report has no time, and what is no RTCP is refused', () => {
  const packet = writeRtcp({ ssrc: 1, cname: 'x', unixMs: 0, sender: null, reception: null, isLast: false });
  assert.deepEqual(parseRtcp(packet), { lastSr: undefined });
  for (const broken of [
    Buffer.alloc(0),
    packet.subarray(0, 5),
    packet.subarray(0, packet.length - 1),
    Buffer.alloc(40),
  ]) {
    assert.equal(parseRtcp(broken), null);
  }
});

test('the first valid source holds the call, and the described address takes it back', () => {
  const described = { address: '10.0.0.1', port: 4000 };
  const [nat, stranger] = [
    { address: '198.51.100.1', port: 50_000 },
    { address: '198.51.100.1', port: 50_002 },
  ];
  const lock = sourceLock(described, (address) => address !== '127.0.0.1');
  assert.deepEqual(lock.target(), described);
  assert.equal(lock.mayAccept({ address: '127.0.0.1', port: 1 }), false, 'packets may not go there');
  assert.equal(lock.mayAccept(nat), true);
  lock.lockTo(nat);
  assert.deepEqual([lock.mayAccept(nat), lock.mayAccept(stranger), lock.target()], [true, false, nat]);
  assert.equal(lock.mayAccept(described), true);
  lock.lockTo(described);
  assert.deepEqual([lock.mayAccept(nat), lock.target()], [false, described]);
});
