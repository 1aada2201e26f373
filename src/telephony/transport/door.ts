import type { Socket } from 'node:net';
import { after } from '../../base/clock.ts';
import type { Visit, Visitors } from './visitors.ts';

/** What bytes of a connection held. */
export type Taken = {
  /** Whether a message belongs to a call of ours. */
  isOurs: boolean;
  messages: number;
  /** A message has begun and is not complete. */
  isWaiting: boolean;
};

export type DoorLimits = {
  /** How long the rest of a message may take. */
  partMs: number;
  /** How long a stranger's connection may last before anything of ours came over it. */
  idleMs: number;
};

export const doorLimits: DoorLimits = { partMs: 10_000, idleMs: 60_000 };

/** Watches over the connections that others open. */
export type Door = {
  /** Closes a new connection for which there is no place, before its TLS handshake, which is the dearest part of it. */
  admit(socket: Socket): void;
  /** Closes the connection when it says too little for too long. Returns what must be called with all that comes over it. */
  watch(socket: Socket): (taken: Taken) => void;
};

export function createDoor(visitors: Visitors, limits: DoorLimits): Door {
  const visits = new Map<string, Visit>();
  return {
    admit(socket) {
      socket.on('error', () => undefined);
      const key = visitKey(socket);
      const visit = visitors.enter(addressOf(socket), () => void socket.destroy());
      if (!visit) return void socket.destroy();
      visits.set(key, visit);
      socket.once('close', () => {
        visits.delete(key);
        visit.leave();
      });
    },
    watch(socket) {
      const visit = visits.get(visitKey(socket));
      const close = (): void => void socket.destroy();
      const cancelIdle = visit?.isStranger ? after(limits.idleMs, close) : () => undefined;
      let cancelPart: (() => void) | undefined;
      socket.once('close', () => {
        cancelIdle();
        cancelPart?.();
      });
      return ({ isOurs, messages, isWaiting }) => {
        if (isOurs) {
          visit?.trust();
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
const visitKey = ({ localPort, remoteAddress, remotePort }: Socket): string =>
  `${localPort} ${remoteAddress} ${remotePort}`;
