import type { Codec } from '../audio/g711.ts';
import type { HangUp, SpeechSession } from '../audio/speech.ts';
import type { SoundTap } from '../audio/tap.ts';

/** The sound of one call, as the dialog uses it. It runs in the telephony thread. */

/** Payload types in the offer: the static ones of RFC 3551, and the dynamic one that we propose for `telephone-event` (RFC 4733). */
export const offeredPayloadTypes = { PCMU: 0, PCMA: 8, telephoneEvent: 101 } as const;

/** Our side's direction: `recvonly` while the other side holds the call with `a=sendonly`. */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** The audio line of the other side's session description. */
export type RemoteMedia = {
  /** An IP address; names are resolved, and addresses checked against the allowed networks, by the dialog. */
  address: string;
  port: number;
  /** From `a=rtcp`; null: the next port. */
  rtcpPort: number | null;
  /** The first codec of the answer, and the payload type it has there. */
  codec: Codec;
  payloadType: number;
  /** The payload type of `telephone-event` in the other side's description; null if it has none, so that keys cannot be sent in RTP. */
  dtmfPayloadType: number | null;
  /** The 30 bytes of key and salt from the other side's `a=crypto`; null for plain RTP. */
  key: Uint8Array | null;
  direction: Direction;
};

/** Part of the `sip` field of a call, whose names it has. */
export type MediaStats = {
  codec: Codec | null;
  srtp: boolean;
  packets_sent: number;
  packets_received: number;
  packets_lost: number;
  jitter_ms: number;
};

/** The figures of a call without sound. */
export const noMedia: MediaStats = {
  codec: null,
  srtp: false,
  packets_sent: 0,
  packets_received: 0,
  packets_lost: 0,
  jitter_ms: 0,
};

export type MediaEvents = {
  /** The other side pressed a key (`0-9*#ABCD`); once per key press. */
  key(digit: string): void;
  /** Nothing was received for `sip.rtp_timeout_ms` although the call is not on hold; once. */
  silence(): void;
  /** The agent ends the call. */
  hangUp(how: HangUp): void;
  /** The agent hands the call on to a phone (E.164); resolves with the refusal in the other side's words, or null. */
  transfer(to: string): Promise<string | null>;
};

export type MediaSession = {
  /** The even port to offer; RTCP has the next one. */
  readonly localPort: number;
  /** The 30 bytes of key and salt to offer in `a=crypto`; null for plain RTP. */
  readonly localKey: Uint8Array | null;
  /**
   * Starts sending, silence included, and listening. Called again for every new session description in the call (re-INVITE, UPDATE): it
   * then changes the address, hold or key, and forgets which source it was locked to.
   */
  start(remote: RemoteMedia): void;
  /** Sends keys (`0-9*#ABCD`) by RFC 4733, after those that are already being sent. False if the other side takes none. */
  sendKeys(digits: string): boolean;
  /** Also after `close`. */
  stats(): MediaStats;
  /** Frees the ports. */
  close(): void;
};

export type MediaOptions = {
  /** Whether to make a key to offer. */
  srtp: boolean;
  /** The agent in the call; asked for at its answer. */
  speech: () => SpeechSession;
  /** Hears both sides; asked for at the answer. */
  tap?: () => SoundTap;
  events: MediaEvents;
};

export type MediaSettings = {
  /** The address that ports are bound on (`sip.host`). */
  host: string;
  /** `sip.rtp_port_min` and `sip.rtp_port_max`. */
  portMin: number;
  portMax: number;
  rtpTimeoutMs: number;
  /** Whether packets may be sent to an address from which the other side's packets come, although its description names another. */
  mayUse(this: void, address: string): boolean;
};

/** Counters since the worker's start; `dropped` by reason. */
export type MediaMetrics = {
  packetsSent: number;
  packetsReceived: number;
  packetsLost: number;
  dropped: Readonly<Record<string, number>>;
};

/** The sound of all calls of the worker. */
export type Media = {
  /** @throws NoFreePort when every pair of ports in the range is taken */
  open(options: MediaOptions): Promise<MediaSession>;
  metrics(): MediaMetrics;
  /** Closes every session. */
  close(): void;
};

export class NoFreePort extends Error {
  constructor(portMin: number, portMax: number) {
    super(`All media ports from ${portMin} to ${portMax} are in use; widen sip.rtp_port_min to sip.rtp_port_max.`);
  }
}
