import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A server's connections that have sent a request, each with its unfinished responses. */
export type PendingResponses = ReadonlyMap<Duplex, ReadonlySet<ServerResponse>>;

const tracked = new WeakMap<Server, PendingResponses>();

/** The pending responses of a server, tracked from the first call on. It holds a response before any other listener gets it. */
export function pendingResponsesOf(server: Server): PendingResponses {
  const known = tracked.get(server);
  if (known) return known;
  const pending = new Map<Duplex, Set<ServerResponse>>();
  function onClose(this: ServerResponse): void {
    pending.get(this.req.socket)?.delete(this);
  }
  server.prependListener('request', ({ socket }, response) => {
    const responses = pending.get(socket);
    if (responses) responses.add(response);
    else {
      pending.set(socket, new Set([response]));
      socket.once('close', () => pending.delete(socket));
    }
    response.on('close', onClose);
  });
  tracked.set(server, pending);
  return pending;
}
