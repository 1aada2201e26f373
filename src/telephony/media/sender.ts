import { randomInt } from 'node:crypto';
import { frameBytes } from '../audio/g711.ts';
import { keySender } from './dtmf.ts';
import { type RtpPacket, writeRtp } from './rtp.ts';

/** The stream that we send: one packet every 20 ms, with keys in place of audio while one is sent. */
export type Sender = {
  /** The next packet; time passes in it, also for the slots that were skipped. */
  next(options: { audio: () => Uint8Array; payloadType: number; dtmfPayloadType: number | null }): Buffer;
  /** A slot in which nothing is sent. */
  pass(slots: number): void;
  addKeys(digits: string): void;
  ssrc: number;
  /** The timestamp of the next packet. */
  timestamp(): number;
  packets(): number;
  bytes(): number;
};

export function createSender(): Sender {
  const ssrc = randomInt(1, 2 ** 32);
  const keys = keySender();
  let sequence = randomInt(2 ** 15); // low, so that SRTP's count of roll-overs cannot be mistaken at the start (RFC 3711, section 3.3.1)
  let timestamp = randomInt(2 ** 32);
  let [packets, bytes] = [0, 0];
  /** Nothing was sent in the slot before. */
  let isResuming = true;

  function pass(slots: number): void {
    if (slots > 0) isResuming = true;
    timestamp = (timestamp + slots * frameBytes) >>> 0;
  }

  function write(packet: Pick<RtpPacket, 'payloadType' | 'marker' | 'timestamp' | 'payload'>): Buffer {
    const written = writeRtp({ ...packet, sequence, ssrc });
    sequence = (sequence + 1) & 0xffff;
    timestamp = (timestamp + frameBytes) >>> 0;
    packets += 1;
    bytes += packet.payload.length;
    return written;
  }

  return {
    next({ audio, payloadType, dtmfPayloadType }) {
      const key = dtmfPayloadType === null ? undefined : keys.next(timestamp);
      if (key) return write({ ...key, payloadType: dtmfPayloadType! });
      const marker = isResuming;
      isResuming = false;
      return write({ payloadType, marker, timestamp, payload: audio() });
    },
    pass,
    addKeys: (digits) => keys.add(digits),
    ssrc,
    timestamp: () => timestamp,
    packets: () => packets,
    bytes: () => bytes,
  };
}
