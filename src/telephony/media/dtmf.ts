/** Keys as events in RTP (RFC 4733, section 2). */

const keys = '0123456789*#ABCD';

/** Length of a key that we send, and of the pause after it, in packets of 20 ms. */
const pressPackets = 5;
const pausePackets = 5;
/** The last packet of an event is sent three times, because the receiver must not miss the end. */
const endPackets = 3;
const packetUnits = 160;

/** A packet that is sent instead of audio; `timestamp` is that of the key's first packet. */
export type KeyPacket = { timestamp: number; marker: boolean; payload: Uint8Array };

export type KeySender = {
  /** Ignores what is not a key. */
  add(digits: string): void;
  /** The packet to send now, every 20 ms; undefined when it is audio's turn. `timestamp` is that of the audio that would be sent now. */
  next(timestamp: number): KeyPacket | undefined;
};

function payloadOf(digit: string, isEnd: boolean, durationUnits: number): Uint8Array {
  const volume = 10; // in -dBm0
  return Uint8Array.of(keys.indexOf(digit), (isEnd ? 0x80 : 0) | volume, durationUnits >> 8, durationUnits & 0xff);
}

export function keySender(): KeySender {
  const waiting: string[] = [];
  /** The key that is being sent: when it began, and the number of packets sent since then, those of the pause included. */
  let current: { digit: string; timestamp: number; sent: number } | undefined;

  return {
    add: (digits) => void waiting.push(...Array.from(digits.toUpperCase()).filter((digit) => keys.includes(digit))),
    next(timestamp) {
      if (current === undefined) {
        const digit = waiting.shift();
        if (digit === undefined) return undefined;
        current = { digit, timestamp, sent: 0 };
      }
      current.sent += 1;
      const { digit, sent } = current;
      if (sent > pressPackets - 1 + endPackets) {
        if (sent === pressPackets - 1 + endPackets + pausePackets) current = undefined;
        return undefined;
      }
      const units = Math.min(sent, pressPackets) * packetUnits;
      return {
        timestamp: current.timestamp,
        marker: sent === 1,
        payload: payloadOf(digit, sent >= pressPackets, units),
      };
    },
  };
}

export type KeyReceiver = {
  /** The key, at the first packet of its event that arrives; undefined for the further ones. */
  receive(timestamp: number, marker: boolean, payload: Uint8Array): string | undefined;
  /** The stream begins anew, with other timestamps. */
  reset(): void;
};

export function keyReceiver(): KeyReceiver {
  let last: { event: number; timestamp: number; units: number; isEnded: boolean } | undefined;

  return {
    receive(timestamp, marker, payload) {
      if (payload.length < 4 || payload[0]! >= keys.length) return undefined; // flash and tones of modems are no keys
      const event = payload[0]!;
      const isEnded = (payload[1]! & 0x80) !== 0;
      const units = (payload[2]! << 8) | payload[3]!;
      const newer = last === undefined ? 1 : (timestamp - last.timestamp) | 0;
      if (last !== undefined && newer === 0) {
        last = { ...last, units: Math.max(units, last.units), isEnded: isEnded || last.isEnded };
        return undefined;
      }
      if (newer < 0) return undefined; // a late packet of an earlier key
      // A key that is held for over 8 s is sent in segments; a segment begins where the one before ended, without a marker.
      const isSegment = last !== undefined && !marker && !last.isEnded && event === last.event && newer === last.units;
      last = { event, timestamp, units, isEnded };
      return isSegment ? undefined : keys[event];
    },
    reset: () => (last = undefined),
  };
}
