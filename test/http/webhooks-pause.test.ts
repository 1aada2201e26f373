import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { anAgent } from '../support/fixtures.ts';
import { type Client, type Data, dataOf, startTestServer } from '../support/server.ts';
import { aReceiver } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

type Endpoint = Data & {
  status: string;
  held: number;
  paused_at: string | null;
  pause_reason: string | null;
  failing_since: string | null;
  next_attempt_at: string | null;
};

const endpointOf = async (client: Client): Promise<Endpoint> =>
  dataOf(await client.get<Endpoint[] & Data>('/webhooks/endpoints'))[0]!;
const statuses = async (client: Client): Promise<string[]> =>
  dataOf(await client.get<Array<{ status: string }> & Data>('/webhooks/deliveries')).map(({ status }) => status);
const move = async (client: Client, id: string, verb: 'pause' | 'resume', body: object = {}): Promise<Endpoint> =>
  dataOf(await client.post<Endpoint>(`/webhooks/endpoints/${id}/${verb}`, body));

/** An agent with one URL, and a function that sends it an event. */
async function anEndpoint(client: Client, url: string) {
  const agent = await anAgent(client, { webhook_url: url });
  const send = async (): Promise<void> => {
    dataOf(await client.post('/webhooks/events', { type: 'call.completed', agent_id: agent.id }));
    await server.advance(0);
  };
  return { agent, send, endpoint: await endpointOf(client) };
}

test('a paused endpoint gets nothing until it is resumed; saving the URLs does not resume it', async (t) => {
  const client = await server.newOrganization();
  const receiver = await aReceiver(t);
  const { agent, send, endpoint } = await anEndpoint(client, receiver.url);
  const paused = await move(client, endpoint.id, 'pause', { reason: 'Moving house' });
  assert.deepEqual([paused.status, paused.pause_reason, paused.failing_since], ['paused', 'Moving house', null]);
  assert.notEqual(paused.paused_at, null);
  await send();
  await send();
  await server.advance(24 * 3_600_000);
  assert.deepEqual([receiver.events.length, await statuses(client)], [0, ['held', 'held']]);
  dataOf(await client.put(`/agents/${agent.id}`, { webhook_url: receiver.url }));
  await server.advance(0);
  const still = await endpointOf(client);
  assert.deepEqual([still.status, still.held, still.next_attempt_at, receiver.events.length], ['paused', 2, null, 0]);
  assert.deepEqual(dataOf(await client.get<unknown[] & Data>('/notices')), []);
  const resumed = await move(client, endpoint.id, 'resume');
  await server.advance(0);
  assert.deepEqual(
    [resumed.status, resumed.held, resumed.paused_at, resumed.pause_reason],
    ['delivering', 0, null, null],
  );
  assert.deepEqual([receiver.events.length, await statuses(client)], [2, ['delivered', 'delivered']]);
});

test('a pause holds what waits for a retry, and ends the tries of a failing endpoint', async (t) => {
  const client = await server.newOrganization();
  const receiver = await aReceiver(t);
  const { send, endpoint } = await anEndpoint(client, 'http://127.0.0.1:9/nobody');
  await send();
  assert.deepEqual(await statuses(client), ['retrying']);
  await move(client, endpoint.id, 'pause');
  assert.deepEqual(await statuses(client), ['held']);
  await move(client, endpoint.id, 'resume');
  await server.advance(2 * 3_600_000);
  assert.equal((await endpointOf(client)).status, 'failing');
  const paused = await move(client, endpoint.id, 'pause');
  assert.deepEqual([paused.status, paused.held, paused.failing_since], ['paused', 1, null]);
  const ran = await server.advance(24 * 3_600_000);
  assert.equal(ran['webhook.deliver'] ?? 0, 0, 'its probe does not run');
  assert.deepEqual(await statuses(client), ['held']);
  assert.equal(receiver.events.length, 0);
});

test('pausing twice keeps the first reason; another organization cannot pause it', async (t) => {
  const client = await server.newOrganization();
  const { endpoint } = await anEndpoint(client, (await aReceiver(t)).url);
  await move(client, endpoint.id, 'pause', { reason: 'first' });
  assert.equal((await move(client, endpoint.id, 'pause', { reason: 'second' })).pause_reason, 'first');
  const other = await server.newOrganization();
  assert.equal((await other.post(`/webhooks/endpoints/${endpoint.id}/pause`, {})).status, 404);
});
