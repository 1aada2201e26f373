// Own process: it watches all connections of its process.
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { type ConnectorOptions, createConnector } from '../../../src/base/outbound/connector.ts';
import { OutboundError } from '../../../src/base/outbound/errors.ts';
import { trust } from '../../../src/base/outbound/trust.ts';
import { ca, fakeResolver, serve, serveRaw, watchConnections } from './support.ts';

const attempted = watchConnections();

const connect = (
  protocol: string,
  hostname: string,
  port: number,
  options: Partial<ConnectorOptions>,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { resolver } = fakeResolver({ 'hook.test': [['127.0.0.1']] });
    const connector = createConnector({ resolver, permits: () => true, connectTimeoutMs: 30_000, ...options });
    const target = { protocol, hostname, host: `${hostname}:${port}`, port: String(port) };
    connector(target, (...[error, socket]) => (error === null ? resolve(socket) : reject(error)));
  });

test('a literal address is checked before a socket is created, because sockets skip `lookup` for it', async (t) => {
  const server = await serve(t, (response) => response.end());
  const permits = (host: string, address: string): boolean => host !== '127.0.0.1' || address !== '127.0.0.1';
  for (const protocol of ['http:', 'https:']) {
    await assert.rejects(
      connect(protocol, '127.0.0.1', server.port, { permits }),
      (error) => error instanceof OutboundError && error.reason === 'refused_address',
    );
  }
  assert.deepEqual(attempted, []);
  assert.equal(server.connections(), 0);
});

test('the socket connects to the address that was checked', async (t) => {
  const server = await serve(t, (response) => response.end());
  const checked: string[] = [];
  const permits = (host: string, address: string): boolean => checked.push(`${host} ${address}`) > 0;
  const socket = await connect('http:', 'hook.test', server.port, { permits });
  assert.deepEqual(checked, ['hook.test 127.0.0.1']);
  assert.equal(socket.remoteAddress, '127.0.0.1');
  socket.destroy();
});

test('a connection that takes too long is a timeout error', async (t) => {
  const mute = await serveRaw(t, () => undefined);
  await assert.rejects(
    connect('https:', 'hook.test', mute, { connectTimeoutMs: 100 }),
    (error) => error instanceof OutboundError && error.reason === 'timeout',
  );
});

test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not switch the check of certificates off', async (t) => {
  const server = await serve(t, (response) => response.end(), { secure: true });
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  t.after(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
  await assert.rejects(
    connect('https:', 'hook.test', server.port, {}),
    (error) => error instanceof OutboundError && error.reason === 'tls',
  );
  (await connect('https:', 'hook.test', server.port, { secureContext: trust(ca) })).destroy();
});

test('one file may hold several authorities, in any order', async (t) => {
  const server = await serve(t, (response) => response.end(), { secure: true });
  const [other = ''] = rootCertificates;
  for (const bundle of [`# private\n${ca}\n${other}`, `${other}\n\n${ca}`]) {
    (await connect('https:', 'hook.test', server.port, { secureContext: trust(bundle) })).destroy();
  }
});
