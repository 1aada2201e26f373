import { connect as connectTcp, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, rootCertificates } from 'node:tls';
import { after } from '../../../../../base/clock.ts';
import { createFraming } from '../message/framing.ts';
import type { Parsed } from '../message/parse.ts';
import { type Hop, hopKey } from './hop.ts';

export type TlsFiles = {
  /** Our certificate and its key, as PEM; null without them: then no TLS listener, and no client certificate. */
  cert: string | null;
  key: string | null;
  /** CAs trusted besides the public ones. */
  ca: string | null;
};

export type ConnectionEvents = {
  message: (parsed: Parsed, hop: Hop) => void;
  /** A connection that had been used broke. */
  broken: (hop: Hop, reason: string) => void;
  /** Whether a stranger's connection may stay open. */
  accepts: (address: string) => boolean;
};

/** TCP and TLS connections, reused in both directions for as long as they last. */
export type Connections = {
  /** @throws Error when no connection can be made, with a reason for users */
  send(hop: Hop, bytes: Buffer): Promise<void>;
  listen(host: string, port: number, transport: 'tcp' | 'tls'): Promise<number>;
  close(): void;
};

const maxConnectMs = 10_000;
/** A peer that takes nothing for so long that this much waits is cut off. */
const maxWaitingBytes = 1_048_576;

export function createConnections(files: TlsFiles, events: ConnectionEvents): Connections {
  const open = new Map<string, Promise<Socket>>();
  const sockets = new Set<Socket>();
  const servers: Server[] = [];

  /** Reads messages until the connection ends, and forgets it then. */
  function adopt(socket: Socket, hop: Hop): void {
    const framing = createFraming();
    sockets.add(socket);
    socket.setNoDelay(true).setKeepAlive(true, 30_000);
    socket.on('data', (bytes) => {
      for (const parsed of framing.push(bytes as Buffer)) {
        events.message(parsed, hop);
        if ('fault' in parsed) socket.destroy();
      }
    });
    let reason = 'the connection was closed';
    socket.on('error', (error) => (reason = error.message));
    socket.once('close', () => {
      sockets.delete(socket);
      open.delete(hopKey(hop));
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
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    socket.on('error', () => undefined);
    if (!events.accepts(address)) return void socket.destroy();
    const hop: Hop = { transport, address, port: socket.remotePort ?? 0, serverName: address };
    open.set(hopKey(hop), Promise.resolve(socket));
    adopt(socket, hop);
  }

  return {
    async send(hop, bytes) {
      const key = hopKey(hop);
      const connecting = open.get(key) ?? connect(hop);
      open.set(key, connecting);
      const socket = await connecting;
      if (socket.destroyed) throw new Error(`${hop.address}:${hop.port}: the connection was closed`);
      socket.write(bytes);
      if (socket.writableLength > maxWaitingBytes) socket.destroy(new Error('the other side takes nothing'));
    },
    async listen(host, port, transport) {
      const server =
        transport === 'tcp'
          ? createTcpServer((socket) => accept(socket, 'tcp'))
          : createTlsServer({ cert: files.cert!, key: files.key! }, (socket) => accept(socket, 'tls'));
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
