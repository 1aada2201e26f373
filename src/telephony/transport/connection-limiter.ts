import type { Socket } from 'node:net';
import { after } from '../../base/clock.ts';
import type { PeerConnection, UnknownPeers } from './unknown-peers.ts';

/** What bytes of a connection held. */
export type Received = {
  /** Whether a message belongs to a call of ours. */
  isOurs: boolean;
  messages: number;
  /** A message has begun and is not complete. */
  isWaiting: boolean;
};

export type ConnectionLimits = {
  /** How long the rest of a message may take. */
  partMs: number;
  /** How long a connection of an unknown peer may last before anything of ours came over it. */
  idleMs: number;
};

export const defaultConnectionLimits: ConnectionLimits = { partMs: 10_000, idleMs: 60_000 };

/** Closes connections that others open: those that are too many, and those that say too little. */
export type ConnectionLimiter = {
  /** Closes a new connection beyond the limits before its TLS handshake, which is the dearest part of it. */
  admit(socket: Socket): void;
  /** Closes the connection when it says too little for too long. Returns what must be called with all that comes over it. */
  watch(socket: Socket): (received: Received) => void;
};

export function createConnectionLimiter(peers: UnknownPeers, limits: ConnectionLimits): ConnectionLimiter {
  const connections = new Map<string, PeerConnection>();
  return {
    admit(socket) {
      socket.on('error', () => undefined);
      const key = connectionKey(socket);
      const connection = peers.add(addressOf(socket), () => void socket.destroy());
      if (!connection) return void socket.destroy();
      connections.set(key, connection);
      socket.once('close', () => {
        connections.delete(key);
        connection.remove();
      });
    },
    watch(socket) {
      const connection = connections.get(connectionKey(socket));
      const close = (): void => void socket.destroy();
      const cancelIdle = connection?.isUnknown ? after(limits.idleMs, close) : () => undefined;
      let cancelPart: (() => void) | undefined;
      socket.once('close', () => {
        cancelIdle();
        cancelPart?.();
      });
      return ({ isOurs, messages, isWaiting }) => {
        if (isOurs) {
          connection?.trust();
          cancelIdle();
        }
        if (messages > 0 || !isWaiting) {
          cancelPart?.();
          cancelPart = undefined;
        }
        if (isWaiting) cancelPart ??= after(limits.partMs, close);
      };
    },
  };
}

export const addressOf = (socket: Socket): string => (socket.remoteAddress ?? '').replace(/^::ffff:/, '');

/** The same for a connection before and after its TLS handshake, which are two sockets. */
const connectionKey = ({ localPort, remoteAddress, remotePort }: Socket): string =>
  `${localPort} ${remoteAddress} ${remotePort}`;
