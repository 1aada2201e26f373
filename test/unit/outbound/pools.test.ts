import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { exchange } from '../../../src/base/outbound/exchange.ts';
import { createPools, type Pools } from '../../../src/base/outbound/pools.ts';
import { failure, fakeResolver, serve, serveRaw } from './support.ts';

/** Pools with few connections or a short life, which `createOutbound` does not let a caller choose. */
function poolsFor(t: TestContext, options: { connectionsPerOrigin?: number; poolLifetimeMs?: number }): Pools {
  const { resolver } = fakeResolver({});
  const pools = createPools({ resolver, permits: () => true, connectionsPerOrigin: 512, ...options });
  t.after(() => pools.destroy());
  return pools;
}

const targetOf = (port: number, path = '/') => ({
  origin: `http://127.0.0.1:${port}`,
  host: `127.0.0.1:${port}`,
  path,
});
const post = { body: '{}', timeoutMs: 30_000 };

test('requests beyond the connection limit wait their turn, first come first served', async (t) => {
  const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
  for (const limit of [1, 2]) {
    const server = await serve(t, (response) => response.end());
    const pools = poolsFor(t, { connectionsPerOrigin: limit });
    await Promise.all(paths.map((path) => exchange(pools, targetOf(server.port, path), post)));
    assert.equal(server.connections(), limit);
    const order = server.seen.map(({ url }) => url!);
    assert.deepEqual(limit === 1 ? order : order.toSorted(), limit === 1 ? paths : paths.toSorted());
  }
});

test('a request that times out while it waits for a connection is never sent', async (t) => {
  const held = Promise.withResolvers<ServerResponse>();
  const server = await serve(t, (response, { url }) => (url === '/held' ? held.resolve(response) : response.end()));
  const pools = poolsFor(t, { connectionsPerOrigin: 1 });
  const first = exchange(pools, targetOf(server.port, '/held'), post);
  const response = await held.promise;
  const late = failure(exchange(pools, targetOf(server.port, '/late'), { ...post, timeoutMs: 20 }));
  const next = exchange(pools, targetOf(server.port, '/next'), post);
  const error = await late;
  assert.deepEqual([error.reason, error.sent], ['timeout', false]);
  response.end();
  await Promise.all([first, next]);
  assert.deepEqual(
    server.seen.map(({ url }) => url),
    ['/held', '/next'],
  );
});

test('the next request gets a new connection when the one before it failed', async (t) => {
  const server = await serve(t, (response, { url }) => (url === '/cut' ? response.destroy() : response.end()));
  const pools = poolsFor(t, { connectionsPerOrigin: 1 });
  const cut = failure(exchange(pools, targetOf(server.port, '/cut'), post));
  const next = exchange(pools, targetOf(server.port, '/next'), post);
  assert.equal((await cut).reason, 'connect');
  assert.equal((await next).statusCode, 200);
  assert.equal(server.connections(), 2);
});

test('a header that cannot be sent fails only its own request', async (t) => {
  const server = await serve(t, (response) => response.end());
  const pools = poolsFor(t, { connectionsPerOrigin: 1 });
  await exchange(pools, targetOf(server.port), post);
  const headers = { 'x-good': '\tgood \u00ff', 'x-bad': 'a\nb' };
  const bad = await failure(exchange(pools, targetOf(server.port), { ...post, headers }));
  assert.deepEqual([bad.reason, bad.sent], ['protocol', false]);
  assert.match(bad.message, /invalid x-bad header/);
  assert.equal((await exchange(pools, targetOf(server.port), post)).statusCode, 200);
});

test('connections are reused until their pool is due for renewal', async (t) => {
  const server = await serve(t, (response) => response.end());
  const lasting = poolsFor(t, { connectionsPerOrigin: 1 });
  for (let index = 0; index < 5; index += 1) await exchange(lasting, targetOf(server.port), post);
  assert.equal(server.connections(), 1);
  const brief = poolsFor(t, { connectionsPerOrigin: 1, poolLifetimeMs: 0 });
  for (let index = 0; index < 5; index += 1) await exchange(brief, targetOf(server.port), post);
  assert.equal(server.connections(), 6);
});

test('a renewed pool finishes its last requests and then closes its connections', { timeout: 20_000 }, async (t) => {
  const sockets: Socket[] = [];
  const firstArrived = Promise.withResolvers<void>();
  const answer = 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=60\r\ncontent-length: 2\r\n\r\nok';
  const port = await serveRaw(t, (socket) => {
    sockets.push(socket);
    socket.on('data', () => (sockets.length === 1 ? firstArrived.resolve() : socket.write(answer)));
  });
  const pools = poolsFor(t, { connectionsPerOrigin: 1, poolLifetimeMs: 0 });
  const first = exchange(pools, targetOf(port), post);
  await firstArrived.promise;
  assert.equal((await exchange(pools, targetOf(port), post)).responseStart, 'ok');
  assert.equal(pools.openPools(), 2);
  // The pool closes the connection long before its keep-alive of 60 s ends.
  const closed = once(sockets[0]!, 'close');
  sockets[0]!.write(answer);
  assert.equal((await first).responseStart, 'ok');
  await closed;
});

/** Resolves when no pool is open. */
async function allForgotten(pools: Pools): Promise<void> {
  while (pools.openPools() > 0) await new Promise((resolve) => setImmediate(resolve));
}

test('an origin whose connections are all closed is forgotten', { timeout: 20_000 }, async (t) => {
  const server = await serve(t, (response) => response.writeHead(200, { connection: 'close' }).end());
  const pools = poolsFor(t, {});
  await exchange(pools, targetOf(server.port), post);
  await allForgotten(pools);
});

test('an origin that refuses connections is forgotten', { timeout: 20_000 }, async (t) => {
  const pools = poolsFor(t, {});
  assert.equal((await failure(exchange(pools, targetOf(1), post))).reason, 'connect');
  await allForgotten(pools);
});

test('closing fails requests of renewed pools, and requests that wait for a connection', async (t) => {
  const twoArrived = Promise.withResolvers<void>();
  let arrived = 0;
  const server = await serve(t, () => (arrived += 1) === 2 && twoArrived.resolve());
  const renewing = poolsFor(t, { connectionsPerOrigin: 1, poolLifetimeMs: 0 });
  const lasting = poolsFor(t, { connectionsPerOrigin: 1 });
  const requests = [
    failure(exchange(renewing, targetOf(server.port), post)),
    failure(exchange(renewing, targetOf(server.port), post)),
  ];
  await twoArrived.promise;
  requests.push(...[1, 2, 3].map(() => failure(exchange(lasting, targetOf(server.port), post))));
  await Promise.all([renewing.destroy(), lasting.destroy()]);
  const errors = await Promise.all(requests);
  for (const { reason, message } of errors) {
    assert.equal(reason, 'aborted');
    assert.equal(message, 'The request was given up because the server is stopping.');
  }
});

test('a request after the server closed the idle connection gets a new one', async (t) => {
  const sockets: Socket[] = [];
  const port = await serveRaw(t, (socket) => {
    sockets.push(socket);
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  });
  const pools = poolsFor(t, {});
  for (let index = 1; index <= 5; index += 1) {
    assert.equal((await exchange(pools, targetOf(port), post)).statusCode, 200);
    assert.equal(sockets.length, index);
    const socket = sockets.at(-1)!;
    const clientHungUp = once(socket, 'close');
    socket.end();
    await clientHungUp;
  }
});

test('of several idle connections the one that is still open is used', async (t) => {
  const sockets: Socket[] = [];
  let requests = 0;
  const answer = (socket: Socket): unknown => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  const port = await serveRaw(t, (socket) => {
    sockets.push(socket);
    // The first two are answered together, so that they need a connection each.
    socket.on('data', () => {
      requests += 1;
      if (requests === 2) sockets.forEach(answer);
      else if (requests > 2) answer(socket);
    });
  });
  const pools = poolsFor(t, { connectionsPerOrigin: 2 });
  const send = () => exchange(pools, targetOf(port), post);
  await Promise.all([send(), send()]);
  const clientHungUp = once(sockets[0]!, 'close');
  sockets[0]!.end();
  await clientHungUp;
  for (const { statusCode } of await Promise.all([send(), send(), send()])) assert.equal(statusCode, 200);
  assert.equal(sockets.length, 3, 'the connection that is still open was reused');
});

test('a response with `connection: close` ends its connection', async (t) => {
  const server = await serve(t, (response) => response.writeHead(200, { connection: 'close' }).end());
  const pools = poolsFor(t, { connectionsPerOrigin: 1 });
  for (let index = 0; index < 5; index += 1) {
    assert.equal((await exchange(pools, targetOf(server.port), post)).statusCode, 200);
  }
  assert.equal(server.connections(), 5);
});
