import { isIPv6 } from 'node:net';
import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Config } from '../base/config/schema.ts';
import { messageOf } from '../base/errors.ts';
import { createDrain, type Drain } from '../http/drain.ts';
import { createRedirectServer } from '../http/redirect.ts';
import { createHttpServer, type HttpOptions } from '../http/server.ts';
import type { App } from '../kernel/app.ts';
import { readKeyPair, whenCertificateChanges } from './certificate.ts';

type Listening = {
  server: Server;
  drain: Drain;
  /** Reads the certificate's files again. @throws ConfigError when they cannot be used; then the server keeps its certificate */
  renewCertificate: () => void;
};

/**
 * Serves HTTP, or HTTPS where a certificate is set. Closing `opened` ends it.
 * @throws ConfigError when the certificate cannot be used, or an Error that names the port when another program listens on it
 */
export async function listen(app: App, http: HttpOptions, opened: AsyncDisposableStack): Promise<Listening> {
  const { config, log } = app;
  const { host, port } = config.http;
  const pair = readKeyPair(config);
  const minVersion = `TLSv${config.tls.min_version}` as const;
  const server = createHttpServer(app, pair ? { ...http, tls: { ...pair, minVersion } } : http);
  opened.defer(() => closeServer(server));
  await listenOn(server, host, port);
  server.on('error', (error) => log.error({ err: error }, 'the server could not take a connection'));
  const listening = { server, drain: createDrain(server) };
  if (!pair) return { ...listening, renewCertificate: () => undefined };

  if (config.tls.redirect_port !== null) {
    const redirecting = createRedirectServer(() => (server.address() as AddressInfo).port);
    opened.defer(() => closeServer(redirecting));
    await listenOn(redirecting, host, config.tls.redirect_port);
  }
  const renewCertificate = (): void => {
    const { cert, key } = readKeyPair(config)!;
    (server as TlsServer).setSecureContext({ cert, key, minVersion });
    log.info('the certificate was read again');
  };
  opened.defer(whenCertificateChanges(config, () => renewOrKeep(app, renewCertificate)));
  return { ...listening, renewCertificate };
}

function renewOrKeep({ log }: App, renew: () => void): void {
  try {
    renew();
  } catch (error) {
    log.error({ error: messageOf(error) }, 'the changed certificate cannot be used; the server keeps the one it has');
  }
}

export function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`port ${port} on ${host} is in use by another program; choose another with --port`);
  if (error.code === 'EACCES')
    return new Error(
      `this user may not listen on port ${port}; choose a port from 1024 on with --port, or give the service CAP_NET_BIND_SERVICE`,
    );
  if (error.code === 'EADDRNOTAVAIL')
    return new Error(`${host} is not an address of this machine; choose another with --host`);
  return error;
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

function urlWith({ http, tls }: Config, host: string, port: number): string {
  if (http.public_url !== null) return http.public_url.replace(/\/$/, '');
  return `${tls.cert_file === null ? 'http' : 'https'}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
