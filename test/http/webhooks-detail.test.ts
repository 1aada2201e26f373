import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { anAgent } from '../support/fixtures.ts';
import { type Client, type Data, dataOf, faultPaths, startTestServer, type TestServer } from '../support/server.ts';
import { isoAt, msOf, nowOf } from './calling-support.ts';

const minute = 60_000;
const hour = 60 * minute;

type Endpoint = Data & {
  url: string;
  status: string;
  agent_name: string;
  failures: number;
  next_attempt_at: string | null;
  last_delivered_at: string | null;
  held: number;
  exhausted: number;
};
type Delivery = Data & { status: string; next_attempt_at: string | null; schedule: string[]; created_at: string };
type Attempt = {
  number: number;
  request_headers: Record<string, string> | null;
  response_headers: Record<string, string> | null;
};

/** A receiver that answers with `status`, and the headers that it got. */
async function aReceiver(t: TestContext, status = 200) {
  const receiver = { url: '', status, got: [] as IncomingHttpHeaders[] };
  const server = createServer((request, response) => {
    receiver.got.push(request.headers);
    const headers = { 'set-cookie': ['token=secret', 'b=2'], 'x-trace': 'abc', 'x-big': 'x'.repeat(3000) };
    request.resume().on('end', () => response.writeHead(receiver.status, headers).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

async function serverFor(t: TestContext): Promise<TestServer> {
  const server = await startTestServer();
  t.after(() => server.stop());
  return server;
}

const endpointsOf = async (client: Client) => dataOf(await client.get<Endpoint[]>('/webhooks/endpoints'));
const deliveryOf = async (client: Client, id: string) =>
  dataOf(await client.get<Delivery & { attempts: Attempt[] }>(`/webhooks/deliveries/${id}`));
const testOf = async (client: Client, endpointId: string) =>
  dataOf(await client.post<Delivery>(`/webhooks/endpoints/${endpointId}/test`));
const retry = (client: Client, body: object) => client.post<{ queued: number }>('/webhooks/deliveries/retry', body);
const countOf = async (client: Client, status: string) =>
  (await client.get(`/webhooks/deliveries?status=${status}`)).body.meta.total;

test('an endpoint tells how it fares, and a delivery which attempts are still to come', async (t) => {
  const server = await serverFor(t);
  const receiver = await aReceiver(t, 500);
  await anAgent(server, { agentName: 'Robin', webhookUrl: receiver.url });
  const read = async () => (await endpointsOf(server))[0]!;
  const { id } = await read();
  const { id: deliveryId } = await testOf(server, id);
  const start = nowOf(server);
  await server.advance(0);
  const delays = [0, 30_000, 2.5 * minute, 12.5 * minute, 72.5 * minute, 432.5 * minute];
  const schedule = delays.map((delay) => isoAt(start + delay));
  for (const [index, at] of schedule.entries()) {
    await server.advance(msOf(at) - nowOf(server));
    const [endpoint, delivery] = [await read(), await deliveryOf(server, deliveryId)];
    const isLast = index === schedule.length - 1;
    assert.deepEqual(delivery.schedule, schedule.slice(index + 1), `after attempt ${index + 1}`);
    assert.equal(endpoint.next_attempt_at, schedule[index + 1] ?? null);
    assert.deepEqual(
      [endpoint.agent_name, endpoint.failures, endpoint.status, endpoint.exhausted, endpoint.last_delivered_at],
      ['Robin', index + 1, index < 4 ? 'delivering' : 'failing', isLast ? 1 : 0, null],
    );
  }
  receiver.status = 200;
  await server.post(`/webhooks/endpoints/${id}/resume`);
  await server.advance(0);
  const healed = await read();
  assert.deepEqual(
    [healed.failures, healed.exhausted, healed.next_attempt_at, healed.last_delivered_at],
    [0, 0, null, isoAt(nowOf(server))],
  );
  assert.deepEqual((await deliveryOf(server, deliveryId)).schedule, []);
});

test('failures of an endpoint are forgotten with the next success', async (t) => {
  const server = await serverFor(t);
  const receiver = await aReceiver(t, 500);
  await anAgent(server, { webhookUrl: receiver.url });
  const { id } = (await endpointsOf(server))[0]!;
  await testOf(server, id);
  await testOf(server, id);
  await server.advance(0);
  assert.equal((await endpointsOf(server))[0]!.failures, 2);
  receiver.status = 204;
  await server.advance(30_000);
  const [endpoint] = await endpointsOf(server);
  assert.deepEqual([endpoint!.failures, endpoint!.last_delivered_at], [0, isoAt(nowOf(server))]);
});

test('an attempt shows the headers that were sent and answered, without the credentials of the receiver', async (t) => {
  const server = await serverFor(t);
  const receiver = await aReceiver(t);
  await anAgent(server, { webhookUrls: [receiver.url, 'http://127.0.0.1:9/'] });
  const endpoints = await endpointsOf(server);
  const ids = new Map(
    await Promise.all(endpoints.map(async ({ id, url }) => [url, await testOf(server, id)] as const)),
  );
  await server.advance(0);
  const [attempt] = (await deliveryOf(server, ids.get(receiver.url)!.id)).attempts;
  const sent = receiver.got[0]!;
  const names = ['content-type', 'user-agent', 'webhook-id', 'webhook-signature', 'webhook-timestamp'];
  assert.deepEqual(Object.keys(attempt!.request_headers!).toSorted(), names);
  for (const name of names) assert.equal(attempt!.request_headers![name], sent[name]);
  const answered = attempt!.response_headers!;
  assert.equal(answered['x-trace'], 'abc');
  assert.equal(answered['set-cookie'], '[redacted]');
  assert.ok(JSON.stringify(answered).length < 4200);
  const [refused] = (await deliveryOf(server, ids.get('http://127.0.0.1:9/')!.id)).attempts;
  assert.equal(refused!.request_headers!['content-type'], 'application/json');
  assert.equal(refused!.response_headers, null);
});

test('all deliveries with a status are sent again by one request, of one organization alone', async (t) => {
  const server = await serverFor(t);
  const receiver = await aReceiver(t, 410);
  const theirs = await server.newOrganization();
  await anAgent(theirs, { webhookUrl: receiver.url });
  await testOf(theirs, (await endpointsOf(theirs))[0]!.id);
  await anAgent(server, { webhookUrl: receiver.url });
  await anAgent(server, { webhookUrl: `${receiver.url}/2` });
  const [second, first] = (await endpointsOf(server)).map(({ id }) => id) as [string, string];
  const early = await testOf(server, first);
  await server.advance(1000);
  const late = await testOf(server, second);
  await server.advance(6 * hour);
  assert.deepEqual([await countOf(server, 'exhausted'), await countOf(theirs, 'exhausted')], [2, 1]);
  const queued = async (body: object) => dataOf(await retry(server, body)).queued;
  assert.equal(await queued({ status: 'held' }), 0);
  assert.equal(await queued({ status: 'exhausted', until: early.created_at }), 0);
  assert.equal(await queued({ status: 'exhausted', since: late.created_at, endpoint_id: first }), 0);
  receiver.status = 200;
  assert.equal(await queued({ status: 'exhausted', since: early.created_at, until: late.created_at }), 1);
  assert.equal((await deliveryOf(server, late.id)).status, 'exhausted');
  assert.equal(await queued({ status: 'exhausted' }), 1);
  assert.equal(await queued({ status: 'exhausted' }), 0, 'once');
  await server.advance(0);
  assert.deepEqual([await countOf(server, 'delivered'), await countOf(theirs, 'exhausted')], [2, 1]);
  const before = receiver.got.length;
  assert.equal(await queued({ status: 'delivered', endpoint_id: second }), 1);
  assert.equal(await queued({ status: 'pending' }), 0);
  await server.advance(0);
  assert.equal(receiver.got.length, before + 1);
  const entries = dataOf(
    await server.get<Array<Data & { operation: string }>>('/audit?operation=retryWebhookDeliveries'),
  );
  assert.equal(entries.length, 8);
});

test('a retry of all deliveries names what is wrong with it', async (t) => {
  const server = await serverFor(t);
  const theirs = await server.newOrganization();
  await anAgent(theirs, { webhookUrl: 'http://127.0.0.1:9/' });
  const foreign = (await endpointsOf(theirs))[0]!.id;
  for (const endpoint of [randomUUID(), foreign]) {
    assert.deepEqual(faultPaths(await retry(server, { status: 'held', endpoint_id: endpoint })), ['endpoint_id']);
  }
  assert.deepEqual(faultPaths(await retry(server, {})), ['status']);
  const [since, until] = [isoAt(nowOf(server)), isoAt(nowOf(server) - 1)];
  assert.deepEqual(faultPaths(await retry(server, { status: 'held', since, until })), ['since', 'until']);
  const viewer = { key: await server.keyWithRole('viewer') };
  assert.equal((await server.post('/webhooks/deliveries/retry', { status: 'held' }, viewer)).status, 403);
});

test('deliveries of a URL that was removed are sent once more by a retry of all that were cancelled', async (t) => {
  const server = await serverFor(t);
  const receiver = await aReceiver(t, 410);
  const agent = await anAgent(server, { webhookUrl: receiver.url });
  const { id } = (await endpointsOf(server))[0]!;
  await testOf(server, id);
  await server.advance(0);
  await server.put(`/agents/${agent.id}`, { webhook_urls: [] });
  assert.equal(dataOf(await retry(server, { status: 'cancelled', endpoint_id: id })).queued, 1);
  await server.advance(0);
  assert.equal(receiver.got.length, 2);
  assert.equal(await countOf(server, 'cancelled'), 1);
});
