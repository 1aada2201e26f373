/** RTP packets (RFC 3550, section 5.1). */
export type RtpPacket = {
  payloadType: number;
  marker: boolean;
  /** 16 bits. */
  sequence: number;
  /** 32 bits; 8,000 a second for G.711 and its keys. */
  timestamp: number;
  ssrc: number;
  payload: Uint8Array;
};

const headerBytes = 12;

/** The length of the header with its contributing sources and its extension; undefined if this is no RTP packet. */
export function headerLengthOf(packet: Buffer): number | undefined {
  if (packet.length < headerBytes || packet[0]! >> 6 !== 2) return undefined;
  let length = headerBytes + (packet[0]! & 0x0f) * 4;
  if ((packet[0]! & 0x10) !== 0) {
    if (packet.length < length + 4) return undefined;
    length += 4 + packet.readUInt16BE(length + 2) * 4;
  }
  return length <= packet.length ? length : undefined;
}

/** The payload is a view of the packet. Undefined if this is no RTP packet. */
export function parseRtp(packet: Buffer): RtpPacket | undefined {
  const start = headerLengthOf(packet);
  if (start === undefined) return undefined;
  const padding = (packet[0]! & 0x20) === 0 ? 0 : packet.at(-1)!;
  const end = packet.length - padding;
  if (end < start || ((packet[0]! & 0x20) !== 0 && padding === 0)) return undefined;
  return {
    payloadType: packet[1]! & 0x7f,
    marker: (packet[1]! & 0x80) !== 0,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    payload: packet.subarray(start, end),
  };
}

export function writeRtp({ payloadType, marker, sequence, timestamp, ssrc, payload }: RtpPacket): Buffer {
  const packet = Buffer.allocUnsafe(headerBytes + payload.length);
  packet[0] = 0x80;
  packet[1] = marker ? payloadType | 0x80 : payloadType;
  packet.writeUInt16BE(sequence, 2);
  packet.writeUInt32BE(timestamp, 4);
  packet.writeUInt32BE(ssrc, 8);
  packet.set(payload, headerBytes);
  return packet;
}
