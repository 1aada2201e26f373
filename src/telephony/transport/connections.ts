import { connect as connectTcp, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, rootCertificates } from 'node:tls';
import { after } from '../../base/clock.ts';
import { detailOf } from '../../base/outbound/errors.ts';
import { createFraming } from '../message/framing.ts';
import type { Parsed } from '../message/parse.ts';
import {
  addressOf,
  createConnectionLimiter,
  type ConnectionLimits,
  defaultConnectionLimits,
  type Received,
} from './connection-limiter.ts';
import { type Hop, hopKey } from './hop.ts';
import type { UnknownPeers } from './unknown-peers.ts';

export type TlsFiles = {
  /** Our certificate and its key, as PEM; null without them: then no TLS listener, and no client certificate. */
  cert: string | null;
  key: string | null;
  /** CAs trusted besides the public ones. */
  ca: string | null;
};

export type ConnectionEvents = {
  /** Returns whether the message belongs to a call of ours. */
  message: (parsed: Parsed, hop: Hop) => boolean;
  /** A connection that had been used broke. */
  broken: (hop: Hop, reason: string) => void;
};

/** TCP and TLS connections, reused in both directions for as long as they last. */
export type Connections = {
  /**
   * With `isWanted`, sends nothing if that is false once the connection is open.
   * @throws Error when no connection can be made, with a reason for users
   */
  send(hop: Hop, bytes: Buffer, isWanted?: () => boolean): Promise<void>;
  /**
   * Opens the connection if it is not open, and returns the port at our end.
   * @throws Error when no connection can be made, with a reason for users
   */
  open(hop: Hop): Promise<number>;
  /** The port at our end of an open connection. */
  localPort(hop: Hop): number | undefined;
  listen(host: string, port: number, transport: 'tcp' | 'tls'): Promise<number>;
  close(): void;
};

const maxConnectMs = 10_000;
/** A peer that takes nothing for so long that this much waits is cut off. */
const maxWaitingBytes = 1_048_576;

export function createConnections(
  files: TlsFiles,
  peers: UnknownPeers,
  events: ConnectionEvents,
  limits: ConnectionLimits = defaultConnectionLimits,
): Connections {
  const open = new Map<string, Promise<Socket>>();
  const localPorts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const limiter = createConnectionLimiter(peers, limits);

  /** Reads messages until the connection ends, and forgets it then. */
  function adopt(socket: Socket, hop: Hop, onReceived: (received: Received) => void = () => undefined): void {
    const key = hopKey(hop);
    sockets.add(socket);
    localPorts.set(key, socket.localPort ?? 0);
    socket.setNoDelay(true).setKeepAlive(true, 30_000);
    readMessages(socket, (parsed) => events.message(parsed, hop), onReceived);
    let reason = 'the connection was closed';
    socket.on('error', (error) => (reason = error.message));
    socket.once('close', () => {
      sockets.delete(socket);
      open.delete(key);
      localPorts.delete(key);
      events.broken(hop, reason);
    });
  }

  async function connect(hop: Hop): Promise<Socket> {
    try {
      const socket = await openSocket(hop, files);
      adopt(socket, hop);
      return socket;
    } catch (error) {
      open.delete(hopKey(hop));
      throw error;
    }
  }

  function accept(socket: Socket, transport: 'tcp' | 'tls'): void {
    if (socket.destroyed) return;
    const address = addressOf(socket);
    const hop: Hop = { transport, address, port: socket.remotePort ?? 0, serverName: address, isTheirs: true };
    open.set(hopKey(hop), Promise.resolve(socket));
    adopt(socket, hop, limiter.watch(socket));
  }

  async function connectionTo(hop: Hop): Promise<Socket> {
    const key = hopKey(hop);
    const known = open.get(key);
    if (!known && hop.isTheirs) throw new Error(`${hop.address}:${hop.port}: the other side closed the connection`);
    const connecting = known ?? connect(hop);
    open.set(key, connecting);
    const socket = await connecting;
    if (socket.destroyed) throw new Error(`${hop.address}:${hop.port}: the connection was closed`);
    return socket;
  }

  return {
    async send(hop, bytes, isWanted = () => true) {
      const socket = await connectionTo(hop);
      if (!isWanted()) return;
      socket.write(bytes);
      if (socket.writableLength > maxWaitingBytes) socket.destroy(new Error('the other side takes nothing'));
    },
    open: async (hop) => (await connectionTo(hop)).localPort ?? 0,
    localPort: (hop) => localPorts.get(hopKey(hop)),
    async listen(host, port, transport) {
      const server = transport === 'tcp' ? createTcpServer() : createTlsServer(ownTls(files, limits));
      server.on('connection', (socket: Socket) => limiter.admit(socket));
      server.on(transport === 'tcp' ? 'connection' : 'secureConnection', (socket: Socket) => accept(socket, transport));
      await bound(server, host, port);
      servers.push(server);
      return (server.address() as { port: number }).port;
    },
    close() {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function readMessages(
  socket: Socket,
  onMessage: (parsed: Parsed) => boolean,
  onReceived: (received: Received) => void,
): void {
  const framing = createFraming();
  socket.on('data', (bytes) => {
    let isOurs = false;
    const messages = framing.push(bytes as Buffer);
    for (const parsed of messages) {
      if (onMessage(parsed)) isOurs = true;
      if ('fault' in parsed) socket.destroy();
    }
    onReceived({ isOurs, messages: messages.length, isWaiting: framing.isWaiting() });
  });
}

const bound = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** @throws Error when no connection can be made, with a reason for users */
function openSocket(hop: Hop, files: TlsFiles): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = hop.transport === 'tls' ? connectTls(tlsOptions(hop, files)) : connectTcp(hop.port, hop.address);
  const ms = hop.connectMs ?? maxConnectMs;
  const cancel = after(ms, () => socket.destroy(new Error(`no connection within ${ms / 1000} s`)));
  const fail = (error: Error): void => {
    cancel();
    reject(new Error(`${hop.address}:${hop.port} (${hop.transport.toUpperCase()}): ${detailOf(error)}`));
  };
  socket.once('error', fail);
  socket.once(hop.transport === 'tls' ? 'secureConnect' : 'connect', () => {
    cancel();
    socket.off('error', fail);
    resolve(socket);
  });
  return promise;
}

const ownTls = ({ cert, key }: TlsFiles, { partMs }: ConnectionLimits) => ({
  cert: cert!,
  key: key!,
  handshakeTimeout: partMs,
});

function tlsOptions({ address, port, serverName }: Hop, { cert, key, ca }: TlsFiles) {
  return {
    host: address,
    port,
    // A literal address has no server name indication; the certificate is then checked against the address itself.
    ...(serverName === address ? {} : { servername: serverName }),
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2' as const,
    ...(cert === null || key === null ? {} : { cert, key }),
    ...(ca === null ? {} : { ca: [...rootCertificates, ca] }),
  };
}
