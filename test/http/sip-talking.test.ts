// Waits: conversations take their time.
// Long: calls are spoken in real time, each beside a telephony thread of its own.
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { anAgent, aPhone } from '../support/fixtures.ts';
import { join, silence, sine, type Sound, voiceLike } from '../support/listening/sounds.ts';
import {
  type ClientEvent,
  type FakeOptions,
  type FakeRealtime,
  startFakeRealtime,
} from '../support/realtime/server.ts';
import { dataOf } from '../support/server.ts';
import { audioOf, headerIn, type Peer, startPeer } from '../support/sip/peer.ts';
import { startScriptedCaller } from '../support/sip/scripted-caller.ts';
import { type SipCall, startTelephony, type Telephony } from '../support/sip/server.ts';
import { startTalker } from '../support/sip/talker.ts';

/** Agents that talk through the realtime service in calls over SIP, as trunk, telephone and service see them on the wire. */

type Call = SipCall & {
  speech: Record<string, unknown> | null;
  cost_total: number;
  transcripts: Array<{ role: string; message: { content: string; format: string } }>;
};

type Options = {
  agent?: object;
  service?: FakeOptions;
  settings?: Readonly<Record<string, string>>;
  /** Payload types of the answer. */
  payloads?: string;
};

type Dialed = Telephony & { fake: FakeRealtime; peer: Peer; id: string; dialedMs: number };

/** Calls a telephone at this port; `answered` is told where it is to send its sound. */
async function dial(
  t: TestContext,
  { agent = {}, service = {}, settings = {}, payloads = '0 101' }: Options,
  telephone: { port: number; stop(): void },
  answered: (port: number) => void,
): Promise<Dialed> {
  t.after(() => telephone.stop());
  const fake = await startFakeRealtime(service);
  t.after(() => fake.close());
  const peer = await startPeer((own, request) => {
    if (request.method === 'INVITE') {
      own.answer(request, { status: 200, reason: 'OK', body: audioOf(telephone.port, { payloads }) });
      answered(Number(/m=audio (\d+)/.exec(request.body)![1]));
    } else if (request.method !== 'ACK' && request.method !== '') {
      own.answer(request, { status: 200, reason: 'OK' });
    }
  });
  t.after(() => peer.close());
  const telephony = await startTelephony(t, {
    'speech.engine': 'realtime',
    'speech.realtime.url': fake.url,
    ...settings,
  });
  const { id: agentId } = await anAgent(telephony.server, { voicemailDetection: false, ...agent });
  const number = await telephony.number(peer.uri);
  const dialedMs = performance.now();
  const body = { agent_id: agentId, phone_number_id: number.id, to: aPhone() };
  const { call_id: id } = dataOf(await telephony.server.post<SipCall>('/calls', body));
  return { ...telephony, fake, peer, id, dialedMs };
}

/** Somebody answers who says these sounds, and then nothing. */
async function sounding(t: TestContext, options: Options, ...sounds: readonly Sound[]) {
  const talker = await startTalker();
  return { ...(await dial(t, options, talker, (port) => talker.talkTo(port, ...sounds))), talker };
}

/** Somebody answers who says what the test makes him say. */
async function talking(t: TestContext, options: Options) {
  const caller = await startScriptedCaller();
  return { ...(await dial(t, options, caller, (port) => caller.talkTo(port))), caller };
}

const eventsOf = ({ fake }: Dialed, type: string): ClientEvent[] =>
  fake.sessions.flatMap(({ events }) => events.filter((event) => event.type === type));

/** The types of what the service was sent, each of several equal ones in a row once. */
const orderOf = ({ fake }: Dialed): string[] =>
  fake.sessions[0]!.events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);

const ended = async (call: Dialed): Promise<Call> => (await call.ended(call.id)) as Call;

const instructionsIn = (event: ClientEvent): string => String(event['response']?.instructions);

async function until(isReached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isReached())) await pause(20);
}

const [pcmu, pcma] = [{ type: 'audio/pcmu' }, { type: 'audio/pcma' }];

suite('who has answered', { concurrency: 4 }, () => {
  const hello = join(silence(200), voiceLike(700), silence(20_000));
  const mailbox = join(silence(300), voiceLike(2000), silence(400), sine(1000, 500), silence(20_000));

  test('a hello is heard before it is answered, once, and turns are detected only then', async (t) => {
    const call = await sounding(
      t,
      {
        agent: { voicemailDetection: true, firstMessage: 'Hello {{nobody}}from Robin.', prompt: 'Sell tea.' },
        service: { answer: () => ({ text: 'Hello from Robin.', audioMs: 400 }), heard: () => 'Hello?' },
        settings: { 'speech.realtime.api_key': 'secret' },
      },
      hello,
    );
    await call.fake.next(
      ({ type, session }) => type === 'session.update' && session.audio?.input?.format === undefined,
    );
    await until(() => call.talker.saidBeforeHearingMs() !== undefined);
    const [session] = call.fake.sessions;
    assert.equal(session!.url, '/v1/realtime?model=gpt-realtime');
    assert.equal(session!.headers.authorization, 'Bearer secret');
    assert.deepEqual(
      orderOf(call).filter((type) => type !== 'input_audio_buffer.append'),
      ['session.update', 'input_audio_buffer.commit', 'response.create', 'session.update'],
    );
    const [before, after] = eventsOf(call, 'session.update').map((event) => event['session']);
    assert.deepEqual([before.type, before.output_modalities], ['realtime', ['audio']]);
    assert.match(before.instructions, /^Sell tea\./);
    assert.deepEqual([before.audio.input.format, before.audio.output.format], [pcmu, pcmu]);
    assert.deepEqual([before.audio.input.turn_detection, before.audio.output.voice], [null, 'marin']);
    assert.deepEqual(after.audio.input.turn_detection, { type: 'server_vad' });
    const [opening] = eventsOf(call, 'response.create');
    assert.match(instructionsIn(opening!), /Hello from Robin\./);
    assert.doesNotMatch(instructionsIn(opening!), /report_voicemail/);
    const appends = eventsOf(call, 'input_audio_buffer.append');
    const sizes = appends.map((event) => Buffer.from(event['audio'] as string, 'base64').length);
    assert.ok(Math.max(...sizes) <= 800, 'more than 100 ms at a time');
    const heardMs = sizes.filter((_, at) => appends[at]!.atMs < opening!.atMs).reduce((sum, size) => sum + size, 0) / 8;
    assert.ok(heardMs >= 1400 && heardMs < 4000, `${heardMs} ms before the opening`);
    assert.match((await call.timeline(call.id)).find(({ type }) => type === 'verdict')!.detail!, /^person: /);
    assert.deepEqual(session!.errors, []);
  });

  test('a mailbox gets its message after the tone, and no notice that it is recorded', async (t) => {
    const call = await sounding(
      t,
      {
        agent: {
          voicemailDetection: true,
          voicemailMessage: 'Please call us back.',
          firstMessage: 'Hello.',
          recordCalls: true,
          recordingNotice: 'This call is recorded.',
        },
        service: { answer: () => ({ text: 'Please call us back.', audioMs: 800 }) },
      },
      mailbox,
    );
    const over = await ended(call);
    assert.deepEqual([over.status, over.disconnect_reason], ['voicemail', 'agent_hangup']);
    assert.ok(over.duration_sec >= 4, `${over.duration_sec} s`);
    const [message, ...others] = eventsOf(call, 'response.create');
    assert.deepEqual(others, []);
    assert.match(instructionsIn(message!), /Please call us back\.$/);
    assert.doesNotMatch(instructionsIn(message!), /recorded|Hello/);
    assert.ok(call.talker.saidBeforeHearingMs()! >= 3200, 'something was said before the tone was over');
    assert.ok(call.talker.heardSound().length >= 800 * 8 - 160, 'the message was cut');
    for (const event of eventsOf(call, 'session.update')) {
      assert.equal(event['session'].audio.input.turn_detection, null);
    }
  });

  test('of a greeting of middle length the model decides, with the first message and its wish for report_voicemail', async (t) => {
    const call = await sounding(
      t,
      {
        agent: { voicemailDetection: true, firstMessage: 'Hello from Robin.' },
        service: { answer: () => ({ text: 'Hello from Robin.', audioMs: 400 }) },
      },
      join(silence(200), voiceLike(3500), silence(20_000)),
    );
    const opening = await call.fake.next(({ type }) => type === 'response.create');
    assert.match(instructionsIn(opening), /report_voicemail[\s\S]*Hello from Robin\./);
    await until(async () => (await call.timeline(call.id)).some(({ detail }) => detail?.startsWith('unclear: ')));
    const names = (eventsOf(call, 'session.update')[0]!['session'].tools as Array<{ name: string }>).map(
      ({ name }) => name,
    );
    assert.deepEqual(names.toSorted(), ['end_call', 'report_voicemail', 'send_dtmf']);
  });

  test('a machine that the model hears later ends the call as a mailbox', async (t) => {
    const call = await talking(t, {
      agent: { voicemailDetection: true, firstMessage: 'Hello.' },
      service: {
        heard: () => 'You have reached the mailbox of Ada.',
        answer: ({ instructions }) =>
          instructions === undefined
            ? { text: '', tools: [{ name: 'report_voicemail', args: {} }] }
            : { text: 'Hello.', audioMs: 400 },
      },
    });
    await call.caller.hearsOut(300);
    await call.caller.say(800);
    const over = await ended(call);
    assert.deepEqual([over.status, over.disconnect_reason], ['voicemail', 'agent_hangup']);
    const verdicts = (await call.timeline(call.id)).filter(({ type }) => type === 'verdict');
    assert.deepEqual(
      verdicts.map(({ detail }) => detail!.split(':')[0]),
      ['person', 'machine'],
    );
    const outputs = eventsOf(call, 'conversation.item.create').map(({ item }) => item.type as string);
    assert.deepEqual(outputs, ['function_call_output']);
  });
});

suite('a conversation', { concurrency: 4 }, () => {
  test('an A-law call is A-law for the service, in either shape; an empty first message is none', async (t) => {
    for (const shape of ['ga', 'beta'] as const) {
      const call = await sounding(
        t,
        { payloads: '8 101', agent: { firstMessage: '{{nobody}}' }, service: { shape } },
        silence(20_000),
      );
      const opening = await call.fake.next(({ type }) => type === 'response.create');
      assert.equal(opening['response'], undefined);
      const { session } = eventsOf(call, 'session.update')[0]!;
      if (shape === 'ga') {
        assert.deepEqual([session.audio.input.format, session.audio.output.format], [pcma, pcma]);
        assert.deepEqual(session.audio.input.turn_detection, { type: 'server_vad' });
      } else {
        assert.deepEqual([session.input_audio_format, session.output_audio_format], ['g711_alaw', 'g711_alaw']);
        assert.deepEqual(
          [session.modalities, session.voice, session.turn_detection],
          [['audio', 'text'], 'marin', { type: 'server_vad' }],
        );
        assert.ok('input_audio_transcription' in session && !('type' in session));
      }
      assert.equal((await call.when(call.id, ({ state }) => state === 'in_progress')).sip.codec, 'PCMA');
    }
  });

  test('the notice comes first, keys are a turn, and texts from outside are said', async (t) => {
    const tools = [{ name: 'send_dtmf', args: { digits: '7#' } }];
    const call = await talking(t, {
      agent: { firstMessage: 'Hello.', recordCalls: true, recordingNotice: 'This call is recorded.' },
      service: {
        answer: ({ instructions }) => ({
          text: 'Yes.',
          audioMs: 300,
          tools: instructions === undefined ? tools.splice(0) : [],
        }),
      },
    });
    const opening = await call.fake.next(({ type }) => type === 'response.create');
    assert.match(instructionsIn(opening), /This call is recorded\. Hello\./);
    await call.caller.hearsOut(200);
    const [invite] = call.peer.received;
    for (const digit of '12#') {
      call.peer.request(invite!, 'INFO', {
        headers: [['Content-Type', 'application/dtmf-relay']],
        body: `Signal=${digit}\r\nDuration=160\r\n`,
      });
    }
    const typed = await call.fake.next(({ type, item }) => type === 'conversation.item.create' && item.role === 'user');
    assert.deepEqual(typed['item'].content, [{ type: 'input_text', text: '[keypad] 12#' }]);
    const result = await call.fake.next(({ item }) => item?.type === 'function_call_output');
    assert.deepEqual(JSON.parse(result['item'].output), { sent: true });
    await until(() => call.caller.keys().length === 2);
    assert.equal(call.caller.keys(), '7#');
    await call.caller.hearsOut(200);
    assert.equal((await call.server.post(`/calls/${call.id}/say`, { text: 'One moment please.' })).status, 200);
    const said = await call.fake.next((event) => instructionsIn(event).includes('One moment please.'));
    assert.equal(said.type, 'response.create');
    assert.equal((await call.server.post(`/calls/${call.id}/dtmf`, { digits: '5' })).status, 200);
    await until(() => call.caller.keys() === '7#5');
    call.peer.request(invite!, 'BYE');
    const over = await ended(call);
    assert.deepEqual([over.status, over.disconnect_reason], ['completed', 'customer_hangup']);
    const [keys] = over.transcripts.filter(({ message }) => message.format === 'dtmf');
    assert.deepEqual([keys!.role, keys!.message.content], ['user', '12#']);
    const details = (await call.timeline(call.id)).filter(({ type }) => type === 'dtmf' || type === 'tool');
    assert.deepEqual(
      details.map(({ detail }) => detail),
      ['received 1', 'received 2', 'received #', 'send_dtmf, 0 ms', 'sent 5'],
    );
  });

  test('an interruption ends the sound at once, and the model and the transcript know how much was sent', async (t) => {
    const text = 'I have a very great deal to tell you about all of our teas, and about how they are made. '.repeat(2);
    const call = await talking(t, {
      agent: { firstMessage: text },
      service: {
        heard: () => 'Stop.',
        answer: ({ instructions }) =>
          instructions === undefined ? { text: '', never: true } : { text, audioMs: 8000 },
      },
    });
    await call.caller.hears(1000);
    await call.caller.say(400);
    const truncation = await call.fake.next(({ type }) => type === 'conversation.item.truncate');
    await until(async () => (await call.timeline(call.id)).some(({ type }) => type === 'interrupted'));
    const heardMs = call.caller.heardFrames() * 20;
    const toldMs = truncation['audio_end_ms'] as number;
    assert.ok(Math.abs(toldMs - heardMs) <= 40, `${toldMs} ms told, ${heardMs} ms heard`);
    const [session] = call.fake.sessions;
    assert.deepEqual([session!.errors, session!.items.get(truncation['item_id'])?.truncatedMs], [[], toldMs]);
    const entry = (await call.timeline(call.id)).find(({ type }) => type === 'interrupted')!;
    assert.ok(Math.abs(Number(entry.detail) - toldMs) <= 1, `${entry.detail} in the timeline`);
    assert.equal((await call.server.post(`/calls/${call.id}/hangup`, {})).status, 200);
    const over = await ended(call);
    assert.deepEqual([over.status, over.disconnect_reason], ['completed', 'agent_hangup']);
    const [said] = over.transcripts;
    assert.match(said!.message.content, /…$/);
    const share = said!.message.content.length / text.length;
    assert.ok(Math.abs(share - toldMs / 8000) < 0.1, `${share} of the text`);
    assert.equal(call.caller.heardFrames() * 20, heardMs, 'nothing of the answer was sent after that');
    await until(async () => (await ended(call)).speech !== null); // What it measured may come after the end.
    const { speech, sip } = await ended(call);
    assert.deepEqual([speech!['interruptions'], sip['interruptions']], [1, 1]);
  });

  test('end_call is answered, what was said is played out, and then comes the BYE', async (t) => {
    const call = await talking(t, {
      agent: { firstMessage: 'Goodbye.' },
      service: {
        answer: () => ({ text: 'Goodbye.', audioMs: 1000, tools: [{ name: 'end_call', args: { reason: 'done' } }] }),
      },
    });
    const bye = await call.peer.next('BYE');
    assert.notEqual(headerIn(bye, 'Call-ID'), '');
    assert.ok(call.caller.heardFrames() >= 49, `${call.caller.heardFrames()} frames of 50`);
    const over = await ended(call);
    assert.deepEqual([over.status, over.disconnect_reason], ['completed', 'agent_hangup']);
    assert.equal(eventsOf(call, 'response.create').length, 1);
    const [output] = eventsOf(call, 'conversation.item.create');
    assert.equal(output!['item'].type, 'function_call_output');
    const prices = dataOf(await call.server.get<Array<{ price: number }>>('/available-llm-models/with-voices'));
    const price = prices[0]!.price;
    assert.equal(over.cost_total, Math.round((over.duration_sec / 60) * price * 10_000) / 10_000);
  });

  test('silence makes the agent ask, twice at most, and then hang up', async (t) => {
    const call = await talking(t, {
      agent: { firstMessage: 'Hello.', reminderTriggerMs: 1000, silenceTimeoutMs: 5000 },
      service: { answer: () => ({ text: 'Hello?', audioMs: 200 }) },
    });
    await call.peer.next('ACK');
    const answeredMs = performance.now();
    await call.peer.next('BYE');
    const talkedMs = performance.now() - answeredMs;
    assert.ok(talkedMs >= 4900 && talkedMs < 7000, `${talkedMs} ms`);
    const asked = eventsOf(call, 'response.create').map(instructionsIn);
    assert.equal(asked.length, 3);
    for (const reminder of asked.slice(1)) assert.match(reminder, /still there/);
    const over = await ended(call);
    assert.deepEqual([over.status, over.disconnect_reason], ['completed', 'agent_hangup']);
  });

  test('three answers that do not come are the end of speech, and the call has failed', async (t) => {
    const call = await talking(t, {
      agent: { firstMessage: 'Hello.' },
      service: { answer: () => ({ text: '', never: true }) },
      settings: { 'speech.response_timeout_ms': '400' },
    });
    await call.peer.next('BYE');
    const over = await ended(call);
    assert.deepEqual([over.status, over.disconnect_reason], ['failed', 'error']);
    assert.match(over.error_message!, /three times in a row/);
    assert.equal(eventsOf(call, 'response.create').length, 3);
    assert.ok((await call.timeline(call.id)).some(({ type }) => type === 'speech_lost'));
  });
});
