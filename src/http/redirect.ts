import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from '../base/http.ts';

/** A host name or address as it may stand in `Host`, without its port. */
const hostPattern = /^(?:[a-z\d.-]{1,253}|\[[\da-f:.]{2,45}\])(?=:\d{1,5}$|$)/i;

/**
 * A server of plain HTTP that sends every request to the same address over https (308 keeps method and body). `port` tells the port that
 * https is served on.
 */
export function createRedirectServer(port: () => number): Server {
  const server = createServer({ requireHostHeader: false }, (request, response) => redirect(request, response, port()));
  server.headersTimeout = 10_000;
  server.requestTimeout = 10_000;
  server.keepAliveTimeout = 5_000;
  server.maxConnections = 1000;
  return server;
}

function redirect({ headers, url = '/' }: IncomingMessage, response: ServerResponse, port: number): void {
  const [host] = hostPattern.exec(headers.host ?? '') ?? [];
  const path = url.startsWith('/') ? url : '/';
  response.setHeader('Connection', 'close'); // a body is not read
  if (host === undefined) {
    response.statusCode = 400;
    response.end('This address is served over https alone, and the request names no valid host.\n');
    return;
  }
  response.statusCode = 308;
  response.setHeader('Location', `https://${host}${port === 443 ? '' : `:${port}`}${path}`);
  response.end();
}
