import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, test, type TestContext } from 'node:test';
import { anAgent, aPhone } from '../support/fixtures.ts';
import { type Client, type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { aReceiver, newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const dayMs = 86_400_000;
const unknown = '01990000-0000-7000-8000-00000000ffff';

type Item = { event_id: string; type: string; timestamp: string; agent_id: string; body: string; reason?: string };
type Stream = { status: number; response: IncomingMessage; next(): Promise<{ event: string; data: Item } | undefined> };

async function follow(
  t: TestContext,
  client: Client,
  { query = '', key = client.apiKey }: { query?: string; key?: string } = {},
): Promise<Stream> {
  const sent = request(`${server.url}/api/v1/live?topic=events${query}`, {
    headers: { 'x-api-key': key },
    agent: false,
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  t.after(() => response.destroy());

  const events = eventsOf(response);
  return {
    status: response.statusCode!,
    response,
    next: async () => (await events.next()).value as { event: string; data: Item } | undefined,
  };
}

async function* eventsOf(response: IncomingMessage): AsyncGenerator<{ event: string; data: Item }> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk);
    const parts = text.split('\n\n');
    text = parts.pop()!;
    for (const part of parts) {
      const { event, data } = /^(?:id: .*\n)?event: (?<event>.*)\ndata: (?<data>.*)$/.exec(part)?.groups ?? {};
      if (event !== undefined) yield { event, data: JSON.parse(data!) as Item };
    }
  }
}

const sample = async (client: Client, agentId: string, data: object = {}): Promise<string> =>
  dataOf(
    await client.post<Data & { event_id: string }>('/webhooks/events', {
      type: 'call.completed',
      agent_id: agentId,
      data,
    }),
  ).event_id;

test('a follower gets the event of each call, with the bytes that webhooks get', async (t) => {
  const { client, agentId, numberId } = await newCallingOrg(server);
  const receiver = await aReceiver(t);
  await client.put(`/agents/${agentId}`, { webhook_url: receiver.url });
  const stream = await follow(t, client);
  const call = dataOf(await client.post('/calls', { agent_id: agentId, phone_number_id: numberId, to: aPhone('00') }));
  await server.advance(60_000);
  const { event, data } = (await stream.next())!;
  assert.equal(event, 'events');
  assert.deepEqual([data.type, data.agent_id], ['call.completed', agentId]);
  assert.equal(data.event_id, call['call_session_id']);
  assert.deepEqual(JSON.parse(data.body), receiver.events[0]);
  const [delivery] = dataOf(await client.get<Array<Data>>('/webhooks/deliveries'));
  assert.equal(delivery!['status'], 'delivered');
});

test('an agent without a URL has events while somebody follows, and a day longer', async (t) => {
  const { client, agentId, numberId } = await newCallingOrg(server);
  const call = async () => {
    await client.post('/calls', { agent_id: agentId, phone_number_id: numberId, to: aPhone('00') });
    await server.advance(60_000);
  };
  await call();
  const stream = await follow(t, client);
  await call();
  const first = (await stream.next())!.data;
  stream.response.destroy();
  await call();
  const again = await follow(t, client, { query: `&after=${first.event_id}` });
  const second = (await again.next())!.data;
  again.response.destroy();
  assert.notEqual(second.event_id, first.event_id);
  assert.ok(second.timestamp > first.timestamp);
  assert.deepEqual(dataOf(await client.get<unknown[] & Data>('/webhooks/deliveries')), []);

  await server.advance(2 * dayMs);
  await call();
  const late = await follow(t, client, { query: `&after=${second.event_id}` });
  assert.deepEqual(await late.next().then((bye) => [bye!.event, bye!.data.reason]), ['bye', 'gone']);
  const { db } = server.running.app;
  const rows = await db.selectFrom('webhook_events').select('id').where('organization_id', '=', client.orgId).execute();
  assert.deepEqual(rows, [], 'events that were only followed are deleted at night');
});

test('a stream begins behind the event that it names, and refuses what it cannot do', async (t) => {
  const client = await server.newOrganization();
  const receiver = await aReceiver(t);
  const { id } = await anAgent(client, { webhook_url: receiver.url });
  const ids = [await sample(client, id), await sample(client, id), await sample(client, id)];
  const stream = await follow(t, client, { query: `&after=${ids[0]}` });
  assert.deepEqual([(await stream.next())!.data.event_id, (await stream.next())!.data.event_id], ids.slice(1));

  const gone = await follow(t, client, { query: `&after=${unknown}` });
  assert.equal((await gone.next())!.data.reason, 'gone');
  assert.equal(await gone.next(), undefined);
  const others = await follow(t, await server.newOrganization(), { query: `&after=${ids[0]}` });
  assert.equal((await others.next())!.data.reason, 'gone');
  assert.equal((await follow(t, client, { key: await client.keyWithRole('viewer') })).status, 403);
  assert.equal((await follow(t, client, { query: '&after=soon' })).status, 400);
  assert.deepEqual(faultPaths(await client.get(`/live?topic=calls&after=${ids[0]}`)), ['after']);
});

test('events of another organization are not sent', async (t) => {
  const [one, other] = [await server.newOrganization(), await server.newOrganization()];
  const stream = await follow(t, one);
  await follow(t, other);
  await sample(other, (await anAgent(other)).id);
  const own = await sample(one, (await anAgent(one)).id);
  assert.equal((await stream.next())!.data.event_id, own);
});

test('a reader that leaves more than 1,000 events unread is told so and cut off', async (t) => {
  const client = await server.newOrganization();
  const { id } = await anAgent(client);
  const stream = await follow(t, client);
  stream.response.pause();
  const metadata = { text: 'x'.repeat(40_000) };
  for (let round = 0; round < 115; round += 1) {
    await Promise.all(Array.from({ length: 10 }, () => sample(client, id, { metadata })));
  }
  let last: { event: string; data: Item } | undefined = undefined;
  let received = 0;
  for (let next = await stream.next(); next; next = await stream.next()) {
    last = next;
    received += 1;
  }
  assert.deepEqual([last!.event, last!.data.reason], ['bye', 'slow']);
  assert.ok(received < 1150 - 900, `${received} events`);
});
