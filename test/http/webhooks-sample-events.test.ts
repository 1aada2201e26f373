import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { anAgent } from '../support/fixtures.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { aReceiver, conflictOf } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

type Sent = Data & { event_id: string };
type Event = { event: string; org_id: string; test?: boolean; data: Record<string, unknown> };
const nobody = '01990000-0000-7000-8000-00000000ffff';

test('a sample event goes to every URL of the agent, with its outcome and data', async (t) => {
  const client = await server.newOrganization();
  const receivers = [await aReceiver(t), await aReceiver(t)];
  const agent = await anAgent(client, { webhook_urls: receivers.map(({ url }) => url) });
  const data = { duration_sec: 12, caller_name: 'Grace', metadata: { ticket: 7 } };
  const body = { type: 'call.completed', agent_id: agent.id, outcome: 'voicemail', data };
  const { event_id: id } = dataOf(await client.post<Sent>('/webhooks/events', body));
  await server.advance(0);
  for (const { events } of receivers) {
    const [event] = events as unknown as Event[];
    assert.deepEqual([event!.event, event!.test, event!.org_id], ['call.completed', true, client.orgId]);
    const { status, duration_sec, caller_name, metadata, agent_id, transcripts } = event!.data;
    assert.deepEqual([status, duration_sec, caller_name, metadata], ['voicemail', 12, 'Grace', { ticket: 7 }]);
    assert.deepEqual([agent_id, transcripts], [agent.id, []]);
  }
  const deliveries = dataOf(await client.get<Array<{ status: string }> & Data>(`/webhooks/deliveries?event_id=${id}`));
  assert.deepEqual(
    deliveries.map(({ status }) => status),
    ['delivered', 'delivered'],
  );
});

test('each outcome gives a complete event', async (t) => {
  const client = await server.newOrganization();
  const receiver = await aReceiver(t);
  const agent = await anAgent(client, { webhook_url: receiver.url });
  for (const outcome of ['completed', 'failed', 'no_answer', 'busy', 'voicemail']) {
    dataOf(await client.post<Sent>('/webhooks/events', { type: 'call.completed', agent_id: agent.id, outcome }));
  }
  await server.advance(0);
  const found = receiver.events.map(({ data }) => [data.status, data.duration_sec, data.disconnect_reason]);
  assert.deepEqual(
    found.toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    [
      ['busy', 0, null],
      ['completed', 42, 'customer_hangup'],
      ['failed', 0, 'error'],
      ['no_answer', 0, null],
      ['voicemail', 0, null],
    ],
  );
});

test('faults are named, and an agent without URLs is a conflict', async () => {
  const client = await server.newOrganization();
  const agent = await anAgent(client);
  const post = (over: object) =>
    client.post('/webhooks/events', { type: 'call.completed', agent_id: agent.id, ...over });
  assert.deepEqual(faultPaths(await post({ type: 'call.exploded' })), ['type']);
  assert.deepEqual(faultPaths(await post({ agent_id: nobody })), ['agent_id']);
  const wrong = await post({ data: { status: 'great', duration_sec: 'long', colour: 'red' } });
  assert.deepEqual(faultPaths(wrong).toSorted(), ['data.colour', 'data.duration_sec', 'data.status']);
  assert.match(conflictOf(await post({})), /no webhook URL/);
});
