// Waits: sound takes its time.
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { medianToneShare } from '../../../support/sip/tones.ts';
import { startCall, type CallOptions } from '../../../support/realtime/call.ts';
import {
  type ClientEvent,
  type FakeOptions,
  type FakeRealtime,
  type FakeSession,
  startFakeRealtime,
} from '../../../support/realtime/server.ts';

/** The engine `realtime` against a server that does as the real one does, in real time. */

async function begun(t: TestContext, fakeOptions: FakeOptions = {}, callOptions: Partial<CallOptions> = {}) {
  const fake = await startFakeRealtime(fakeOptions);
  t.after(() => fake.close());
  const call = startCall(t, { url: fake.url, ...callOptions });
  return { fake, call };
}

const sentTo = (fake: FakeRealtime, type: string): ClientEvent[] =>
  fake.sessions.flatMap(({ events }) => events.filter((event) => event.type === type));

const errorsOf = (fake: FakeRealtime): string[] => fake.sessions.flatMap(({ errors }) => errors);

const greets = { firstMessage: 'Hello, this is Mia.', prompt: 'You sell engines.' };

suite('a realtime session', { concurrency: 3 }, () => {
  for (const codec of ['PCMU', 'PCMA'] as const) {
    for (const audio of ['g711', 'pcm'] as const) {
      for (const shape of ['ga', 'beta'] as const) {
        test(`${shape} in ${audio}: greets and answers a turn, in ${codec}`, async (t) => {
          const pcmOnly = audio === 'pcm';
          const { fake, call } = await begun(
            t,
            { shape, pcmOnly, answer: ({ instructions }) => ({ text: instructions ?? 'Gladly.', audioMs: 400 }) },
            { codec, agent: greets, realtime: { audio } },
          );
          call.answer();
          await call.until(() => call.transcript().length === 1 && call.queue.queuedBytes() === 0);
          call.speak(400);
          await call.until(() => call.session.facts().turns === 1 && call.queue.queuedBytes() === 0);
          assert.deepEqual(errorsOf(fake), []);
          assert.deepEqual(
            call.transcript().map(({ role }) => role),
            ['agent', 'user', 'agent'],
          );
          const spoken = Buffer.concat(call.sent.filter((frame) => frame.some((byte) => byte !== frame[0])));
          assert.ok(medianToneShare(codec, spoken, 1000) > 0.9, 'its tone is heard');
          const facts = call.session.facts();
          assert.deepEqual(
            [facts.engine, facts.model, facts.sessions, facts.input_tokens, facts.output_tokens],
            ['realtime', 'gpt-realtime', 1, 20, 40],
          );
          assert.ok(facts.latencyMs! > 0 && facts.latencyMs! < 1000);
          assert.match(fake.sessions[0]!.url, /\?model=gpt-realtime$/);
        });
      }
    }
  }

  test('the session is opened before the answer, and configured and begun at it', async (t) => {
    const { fake, call } = await begun(t, {}, { agent: greets, realtime: { api_key: 'k' } });
    await call.until(() => fake.sessions.length === 1);
    assert.equal(fake.sessions[0]!.headers.authorization, 'Bearer k');
    assert.deepEqual(fake.sessions[0]!.events, []);
    call.answer();
    const { session } = await fake.next(({ type }) => type === 'session.update');
    assert.match(session.instructions, /^You sell engines\./);
    assert.deepEqual(session.audio.input.format, { type: 'audio/pcmu' });
    assert.deepEqual(session.audio.input.turn_detection, { type: 'server_vad' });
    assert.deepEqual(session.audio.input.transcription, {});
    assert.equal(session.audio.output.voice, 'marin');
    assert.deepEqual(
      session.tools.map(({ name }: { name: string }) => name),
      ['end_call', 'send_dtmf'],
    );
    const create = await fake.next(({ type }) => type === 'response.create');
    assert.match(create['response'].instructions, /Hello, this is Mia\./);
  });

  test('without a first message the first answer is asked for bare', async (t) => {
    const { fake, call } = await begun(t);
    call.answer();
    const create = await fake.next(({ type }) => type === 'response.create');
    assert.equal(create['response'], undefined);
  });

  test('audio is appended at most 100 ms at a time, in order and soon', async (t) => {
    const { fake, call } = await begun(t);
    call.answer();
    await call.until(() => (fake.sessions[0]?.heardMs() ?? 0) >= 1000);
    assert.deepEqual(errorsOf(fake), []);
    assert.ok(call.sent.length * 20 - fake.sessions[0]!.heardMs() <= 100);
  });

  test('an interruption drops what is queued and truncates the item at what was sent', async (t) => {
    const text = 'This is a long answer that goes on and on until somebody says something else.';
    const { fake, call } = await begun(t, { answer: () => ({ text, audioMs: 5000 }) }, { agent: greets });
    call.answer();
    await call.until(() => call.sent.length > 60);
    call.speak(300);
    const truncate = await fake.next(({ type }) => type === 'conversation.item.truncate');
    const sentMs = call.queue.sentBytes(truncate['item_id']) / 8;
    assert.ok(Math.abs(sentMs - truncate['audio_end_ms']) <= 40, `${truncate['audio_end_ms']} of ${sentMs}`);
    await call.until(() => call.reports.some(({ type }) => type === 'interrupted'));
    assert.deepEqual(errorsOf(fake), []);
    const [said] = call.transcript();
    assert.match(said!.text, /…$/);
    const share = said!.text.length / text.length;
    assert.ok(Math.abs(share - sentMs / 5000) < 0.15, `${share} of the text`);
    assert.deepEqual([call.session.facts().interruptions, call.metrics.interruptions], [1, 1]);
  });

  test('an answer of which nothing was sent is cancelled, not truncated', async (t) => {
    const { fake, call } = await begun(t, { speed: 0.5, answer: () => ({ text: 'x'.repeat(100), audioMs: 3000 }) });
    call.answer(null);
    await fake.next(({ type }) => type === 'session.update');
    fake.sessions[0]!.send({ type: 'response.created', response: { id: 'r1' } });
    fake.sessions[0]!.send({ type: 'input_audio_buffer.speech_started', item_id: 'u1', audio_start_ms: 0 });
    await fake.next(({ type }) => type === 'response.cancel');
    assert.deepEqual(sentTo(fake, 'conversation.item.truncate'), []);
    assert.equal(call.session.facts().interruptions, 0);
  });

  test('nothing is sent of an answer that was cancelled before its first sound, though the server still sends some', async (t) => {
    const { fake, call } = await begun(t, { answer: () => ({ text: '', never: true }) });
    call.answer();
    await fake.next(({ type }) => type === 'response.create');
    const [session] = fake.sessions as [FakeSession];
    session.send({ type: 'response.created', response: { id: 'late', status: 'in_progress' } });
    session.send({ type: 'input_audio_buffer.speech_started', item_id: 'a', audio_start_ms: 0 });
    await fake.next(({ type }) => type === 'response.cancel');
    const delta = Buffer.alloc(1600, 1).toString('base64');
    session.send({ type: 'response.output_audio.delta', response_id: 'late', item_id: 'b', delta });
    session.send({ type: 'response.done', response: { id: 'late', status: 'cancelled' } });
    session.send({ type: 'response.created', response: { id: 'next', status: 'in_progress' } });
    session.send({ type: 'response.output_audio.delta', response_id: 'next', item_id: 'c', delta });
    await call.until(() => call.queue.sentBytes('c') > 0);
    assert.equal(call.queue.sentBytes('b'), 0);
  });

  test('where the server refuses to truncate, the model is told in words, and not asked again', async (t) => {
    const refuses = ['conversation.item.truncate'];
    for (const how of [{ refuses }, { refuses, namesNoEvent: true }, { ignores: refuses }]) {
      const { fake, call } = await begun(t, {
        ...how,
        answer: () => ({ text: 'one two three four five', audioMs: 3000 }),
      });
      call.answer();
      const inWords = (count: number): boolean =>
        sentTo(fake, 'conversation.item.create').filter(({ item }) => item.role === 'system').length >= count;
      await call.until(() => call.sent.length > 40);
      call.speak(200);
      await call.until(() => inWords(1) && call.queue.queuedBytes() > 0);
      await call.until(() => call.session.facts().turns === 1);
      call.speak(200);
      await call.until(() => inWords(2));
      assert.equal(sentTo(fake, 'conversation.item.truncate').length, 1);
    }
  });

  test('with voicemail detection turns are not detected before the verdict, and a hello is answered once', async (t) => {
    const { fake, call } = await begun(t, {}, { agent: { ...greets, detectsVoicemail: true } });
    call.answer(null);
    const { session } = await fake.next(({ type }) => type === 'session.update');
    assert.equal(session.audio.input.turn_detection, null);
    call.speak(400);
    await call.until(() => call.sent.length > 40);
    assert.deepEqual(sentTo(fake, 'response.create'), []);
    call.session.begin('unclear');
    const create = await fake.next(({ type }) => type === 'response.create');
    assert.match(create['response'].instructions, /report_voicemail[^]*Hello, this is Mia\./);
    await fake.next(
      ({ type, session: update }) => type === 'session.update' && update.audio.input.turn_detection !== null,
    );
    const order = fake.sessions[0]!.events.map(({ type }) => type).filter((type) => !type.endsWith('append'));
    assert.deepEqual(order, ['session.update', 'input_audio_buffer.commit', 'response.create', 'session.update']);
    assert.deepEqual(errorsOf(fake), []);
  });

  test('a session that comes after the verdict hears the hello as one turn, and detects turns from then on', async (t) => {
    const created = Promise.withResolvers<void>();
    const { fake, call } = await begun(
      t,
      { created: () => created.promise },
      { agent: { ...greets, detectsVoicemail: true } },
    );
    call.answer(null);
    call.speak(400);
    await call.until(() => call.sent.length > 40);
    call.session.begin('person');
    created.resolve();
    await call.until(() => call.transcript().some(({ role }) => role === 'agent'));
    const order = fake.sessions[0]!.events.map(({ type }) => type).filter((type) => !type.endsWith('append'));
    assert.deepEqual(order.slice(0, 4), [
      'session.update',
      'input_audio_buffer.commit',
      'response.create',
      'session.update',
    ]);
    assert.equal(sentTo(fake, 'session.update')[0]!['session'].audio.input.turn_detection, null);
    await call.until(() => call.queue.queuedBytes() === 0);
    call.speak(300);
    await call.until(() => call.session.facts().turns >= 1);
    assert.deepEqual(errorsOf(fake), []);
  });

  test('a key before the verdict is told the model, and answered by the opening', async (t) => {
    const { fake, call } = await begun(t, {}, { agent: { ...greets, detectsVoicemail: true } });
    call.answer(null);
    await fake.next(({ type }) => type === 'session.update');
    call.session.key('#');
    await fake.next(({ type }) => type === 'conversation.item.create');
    call.session.begin('person');
    const { response } = await fake.next(({ type }) => type === 'response.create');
    assert.match(response.instructions, /Hello, this is Mia\./);
  });

  test('a server that commits nothing hears what was held back with its own detection, which interrupts nothing', async (t) => {
    for (const namesNoEvent of [false, true]) {
      const { fake, call } = await begun(
        t,
        { refuses: ['input_audio_buffer.commit'], speed: 1, namesNoEvent },
        { agent: { ...greets, detectsVoicemail: true } },
      );
      call.answer(null);
      call.speak(400);
      await call.until(() => call.sent.length > 40);
      const before = fake.sessions[0]!.heardMs();
      call.session.begin('person');
      await fake.next(({ type }) => type === 'session.update' && fake.sessions[0]!.errors.includes('refused'));
      await call.until(() => fake.sessions[0]!.heardMs() > before * 2);
      assert.deepEqual(
        call.reports.filter(({ type }) => type === 'interrupted'),
        [],
      );
    }
  });

  test('the message on a mailbox is played to its end, then the call is hung up', async (t) => {
    const agent = { detectsVoicemail: true, voicemailMessage: 'Please call back.' };
    const { fake, call } = await begun(t, { answer: () => ({ text: 'Please call back.', audioMs: 600 }) }, { agent });
    call.answer(null);
    call.session.begin('mailbox');
    const create = await fake.next(({ type }) => type === 'response.create');
    assert.match(create['response'].instructions, /Please call back\./);
    await call.until(() => call.hangUps.length > 0);
    assert.deepEqual(call.hangUps[0]!.status, 'completed');
    const tones = call.sent.filter((frame) => frame.some((byte) => byte !== frame[0])).length * 20;
    assert.ok(tones >= 560, `${tones} ms were played`);
  });

  test('a tool that was not offered, or has wrong arguments, is answered with an error, and the agent goes on', async (t) => {
    const tools = [
      { name: 'report_voicemail', args: {} },
      { name: 'end_call', args: '{"reason":5}' },
      { name: 'end_call', args: 'now' },
    ];
    const { fake, call } = await begun(t, {
      answer: ({ session }) => {
        const outputs = session.events.filter(({ item }) => item?.type === 'function_call_output').length;
        return outputs < tools.length ? { text: '', tools: [tools[outputs]!] } : { text: 'On we go.', audioMs: 100 };
      },
    });
    call.answer();
    await call.until(() => call.transcript().some(({ text }) => text === 'On we go.'));
    assert.deepEqual(
      sentTo(fake, 'conversation.item.create').map(({ item }) => JSON.parse(item.output)),
      [
        { error: 'there is no tool report_voicemail' },
        { error: 'reason must be a text' },
        { error: 'the arguments are not a JSON object' },
      ],
    );
    assert.equal(sentTo(fake, 'response.create').length, 4);
    assert.deepEqual([call.hangUps, call.machineReports(), errorsOf(fake)], [[], 0, []]);
  });

  test('tools are carried out once, their results told, and the answer goes on', async (t) => {
    const uses: string[] = [];
    const { fake, call } = await begun(
      t,
      {
        answer: ({ turn, session }) => {
          const outputs = session.events.filter(({ item }) => item?.type === 'function_call_output').length;
          if (turn === 0 && outputs === 0) {
            return {
              text: '',
              tools: [
                { name: 'find_slots', args: { a: 1 } },
                { name: 'send_dtmf', args: { digits: '12#' } },
                { name: 'send_dtmf', args: { digits: 'no' } },
              ],
            };
          }
          return outputs === 3
            ? { text: 'Goodbye.', audioMs: 500, tools: [{ name: 'end_call', args: {} }] }
            : { text: 'x' };
        },
      },
      {
        tool: ({ name, args }) => {
          uses.push(`${name} ${args}`);
          return Promise.resolve('{"slots":[]}');
        },
      },
    );
    call.answer();
    await call.until(() => call.hangUps.length > 0);
    assert.deepEqual([uses, call.keys], [['find_slots {"a":1}'], ['12#']]);
    assert.deepEqual(
      call.reports.filter(({ type }) => type === 'tool'),
      [
        { type: 'tool', name: 'send_dtmf', fault: null },
        { type: 'tool', name: 'send_dtmf', fault: 'digits must be 1 to 32 of 0-9, *, #, A-D' },
        { type: 'tool', name: 'end_call', fault: null },
      ],
      'its own tools; others are reported where they are carried out',
    );
    const outputs = sentTo(fake, 'conversation.item.create').map(({ item }) => JSON.parse(item.output));
    assert.deepEqual(
      outputs.filter(({ slots }) => slots),
      [{ slots: [] }],
    );
    assert.deepEqual(
      outputs.filter(({ sent }) => sent),
      [{ sent: true }],
    );
    assert.equal(outputs.filter(({ error }) => error).length, 1);
    assert.equal(sentTo(fake, 'response.create').length, 2);
    assert.deepEqual(errorsOf(fake), []);
    assert.equal(call.transcript().at(-1)!.text, 'Goodbye.');
  });

  test('a second answer is asked for when the first is done', async (t) => {
    const { fake, call } = await begun(
      t,
      { speed: 20, answer: ({ instructions }) => ({ text: instructions!, audioMs: 600 }) },
      { agent: greets },
    );
    call.answer();
    assert.equal(call.session.say('First.'), true);
    assert.equal(call.session.say('Second.'), true);
    await call.until(() => sentTo(fake, 'response.create').length === 3);
    assert.deepEqual(errorsOf(fake), []);
  });

  test('keys are a turn of the other side', async (t) => {
    const { fake, call } = await begun(t);
    call.answer();
    for (const digit of '12#') call.session.key(digit);
    const { item } = await fake.next(({ type }) => type === 'conversation.item.create');
    assert.deepEqual([item.role, item.content], ['user', [{ type: 'input_text', text: '[keypad] 12#' }]]);
    const keys = call.transcript().find(({ format }) => format === 'dtmf')!;
    assert.deepEqual([keys.role, keys.text], ['user', '12#']);
  });

  test('a turn that is typed interrupts the agent and is answered', async (t) => {
    const { fake, call } = await begun(
      t,
      { speed: 2, answer: ({ instructions }) => ({ text: instructions ?? 'Yes, we have.', audioMs: 3000 }) },
      { agent: greets },
    );
    call.answer();
    await call.until(() => call.queue.queuedBytes() > 0 && call.sent.length > 40);
    call.session.typed('Do you have engines?');
    assert.equal(call.queue.queuedBytes(), 0);
    const { item } = await fake.next(({ type }) => type === 'conversation.item.create');
    assert.deepEqual([item.role, item.content], ['user', [{ type: 'input_text', text: 'Do you have engines?' }]]);
    assert.equal(sentTo(fake, 'response.cancel').length, 1, 'the service does not know that somebody writes');
    const [truncation] = sentTo(fake, 'conversation.item.truncate');
    assert.ok(truncation!['audio_end_ms'] > 0 && truncation!['audio_end_ms'] < 3000);
    await call.until(() => call.transcript().length === 3);
    const [greeting, typed, reply] = call.transcript();
    assert.match(greeting!.text, /…$/);
    assert.deepEqual([typed!.role, typed!.text, typed!.format], ['user', 'Do you have engines?', 'text']);
    assert.equal(reply!.text, 'Yes, we have.');
    assert.deepEqual([call.session.facts().turns, call.session.facts().interruptions], [1, 1]);
    assert.deepEqual(errorsOf(fake), []);
  });

  test('what is typed before there is a session is not lost', async (t) => {
    const { fake, call } = await begun(t, { answer: () => ({ text: 'Yes.', audioMs: 200 }) });
    call.answer();
    call.session.typed('Hello?');
    const { item } = await fake.next(({ type }) => type === 'conversation.item.create');
    assert.equal(item.content[0].text, 'Hello?');
    await call.until(() => call.transcript().some(({ role }) => role === 'agent'));
  });

  test('a session that dies is followed by one that is told what was said', async (t) => {
    const { fake, call } = await begun(t, { heard: () => 'Do you have engines?' }, { agent: greets });
    call.answer();
    await call.until(() => call.transcript().length === 1 && call.queue.queuedBytes() === 0);
    call.speak(300);
    await call.until(() => call.session.facts().turns === 1);
    fake.sessions[0]!.die();
    await call.until(() => call.reports.some(({ type }) => type === 'speech_back'));
    assert.deepEqual(
      call.reports.flatMap(({ type }) => (type.startsWith('speech_') ? [type] : [])),
      ['speech_lost', 'speech_back'],
    );
    const created = () => fake.sessions[1]!.events.filter(({ type }) => type === 'conversation.item.create');
    await call.until(() => created().length >= 2);
    assert.deepEqual(
      created()
        .slice(0, 2)
        .map(({ item }) => [item.role, item.content[0].type]),
      [
        ['assistant', 'output_text'],
        ['user', 'input_text'],
      ],
    );
    call.speak(300);
    await call.until(() => call.session.facts().turns === 2);
    assert.equal(call.session.facts().sessions, 2);
    fake.sessions[1]!.die();
    await call.until(() => call.hangUps.length > 0);
    assert.equal(call.hangUps[0]!.status, 'failed');
    assert.equal(call.metrics.sessions, 0);
  });

  test('when there is no new session the call goes to emergencyFallback, or fails', async (t) => {
    for (const refusal of [null, 'busy']) {
      const agent = { ...greets, emergencyFallback: '+4930901829' };
      const { fake, call } = await begun(
        t,
        {},
        { agent, transfer: () => Promise.resolve(refusal), times: { reconnectMs: 300 } },
      );
      call.answer();
      await call.until(() => call.transcript().length === 1);
      fake.door = 'refuses';
      fake.sessions[0]!.die();
      await call.until(() => call.transfers.length > 0 && (refusal === null || call.hangUps.length > 0));
      assert.deepEqual(call.transfers, ['+4930901829']);
      assert.deepEqual(
        call.hangUps.map(({ status }) => status),
        refusal === null ? [] : ['failed'],
      );
    }
  });

  test('a service that cannot be reached fails the call at its answer', async (t) => {
    for (const door of ['refuses', 'silent'] as const) {
      const fake = await startFakeRealtime();
      t.after(() => fake.close());
      fake.door = door;
      const call = startCall(t, { url: fake.url, settings: { connect_timeout_ms: 200 } });
      call.answer();
      await call.until(() => call.hangUps.length > 0);
      assert.equal(call.hangUps[0]!.status, 'failed');
    }
  });

  test('a session that grows old is changed in a pause, without being heard', async (t) => {
    const { fake, call } = await begun(t, {}, { agent: greets, times: { renewAfterMs: 1500, lookEveryMs: 20 } });
    call.answer();
    await call.until(() => fake.sessions.length === 2 && fake.sessions[1]!.heardMs() > 100);
    assert.deepEqual(
      call.reports.filter(({ type }) => type.startsWith('speech_')),
      [],
    );
    assert.equal(call.metrics.sessions, 1);
    const told = fake.sessions[1]!.events.filter(({ type }) => type === 'conversation.item.create');
    assert.match(told[0]!['item'].content[0].text, /Hello, this is Mia\./);
  });

  test('a change of the session that does not come about is tried again', async (t) => {
    const times = { renewAfterMs: 300, renewPauseMs: 100, lookEveryMs: 20 };
    const { fake, call } = await begun(t, {}, { agent: greets, times, settings: { connect_timeout_ms: 200 } });
    call.answer();
    await call.until(() => call.transcript().length === 1);
    fake.door = 'refuses';
    await call.until(() => fake.refused >= 2);
    fake.door = 'open';
    await call.until(() => fake.sessions.length === 2 && fake.sessions[1]!.heardMs() > 100);
    assert.deepEqual(
      call.reports.filter(({ type }) => type.startsWith('speech_')),
      [],
    );
    assert.deepEqual(call.hangUps, []);
  });

  test('a new session that comes while somebody speaks is given up, and another is opened in the next pause', async (t) => {
    const times = { renewAfterMs: 500, renewPauseMs: 100, lookEveryMs: 20 };
    const held = Promise.withResolvers<void>();
    const created = (index: number): Promise<void> => (index === 1 ? held.promise : Promise.resolve());
    const { fake, call } = await begun(t, { created }, { times });
    call.answer();
    await call.until(() => fake.sessions.length === 2);
    const [first, second] = fake.sessions as [FakeSession, FakeSession];
    first.send({ type: 'input_audio_buffer.speech_started', item_id: 'a', audio_start_ms: first.heardMs() });
    first.send({ type: 'error', error: { type: 'server_error', code: 'seen', message: 'seen' } });
    await call.until(() => call.metrics.errors['seen'] === 1);
    held.resolve();
    const beforeMs = first.heardMs();
    await call.until(() => first.heardMs() > beforeMs + 400);
    assert.deepEqual([fake.sessions.length, second.heardMs()], [2, 0]);
    first.send({ type: 'input_audio_buffer.speech_stopped', item_id: 'a', audio_end_ms: first.heardMs() });
    await call.until(() => fake.sessions.length === 3 && fake.sessions[2]!.heardMs() > 100);
    assert.equal(call.metrics.sessions, 1);
  });

  test('ten minutes of sound at once are cut at a minute, and said so', async (t) => {
    const { call } = await begun(t, { answer: () => ({ text: 'long', audioMs: 600_000 }) });
    call.answer();
    await call.until(() => (call.metrics.errors['audio_cut'] ?? 0) > 0);
    assert.ok(call.queue.queuedBytes() <= 60 * 8000);
  });

  test('nonsense and errors end nothing, and are counted', async (t) => {
    const { fake, call } = await begun(t, {}, { agent: greets });
    call.answer();
    await fake.next(({ type }) => type === 'session.update');
    const session = fake.sessions[0]!;
    for (const text of ['{', 'null', '[]', '{"type":5}', '"x"']) session.sendRaw(text);
    session.sendRaw(JSON.stringify({ type: 'rate_limits.updated', padding: 'x'.repeat(1_000_000) }));
    session.send({ type: 'error', error: { type: 'server_error', code: null, message: 'oops' } });
    await call.until(() => call.metrics.errors['server_error'] === 1);
    assert.equal(call.metrics.errors['not_json'], 5);
    await call.until(() => call.transcript().length === 1);
    assert.deepEqual(call.hangUps, []);
  });

  test('a server that takes no transcription of its own choice is asked for none', async (t) => {
    for (const namesNoEvent of [false, true]) {
      const { fake, call } = await begun(t, { needsTranscriptionModel: true, namesNoEvent }, { agent: greets });
      call.answer();
      await call.until(() => sentTo(fake, 'session.update').length === 2);
      assert.equal(sentTo(fake, 'session.update')[1]!['session'].audio.input.transcription, undefined);
      await call.until(() => call.transcript().length === 1);
    }
  });

  test('after three answers that do not come speech is lost', async (t) => {
    const { call } = await begun(
      t,
      { answer: () => ({ text: '', never: true }) },
      { settings: { response_timeout_ms: 100 } },
    );
    call.answer();
    await call.until(() => call.hangUps.length > 0);
    assert.equal(call.metrics.errors['no_answer'], 3);
    assert.equal(call.hangUps[0]!.status, 'failed');
  });

  test('the agent asks twice whether anybody is there, then hangs up', async (t) => {
    const { fake, call } = await begun(
      t,
      { answer: () => ({ text: 'Hello?', audioMs: 100 }) },
      { agent: { reminderTriggerMs: 300, silenceTimeoutMs: 2500 }, times: { lookEveryMs: 20 } },
    );
    call.answer();
    await call.until(() => call.hangUps.length > 0);
    assert.deepEqual(call.hangUps[0], { status: 'completed', errorMessage: null });
    assert.equal(sentTo(fake, 'response.create').length, 3, 'the beginning and two reminders');
  });
});
