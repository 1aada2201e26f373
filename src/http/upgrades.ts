import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { App } from '../kernel/app.ts';

/** Takes over a connection that becomes a WebSocket; false for an address that is none. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** The only addresses with a WebSocket: everywhere else the header `Upgrade` is ignored, as programs send it to ask for HTTP/2. */
const socketPath = /^\/api\/v1\/calls\/[^/]+\/audio\/?(?:\?.*)?$/;

export const isUpgrade = ({ url, headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && socketPath.test(url ?? '');

/**
 * Hands requests for a WebSocket on. A page of another origin than ours and `http.cors.origins` is refused, because browsers let any page open
 * one. An address without a WebSocket is answered 404.
 */
export function acceptUpgrades(app: App, server: Server, upgrade: Upgrade): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (!isAllowedOrigin(app, request)) return refuse(socket, '403 Forbidden');
    if (!upgrade(request, socket, head)) refuse(socket, '404 Not Found');
  });
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Programs send no `Origin`. */
function isAllowedOrigin({ config }: App, { headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  if (origin === undefined || config.http.cors.origins.includes(origin)) return true;
  const { public_url: publicUrl } = config.http;
  const own = publicUrl === null ? [] : [new URL(publicUrl).origin];
  // Where the public address is https, whoever controls the network can serve a page at the same address over http.
  if (publicUrl?.startsWith('https:') !== true)
    own.push(`${config.tls.cert_file === null ? 'http' : 'https'}://${host}`);
  return own.includes(origin.toLowerCase());
}
