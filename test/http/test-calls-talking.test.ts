// Waits: conversations take their time.
// Long: each call is spoken in real time to a server of its own.
import assert from 'node:assert/strict';
import { type TestContext, suite, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { anAccount, anEventType, aKey } from '../support/calendar.ts';
import { type FakeCal, startFakeCal } from '../support/fake-cal.ts';
import { aContact, anAgent } from '../support/fixtures.ts';
import { aBase, addSources } from '../support/knowledge.ts';
import { type FakeAnswer, type FakeOptions, type FakeRealtime, startFakeRealtime } from '../support/realtime/server.ts';
import { dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { sipSettings } from '../support/sip/server.ts';
import { type Reply, startLlm, startStt, startTts } from '../support/speech/cascade.ts';
import { answerJson, startService } from '../support/speech/service.ts';
import { begin, type CallData, connect, ended, isSilent } from '../support/test-calls.ts';
import { aReceiver } from './calling-support.ts';

/** Whole conversations as test calls, sound in and sound out, with services that do as the real ones do. */

const start = '2027-03-02T09:00:00Z';
const sip = await sipSettings();

async function aServer(t: TestContext, settings: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startTestServer({
    testClock: false,
    settings: { ...sip, 'carrier.driver': 'simulated', 'webhooks.allow_http_loopback': 'true', ...settings },
  });
  t.after(() => server.stop());
  return server;
}

async function aFake(t: TestContext, options: FakeOptions): Promise<FakeRealtime> {
  const fake = await startFakeRealtime(options);
  t.after(() => fake.close());
  return fake;
}

async function aCalendar(t: TestContext): Promise<FakeCal> {
  const cal = await startFakeCal();
  t.after(() => cal.close());
  return cal;
}

/** A knowledge base that knows the opening hours. */
async function anOpenBase(server: TestServer): Promise<string> {
  const id = await aBase(server);
  const texts = [{ title: 'Opening hours', text: 'The shop is open from nine to five, on Saturdays until noon.' }];
  await addSources(server, id, { knowledge_base_texts: texts });
  await server.running.runner.settled();
  return id;
}

type Entry = { type: string; detail: string | null };
const timelineOf = async (server: TestServer, id: string): Promise<Entry[]> =>
  dataOf(await server.get<Entry[]>(`/calls/${id}/timeline`));

const transcriptOf = (call: CallData): string[] =>
  (call['transcripts'] as Array<{ role: string; message: { content: string } }>).map(
    ({ role, message }) => `${role}: ${message.content}`,
  );

const outputsOf = (fake: FakeRealtime): Array<Record<string, unknown>> =>
  fake.sessions.flatMap(({ events }) =>
    events
      .filter(({ type, item }) => type === 'conversation.item.create' && item.type === 'function_call_output')
      .map(({ item }) => JSON.parse(item.output) as Record<string, unknown>),
  );

const analysis = {
  summary: 'A slot was booked.',
  sentiment: 'positive',
  disposition: 'booked',
  goals_met: true,
  next_steps: '',
};

suite('a conversation', { concurrency: 3 }, () => {
  test('realtime: the agent is interrupted twice, asks the knowledge base, books once, and all accounts agree', async (t) => {
    const cal = await aCalendar(t);
    const judge = await startService('/v1/chat/completions', (_request, response) =>
      answerJson(response, 200, { choices: [{ message: { role: 'assistant', content: JSON.stringify(analysis) } }] }),
    );
    t.after(() => judge.close());
    const book = { name: 'book_slot', args: { event_type: 'intro', start } };
    const answers: Record<number, FakeAnswer[]> = {
      0: [{ text: 'Hello Ada, here is Robin, and I have a lot to tell you about our shop.', audioMs: 6000 }],
      1: [
        { text: '', tools: [{ name: 'search_knowledge', args: { query: 'opening hours' } }] },
        { text: 'We are open from nine to five, and on Saturdays until noon, as I said.', audioMs: 6000 },
      ],
      2: [
        { text: '', tools: [book] },
        { text: '', tools: [book, { name: 'transfer_call', args: {} }] },
        { text: 'It is booked. Goodbye.', audioMs: 500, tools: [{ name: 'end_call', args: {} }] },
      ],
    };
    const fake = await aFake(t, {
      heard: (turn) => ['', 'When are you open?', 'Book me in.'][turn]!,
      answer: ({ turn }) => answers[turn]!.shift() ?? { text: 'Yes.', audioMs: 200 },
    });
    const server = await aServer(t, {
      'speech.engine': 'realtime',
      'speech.realtime.url': fake.url,
      'speech.realtime.turn_detection': 'semantic_vad',
      'calendar.base_url': cal.url,
      'analysis.url': judge.url,
    });
    const receiver = await aReceiver(t);
    const eventType = anEventType({ slug: 'intro', free: [start] });
    await anAccount(server, aKey(cal, { eventTypes: [eventType] }));
    const contact = await aContact(server, { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' });
    const agent = await anAgent(server, {
      firstMessage: 'Hello {{first_name}}.',
      prompt: 'You sell engines.',
      knowledgeBaseIds: [await anOpenBase(server)],
      transferPhone: '+4930901829',
      webhook_url: receiver.url,
    });
    const begun = await begin(server, agent.id, { contact_id: contact.id, webhook: true });
    const id = begun.call_session_id;
    const client = await connect(t, begun);
    const speak = client.microphone();
    await client.hearsMs(800);
    speak(400);
    const first = await client.message('clear');
    await client.when(() => client.said().includes('user: When are you open?'));
    await client.hearsMs(800);
    const clears = client.messages.filter(({ type }) => type === 'clear').length;
    speak(400);
    const second = await client.message('clear', clears);
    assert.equal((await client.message('ended'))['disconnect_reason'], 'agent_hangup');
    assert.equal(await client.closed, 1000);
    for (const { atFrame } of [first, second]) {
      assert.ok(isSilent(client.frames[atFrame]!), 'after an interruption nothing of the answer is sent any more');
    }

    const call = await ended(server, id);
    assert.deepEqual([call.status, call['disconnect_reason'], call['channel']], ['completed', 'agent_hangup', 'web']);
    const { summary, ...rest } = analysis;
    assert.deepEqual([call['summary'], call['post_call_analysis']], [summary, rest]);
    const transcript = transcriptOf(call);
    assert.match(transcript[0]!, /^agent: Hello.*…$/);
    assert.match(transcript[2]!, /^agent: We are.*…$/);
    assert.deepEqual(
      [transcript[1], ...transcript.slice(3)],
      ['user: When are you open?', 'user: Book me in.', 'agent: It is booked. Goodbye.'],
    );
    for (const entry of transcript) assert.ok(client.said().includes(entry), `the client heard of “${entry}”`);
    const outputs = outputsOf(fake);
    const { passages } = outputs[0] as { passages: Array<{ text: string }> };
    assert.match(passages[0]!.text, /nine to five/);
    assert.ok(!('error' in outputs[1]!), JSON.stringify(outputs[1]));
    const faults = outputs.flatMap(({ error }) => (error === undefined ? [] : [error as string]));
    assert.equal(faults.length, 2);
    assert.ok(faults.includes('this is a test call'), faults.join());
    assert.ok(
      faults.some((fault) => fault.startsWith('The time is not free')),
      'the slot is taken',
    );
    assert.deepEqual(eventType.free, []);
    const tools = client.messages.filter(({ type }) => type === 'tool').map(({ name }) => name);
    assert.deepEqual(
      tools.filter((name) => name !== 'end_call'),
      ['search_knowledge', 'book_slot', 'book_slot', 'transfer_call'],
    );
    const timeline = await timelineOf(server, id);
    const of = (type: string): Entry[] => timeline.filter((entry) => entry.type === type);
    assert.deepEqual(
      [of('answered').length, of('greeting').length, of('interrupted').length, of('hangup').length],
      [1, 1, 2, 1],
    );
    for (const name of ['search_knowledge', 'book_slot', 'transfer_call']) {
      assert.ok(
        of('tool').some(({ detail }) => detail!.startsWith(name)),
        name,
      );
    }
    const speech = call['speech'] as Record<string, unknown>;
    assert.deepEqual(
      [speech['engine'], speech['model'], speech['sessions'], speech['turns'], speech['interruptions']],
      ['realtime', 'gpt-realtime', 1, 2, 2],
    );
    const responses = fake.sessions[0]!.events.filter(({ type }) => type === 'response.create').length;
    assert.ok((speech['output_tokens'] as number) >= 20 * responses, 'tokens of every answer');
    while (receiver.events.length === 0) await pause(20);
    const [{ event, data }] = receiver.events as unknown as [{ event: string; data: CallData }];
    assert.deepEqual([event, data['summary'], transcriptOf(data)], ['call.completed', summary, transcript]);
    const configured = fake.sessions[0]!.events.find(({ type }) => type === 'session.update')!['session'];
    assert.deepEqual(configured.audio.input.turn_detection, { type: 'semantic_vad' });
    assert.match(configured.instructions, /^You sell engines\./);
    const names = (configured.tools as Array<{ name: string }>).map(({ name }) => name);
    assert.ok(!names.includes('report_voicemail') && names.includes('find_slots'), names.join());
    const { text: metrics } = await server.get('//metrics');
    assert.match(metrics, /^parley_interruptions_total 2$/m);
    assert.match(metrics, /^parley_speech_sessions 0$/m);
    assert.match(metrics, /^parley_web_calls 0$/m);
    assert.deepEqual(
      fake.sessions.flatMap(({ errors }) => errors),
      [],
    );
  });

  test('a tool that takes 10 s is answered for it, and the call goes on', async (t) => {
    const cal = await aCalendar(t);
    const answers: FakeAnswer[] = [
      {
        text: '',
        tools: [{ name: 'find_slots', args: { event_type: 'intro', start: '2027-03-02', end: '2027-03-02' } }],
      },
      { text: 'The calendar does not answer.', audioMs: 300 },
    ];
    const fake = await aFake(t, { answer: () => answers.shift() ?? { text: 'Yes.', audioMs: 200 } });
    const server = await aServer(t, {
      'speech.engine': 'realtime',
      'speech.realtime.url': fake.url,
      'calendar.base_url': cal.url,
      'calendar.timeout_ms': '20000',
    });
    await anAccount(server, aKey(cal, { eventTypes: [anEventType({ slug: 'intro', free: [start] })] }));
    const agent = await anAgent(server);
    cal.fault = () => ({ kind: 'hang' });
    const begun = await begin(server, agent.id);
    const client = await connect(t, begun);
    await client.when(() => client.said().includes('agent: The calendar does not answer.'));
    assert.deepEqual(outputsOf(fake), [{ error: 'timed out' }]);
    client.send({ type: 'hangup' });
    const call = await ended(server, begun.call_session_id);
    assert.equal(call.status, 'completed');
    const tool = (await timelineOf(server, begun.call_session_id)).find(({ type }) => type === 'tool')!;
    assert.match(tool.detail!, /^find_slots, 1\d{4} ms, failed: timed out$/);
  });

  test('cascade: the notice comes first, turns are heard and typed, and the knowledge base is asked', async (t) => {
    const replies: Reply[] = [
      { calls: [{ id: 'search', name: 'search_knowledge', args: '{"query":"opening hours"}' }] },
      { text: ['From nine ', 'to five.'] },
      { text: ['Until ', 'noon.'] },
      { text: ['Good', 'bye.'], calls: [{ id: 'end', name: 'end_call', args: '{}' }] },
      { text: [JSON.stringify(analysis)] },
    ];
    const stt = await startStt(() => ({ text: 'When are you open on weekdays?' }));
    const llm = await startLlm((index) => replies[index]!);
    const tts = await startTts();
    t.after(() => Promise.all([stt.close(), llm.close(), tts.close()]));
    const server = await aServer(t, {
      'speech.engine': 'cascade',
      'speech.stt.url': stt.url,
      'speech.llm.url': llm.url,
      'speech.llm.model': 'mind-1',
      'speech.tts.url': tts.url,
    });
    const agent = await anAgent(server, {
      firstMessage: 'Hi, here is Robin.',
      recordCalls: true,
      recordingNotice: 'This call is recorded.',
      knowledgeBaseIds: [await anOpenBase(server)],
    });
    const begun = await begin(server, agent.id);
    const id = begun.call_session_id;
    const client = await connect(t, begun);
    const speak = client.microphone();
    await client.hears();
    speak(1200);
    await client.when(() => client.said().some((said) => said.startsWith('agent: From nine')));
    client.send({ type: 'text', text: 'And on Saturdays?' });
    await client.when(() => client.said().some((said) => said.startsWith('agent: Until noon')));
    client.send({ type: 'text', text: 'Thank you.' });
    assert.equal((await client.message('ended'))['disconnect_reason'], 'agent_hangup');

    const call = await ended(server, id);
    assert.equal(call.status, 'completed');
    const transcript = transcriptOf(call);
    assert.deepEqual(
      transcript.map((entry) => entry.replace(/…$/, '')).filter((entry) => entry.startsWith('user')),
      ['user: When are you open on weekdays?', 'user: And on Saturdays?', 'user: Thank you.'],
    );
    assert.equal(transcript[0], 'agent: This call is recorded. Hi, here is Robin.');
    assert.equal(transcript.at(-1), 'agent: Goodbye.');
    assert.equal(call['summary'], analysis.summary);
    const speech = call['speech'] as Record<string, unknown>;
    assert.deepEqual(
      [speech['engine'], speech['model'], speech['turns'], speech['input_tokens'], speech['output_tokens']],
      ['cascade', 'mind-1', 3, 400, 40],
    );
    assert.match(String(tts.requests[0]!.json['input']), /^This call is recorded/);
    const told = llm.requests[1]!.json['messages'] as Array<{ role: string; content: string }>;
    assert.match(told.find(({ role }) => role === 'tool')!.content, /nine to five/);
    assert.equal((await server.get(`/calls/${id}/envelope`)).status, 200);
    const types = (await timelineOf(server, id)).map(({ type }) => type);
    for (const type of ['answered', 'greeting', 'tool', 'recording', 'hangup']) assert.ok(types.includes(type), type);
  });

  test('texts name the phone of the contact, and a service that gives no session has no figures', async (t) => {
    const fake = await aFake(t, { answer: ({ instructions }) => ({ text: instructions ?? 'Yes.', audioMs: 200 }) });
    const server = await aServer(t, {
      'speech.engine': 'realtime',
      'speech.realtime.url': fake.url,
      'speech.connect_timeout_ms': '5000',
    });
    const contact = await aContact(server, { phone: '+4930901820' });
    const agent = await anAgent(server, { firstMessage: 'Is {{phone}} yours, {{nobody}}?' });
    const begun = await begin(server, agent.id, { contact_id: contact.id });
    const client = await connect(t, begun);
    await client.when(() => client.said().some((said) => said.endsWith('Is +4930901820 yours, ?')));
    client.send({ type: 'hangup' });
    assert.equal((await ended(server, begun.call_session_id)).status, 'completed');
    fake.door = 'refuses';
    const refused = await begin(server, agent.id);
    await connect(t, refused);
    const call = await ended(server, refused.call_session_id);
    assert.deepEqual([call.status, call['disconnect_reason'], call['speech']], ['failed', 'error', null]);
    assert.match(String(call['error_message']), /HTTP 503/);
  });

  test('Azure is given its address and its header, and a model of the catalog may name its engine', async (t) => {
    const fake = await aFake(t, { answer: () => ({ text: 'Hello.', audioMs: 200 }) });
    const server = await aServer(t, {
      'speech.realtime.url': `${fake.url}?deployment=front-desk`,
      'speech.realtime.auth': 'api-key',
      'speech.realtime.api_key': 'azure-key',
      'catalog.models': JSON.stringify([
        {
          llm_model: 'azure',
          description: '',
          price: 0.1,
          speech: 'realtime',
          voices: [{ id: 'v1', voice_name: 'Ava', provider_voice: 'marin', language: 'en-US' }],
        },
      ]),
    });
    const agent = await anAgent(server);
    const begun = await begin(server, agent.id);
    const client = await connect(t, begun);
    await client.when(() => client.said().includes('agent: Hello.'));
    const [session] = fake.sessions;
    assert.equal(session!.url, '/v1/realtime?deployment=front-desk');
    assert.deepEqual([session!.headers['api-key'], session!.headers.authorization], ['azure-key', undefined]);
    assert.equal(session!.events.find(({ type }) => type === 'session.update')!['session'].audio.output.voice, 'marin');
    client.send({ type: 'hangup' });
    const call = await ended(server, begun.call_session_id);
    assert.deepEqual([call.status, (call['speech'] as { engine: string }).engine], ['completed', 'realtime']);
  });
});
