import { isIPv6 } from 'node:net';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../base/config/schema.ts';
import { createDrain, type Drain } from '../http/drain.ts';
import { createHttpServer, type HttpOptions } from '../http/server.ts';
import type { App } from '../kernel/app.ts';

/** @throws an Error that names the port when another program listens on it */
export async function listen(app: App, http: HttpOptions): Promise<{ server: Server; drain: Drain }> {
  const server = createHttpServer(app, http);
  const drain = createDrain(server);
  const { host, port } = app.config.http;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        taken ? new Error(`port ${port} on ${host} is in use by another program; choose another with --port`) : error,
      );
    });
    server.listen(port, host, resolve);
  });
  server.on('error', (error) => app.log.error({ err: error }, 'the server could not take a connection'));
  return { server, drain };
}

/** Cuts off the requests that are still running. */
export function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

/** The server's URL without a slash at its end: the configured one, or the address it listens on. */
export function urlOf(config: Config, server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return urlWith(config, address, port);
}

/** The URL that a server with this configuration would have. Empty with port 0: then the server chooses its port when it starts. */
export const configuredUrl = (config: Config): string =>
  config.http.port === 0 && config.http.public_url === null ? '' : urlWith(config, config.http.host, config.http.port);

function urlWith({ http }: Config, host: string, port: number): string {
  if (http.public_url !== null) return http.public_url.replace(/\/$/, '');
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
