import { monotonicMs } from '../../base/clock.ts';
import { createRateBudget } from '../../base/fair/rate-budget.ts';
import { type Codec, frameBytes, silenceByte, transcode } from '../audio/g711.ts';
import type { HangUp, Line, SpeechSession } from '../audio/speech.ts';
import { noTap, type SoundTap } from '../audio/tap.ts';
import { heardClock } from './heard-clock.ts';
import type { MediaCounts } from './metrics.ts';
import { playQueue } from './play-queue.ts';
import { createReceiver, type Receiver } from './receiver.ts';
import { createReports, type Reports } from './reports.ts';
import { parseRtp } from './rtp.ts';
import { createSender } from './sender.ts';
import type { MediaEvents, MediaStats, RemoteMedia } from './session.ts';
import { type Endpoint, sourceLock, type SourceLock } from './source-lock.ts';
import { protector, unprotector, type Unprotector } from './srtp.ts';

export type StreamParts = {
  /** The agent, who is told of the answer when the stream begins. */
  speech: SpeechSession;
  tap?: SoundTap;
  events: MediaEvents;
  counts: MediaCounts;
  localKey: Uint8Array | null;
  rtpTimeoutMs: number;
  mayUse(this: void, address: string): boolean;
  sendRtp(packet: Buffer, to: Endpoint): void;
  sendRtcp(packet: Buffer, to: Endpoint): void;
};

/** The sound of a call from its answer on, without its sockets. */
export type Stream = {
  update(remote: RemoteMedia): void;
  receiveRtp(packet: Buffer, from: Endpoint): void;
  receiveRtcp(packet: Buffer, from: Endpoint): void;
  /** To be called every 20 ms; `skipped`: how many of these times were missed. */
  tick(nowMs: number, skipped: number): void;
  sendKeys(digits: string): boolean;
  stats(): MediaStats;
  end(): void;
};

/** The other side's description while it holds, and what follows from it. */
type Peer = {
  remote: RemoteMedia;
  lock: SourceLock;
  unprotect: Unprotector | null;
  /** The other side said that it does not send, or gave no address, so its silence is no fault. */
  isOnHold: boolean;
  sends: boolean;
  /** Music on hold is received, and not heard. */
  isHeard: boolean;
};

const slotMs = 20;

const unspecified = new Set(['0.0.0.0', '::']);

function peerOf(remote: RemoteMedia, before: Peer | undefined, { localKey, mayUse }: StreamParts): Peer {
  const key = localKey === null ? null : remote.key;
  const isSameKey = key !== null && before?.remote.key && Buffer.compare(before.remote.key, key) === 0;
  const hasAddress = remote.port !== 0 && !unspecified.has(remote.address);
  return {
    remote,
    lock: sourceLock({ address: remote.address, port: remote.port }, mayUse),
    unprotect: isSameKey ? before.unprotect : key && unprotector(key),
    isOnHold: !hasAddress || remote.direction !== 'sendrecv',
    sends: hasAddress && (remote.direction === 'sendrecv' || remote.direction === 'sendonly'),
    isHeard: remote.direction === 'sendrecv',
  };
}

/** The address to which RTCP is sent: the described one, or the port after the one that the other side's RTP comes from. */
function rtcpTarget({ remote, lock }: Peer): Endpoint {
  const { address, port } = lock.target();
  const isDescribed = address === remote.address && port === remote.port;
  return { address, port: (isDescribed ? remote.rtcpPort : null) ?? port + 1 };
}

/**
 * Sound that comes faster than time passes, beyond a pause of the network (2 s) and clocks that drift (5 %), is not heard: it would cost the
 * agent. In milliseconds of sound.
 */
const hearingPace = { perSecond: 1050, burst: 2000 };

type Voice = {
  silence: Uint8Array;
  /** The next frame, which is silence if nothing is queued. */
  next(): Uint8Array;
  hear(audio: Uint8Array, timestamp: number | null): void;
  /** To be called before each slot; `slots`: how many 20 ms have passed since the last one. */
  advance(slots: number): void;
  /** To be called after each slot: tells the agent what has begun, and hangs up when all is played that it wanted played. */
  passed(isSending: boolean): void;
};

type VoiceParts = Pick<StreamParts, 'speech' | 'events' | 'tap' | 'counts'> & {
  codec: Codec;
  sendKeys: Line['sendKeys'];
};

/** Gives the agent its line. */
function openVoice({ speech, events, tap = noTap, counts, codec, sendKeys }: VoiceParts): Voice {
  const queue = playQueue(silenceByte[codec]);
  const silence = new Uint8Array(frameBytes).fill(silenceByte[codec]);
  const answeredMs = monotonicMs();
  const placeOf = heardClock();
  const mayHear = createRateBudget(hearingPace);
  let hangUp: HangUp | undefined;
  let sendingMs = 0;
  tap.answered(codec);
  speech.answered({
    codec,
    play: (audio, item) => queue.add(audio, item) / 8,
    clear: () => queue.clear() / 8,
    sentMs: (item) => queue.sentBytes(item) / 8,
    queuedMs: () => queue.queuedBytes() / 8,
    sendKeys,
    hangUp(how) {
      if (how.afterPlayed === true && queue.queuedBytes() > 0) hangUp = how;
      else events.hangUp(how);
    },
    transfer: (to) => events.transfer(to),
  });
  return {
    silence,
    next() {
      const audio = queue.take();
      if (audio) tap.sent(audio, sendingMs);
      return audio ?? silence;
    },
    hear(audio, timestamp) {
      const nowMs = monotonicMs();
      if (!mayHear.take('call', audio.length / 8).allowed) return counts.drop('ahead');
      const atMs = placeOf(audio.length / 8, nowMs - answeredMs, timestamp);
      tap.heard(audio, atMs);
      speech.hear(audio, atMs);
    },
    advance: (slots) => void (sendingMs += slots * slotMs),
    passed(isSending) {
      for (const item of queue.begun()) speech.sending(item);
      if (hangUp && (!isSending || queue.queuedBytes() === 0)) events.hangUp(hangUp);
    },
  };
}

type IncomingParts = Pick<StreamParts, 'events' | 'counts' | 'rtpTimeoutMs'> & {
  receiver: Receiver;
  reports: Reports;
  peer(this: void): Peer;
};

/** Decides which packets are the other side's, and notices when none come. */
function receivePackets({ events, counts, rtpTimeoutMs, receiver, reports, peer }: IncomingParts) {
  let heardMs = monotonicMs();
  let isSilenceTold = false;

  function open(packet: Buffer, kind: 'rtp' | 'rtcp'): Buffer | undefined {
    const { unprotect } = peer();
    const plain = unprotect ? unprotect[kind](packet) : packet;
    if (plain === undefined) counts.drop('srtp');
    return plain;
  }

  return {
    receiveRtp(packet: Buffer, from: Endpoint): void {
      const { lock } = peer();
      if (!lock.mayAccept(from)) return counts.drop('source');
      const plain = open(packet, 'rtp');
      if (plain === undefined) return;
      const parsed = parseRtp(plain);
      if (!parsed) return counts.drop('malformed');
      if (!receiver.takes(parsed)) return counts.drop('payload');
      lock.lockTo(from);
      counts.received += 1;
      heardMs = monotonicMs();
      receiver.receive(parsed, heardMs);
    },
    receiveRtcp(packet: Buffer, from: Endpoint): void {
      if (from.address !== peer().lock.target().address) return counts.drop('source');
      const plain = open(packet, 'rtcp');
      if (plain === undefined) return;
      const nowMs = monotonicMs();
      if (!reports.receive(plain, nowMs)) return counts.drop('rtcp');
      heardMs = nowMs;
    },
    watchSilence(nowMs: number): void {
      if (isSilenceTold || peer().isOnHold || nowMs - heardMs <= rtpTimeoutMs) return;
      isSilenceTold = true;
      events.silence();
    },
    /** To be called when the other side sends a new description: the time-out for silence begins again. */
    restart: (): void => void (heardMs = monotonicMs()),
  };
}

export function createStream(first: RemoteMedia, parts: StreamParts): Stream {
  const { events, counts } = parts;
  const { codec } = first;
  const sender = createSender();
  const protect = parts.localKey && protector(parts.localKey);
  let peer = peerOf(first, undefined, parts);
  function sendKeys(digits: string): boolean {
    if (peer.remote.dtmfPayloadType === null) return false;
    sender.addKeys(digits);
    return true;
  }
  const voice = openVoice({ ...parts, codec, sendKeys });
  const receiver = createReceiver(codec, voice.silence, {
    key: (digit) => events.key(digit),
    audio: (audio, timestamp) => {
      if (peer.isHeard) voice.hear(audio, timestamp);
    },
  });
  const reports = createReports(sender, receiver.reception);
  receiver.expect(first);
  const isSecure = (): boolean => peer.unprotect !== null;

  function sendReport(report: Buffer | undefined): void {
    if (report === undefined || !peer.sends) return;
    parts.sendRtcp(isSecure() ? protect!.rtcp(report) : report, rtcpTarget(peer));
  }

  const incoming = receivePackets({ ...parts, receiver, reports, peer: () => peer });

  function send(): void {
    const { payloadType, dtmfPayloadType } = peer.remote;
    const audio = (): Uint8Array => transcode(codec, peer.remote.codec, voice.next());
    const packet = sender.next({ audio, payloadType, dtmfPayloadType });
    counts.sent += 1;
    parts.sendRtp(isSecure() ? protect!.rtp(packet) : packet, peer.lock.target());
  }

  return {
    update(remote) {
      const wasHeld = peer.isOnHold;
      peer = peerOf(remote, peer, parts);
      if (peer.isOnHold !== wasHeld) parts.speech.held(peer.isOnHold);
      receiver.expect(remote);
      incoming.restart();
    },
    receiveRtp: (packet, from) => incoming.receiveRtp(packet, from),
    receiveRtcp: (packet, from) => incoming.receiveRtcp(packet, from),
    tick(nowMs, skipped) {
      receiver.expire(nowMs);
      sendReport(reports.due(nowMs));
      incoming.watchSilence(nowMs);
      sender.pass(skipped);
      voice.advance(skipped + 1);
      if (peer.sends) send();
      else sender.pass(1);
      voice.passed(peer.sends);
    },
    sendKeys,
    stats: () => ({
      codec: peer.remote.codec,
      srtp: isSecure(),
      packets_sent: sender.packets(),
      packets_received: receiver.reception.received(),
      packets_lost: receiver.reception.lost(),
      jitter_ms: Math.round(receiver.reception.jitterMs() * 10) / 10,
    }),
    end: () => sendReport(reports.last()),
  };
}
