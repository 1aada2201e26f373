import { type Codec, transcode } from '../audio/g711.ts';
import { keyReceiver } from './dtmf.ts';
import { reception, type Reception } from './reception.ts';
import { reorder } from './reorder.ts';
import type { RtpPacket } from './rtp.ts';
import { offeredPayloadTypes } from './session.ts';

/** The stream that we receive, after its packets were found to be the other side's. */
export type Receiver = {
  /** Whether packets of this payload type belong to the call. */
  takes(packet: RtpPacket): boolean;
  receive(packet: RtpPacket, nowMs: number): void;
  /** Gives up packets that are missing for too long. To be called every 20 ms. */
  expire(nowMs: number): void;
  /** The payload types of the other side's description. */
  expect(types: { payloadType: number; codec: Codec; dtmfPayloadType: number | null }): void;
  reception: Reception;
};

type Events = {
  key(digit: string): void;
  /** Audio in order, in the codec of the call, with its RTP timestamp; silence without one for lost packets. */
  audio(audio: Uint8Array, timestamp: number | null): void;
};

type Frame = { audio: Uint8Array; timestamp: number };

/** The payload type of comfort noise (RFC 3389). Such a packet carries no audio, so nothing is passed on for it. */
const comfortNoise = 13;
const none = new Uint8Array();

/** `codec`: that of the call, in which audio is passed on. */
export function createReceiver(codec: Codec, silence: Uint8Array, events: Events): Receiver {
  const counts = reception();
  const order = reorder<Frame>();
  const keys = keyReceiver();
  let ssrc: number | undefined;
  /** Both laws are always taken: endpoints that were offered both switch between them. */
  const codecs = new Map<number, Codec>([
    [offeredPayloadTypes.PCMU, 'PCMU'],
    [offeredPayloadTypes.PCMA, 'PCMA'],
  ]);
  /** The payload types of keys. Some endpoints send keys with the number that we offered, others with the number that they answered. */
  const keyTypes = new Set<number>([offeredPayloadTypes.telephoneEvent]);

  function passOn(frames: ReadonlyArray<Frame | null>): void {
    for (const frame of frames) {
      if (frame === null) events.audio(silence, null);
      else if (frame.audio.length > 0) events.audio(frame.audio, frame.timestamp);
    }
  }

  function begin(newSsrc: number): void {
    ssrc = newSsrc;
    order.reset();
    keys.reset();
  }

  return {
    takes: ({ payloadType: type }) => codecs.has(type) || keyTypes.has(type) || type === comfortNoise,
    receive(packet, nowMs) {
      if (packet.ssrc !== ssrc) begin(packet.ssrc);
      const from = codecs.get(packet.payloadType);
      counts.receive(packet.ssrc, packet.sequence, from === undefined ? null : packet.timestamp, nowMs);
      if (keyTypes.has(packet.payloadType)) {
        const key = keys.receive(packet.timestamp, packet.marker, packet.payload);
        if (key !== undefined) events.key(key);
      }
      const audio = from === undefined ? none : transcode(from, codec, packet.payload);
      passOn(order.push(packet.sequence, { audio, timestamp: packet.timestamp }, nowMs));
    },
    expire: (nowMs) => passOn(order.expire(nowMs)),
    expect({ payloadType, codec: expected, dtmfPayloadType }) {
      codecs.set(payloadType, expected);
      if (dtmfPayloadType !== null) keyTypes.add(dtmfPayloadType);
    },
    reception: counts,
  };
}
