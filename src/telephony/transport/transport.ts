import { createSocket, type Socket } from 'node:dgram';
import { isIPv4, isIPv6 } from 'node:net';
import { detailOf } from '../../base/outbound/errors.ts';
import { type Parsed, parseMessage } from '../message/parse.ts';
import { type Connections, createConnections, type TlsFiles } from './connections.ts';
import type { Hop } from './hop.ts';
import { createUnknownPeers } from './unknown-peers.ts';

export type TransportOptions = {
  /** `sip.host` and `sip.port`; port 0 takes one that is free for UDP and TCP. */
  host: string;
  port: number;
  /** Null: no TLS listener. */
  tlsPort: number | null;
  tls: TlsFiles;
  advertisedHost: string | null;
  /** Returns whether the message belongs to a call of ours. */
  onMessage: (parsed: Parsed, from: Hop) => boolean;
  /** A TCP or TLS connection broke on which messages may be outstanding. */
  onBroken: (hop: Hop, reason: string) => void;
  /** The owner of trunks that an address belongs to; undefined for an unknown peer. */
  ownerOf: (address: string) => string | undefined;
};

export type Transport = {
  readonly port: number;
  readonly tlsPort: number | null;
  /**
   * With `isWanted`, sends nothing if that is false once the connection is open.
   * @throws Error when the message certainly did not leave
   */
  send(hop: Hop, bytes: Buffer, isWanted?: () => boolean): Promise<void>;
  /**
   * The host by which the other side of a hop reaches us: for Via, Contact and session descriptions. Over TLS without a listener of ours it
   * opens the connection, whose port `portFor` then names.
   */
  localHost(hop: Hop): Promise<string>;
  /**
   * The port of our listener for a hop's transport. Over TLS without a listener, the port at our end of the connection: the other side sends
   * its requests over the connection, and finds it by that port.
   */
  portFor(hop: Hop): number;
  close(): Promise<void>;
};

/** With port 0, the system chooses a port that is free for UDP. This is how many such ports are tried until one is free for TCP too. */
const maxPortTries = 20;

/** @throws Error with `code` EADDRINUSE when the port is taken */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const { host, tlsPort: wantedTlsPort } = options;
  const connections = createConnections(options.tls, createUnknownPeers(options.ownerOf), {
    message: options.onMessage,
    broken: options.onBroken,
  });
  const udp = await bindBoth(options, connections);
  const { port } = udp.address();
  const tlsPort = wantedTlsPort === null ? null : await connections.listen(host, wantedTlsPort, 'tls');
  udp.on('message', (bytes, { address, port: from }) => {
    const source = address.replace(/^::ffff:/, '');
    if (bytes.length <= 4) return; // 4 bytes: a keep-alive
    options.onMessage(parseMessage(bytes), { transport: 'udp', address: source, port: from, serverName: source });
  });
  udp.on('error', () => undefined); // of a single datagram; the transaction sends it again
  const localHost = localHosts(options);
  return {
    port,
    tlsPort,
    async localHost(hop) {
      if (hop.transport === 'tls' && tlsPort === null) await connections.open(hop);
      return localHost(hop.address);
    },
    portFor: (hop) => (hop.transport === 'tls' ? (tlsPort ?? connections.localPort(hop) ?? port) : port),
    async send(hop, bytes, isWanted) {
      if (hop.transport !== 'udp') return connections.send(hop, bytes, isWanted);
      await new Promise<void>((resolve, reject) => {
        const target = isIPv6(host) && isIPv4(hop.address) ? `::ffff:${hop.address}` : hop.address;
        udp.send(bytes, hop.port, target, (error) => (error ? reject(error) : resolve()));
      });
    },
    async close() {
      connections.close();
      await new Promise<void>((resolve) => udp.close(() => resolve()));
    },
  };
}

/** Binds UDP and TCP to the same port. */
async function bindBoth({ host, port }: TransportOptions, connections: Connections): Promise<Socket> {
  for (let tries = 1; ; tries += 1) {
    const udp = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: 1 << 20 });
    try {
      await new Promise<void>((resolve, reject) => {
        udp.once('error', reject);
        udp.bind(port, host, () => {
          udp.off('error', reject);
          resolve();
        });
      });
      await connections.listen(host, udp.address().port, 'tcp');
      return udp;
    } catch (error) {
      udp.close();
      if (port !== 0 || tries === maxPortTries) throw error;
    }
  }
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Looks up the route to an address with a connected socket, which sends nothing. */
function localHosts({ host, advertisedHost }: TransportOptions): (address: string) => Promise<string> {
  if (advertisedHost !== null) return () => Promise.resolve(advertisedHost);
  if (!isWildcard(host)) return () => Promise.resolve(host);
  return (address) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    return new Promise<string>((resolve, reject) => {
      socket.once('error', (error) => reject(new Error(`no route to ${address}: ${detailOf(error)}`)));
      socket.connect(9, address, () => resolve(socket.address().address));
    }).finally(() => socket.close());
  };
}
