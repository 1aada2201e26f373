import assert from 'node:assert/strict';
import { after, suite, test, type TestContext } from 'node:test';
import { anAgent, aPhone } from '../support/fixtures.ts';
import { aBase, addSources, settled, startKnowledgeServer } from '../support/knowledge.ts';
import { type Client, type Data, dataOf, faultPaths, startTestServer, type TestServer } from '../support/server.ts';
import { type FakeOptions, startFakeRealtime } from '../support/realtime/server.ts';
import { type Reply, startLlm } from '../support/speech/cascade.ts';
import { newCallingOrg } from './calling-support.ts';

type Turn = {
  role: string;
  text: string;
  first_token_ms: number | null;
  total_ms: number | null;
  tools: Array<{ name: string; arguments: unknown; result: Record<string, unknown>; failed: boolean; tried: boolean }>;
  passages: Array<{ source_name: string; doc_id: string; score: number; text: string }>;
  input_tokens: number | null;
};
type Conversation = Data & { edition: number; engine: string; expires_at: string; turns: Turn[]; ended: boolean };
type NewTurns = { turns: Turn[]; ended: boolean; cost_total: number };

const begin = async (client: Client, agentId: string, body: object = {}): Promise<Conversation> =>
  dataOf(await client.post<Conversation>(`/agents/${agentId}/conversations`, body));
const say = (client: Client, agentId: string, id: string, text: string) =>
  client.post<NewTurns>(`/agents/${agentId}/conversations/${id}/turns`, { text });
const textsOf = (turns: readonly Turn[]) => turns.map(({ role, text }) => `${role}: ${text}`);

/** The events of a stream, in order. */
const eventsIn = (text: string) =>
  text
    .trim()
    .split('\n\n')
    .map((block) => {
      const [event, data] = block.split('\n');
      return { event: event!.slice(7), data: JSON.parse(data!.slice(6)) as Record<string, unknown> };
    });
const asEvents = { headers: { accept: 'text/event-stream' } };

suite('a conversation without a model', async () => {
  const server = await startKnowledgeServer();
  after(() => server.stop());

  test('begins with the filled-in first message, and answers from the knowledge bases or says what it heard', async () => {
    const baseId = await aBase(server);
    await addSources(server, baseId, {
      knowledge_base_texts: [{ title: 'Returns', text: 'You may return what you bought within 30 days.' }],
    });
    await settled(server, baseId);
    const agent = await anAgent(server, {
      firstMessage: 'Hello {{first_name}}, about {{ticket}}.',
      knowledgeBaseIds: [baseId],
    });
    const contact = dataOf(await server.post('/contacts/', { first_name: 'Ada', phone: aPhone() }));
    const begun = await begin(server, agent.id, { contact_id: contact.id, metadata: { ticket: 'A-17' } });
    assert.deepEqual([begun.engine, begun.edition, begun['agent_id']], ['simulated', 1, agent.id]);
    assert.deepEqual(textsOf(begun.turns), ['agent: Hello Ada, about A-17.']);
    assert.equal(begun.expires_at, '2026-03-02T09:30:00.000Z');
    const answered = dataOf(await say(server, agent.id, begun.id, 'How long may I return what I bought?'));
    assert.deepEqual(textsOf(answered.turns), [
      'user: How long may I return what I bought?',
      'agent: You may return what you bought within 30 days.',
    ]);
    const [passage] = answered.turns[1]!.passages;
    assert.ok(passage && passage.source_name === 'Returns' && passage.score >= 0.5 && passage.doc_id !== '');
    const unknown = dataOf(await say(server, agent.id, begun.id, 'Zebra quilting?'));
    assert.deepEqual(unknown.turns[1]!.text, '(simulated) I heard: Zebra quilting?');
    assert.deepEqual(unknown.turns[1]!.tools, []);
    assert.ok(unknown.turns[1]!.total_ms! >= 0 && unknown.turns[0]!.total_ms === null);
    const whole = dataOf(await server.get<Conversation>(`/agents/${agent.id}/conversations/${begun.id}`));
    assert.equal(whole.turns.length, 5);
    assert.equal(dataOf(await server.get<Data[]>('/calls')).length, 0, 'no call is made');
    dataOf(await server.del(`/agents/${agent.id}/conversations/${begun.id}`));
    assert.equal((await server.get(`/agents/${agent.id}/conversations/${begun.id}`)).status, 404);
  });

  test('tries settings that are not saved, and refuses those that could not be saved', async () => {
    const agent = await anAgent(server, { firstMessage: 'Saved.' });
    const begun = await begin(server, agent.id, {
      settings: { firstMessage: 'Not saved, {{name}}.', temperature: 0.1 },
    });
    assert.deepEqual(textsOf(begun.turns), ['agent: Not saved, .']);
    assert.equal(dataOf(await server.get(`/agents/${agent.id}`))['firstMessage'], 'Saved.');
    const refused = async (settings: object) => {
      const { status, body } = await server.post(`/agents/${agent.id}/conversations`, { settings });
      return [status, body.details?.[0]?.path];
    };
    assert.deepEqual(await refused({ voiceId: 'nobody' }), [400, 'settings.voiceId']);
    assert.deepEqual(await refused({ status: 'INACTIVE' }), [400, 'settings.status']);
    assert.deepEqual(await refused({ temperature: 3 }), [400, 'settings.temperature']);
    const [entry] = dataOf(await server.get<Data[]>('/audit?operation=createConversation'));
    assert.deepEqual([entry!['target_kind'], entry!['target_id']], ['agent', agent.id]);
  });

  test('comes as a stream of events where that is preferred', async () => {
    const agent = await anAgent(server);
    const begun = await begin(server, agent.id);
    assert.deepEqual(begun.turns, []);
    const { headers, text } = await server.post(
      `/agents/${agent.id}/conversations/${begun.id}/turns`,
      { text: 'Hello?' },
      asEvents,
    );
    assert.match(headers.get('content-type')!, /^text\/event-stream/);
    const [first, last, ...others] = eventsIn(text);
    assert.deepEqual(first, { event: 'text', data: { text: '(simulated) I heard: Hello?' } });
    assert.equal(last!.event, 'turn');
    assert.deepEqual([last!.data['role'], last!.data['ended'], others], ['agent', false, []]);
  });

  test('is one of 20 of an organization at most, also where many are begun at the same time', async () => {
    const client = await server.newOrganization();
    const agent = await anAgent(client);
    const begun = await Promise.all(
      Array.from({ length: 30 }, () => client.post(`/agents/${agent.id}/conversations`, {})),
    );
    assert.equal(Map.groupBy(begun, ({ status }) => status).get(200)?.length, 20);
    assert.equal(Map.groupBy(begun, ({ status }) => status).get(409)?.length, 10);
  });

  test('ends after 30 idle minutes, after 50 turns, and beyond 20 of an organization', async () => {
    const client = await server.newOrganization();
    const agent = await anAgent(client);
    const first = await begin(client, agent.id);
    for (let count = 1; count < 20; count += 1) await begin(client, agent.id);
    const refused = await client.post(`/agents/${agent.id}/conversations`, {});
    assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
    await server.advance(30 * 60_000 - 1);
    assert.equal((await say(client, agent.id, first.id, 'Still there?')).status, 200);
    await server.advance(1);
    const others = await begin(client, agent.id);
    assert.equal((await client.get(`/agents/${agent.id}/conversations/${first.id}`)).status, 200);
    await server.advance(30 * 60_000);
    assert.equal((await say(client, agent.id, others.id, 'Hello?')).status, 409);
    assert.equal((await say(client, agent.id, others.id, 'Hello?')).status, 404);
  });

  test('says at most a few texts at once', async () => {
    const client = await server.newOrganization();
    const agent = await anAgent(client);
    const { id } = await begin(client, agent.id);
    const statuses: number[] = [];
    for (let count = 0; count < 15; count += 1) statuses.push((await say(client, agent.id, id, 'Hello?')).status);
    assert.ok(
      statuses.slice(0, 10).every((status) => status === 200),
      String(statuses),
    );
    const limited = await say(client, agent.id, id, 'Hello?');
    assert.ok(statuses.includes(429) || limited.status === 429, String(statuses));
  });
});

suite('a call that is replayed', async () => {
  const server = await startTestServer();
  after(() => server.stop());

  test('has what the other side said said again, to the agent as it is, with other settings, or as it was', async () => {
    const org = await newCallingOrg(server, { agent: { firstMessage: 'First.' } });
    const { client, agentId } = org;
    dataOf(await client.put(`/agents/${agentId}`, { firstMessage: 'Second.' }));
    const call = dataOf(
      await client.post<{ call_id: string }>('/calls', {
        agent_id: agentId,
        phone_number_id: org.numberId,
        to: aPhone('00'),
        simulate: {
          outcome: 'completed',
          transcript: [
            { role: 'agent', text: 'Hello' },
            { role: 'user', text: 'Who is there?' },
            { role: 'user', text: 'What does it cost?' },
          ],
        },
      }),
    );
    await server.advance(120_000);
    const replay = async (body?: object) =>
      dataOf(await client.post<Conversation>(`/calls/${call.call_id}/replay`, body));
    const said = [
      'user: Who is there?',
      'agent: (simulated) I heard: Who is there?',
      'user: What does it cost?',
      'agent: (simulated) I heard: What does it cost?',
    ];
    assert.deepEqual(textsOf((await replay()).turns), ['agent: Second.', ...said]);
    const tried = await replay({ settings: { first_message: 'Third.' } });
    assert.deepEqual(textsOf(tried.turns), ['agent: Third.', ...said]);
    const earlier = await replay({ edition: 1 });
    assert.deepEqual([earlier.edition, ...textsOf(earlier.turns)], [1, 'agent: First.', ...said]);
    assert.equal((await client.post(`/calls/${call.call_id}/replay`, { edition: 9 })).status, 404);
    const both = await client.post(`/calls/${call.call_id}/replay`, { edition: 1, settings: { first_message: 'No.' } });
    assert.deepEqual(faultPaths(both), ['edition', 'settings']);
    const { text } = await client.post(`/calls/${call.call_id}/replay`, {}, asEvents);
    const events = eventsIn(text);
    assert.equal(events[0]!.event, 'conversation');
    assert.deepEqual(
      events
        .filter(({ event }) => event === 'turn')
        .map(({ data }) => `${String(data['role'])}: ${String(data['text'])}`),
      said,
    );
    assert.equal(events.at(-1)!.event, 'conversation');
    assert.equal((await say(client, agentId, tried.id, 'Hello?')).status, 200, 'it goes on');
  });
});

async function withModel(t: TestContext, replies: readonly Reply[]) {
  const llm = await startLlm((index) => replies[index] ?? { text: ['Nothing more.'] });
  t.after(() => llm.close());
  const server: TestServer = await startTestServer({
    settings: { 'speech.llm.url': llm.url, 'speech.llm.model': 'talker', 'speech.llm.api_key': 'secret' },
  });
  t.after(() => server.stop());
  return { llm, server };
}

test('a model answers with its tools, of which those that act outside are only tried', async (t) => {
  const { llm, server } = await withModel(t, [
    { text: ['It costs ', 'ten.'] },
    { calls: [{ id: 'c1', name: 'send_dtmf', args: '{"digits":"12"}' }] },
    { text: ['Pressed.'] },
    { text: ['Bye.'], calls: [{ id: 'c2', name: 'end_call', args: '{}' }] },
  ]);
  const agent = await anAgent(server, { prompt: 'Sell tea to {{name}}.', firstMessage: 'Tea?', temperature: 0.3 });
  const begun = await begin(server, agent.id, { settings: { prompt: 'Sell coffee.' } });
  assert.deepEqual([begun.engine, ...textsOf(begun.turns)], ['completion', 'agent: Tea?']);
  const { text } = await server.post(
    `/agents/${agent.id}/conversations/${begun.id}/turns`,
    { text: 'Price?' },
    asEvents,
  );
  assert.deepEqual(
    eventsIn(text).map(({ event, data }) => [event, data['text']]),
    [
      ['text', 'It costs '],
      ['text', 'ten.'],
      ['turn', 'It costs ten.'],
    ],
  );
  const sent = llm.requests[0]!;
  assert.equal(sent.headers.authorization, 'Bearer secret');
  assert.deepEqual([sent.json['model'], sent.json['temperature']], ['talker', 0.3]);
  const messages = sent.json['messages'] as Array<{ role: string; content: string }>;
  assert.match(messages[0]!.content, /^Sell coffee\./);
  assert.deepEqual(
    messages.slice(1).map(({ role, content }) => `${role}: ${content}`),
    ['assistant: Tea?', 'user: Price?'],
  );
  const pressed = dataOf(await say(server, agent.id, begun.id, 'Press one two.'));
  const [tool] = pressed.turns[1]!.tools;
  assert.deepEqual(
    [tool!.name, tool!.arguments, tool!.result, tool!.tried, tool!.failed],
    ['send_dtmf', { digits: '12' }, { sent: true }, true, false],
  );
  assert.equal(pressed.turns[1]!.text, 'Pressed.');
  const last = dataOf(await say(server, agent.id, begun.id, 'Bye.'));
  assert.equal(last.ended, true);
  assert.equal((await say(server, agent.id, begun.id, 'Hello?')).status, 409);
});

test('a replay whose reader leaves is over, and the model is not asked any more', async (t) => {
  const { llm, server } = await withModel(t, [{ text: ['It costs'], stalls: true }]);
  const org = await newCallingOrg(server, { agent: { firstMessage: 'Hello.' } });
  const call = dataOf(
    await org.client.post<{ call_id: string }>('/calls', {
      agent_id: org.agentId,
      phone_number_id: org.numberId,
      to: aPhone('00'),
      simulate: { outcome: 'completed', transcript: ['Price?', 'When?'].map((text) => ({ role: 'user', text })) },
    }),
  );
  await server.advance(120_000);
  const reader = new AbortController();
  const response = await fetch(`${server.url}/api/v1/calls/${call.call_id}/replay`, {
    method: 'POST',
    headers: { 'x-api-key': org.client.apiKey, accept: 'text/event-stream', 'content-type': 'application/json' },
    body: '{}',
    signal: reader.signal,
  });
  const { value } = await response.body!.getReader().read();
  const [begun] = eventsIn(new TextDecoder().decode(value));
  const asked = await llm.request(0);
  reader.abort();
  await asked.aborted;
  const path = `/agents/${org.agentId}/conversations/${String(begun!.data['id'])}`;
  assert.equal((await org.client.get(path)).status, 404);
  assert.equal(llm.requests.length, 1);
});

test('a model that does not answer is a 502, and what was said counts as not said', async (t) => {
  const { server } = await withModel(t, [{ status: 500 }, { text: ['Here I am.'] }]);
  const agent = await anAgent(server, { firstMessage: 'Hello.' });
  const { id } = await begin(server, agent.id);
  const failed = await say(server, agent.id, id, 'Anybody?');
  assert.deepEqual([failed.status, failed.body.code], [502, 'PROVIDER_ERROR']);
  const answered = dataOf(await say(server, agent.id, id, 'Anybody?'));
  assert.deepEqual(textsOf(answered.turns), ['user: Anybody?', 'agent: Here I am.']);
  const whole = dataOf(await server.get<Conversation>(`/agents/${agent.id}/conversations/${id}`));
  assert.equal(whole.turns.length, 3);
});

async function withRealtime(t: TestContext, options: FakeOptions) {
  const service = await startFakeRealtime(options);
  t.after(() => service.close());
  const server: TestServer = await startTestServer({
    settings: {
      'speech.engine': 'realtime',
      'speech.realtime.url': service.url,
      'speech.realtime.api_key': 'secret',
    },
  });
  t.after(() => server.stop());
  return { service, server };
}

for (const shape of ['ga', 'beta'] as const) {
  test(`a realtime service (${shape}) answers in text where no model of its own is set`, async (t) => {
    const answers = [
      { text: 'It costs ten.' },
      { text: '', tools: [{ name: 'send_dtmf', args: { digits: '12' } }] },
      { text: 'Pressed.' },
      { text: 'Bye.', tools: [{ name: 'end_call', args: {} }] },
    ];
    const { service, server } = await withRealtime(t, { shape, answer: () => answers.shift()! });
    const agent = await anAgent(server, { prompt: 'Sell tea.', firstMessage: 'Tea?' });
    const begun = await begin(server, agent.id, { settings: { prompt: 'Sell coffee.' } });
    assert.deepEqual([begun.engine, ...textsOf(begun.turns)], ['realtime', 'agent: Tea?']);
    assert.equal(service.sessions.length, 0, 'the first message asks nobody');
    const turns = `/agents/${agent.id}/conversations/${begun.id}/turns`;
    const { text } = await server.post(turns, { text: 'Price?' }, asEvents);
    const events = eventsIn(text);
    assert.ok(events.filter(({ event }) => event === 'text').length > 1, 'in pieces');
    assert.deepEqual([events.at(-1)!.event, events.at(-1)!.data['text']], ['turn', 'It costs ten.']);
    const [first] = service.sessions;
    assert.equal(first!.headers.authorization, 'Bearer secret');
    const [update, ...told] = first!.events;
    const { instructions, ...session } = update!['session'] as Record<string, unknown>;
    assert.match(String(instructions), /^Sell coffee\./);
    assert.deepEqual(session[shape === 'ga' ? 'output_modalities' : 'modalities'], ['text']);
    assert.deepEqual(
      told.map(({ type, ...event }) => [type, event['item']?.role, event['item']?.content[0].text]),
      [
        ['conversation.item.create', 'assistant', 'Tea?'],
        ['conversation.item.create', 'user', 'Price?'],
        ['response.create', undefined, undefined],
      ],
    );
    const pressed = dataOf(await say(server, agent.id, begun.id, 'Press one two.'));
    const [turn] = pressed.turns.slice(1);
    assert.deepEqual([turn!.text, turn!.tools[0]!.name, turn!.tools[0]!.tried], ['Pressed.', 'send_dtmf', true]);
    assert.equal(turn!.input_tokens, 20, 'of both answers');
    const itemTypes = service.sessions[2]!.events.map(({ item }) => item?.type).filter(Boolean);
    assert.deepEqual(itemTypes.slice(-3), ['message', 'function_call', 'function_call_output']);
    assert.equal(dataOf(await say(server, agent.id, begun.id, 'Bye.')).ended, true);
    assert.deepEqual(
      service.sessions.flatMap(({ errors }) => errors),
      [],
    );
  });
}

test('a realtime service that refuses or cannot be reached is a 502, and what was said counts as not said', async (t) => {
  const { service, server } = await withRealtime(t, {
    refuses: ['response.create'],
    answer: () => ({ text: 'Never.' }),
  });
  const agent = await anAgent(server, { firstMessage: 'Hello.' });
  const { id } = await begin(server, agent.id);
  const refused = await say(server, agent.id, id, 'Anybody?');
  assert.equal(refused.status, 502);
  assert.match(refused.body.message, /this server does not do that/);
  service.door = 'refuses';
  const shut = await say(server, agent.id, id, 'Anybody?');
  assert.equal(shut.status, 502);
  assert.match(shut.body.message, /HTTP 503/);
  const { turns } = dataOf(await server.get<Conversation>(`/agents/${agent.id}/conversations/${id}`));
  assert.deepEqual(textsOf(turns), ['agent: Hello.']);
});
