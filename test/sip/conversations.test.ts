import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { aReceiver } from '../http/calling-support.ts';
import { callIn, toAnInvite } from '../http/sip-incoming-support.ts';
import { anAccount, anEventType, aKey } from '../support/calendar.ts';
import { startFakeCal } from '../support/fake-cal.ts';
import { aContact } from '../support/fixtures.ts';
import { aBase, addSources, settled } from '../support/knowledge.ts';
import { type FakeAnswer, type FakeOptions, type FakeRealtime, startFakeRealtime } from '../support/realtime/server.ts';
import { dataOf } from '../support/server.ts';
import { startDialingTrunk } from '../support/sip/dialing-trunk.ts';
import { audioOf } from '../support/sip/peer.ts';
import { startScriptedCaller } from '../support/sip/scripted-caller.ts';
import { isInProgress, type SipCall, startTelephony, type Telephony } from '../support/sip/server.ts';
import {
  formIn,
  type LlmDialect,
  type Reply,
  startLlm,
  startStt,
  startTts,
  type TtsDialect,
} from '../support/speech/cascade.ts';

/** Whole conversations over SIP and RTP, sound in and sound out, with services that do as the real ones do. */

const slot = '2027-03-02T09:00:00Z';
const greeting =
  'Hello Ada, this is Robin of Engines and Sons. What can I do for you today, and how are you, if I may ask?';
const shipping =
  'We ship to Norway within three days, to Finland within four, and to Iceland whenever a boat goes there.';
const asked = ['', 'Please book me in.', 'Do you ship to Norway?', 'Wait a moment.', 'Give me a person.'];

type Use = { name: string; args: object };
const uses: Record<'find' | 'book' | 'search' | 'transfer', Use> = {
  find: { name: 'find_slots', args: { event_type: 'intro', start: '2027-03-02', end: '2027-03-02' } },
  book: { name: 'book_slot', args: { event_type: 'intro', start: slot } },
  search: { name: 'search_knowledge', args: { query: 'ship to Norway' } },
  transfer: { name: 'transfer_call', args: {} },
};

/** What the model does at each turn of the caller, answer by answer. */
type Step = { text: string; audioMs?: number; use?: Use };
const script: Record<number, Step[]> = {
  0: [{ text: greeting, audioMs: 5000 }],
  1: [
    { text: '', use: uses.find },
    { text: '', use: uses.book },
    { text: 'It is booked.', audioMs: 600 },
  ],
  2: [
    { text: '', use: uses.search },
    { text: shipping, audioMs: 5000 },
  ],
  3: [{ text: 'I wait.', audioMs: 400 }],
  4: [{ text: 'I put you through.', audioMs: 400, use: uses.transfer }],
};

/** A service, the settings that name it, and the results of tools that its model was told. */
type Speech = { settings: Record<string, string>; results(): string[] };

type Settings = Record<string, string>;

async function realtime(
  t: TestContext,
  options: FakeOptions = {},
  more: (url: string) => Settings = () => ({}),
): Promise<Speech & { fake: FakeRealtime }> {
  const steps = structuredClone(script);
  const answer = (turn: number): FakeAnswer => {
    const { text, audioMs, use } = steps[turn]?.shift() ?? { text: 'Yes.' };
    return { text, ...(audioMs === undefined ? {} : { audioMs }), ...(use ? { tools: [use] } : {}) };
  };
  // A pause of the machine must not look like the end of a turn.
  const fake = await startFakeRealtime({
    ...options,
    silenceMs: 700,
    heard: (turn) => asked[turn]!,
    answer: ({ turn }) => answer(turn),
  });
  t.after(() => fake.close());
  const results = (): string[] =>
    fake.sessions.flatMap(({ events }) =>
      events.flatMap(({ item }) => (item?.type === 'function_call_output' ? [item.output as string] : [])),
    );
  const settings = { 'speech.engine': 'realtime', 'speech.realtime.url': fake.url, ...more(fake.url) };
  return { fake, results, settings };
}

type CascadeOptions = { llm?: LlmDialect; tts?: TtsDialect; takesNoModel?: boolean; settings?: Settings };

async function cascade(t: TestContext, options: CascadeOptions = {}): Promise<Speech> {
  const steps = structuredClone(script);
  let turn = 0;
  const reply = (index: number): Reply => {
    const { text, use } = steps[turn]?.shift() ?? { text: 'Yes.' };
    const calls = use && [{ id: `call-${index}`, name: use.name, args: JSON.stringify(use.args) }];
    return { text: text === '' ? [] : [text], ...(calls ? { calls } : {}) };
  };
  const stt = await startStt((_index, request) => {
    const isRefused = options.takesNoModel === true && 'model' in formIn(request).fields;
    return isRefused ? { status: 422 } : { text: asked[(turn += 1)]! };
  });
  let replies = 0;
  const llm = await startLlm(
    (_index, { json }) => ('response_format' in json ? { text: ['no summary'] } : reply((replies += 1))),
    options.llm,
  );
  const tts = await startTts(options.tts);
  t.after(() => Promise.all([stt.close(), llm.close(), tts.close()]).then(() => undefined));
  type Messages = Array<{ role: string; content: string }>;
  const results = (): string[] =>
    (llm.requests.findLast(({ json }) => !('response_format' in json))!.json['messages'] as Messages).flatMap(
      ({ role, content }) => (role === 'tool' ? [content] : []),
    );
  return {
    results,
    settings: {
      'speech.engine': 'cascade',
      'speech.cascade.pause_ms': '700',
      'speech.stt.url': stt.url,
      'speech.llm.url': llm.url,
      'speech.tts.url': tts.url,
      ...options.settings,
    },
  };
}

/** An agent with a calendar, a knowledge base and a person to hand calls to; a caller calls it. */
async function aCall(t: TestContext, settings: Record<string, string>) {
  const cal = await startFakeCal();
  t.after(() => cal.close());
  const telephony = await startTelephony(t, { 'calendar.base_url': cal.url, ...settings });
  const { server, agentId } = telephony;
  const eventType = anEventType({ slug: 'intro', free: [slot] });
  await anAccount(server, aKey(cal, { eventTypes: [eventType] }));
  await aContact(server, { phone: '+4930901820', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' });
  const base = await aBase(server);
  await addSources(server, base, { knowledge_base_texts: [{ title: 'Shipping', text: shipping }] });
  await settled(server, base);
  const receiver = await aReceiver(t);
  dataOf(
    await server.put(`/agents/${agentId}`, {
      firstMessage: greeting.replace('Ada', '{{first_name}}'),
      prompt: 'You answer for engines.',
      transferPhone: '+4930901829',
      knowledgeBaseIds: [base],
      webhook_url: receiver.url,
    }),
  );
  const trunk = await startDialingTrunk();
  t.after(() => trunk.close());
  const number = await telephony.number(trunk.uri, { inbound_agent_id: agentId });
  const caller = await startScriptedCaller();
  t.after(() => caller.stop());
  const sent = trunk.invite(telephony.port, { to: number.phone, body: audioOf(caller.port) });
  const ok = await trunk.next(toAnInvite(200));
  sent.ack(ok);
  caller.talkTo(Number(/m=audio (\d+)/.exec(ok.body)![1]));
  const { call_id: id } = await callIn(server, 'in_progress');
  /** The other side puts us on hold, or takes us back. */
  const hold = async (isHeld: boolean): Promise<void> => {
    const extra = isHeld ? 'a=sendonly\r\n' : 'a=sendrecv\r\n';
    sent.request(ok, 'UPDATE', {
      headers: [['Content-Type', 'application/sdp']],
      body: audioOf(caller.port, { extra }),
    });
    const taken = await trunk.next(
      ({ status, headers }) =>
        status === 200 && headers.some(([name, value]) => name === 'CSeq' && value.endsWith('UPDATE')),
    );
    assert.match(taken.body, isHeld ? /a=recvonly|a=inactive/ : /a=sendrecv/);
  };
  return { ...telephony, trunk, sent, ok, caller, id, hold, receiver, eventType };
}

type Talked = SipCall & {
  speech: Record<string, unknown>;
  transcripts: Array<{ role: string; timestamp_ms: number; message: { content: string } }>;
};

const saidIn = async ({ server }: Telephony, id: string): Promise<string> =>
  JSON.stringify(dataOf(await server.get<Talked>(`/calls/${id}`)).transcripts);

/** It books, looks things up, is interrupted twice, waits on hold and hands the call on; all accounts of it agree. */
async function converse(t: TestContext, engine: string, speech: Speech): Promise<void> {
  const call = await aCall(t, speech.settings);
  const { caller, trunk, sent, ok, id, hold } = call;
  const says = async (text: string): Promise<void> => {
    while (!(await saidIn(call, id)).includes(text)) await pause(50);
  };

  await caller.hears(500);
  await caller.say(600); // into the greeting
  await says('It is booked.');
  await caller.hearsOut(400);
  await caller.say(600);
  await says('We ship');
  await caller.hears(500);
  await caller.say(600); // into the answer
  await says('I wait.');
  await caller.hearsOut(400);
  await hold(true);
  await caller.say(1500); // music, which is nobody's turn
  await hold(false);
  await caller.say(600);
  const refer = await trunk.next('REFER');
  assert.match(refer.headers.find(([name]) => name === 'Refer-To')![1], /4930901829/);
  trunk.answer(refer, 202);
  sent.request(ok, 'NOTIFY', {
    headers: [
      ['Event', 'refer'],
      ['Subscription-State', 'terminated'],
    ],
    body: 'SIP/2.0 200 OK\r\n',
  });
  trunk.answer(await trunk.next('BYE'), 200);

  const ended = (await call.ended(id)) as Talked;
  assert.deepEqual([ended.status, ended.disconnect_reason], ['completed', 'agent_hangup']);
  const transcript = ended.transcripts.map(({ role, message }) => `${role}: ${message.content}`);
  assert.deepEqual(
    transcript.map((line) => line.replace(/^(agent: (?:Hello Ada|We ship)).*…$/, '$1…')),
    [
      'agent: Hello Ada…',
      `user: ${asked[1]}`,
      'agent: It is booked.',
      `user: ${asked[2]}`,
      'agent: We ship…',
      `user: ${asked[3]}`,
      'agent: I wait.',
      `user: ${asked[4]}`,
      'agent: I put you through.',
    ],
  );
  const times = ended.transcripts.map(({ timestamp_ms: atMs }) => atMs);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.deepEqual(
    [ended.speech['engine'], ended.speech['sessions'], ended.speech['turns'], ended.speech['interruptions']],
    [engine, 1, 4, 2],
  );
  assert.deepEqual([ended.sip['turns'], ended.sip['interruptions']], [4, 2]);
  assert.ok(Number(ended.speech['input_tokens']) > 0 && Number(ended.speech['output_tokens']) > 0);
  assert.ok(Number(ended['call_latency_ms']) > 0);

  const [slots, booked, found] = speech.results().map((text) => JSON.parse(text) as Record<string, unknown>);
  assert.equal((slots!['slots'] as string[]).length, 1);
  assert.equal(booked!['booked'], true);
  assert.match(JSON.stringify(found), /within three days/);
  assert.deepEqual(call.eventType.free, [], 'the slot is booked');

  const timeline = await call.timeline(id);
  const tools = timeline.filter(({ type }) => type === 'tool').map(({ detail }) => detail!.replace(/, \d+ ms$/, ''));
  assert.deepEqual(tools, ['find_slots', 'book_slot', 'search_knowledge', 'transfer_call']);
  assert.deepEqual(
    timeline.map(({ type }) => type).filter((type) => type !== 'tool'),
    ['invite', 'answered', 'greeting', 'interrupted', 'interrupted', 'transfer', 'hangup'],
  );

  while (call.receiver.events.length === 0) await pause(20);
  const [event] = call.receiver.events;
  const { transcripts, status, speech: told } = event!.data as unknown as Talked;
  assert.deepEqual([event!.event, status], ['call.completed', 'completed']);
  assert.deepEqual(transcripts, ended.transcripts);
  if (told !== undefined) assert.deepEqual(told, ended.speech);
}

const pcm = { 'speech.realtime.audio': 'pcm' };

/** The services, each with the dialect that its fake speaks; docs/voice.md has the same list. */
const dialects: Record<string, (t: TestContext) => Promise<Speech>> = {
  'realtime, GA with G.711, as OpenAI': (t) => realtime(t),
  'realtime, GA with PCM alone and without truncation, as LocalAI': (t) =>
    realtime(t, { pcmOnly: true, ignores: ['conversation.item.truncate'] }, () => pcm),
  'realtime, the older shape with PCM and a transcription model, as Speaches': (t) =>
    realtime(t, { shape: 'beta', pcmOnly: true, needsTranscriptionModel: true }, () => ({
      ...pcm,
      'speech.realtime.transcription_model': 'Systran/faster-whisper-small',
    })),
  "realtime, Azure's address and header": (t) =>
    realtime(t, {}, (url) => ({
      'speech.realtime.url': `${url}?deployment=front-desk`,
      'speech.realtime.auth': 'api-key',
      'speech.realtime.api_key': 'azure-key',
    })),
  'cascade, as OpenAI': (t) => cascade(t),
  'cascade, Speaches and Kokoro with tools as Ollama sends them': (t) =>
    cascade(t, {
      llm: { wholeCalls: true },
      settings: {
        'speech.stt.model': 'Systran/faster-whisper-small',
        'speech.llm.model': 'qwen2.5:7b',
        'speech.tts.model': 'speaches-ai/Kokoro-82M-v1.0-ONNX',
      },
    }),
  'cascade, a whisper server without models, no stream_options, and a voice of WAV at 22,050 Hz': (t) =>
    cascade(t, { takesNoModel: true, llm: { refusesOptions: true }, tts: { isWav: true, rate: 22_050 } }),
};

suite(
  'a conversation books, looks up, is interrupted twice, waits on hold and is handed on',
  { concurrency: 3 },
  () => {
    for (const [name, open] of Object.entries(dialects)) {
      test(name, async (t) => converse(t, name.split(',')[0]!, await open(t)));
    }
  },
);

test('a session that dies while the agent speaks goes on within 3 s, and knows what was said', async (t) => {
  const { fake, settings } = await realtime(t);
  const call = await aCall(t, settings);
  await call.caller.hears(500);
  await call.caller.say(600);
  while (!(await saidIn(call, call.id)).includes('It is booked.')) await pause(50);
  await call.caller.hearsOut(400);
  const diedMs = performance.now();
  fake.sessions[0]!.die();
  const told = await fake.next(({ type, item }, session) => {
    const isMessage = type === 'conversation.item.create' && item.type === 'message';
    return isMessage && session !== fake.sessions[0] && /It is booked/.test(item.content[0].text);
  });
  assert.ok(told.atMs - diedMs < 3000, `${told.atMs - diedMs} ms`);
  const all = fake.sessions[1]!.events.flatMap(({ item }) => (item?.type === 'message' ? [item.content[0].text] : []));
  assert.match(all[0], /^Hello Ada.*…$/);
  assert.equal(all[1], asked[1]);
  await call.caller.say(600);
  while (fake.sessions[1]!.items.size === 0) await pause(20);
  await call.caller.hears(200);
  assert.ok(isInProgress(dataOf(await call.server.get<SipCall>(`/calls/${call.id}`))));
  const types = (await call.timeline(call.id)).map(({ type }) => type);
  assert.deepEqual(
    types.filter((type) => type.startsWith('speech_')),
    ['speech_lost', 'speech_back'],
  );
  call.sent.request(call.ok, 'BYE');
  const ended = (await call.ended(call.id)) as Talked;
  assert.deepEqual([ended.status, ended.speech['sessions']], ['completed', 2]);
});
