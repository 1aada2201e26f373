import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutbound } from '../../../src/base/outbound/client.ts';
import { client, failure, fakeResolver, serve, serveRaw } from './support.ts';

/* `sent` says whether the other side may have received a failed request; only an unsent one is safe to repeat. */

const policy = { allowNetworks: [], allowHttpLoopback: true };
const post = { body: '{}', timeoutMs: 30_000 };

test('a request that fails before it has a connection was not sent', async (t) => {
  const { resolver } = fakeResolver({ localhost: [[]] });
  const outbound = client(t, { policy, resolver });
  const closed = createOutbound({ policy });
  await closed.close();
  const failures = {
    connect: await failure(outbound.post('http://127.0.0.1:1/', post)),
    dns: await failure(outbound.post('http://localhost/', post)),
    refused_address: await failure(outbound.post('http://10.0.0.1/', post)),
    aborted: await failure(closed.post('http://127.0.0.1:1/', post)),
  };
  for (const [reason, error] of Object.entries(failures)) assert.deepEqual([error.reason, error.sent], [reason, false]);
});

test('a request on an open connection may have been sent', async (t) => {
  const outbound = client(t, { policy });
  const cut = await serveRaw(t, (socket) => socket.once('data', () => socket.destroy()));
  const nonsense = await serveRaw(t, (socket) => socket.once('data', () => socket.end('SSH-2.0-x\r\n\r\n')));
  const silent = await serve(t, () => undefined);
  const failures = {
    connect: await failure(outbound.post(`http://127.0.0.1:${cut}/`, post)),
    protocol: await failure(outbound.post(`http://127.0.0.1:${nonsense}/`, post)),
    timeout: await failure(outbound.post(`http://127.0.0.1:${silent.port}/`, { ...post, timeoutMs: 50 })),
  };
  for (const [reason, error] of Object.entries(failures)) assert.deepEqual([error.reason, error.sent], [reason, true]);
});

test('a request that may not be sent any more when it has its connection is not sent', async (t) => {
  let maySend = true;
  const outbound = client(t, { policy, maySend: () => maySend });
  const { port, seen, connections } = await serve(t, (response) => response.end());
  assert.equal((await outbound.post(`http://127.0.0.1:${port}/`, post)).statusCode, 200);
  const onOpenConnection = failure(outbound.post(`http://127.0.0.1:${port}/`, post));
  const onNewConnection = failure(outbound.post(`http://127.0.0.1:${port}/`, post));
  maySend = false;
  for (const error of [await onOpenConnection, await onNewConnection])
    assert.deepEqual([error.reason, error.sent], ['aborted', false]);
  assert.equal(seen.length, 1);
  assert.equal(connections(), 2);
  maySend = true;
  assert.equal((await outbound.post(`http://127.0.0.1:${port}/`, post)).statusCode, 200);
});
