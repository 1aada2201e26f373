import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '../base/clock.ts';

/**
 * Lets go of a server's connections without cutting off an answer: connections that only wait for a next request are closed at
 * once, every later answer closes its own. Resolves when the requests that were under way are answered, or after the grace (real
 * time, whatever clock the domain has). The server goes on listening, so that `/ready` can say it is draining.
 */
export type Drain = (graceMs: number) => Promise<void>;

/**
 * Keeps count of a server's requests from here on. By hand, because `server.closeIdleConnections` also destroys connections whose
 * answer is written but not yet sent, and nothing in Node waits for requests while the server still listens.
 */
export function createDrain(server: Server): Drain {
  const underWay = new Set<ServerResponse>();
  /** Connections that had a request, with how many of theirs are under way. */
  const requestsOf = new Map<Socket, number>();
  let draining = false;

  server.on('connection', (socket) => void socket.once('close', () => requestsOf.delete(socket)));
  server.prependListener('request', ({ socket }, response) => {
    if (draining) response.setHeader('Connection', 'close');
    underWay.add(response);
    requestsOf.set(socket, (requestsOf.get(socket) ?? 0) + 1);
    response.once('close', () => {
      underWay.delete(response);
      const requests = requestsOf.get(socket);
      if (requests !== undefined) requestsOf.set(socket, requests - 1);
    });
  });

  return async (graceMs) => {
    draining = true;
    for (const [socket, requests] of requestsOf) if (requests === 0) socket.destroy();
    for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close');
    const answered = [...underWay].map((response) => new Promise<void>((resolve) => response.once('close', resolve)));
    const clock = systemClock();
    let cancel = (): void => undefined;
    const patience = new Promise<void>((resolve) => {
      cancel = clock.alarm(clock.now() + graceMs, resolve);
    });
    await Promise.race([Promise.all(answered), patience]);
    cancel();
  };
}
