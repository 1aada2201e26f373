import { randomBytes } from 'node:crypto';
import type { RemoteInfo, Socket } from 'node:dgram';
import { isIPv6, SocketAddress } from 'node:net';
import { noTap } from '../audio/tap.ts';
import type { MediaCounts } from './metrics.ts';
import type { Pacer } from './pacer.ts';
import type { PortPair } from './ports.ts';
import { type MediaOptions, type MediaSession, type MediaSettings, noMedia, type RemoteMedia } from './session.ts';
import type { Endpoint } from './source-lock.ts';
import { masterKeyBytes } from './srtp.ts';
import { createStream, type Stream } from './stream.ts';

export type SessionParts = {
  ports: PortPair;
  pacer: Pacer;
  counts: MediaCounts;
  settings: MediaSettings;
  options: MediaOptions;
  onClose: (session: MediaSession) => void;
};

/** No RTP packet that we take is larger: 60 ms of G.711 have 492 bytes, those of a tunnelled one a few more. */
const maxPacketBytes = 1500;

/** IPv4 addresses as themselves where they come through a socket for both families, IPv6 ones in their shortest form. */
const plainAddress = (address: string): string =>
  address.startsWith('::ffff:') && address.includes('.')
    ? address.slice('::ffff:'.length)
    : isIPv6(address)
      ? new SocketAddress({ address, family: 'ipv6' }).address
      : address;

function listen(
  socket: Socket | undefined,
  { counts, pacer }: SessionParts,
  take: (packet: Buffer, from: Endpoint) => void,
): void {
  socket?.on('message', (packet: Buffer, { address, port, family }: RemoteInfo) => {
    pacer.catchUp();
    if (packet.length > maxPacketBytes) return counts.drop('malformed');
    take(packet, { address: family === 'IPv4' ? address : plainAddress(address), port });
  });
  socket?.on('error', () => counts.drop('send'));
}

/** A media session on its sockets. Before `start`, packets are dropped: sound before the answer is ignored. */
export function openSession(parts: SessionParts): MediaSession {
  const { ports, pacer, counts, settings, options, onClose } = parts;
  const localKey = options.srtp ? randomBytes(masterKeyBytes) : null;
  let stream: Stream | undefined;
  let removeFromPacer: (() => void) | undefined;
  let isClosed = false;
  let areSocketsClosed = false;

  listen(ports.rtp, parts, (packet, from) => (stream ? stream.receiveRtp(packet, from) : counts.drop('early')));
  listen(ports.rtcp, parts, (packet, from) => (stream ? stream.receiveRtcp(packet, from) : counts.drop('early')));

  /** An event may close the session while it has still something to send. */
  function send(socket: Socket | undefined, packet: Buffer, { address, port }: Endpoint): void {
    if (!areSocketsClosed) socket?.send(packet, port, address);
  }

  const begin = (remote: RemoteMedia): Stream =>
    createStream(remote, {
      ...settings,
      speech: options.speech(),
      tap: options.tap?.() ?? noTap,
      counts,
      localKey,
      events: options.events,
      sendRtp: (packet, to) => send(ports.rtp, packet, to),
      sendRtcp: (packet, to) => send(ports.rtcp, packet, to),
    });

  const session: MediaSession = {
    localPort: ports.port,
    localKey,
    start(described) {
      if (isClosed) return;
      const remote = { ...described, address: plainAddress(described.address) };
      if (stream) return stream.update(remote);
      const begun = (stream = begin(remote));
      removeFromPacer = pacer.add((nowMs, skipped) => begun.tick(nowMs, skipped));
    },
    sendKeys: (digits) => !isClosed && (stream?.sendKeys(digits) ?? false),
    stats: () => stream?.stats() ?? noMedia,
    close() {
      if (isClosed) return;
      isClosed = true;
      removeFromPacer?.();
      stream?.end();
      areSocketsClosed = true;
      ports.close();
      onClose(session);
    },
  };
  return session;
}
