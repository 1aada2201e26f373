import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { watchLive } from '../../clients/typescript/index.ts';
import { aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';
import { type CallingOrg, newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

type Said = { role: string; message: { content: string; format: string } };
const textsOf = (entries: readonly Said[]) => entries.map(({ role, message }) => `${role}: ${message.content}`);

/** A simulated call that has just been answered; it would last half a minute. */
async function answered({ client, agentId, numberId }: CallingOrg, ending = '00', over: object = {}): Promise<string> {
  const body = { agent_id: agentId, phone_number_id: numberId, to: aPhone(ending), ...over };
  const { call_id: id } = dataOf(await client.post<{ call_id: string }>('/calls', body));
  await server.advance(5000);
  return id;
}

test('a simulated agent begins with its own first message, and leaves its own to a mailbox', async () => {
  const org = await newCallingOrg(server, {
    agent: { firstMessage: 'Hello {{name}}, this is {{agent_name}}.', voicemailMessage: 'Call {{agent_name}} back.' },
  });
  const { client } = org;
  const agentName = dataOf(await client.get(`/agents/${org.agentId}`))['agentName'];
  const contact = dataOf(await client.post('/contacts/', { first_name: 'Ada', phone: aPhone() }));
  const id = await answered(org, '00', { contact_id: contact.id });
  const mailbox = await answered(org, '04');
  await server.advance(60_000);
  const call = async (callId: string) => dataOf(await client.get<Data & { transcripts: Said[] }>(`/calls/${callId}`));
  assert.equal(textsOf((await call(id)).transcripts)[0], `agent: Hello Ada, this is ${String(agentName)}.`);
  const left = await call(mailbox);
  assert.deepEqual(
    [left['status'], ...textsOf(left.transcripts)],
    ['voicemail', `agent: Call ${String(agentName)} back.`],
  );
});

test('what a simulated agent is told to say stands in its transcript, keys too, and a transfer completes the call', async () => {
  const org = await newCallingOrg(server);
  const { client } = org;
  const id = await answered(org);
  await server.advance(1000);
  dataOf(await client.post(`/calls/${id}/say`, { text: 'One moment.' }));
  dataOf(await client.post(`/calls/${id}/dtmf`, { digits: '12#' }));
  await server.advance(10_000);
  assert.equal((await client.post(`/calls/${id}/transfer`, {})).status, 400, 'the agent has no transfer phone');
  const transferred = dataOf(
    await client.post<Data & { transcripts: Said[] }>(`/calls/${id}/transfer`, { to: aPhone() }),
  );
  assert.deepEqual([transferred['state'], transferred['status']], ['ended', 'completed']);
  assert.deepEqual(textsOf(transferred.transcripts).slice(1, 3), ['agent: One moment.', 'agent: 12#']);
  assert.equal(transferred.transcripts[2]!.message.format, 'dtmf');
  assert.ok(transferred.transcripts.length < 7, 'what would have been said later is not');
  const timeline = dataOf(await client.get<Array<{ type: string }>>(`/calls/${id}/timeline`));
  assert.deepEqual(
    timeline.map(({ type }) => type),
    ['dtmf', 'transfer'],
  );
  assert.equal((await client.post(`/calls/${id}/say`, { text: 'Late.' })).status, 409);
  await server.advance(60_000);
  assert.equal(dataOf(await client.get(`/calls/${id}`))['status'], 'completed');
});

test('the turns of a call say where the time of each answer went', async () => {
  const org = await newCallingOrg(server);
  const { client } = org;
  const id = await answered(org);
  await server.advance(30_000);
  type Turn = { role: string; from_ms: number; to_ms: number; latency: Record<string, number> | null };
  const turns = dataOf(await client.get<Turn[]>(`/calls/${id}/turns`));
  assert.deepEqual(
    turns.map(({ role, latency }) => [role, latency !== null]),
    [
      ['agent', false],
      ['user', false],
      ['agent', true],
      ['user', false],
      ['agent', true],
    ],
  );
  for (const [index, turn] of turns.entries()) {
    assert.equal(turn.to_ms, turns[index + 1]?.from_ms ?? 30_000);
    const { total_ms: total = 0, ...parts } = turn.latency ?? {};
    assert.equal(
      Object.values(parts).reduce((sum, ms) => sum + ms, 0),
      total,
    );
  }
  const call = dataOf(await client.get(`/calls/${id}`));
  assert.equal(turns[2]!.latency!['total_ms'], call['call_latency_ms']);
  const busy = await answered(org, '02');
  assert.deepEqual(dataOf(await client.get(`/calls/${busy}/turns`)), []);
});

test('a live call is followed as it is said, until it has ended', async () => {
  const org = await newCallingOrg(server);
  const id = await answered(org);
  const abort = new AbortController();
  const client = { baseUrl: server.url, apiKey: org.client.apiKey };
  const stream = watchLive(client, { topic: [`call:${id}`, 'calls'], signal: abort.signal });
  const heard: Array<{ event: string; state: unknown; said: number; calls: Array<Record<string, unknown>> }> = [];
  let isSaid = false;
  for await (const { event, data } of stream) {
    const said = (data['transcript'] as Said[] | undefined)?.length ?? 0;
    heard.push({ event, state: data['state'], said, calls: (data['in_flight'] ?? []) as never });
    if (event === 'ended') break;
    const isFirst = event === 'call' && said === 1;
    if (isFirst && !isSaid) {
      isSaid = true;
      await server.advance(15_000);
    } else if (event === 'call' && said > 1 && data['state'] === 'in_progress') await server.advance(60_000);
  }
  abort.abort();
  const states = heard.filter(({ event }) => event === 'call').map(({ state }) => state);
  assert.deepEqual([states[0], states.at(-1)], ['in_progress', 'ended']);
  assert.ok(
    heard.some(({ said }) => said === 3),
    JSON.stringify(heard),
  );
  const [live] = heard.find(({ event, calls }) => event === 'calls' && calls.length > 0)?.calls ?? [];
  if (live) assert.deepEqual([live['talking'], live['campaign_name'], live['verdict']], ['agent', null, null]);
});

test('a topic of a call of nobody or of another organization is refused', async () => {
  const org = await newCallingOrg(server);
  const id = await answered(org);
  const other = await server.newOrganization();
  assert.equal((await other.get(`/live?topic=call:${id}`)).status, 404);
});

test('an invitation tells whom it greets, until it is used', async () => {
  const read = (token: string) => server.post('/auth/invitation', { token }, { key: null });
  const email = 'colleague@example.com';
  const { link } = dataOf(await server.post<{ link: string }>('/users', { email, role: 'viewer' }));
  const token = new URL(link).searchParams.get('token')!;
  const organization = dataOf(await server.get('/organization'));
  assert.deepEqual(dataOf(await read(token)), {
    organization: { id: organization.id, name: organization['name'] },
    email,
    role: 'viewer',
  });
  const password = 'correct horse battery staple';
  dataOf(await server.post('/auth/setup', { token, email, password }, { key: null }));
  assert.equal((await read(token)).status, 401);
  assert.equal((await read('unknown')).status, 401);
});
