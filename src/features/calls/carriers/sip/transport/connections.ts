import { connect as connectTcp, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, rootCertificates } from 'node:tls';
import { after } from '../../../../../base/clock.ts';
import { createFraming } from '../message/framing.ts';
import type { Parsed } from '../message/parse.ts';
import { type Hop, hopKey } from './hop.ts';
import type { Visit, Visitors } from './visitors.ts';

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
  /** @throws Error when no connection can be made, with a reason for users */
  send(hop: Hop, bytes: Buffer): Promise<void>;
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
/** How long the rest of a message, and a TLS handshake, may take on a connection that the other side opened. */
const maxPartMs = 10_000;
/** How long a connection that the other side opened may be silent before anything of ours came over it. */
const maxIdleMs = 60_000;

/** What bytes of a connection held; `isWaiting`: a message has begun and is not complete. */
type Taken = { isOurs: boolean; messages: number; isWaiting: boolean };

export type ConnectionLimits = { partMs: number; idleMs: number };

export function createConnections(
  files: TlsFiles,
  visitors: Visitors,
  events: ConnectionEvents,
  limits: ConnectionLimits = { partMs: maxPartMs, idleMs: maxIdleMs },
): Connections {
  const open = new Map<string, Promise<Socket>>();
  const localPorts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const visits = new Map<string, Visit>();
  const servers: Server[] = [];

  /** Reads messages until the connection ends, and forgets it then. */
  function adopt(socket: Socket, hop: Hop, took: (taken: Taken) => void = () => undefined): void {
    const framing = createFraming();
    sockets.add(socket);
    localPorts.set(hopKey(hop), socket.localPort ?? 0);
    socket.setNoDelay(true).setKeepAlive(true, 30_000);
    socket.on('data', (bytes) => {
      let isOurs = false;
      const messages = framing.push(bytes as Buffer);
      for (const parsed of messages) {
        if (events.message(parsed, hop)) isOurs = true;
        if ('fault' in parsed) socket.destroy();
      }
      took({ isOurs, messages: messages.length, isWaiting: framing.isWaiting() });
    });
    let reason = 'the connection was closed';
    socket.on('error', (error) => (reason = error.message));
    socket.once('close', () => {
      sockets.delete(socket);
      open.delete(hopKey(hop));
      localPorts.delete(hopKey(hop));
      events.broken(hop, reason);
    });
  }

  function connect(hop: Hop): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const socket = hop.transport === 'tls' ? connectTls(tlsOptions(hop, files)) : connectTcp(hop.port, hop.address);
    const ms = hop.connectMs ?? maxConnectMs;
    const cancel = after(ms, () => socket.destroy(new Error(`no connection within ${ms / 1000} s`)));
    const fail = (error: Error): void => {
      cancel();
      open.delete(hopKey(hop));
      reject(new Error(`${hop.address}:${hop.port} (${hop.transport.toUpperCase()}): ${error.message}`));
    };
    socket.once('error', fail);
    socket.once(hop.transport === 'tls' ? 'secureConnect' : 'connect', () => {
      cancel();
      socket.off('error', fail);
      adopt(socket, hop);
      resolve(socket);
    });
    return promise;
  }

  function accept(socket: Socket, transport: 'tcp' | 'tls'): void {
    const address = addressOf(socket);
    const visit = visits.get(visitKey(socket));
    const hop: Hop = { transport, address, port: socket.remotePort ?? 0, serverName: address, isTheirs: true };
    const close = (): void => void socket.destroy();
    const cancelIdle = visit?.isStranger ? after(limits.idleMs, close) : () => undefined;
    let cancelPart: (() => void) | undefined;
    open.set(hopKey(hop), Promise.resolve(socket));
    adopt(socket, hop, ({ isOurs, messages, isWaiting }) => {
      if (isOurs) {
        visit?.trust();
        cancelIdle();
      }
      if (messages > 0 || !isWaiting) {
        cancelPart?.();
        cancelPart = undefined;
      }
      if (isWaiting) cancelPart ??= after(limits.partMs, close);
    });
    socket.once('close', () => {
      cancelIdle();
      cancelPart?.();
    });
  }

  /** Limits connections before their TLS handshake, which is the dearest part of them. */
  function admit(socket: Socket): void {
    socket.on('error', () => undefined);
    const visit = visitors.enter(addressOf(socket), () => void socket.destroy());
    if (!visit) return void socket.destroy();
    visits.set(visitKey(socket), visit);
    const key = visitKey(socket);
    socket.once('close', () => {
      visits.delete(key);
      visit.leave();
    });
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
    async send(hop, bytes) {
      const socket = await connectionTo(hop);
      socket.write(bytes);
      if (socket.writableLength > maxWaitingBytes) socket.destroy(new Error('the other side takes nothing'));
    },
    open: async (hop) => (await connectionTo(hop)).localPort ?? 0,
    localPort: (hop) => localPorts.get(hopKey(hop)),
    async listen(host, port, transport) {
      const server = transport === 'tcp' ? createTcpServer() : createTlsServer(ownTls(files));
      server.on('connection', admit);
      server.on(transport === 'tcp' ? 'connection' : 'secureConnection', (socket: Socket) => {
        if (!socket.destroyed) accept(socket, transport);
      });
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve();
        });
      });
      servers.push(server);
      return (server.address() as { port: number }).port;
    },
    close() {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const addressOf = (socket: Socket): string => (socket.remoteAddress ?? '').replace(/^::ffff:/, '');

/** The same for a connection before and after its TLS handshake, which are two sockets. */
const visitKey = ({ localPort, remoteAddress, remotePort }: Socket): string =>
  `${localPort} ${remoteAddress} ${remotePort}`;

const ownTls = ({ cert, key }: TlsFiles) => ({ cert: cert!, key: key!, handshakeTimeout: maxPartMs });

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
