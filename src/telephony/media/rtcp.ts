import type { ReceptionReport } from './reception.ts';

/** RTCP sender and receiver reports with a CNAME (RFC 3550, section 6). */

const senderReport = 200;
const receiverReport = 201;
const sourceDescription = 202;
const bye = 203;

/** Seconds from 1900, where NTP timestamps begin, to 1970. */
const ntpOffsetSec = 2_208_988_800;

export type SenderInfo = { timestamp: number; packets: number; bytes: number };

export type Report = {
  ssrc: number;
  cname: string;
  unixMs: number;
  /** Null if nothing was sent since the report before. */
  sender: SenderInfo | null;
  /** Null if nothing was received yet. */
  reception: (ReceptionReport & { lastSr: number; delaySinceLastSr: number }) | null;
  isLast: boolean;
};

/** The NTP timestamp's middle 32 bits, which a receiver report repeats. */
const middleOf = (ntpSec: number, ntpFraction: number): number =>
  (((ntpSec & 0xffff) << 16) | (ntpFraction >>> 16)) >>> 0;

function header(count: number, type: number, bytes: number): Buffer {
  const packet = Buffer.alloc(bytes);
  packet[0] = 0x80 | count;
  packet[1] = type;
  packet.writeUInt16BE(bytes / 4 - 1, 2);
  return packet;
}

function writeReport({ ssrc, unixMs, sender, reception }: Report): Buffer {
  const blocks = reception === null ? 0 : 1;
  const infoBytes = sender === null ? 0 : 20;
  const packet = header(blocks, sender === null ? receiverReport : senderReport, 8 + infoBytes + blocks * 24);
  packet.writeUInt32BE(ssrc, 4);
  if (sender !== null) {
    packet.writeUInt32BE((Math.floor(unixMs / 1000) + ntpOffsetSec) >>> 0, 8);
    packet.writeUInt32BE(Math.floor(((unixMs % 1000) / 1000) * 2 ** 32), 12);
    packet.writeUInt32BE(sender.timestamp, 16);
    packet.writeUInt32BE(sender.packets >>> 0, 20);
    packet.writeUInt32BE(sender.bytes >>> 0, 24);
  }
  if (reception !== null) {
    const at = 8 + infoBytes;
    packet.writeUInt32BE(reception.ssrc, at);
    packet.writeUInt8(reception.fractionLost, at + 4);
    packet.writeIntBE(Math.max(-0x80_0000, Math.min(0x7f_ffff, reception.lost)), at + 5, 3);
    packet.writeUInt32BE(reception.highestSequence >>> 0, at + 8);
    packet.writeUInt32BE(reception.jitter >>> 0, at + 12);
    packet.writeUInt32BE(reception.lastSr >>> 0, at + 16);
    packet.writeUInt32BE(reception.delaySinceLastSr >>> 0, at + 20);
  }
  return packet;
}

function writeDescription(ssrc: number, cname: string): Buffer {
  const name = Buffer.from(cname, 'ascii').subarray(0, 255);
  const bytes = 4 + Math.ceil((4 + 2 + name.length + 1) / 4) * 4;
  const packet = header(1, sourceDescription, bytes);
  packet.writeUInt32BE(ssrc, 4);
  packet.writeUInt8(1, 8); // CNAME
  packet.writeUInt8(name.length, 9);
  name.copy(packet, 10);
  return packet;
}

function writeBye(ssrc: number): Buffer {
  const packet = header(1, bye, 8);
  packet.writeUInt32BE(ssrc, 4);
  return packet;
}

/** A compound packet: report, CNAME and, at the end of the call, BYE. */
export const writeRtcp = (report: Report): Buffer =>
  Buffer.concat([
    writeReport(report),
    writeDescription(report.ssrc, report.cname),
    ...(report.isLast ? [writeBye(report.ssrc)] : []),
  ]);

/** The middle of the NTP timestamp of a sender report in a compound packet. Undefined without one; null if this is not RTCP. */
export function parseRtcp(packet: Buffer): { lastSr: number | undefined } | null {
  let lastSr: number | undefined;
  for (let at = 0; at < packet.length;) {
    if (packet.length - at < 8 || packet[at]! >> 6 !== 2) return null;
    const type = packet[at + 1]!;
    const bytes = (packet.readUInt16BE(at + 2) + 1) * 4;
    if (type < senderReport || type > 207 || at + bytes > packet.length) return null;
    if (type === senderReport && bytes >= 28)
      lastSr = middleOf(packet.readUInt32BE(at + 8), packet.readUInt32BE(at + 12));
    at += bytes;
  }
  return packet.length === 0 ? null : { lastSr };
}
