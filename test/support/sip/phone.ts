import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type Codec, silenceByte } from '../../../src/telephony/audio/g711.ts';
import { tone } from '../../../src/telephony/audio/tone.ts';
import { parseRtcp } from '../../../src/telephony/media/rtcp.ts';
import { parseRtp, type RtpPacket, writeRtp } from '../../../src/telephony/media/rtp.ts';
import type { RemoteMedia } from '../../../src/telephony/media/session.ts';
import { protector, unprotector } from '../../../src/telephony/media/srtp.ts';

/**
 * The delays of a packet that the phone sends, by its index: a copy arrives after each of these milliseconds. An empty list loses the
 * packet.
 */
export type Network = (index: number) => readonly number[];
export const goodNetwork: Network = () => [0];

export type PhoneOptions = {
  codec?: Codec;
  /** The phone's own SRTP key; without one it sends plain RTP. */
  key?: Uint8Array;
  toneHz?: number;
  network?: Network;
  /** While it is false, the phone sends silence instead of its tone. */
  isSpeaking?: () => boolean;
};

/** The media side of a telephone: sends a tone, and records what it receives. */
export type Phone = {
  port: number;
  packets: RtpPacket[];
  /** Valid RTCP packets. */
  reports: Buffer[];
  /** All audio, in the order of its arrival. */
  audio(): Uint8Array;
  /** Resolves when this many packets have come. */
  received(count: number): Promise<void>;
  /** Sends a packet every 20 ms to this port of loopback. `theirKey` is the other side's SRTP key. */
  talkTo(port: number, theirKey?: Uint8Array | null): void;
  sendRaw(packet: Uint8Array, port: number): void;
  description(changes?: Partial<RemoteMedia>): RemoteMedia;
  stop(): void;
};

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

export async function startPhone({
  codec = 'PCMU',
  key,
  toneHz = 440,
  network = goodNetwork,
  isSpeaking = () => true,
}: PhoneOptions = {}): Promise<Phone> {
  const [rtp, rtcp] = [await bound(), await bound()];
  const packets: RtpPacket[] = [];
  const reports: Buffer[] = [];
  const waiting: Array<{ count: number; resolve: () => void }> = [];
  const payloadType = codec === 'PCMU' ? 0 : 8;
  const sound = tone(codec, toneHz, 2000);
  const silence = new Uint8Array(160).fill(silenceByte[codec]);
  const seal = key && protector(key);
  let open: ReturnType<typeof unprotector> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const timers = new Set<NodeJS.Timeout>();

  function later(ms: number, run: () => void): void {
    const pending = setTimeout(() => {
      timers.delete(pending);
      run();
    }, ms);
    timers.add(pending);
  }

  rtp.on('message', (packet) => {
    const plain = open ? open.rtp(packet) : packet;
    const parsed = plain && parseRtp(plain);
    if (!parsed) return;
    packets.push({ ...parsed, payload: Uint8Array.from(parsed.payload) });
    for (const { resolve } of waiting.filter(({ count }) => packets.length >= count)) resolve();
  });
  rtcp.on('message', (packet) => {
    const plain = open ? open.rtcp(packet) : packet;
    if (plain && parseRtcp(plain)) reports.push(plain);
  });

  return {
    port: rtp.address().port,
    packets,
    reports,
    audio: () =>
      Buffer.concat(packets.filter(({ payloadType: type }) => type === payloadType).map(({ payload }) => payload)),
    received(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ count, resolve });
      if (packets.length >= count) resolve();
      return promise;
    },
    talkTo(port, theirKey) {
      if (theirKey) open = unprotector(theirKey);
      clearTimeout(timer);
      const startMs = performance.now();
      let sent = 0;
      const send = (): void => {
        const at = (sent * 160) % (sound.length - 160);
        const packet = writeRtp({
          payloadType,
          marker: sent === 0,
          sequence: (65_500 + sent) & 0xffff,
          timestamp: (sent * 160) >>> 0,
          ssrc: 77,
          payload: isSpeaking() ? sound.subarray(at, at + 160) : silence,
        });
        const sealed = seal ? seal.rtp(packet) : packet;
        for (const lateMs of network(sent)) {
          if (lateMs === 0) rtp.send(sealed, port, '127.0.0.1');
          else later(lateMs, () => rtp.send(sealed, port, '127.0.0.1'));
        }
        sent += 1;
        timer = setTimeout(send, Math.max(0, startMs + sent * 20 - performance.now()));
      };
      send();
    },
    sendRaw: (packet, port) => rtp.send(packet, port, '127.0.0.1'),
    description: (changes) => ({
      address: '127.0.0.1',
      port: rtp.address().port,
      rtcpPort: rtcp.address().port,
      codec,
      payloadType,
      dtmfPayloadType: 101,
      key: key ?? null,
      direction: 'sendrecv',
      ...changes,
    }),
    stop() {
      if (isStopped) return;
      isStopped = true;
      clearTimeout(timer);
      for (const pending of timers) clearTimeout(pending);
      rtp.close();
      rtcp.close();
    },
  };
}
