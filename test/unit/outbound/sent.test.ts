import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, failure, fakeResolver, serve, serveRaw } from './support.ts';

/** Whether the other side may have heard of a request that failed: what decides if it may be sent again. */

const policy = { allowNetworks: [], allowHttpLoopback: true };
const post = { body: '{}', timeoutMs: 30_000 };

test('nothing was sent where no connection came about', async (t) => {
  const { resolver } = fakeResolver({ localhost: [[]] });
  const outbound = client(t, { policy, resolver });
  const controller = new AbortController();
  controller.abort();
  const port = await serveRaw(t, () => undefined);
  const failures = {
    connect: await failure(outbound.post('http://127.0.0.1:1/', post)),
    dns: await failure(outbound.post('http://localhost/', post)),
    refused_address: await failure(outbound.post('http://10.0.0.1/', post)),
    aborted: await failure(outbound.post(`http://127.0.0.1:${port}/`, { ...post, signal: controller.signal })),
  };
  for (const [reason, error] of Object.entries(failures)) assert.deepEqual([error.reason, error.sent], [reason, false]);
});

test('something may have been sent once there was a connection', async (t) => {
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
