import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { type Connections, createConnections } from '../../../src/base/outbound/connections.ts';
import { exchange } from '../../../src/base/outbound/exchange.ts';
import { failure, fakeResolver, serve } from './support.ts';

/** Few connections, and short-lived ones: what `createOutbound` gives no choice about. */
function connections(t: TestContext, options: { connectionsPerOrigin?: number; lifetimeMs?: number }): Connections {
  const { resolver } = fakeResolver({});
  const made = createConnections({ resolver, permits: () => true, connectionsPerOrigin: 512, ...options });
  t.after(() => made.destroy());
  return made;
}

const targetOf = (port: number, path = '/') => ({
  origin: `http://127.0.0.1:${port}`,
  host: `127.0.0.1:${port}`,
  path,
});
const post = { body: '{}', timeoutMs: 30_000 };

test('requests beyond the limit wait for a connection, who came first goes first', async (t) => {
  const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
  for (const limit of [1, 2]) {
    const server = await serve(t, (response) => response.end());
    const made = connections(t, { connectionsPerOrigin: limit });
    await Promise.all(paths.map((path) => exchange(made, targetOf(server.port, path), post)));
    assert.equal(server.connections(), limit);
    const order = server.seen.map(({ url }) => url!);
    assert.deepEqual(limit === 1 ? order : order.toSorted(), limit === 1 ? paths : paths.toSorted());
  }
});

test('who gives up while it waits for a connection is passed over, and never sent', async (t) => {
  const held = Promise.withResolvers<ServerResponse>();
  const server = await serve(t, (response, { url }) => (url === '/held' ? held.resolve(response) : response.end()));
  const made = connections(t, { connectionsPerOrigin: 1 });
  const first = exchange(made, targetOf(server.port, '/held'), post);
  const response = await held.promise;
  const late = failure(exchange(made, targetOf(server.port, '/late'), { ...post, timeoutMs: 20 }));
  const next = exchange(made, targetOf(server.port, '/next'), post);
  const error = await late;
  assert.deepEqual([error.reason, error.sent], ['timeout', false]);
  response.end();
  await Promise.all([first, next]);
  assert.deepEqual(
    server.seen.map(({ url }) => url),
    ['/held', '/next'],
  );
});

test('a connection whose request failed is replaced for who waits', async (t) => {
  const server = await serve(t, (response, { url }) => (url === '/cut' ? response.destroy() : response.end()));
  const made = connections(t, { connectionsPerOrigin: 1 });
  const cut = failure(exchange(made, targetOf(server.port, '/cut'), post));
  const next = exchange(made, targetOf(server.port, '/next'), post);
  assert.equal((await cut).reason, 'connect');
  assert.equal((await next).statusCode, 200);
  assert.equal(server.connections(), 2);
});

test('a header that cannot be sent fails its request alone', async (t) => {
  const server = await serve(t, (response) => response.end());
  const made = connections(t, { connectionsPerOrigin: 1 });
  await exchange(made, targetOf(server.port), post);
  const bad = await failure(exchange(made, targetOf(server.port), { ...post, headers: { 'x-bad': 'a\nb' } }));
  assert.deepEqual([bad.reason, bad.sent], ['protocol', false]);
  assert.equal((await exchange(made, targetOf(server.port), post)).statusCode, 200);
});

test('a connection is used again until its time is over', async (t) => {
  const server = await serve(t, (response) => response.end());
  const lasting = connections(t, {});
  for (let index = 0; index < 5; index += 1) await exchange(lasting, targetOf(server.port), post);
  assert.equal(server.connections(), 1);
  const brief = connections(t, { lifetimeMs: 0 });
  for (let index = 0; index < 5; index += 1) await exchange(brief, targetOf(server.port), post);
  assert.equal(server.connections(), 6);
});

test('a connection that the other side closed is made anew', async (t) => {
  const server = await serve(t, (response) => response.writeHead(200, { connection: 'close' }).end());
  const made = connections(t, { connectionsPerOrigin: 1 });
  for (let index = 0; index < 5; index += 1) {
    assert.equal((await exchange(made, targetOf(server.port), post)).statusCode, 200);
  }
  assert.equal(server.connections(), 5);
});

test('closing fails who waits for a connection as well', async (t) => {
  const asked = Promise.withResolvers<void>();
  const server = await serve(t, () => asked.resolve());
  const made = connections(t, { connectionsPerOrigin: 1 });
  const requests = [1, 2, 3].map(() => failure(exchange(made, targetOf(server.port), post)));
  await asked.promise;
  await made.destroy();
  assert.deepEqual(
    (await Promise.all(requests)).map(({ reason }) => reason),
    ['aborted', 'aborted', 'aborted'],
  );
});
