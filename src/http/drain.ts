import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '../base/clock.ts';

/**
 * Closes a server's connections without cutting off an answer: idle connections at once, all others with their next answer. Resolves
 * when the pending requests have been answered, at the latest after `graceMs` of real time (also under a test clock). The server keeps
 * listening, so that `/ready` can report that it is draining.
 */
export type Drain = (graceMs: number) => Promise<void>;

/**
 * Starts tracking a server's requests. By hand, because `server.closeIdleConnections` also destroys connections whose answer is
 * written but not yet sent, and Node cannot wait for requests while the server still listens.
 */
export function createDrain(server: Server): Drain {
  const pending = new Set<ServerResponse>();
  /** Number of pending requests of each connection that has sent one. */
  const pendingOf = new Map<Socket, number>();
  let draining = false;

  server.on('connection', (socket) => void socket.once('close', () => pendingOf.delete(socket)));
  server.prependListener('request', ({ socket }, response) => {
    if (draining) response.setHeader('Connection', 'close');
    pending.add(response);
    pendingOf.set(socket, (pendingOf.get(socket) ?? 0) + 1);
    response.once('close', () => {
      pending.delete(response);
      const count = pendingOf.get(socket);
      if (count !== undefined) pendingOf.set(socket, count - 1);
    });
  });

  return async (graceMs) => {
    draining = true;
    for (const [socket, count] of pendingOf) if (count === 0) socket.destroy();
    for (const response of pending) if (!response.headersSent) response.setHeader('Connection', 'close');
    const answered = [...pending].map((response) => new Promise<void>((resolve) => response.once('close', resolve)));
    const clock = systemClock();
    let cancel = (): void => undefined;
    const graceOver = new Promise<void>((resolve) => {
      cancel = clock.alarm(clock.now() + graceMs, resolve);
    });
    await Promise.race([Promise.all(answered), graceOver]);
    cancel();
  };
}
