import { isIP, isIPv6 } from 'node:net';
import { type MediaDescription, parse, type SessionDescription, write } from 'sdp-transform';
import type { Codec } from '../audio/g711.ts';
import { type Direction, offeredPayloadTypes, type RemoteMedia } from '../media/session.ts';

/** Session descriptions (RFC 4566) as G.711 calls need them: offers, answers (RFC 3264), and what the other side's say. */

const suite = 'AES_CM_128_HMAC_SHA1_80';
const keyBytes = 30;

export type LocalAudio = {
  address: string;
  port: number;
  /** Raised with every description of the call. */
  version: number;
  sessionId: string;
  codecs: ReadonlyArray<{ codec: Codec; payloadType: number }>;
  dtmfPayloadType: number | null;
  key: Uint8Array | null;
  direction: Direction;
};

export const offeredCodecs = (codecs: readonly Codec[]): LocalAudio['codecs'] =>
  codecs.map((codec) => ({ codec, payloadType: offeredPayloadTypes[codec] }));

/** An offer; or, with the media lines of the other side's offer, an answer, which refuses all but the accepted line. */
export function describe(audio: LocalAudio, answered: { media: readonly MediaLine[]; index: number } | null): Buffer {
  const line = audioLine(audio);
  const media =
    answered === null
      ? [line]
      : answered.media.map((their, index) => (index === answered.index ? line : refused(their)));
  const description = {
    version: 0,
    origin: { ...address(audio.address), username: '-', sessionId: audio.sessionId, sessionVersion: audio.version },
    name: '-',
    connection: { version: address(audio.address).ipVer, ip: audio.address },
    timing: { start: 0, stop: 0 },
    media,
  };
  return Buffer.from(write(description as unknown as SessionDescription));
}

const address = (ip: string) => ({ netType: 'IN', ipVer: isIPv6(ip) ? 6 : 4, address: ip });

function audioLine({ port, codecs, dtmfPayloadType: dtmf, key, direction }: LocalAudio) {
  const payloads = [...codecs.map(({ payloadType }) => payloadType), ...(dtmf === null ? [] : [dtmf])];
  return {
    type: 'audio',
    port,
    protocol: key === null ? 'RTP/AVP' : 'RTP/SAVP',
    payloads: payloads.join(' '),
    rtp: [
      ...codecs.map(({ codec, payloadType }) => ({ payload: payloadType, codec, rate: 8000 })),
      ...(dtmf === null ? [] : [{ payload: dtmf, codec: 'telephone-event', rate: 8000 }]),
    ],
    fmtp: dtmf === null ? [] : [{ payload: dtmf, config: '0-15' }],
    ptime: 20,
    direction,
    ...(key === null ? {} : { crypto: [{ id: 1, suite, config: `inline:${Buffer.from(key).toString('base64')}` }] }),
  };
}

const refused = ({ type, protocol, payloads }: MediaLine) => ({
  type,
  port: 0,
  protocol,
  payloads: payloads ?? '0',
  rtp: [],
  fmtp: [],
});

export type MediaLine = Pick<MediaDescription, 'type' | 'port' | 'protocol' | 'payloads'>;

export type RemoteAudio = {
  remote: RemoteMedia;
  media: readonly MediaLine[];
  /** Which of the lines is used. */
  index: number;
};

/** Why a description cannot be used, as a sentence without a full stop. */
export type DescriptionFault = { fault: string };

export type Wanted = { codecs: readonly Codec[]; srtp: boolean };

/** Of a description; those of browsers with video have 10,000 bytes. A refused line is answered, too. */
const maxDescriptionBytes = 16_384;
const maxMediaLines = 32;

/** Reads the other side's offer or answer. The first audio line with a codec of ours is used. */
export function readDescription(body: Buffer, wanted: Wanted): RemoteAudio | DescriptionFault {
  if (body.length > maxDescriptionBytes) return { fault: 'the session description is longer than 16 KiB' };
  const text = body.toString('utf8');
  if (!text.startsWith('v=0')) return { fault: 'the session description is missing or malformed' };
  let session: SessionDescription;
  try {
    session = parse(text);
  } catch {
    return { fault: 'the session description is malformed' };
  }
  const media: readonly MediaDescription[] = session.media;
  if (media.length > maxMediaLines)
    return { fault: `the session description has more than ${maxMediaLines} media lines` };
  const open = [...media.entries()].filter(([, { type, port }]) => type === 'audio' && port > 0);
  if (open.length === 0) return { fault: 'no audio line is open' };
  let fault = '';
  for (const [index, line] of open) {
    const read = readLine(session, line, wanted);
    if (!('fault' in read)) return { remote: read, media, index };
    fault ||= read.fault;
  }
  return { fault };
}

function readLine(session: SessionDescription, line: MediaDescription, wanted: Wanted): RemoteMedia | DescriptionFault {
  const codec = firstCodec(line, wanted.codecs);
  if (codec === undefined) return { fault: 'none of the codecs is ours (sip.codecs)' };
  const ip = line.connection?.ip ?? session.connection?.ip ?? '';
  if (isIP(ip) === 0)
    return { fault: ip === '' ? 'the session description names no address' : `its host ${ip} was not found` };
  const secure = line.protocol === 'RTP/SAVP';
  if (secure !== wanted.srtp || (!secure && line.protocol !== 'RTP/AVP')) {
    return { fault: `the transport ${line.protocol} is not the one that was agreed on (sip.srtp)` };
  }
  const key = secure ? keyOf(line) : null;
  if (key === undefined) return { fault: `no key for ${suite}` };
  const isHeldByAddress = ip === '0.0.0.0' || ip === '::';
  const direction = directionOf(line.direction ?? session.direction ?? 'sendrecv');
  return {
    address: ip,
    port: line.port,
    rtcpPort: line.rtcp?.port ?? null,
    codec: codec.codec,
    payloadType: codec.payloadType,
    dtmfPayloadType:
      line.rtp.find((map) => map.codec.toLowerCase() === 'telephone-event' && map.rate === 8000)?.payload ?? null,
    key,
    // An address of zeros is the hold of RFC 2543: nothing may be sent.
    direction: isHeldByAddress ? (direction === 'sendonly' ? 'inactive' : 'recvonly') : direction,
  };
}

function firstCodec(line: MediaDescription, ours: readonly Codec[]): { codec: Codec; payloadType: number } | undefined {
  // sdp-transform makes a number of a single payload type, whatever its types say.
  const payloads: string | number = line.payloads ?? '';
  for (const payloadType of String(payloads as string | number)
    .split(' ')
    .map(Number)) {
    const mapped = line.rtp.find(({ payload }) => payload === payloadType);
    const name = mapped?.codec.toUpperCase() ?? (payloadType === 0 ? 'PCMU' : payloadType === 8 ? 'PCMA' : '');
    const codec = ours.find((own) => own === name);
    if (codec !== undefined && (mapped?.rate ?? 8000) === 8000) return { codec, payloadType };
  }
  return undefined;
}

/** Key and salt of the first usable `a=crypto` (RFC 4568). */
function keyOf(line: MediaDescription): Uint8Array | undefined {
  for (const { suite: named, config } of line.crypto ?? []) {
    const key = Buffer.from(/^inline:([A-Za-z0-9+/=]+)/.exec(config)?.[1] ?? '', 'base64');
    if (named === suite && key.length === keyBytes) return new Uint8Array(key);
  }
  return undefined;
}

/** Our direction, when the other side names its own. */
function directionOf(theirs: string): Direction {
  if (theirs === 'sendonly') return 'recvonly';
  if (theirs === 'recvonly') return 'sendonly';
  return theirs === 'inactive' ? 'inactive' : 'sendrecv';
}
