// Waits: sound takes its time.
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { ChatMessage } from '../../../../../src/talking/speech/cascade/completion.ts';
import { readWavHeader } from '../../../../../src/talking/speech/cascade/wav.ts';
import { join, silence, sine, voiceLike } from '../../../../support/listening/sounds.ts';
import { type CallerOptions, startCaller } from '../../../../support/speech/caller.ts';
import {
  formIn,
  type LlmDialect,
  type Reply,
  spokenMs,
  startLlm,
  startStt,
  startTts,
  type TtsDialect,
} from '../../../../support/speech/cascade.ts';

type Services = {
  heard?: ReadonlyArray<string | { status: number }>;
  replies?: ReadonlyArray<Reply | 'hang'>;
  llm?: LlmDialect;
  tts?: TtsDialect;
};

/** A call with fake services: the nth request of each is answered by the nth of these, further ones by the last. */
async function aCall(t: TestContext, services: Services = {}, options: Partial<CallerOptions> = {}) {
  const { heard = ['Hello, who is this?'], replies = [{ text: ['I am ', 'Robin. ', 'How can', ' I help?'] }] } =
    services;
  const nth = <T>(values: readonly T[], index: number): T => values[Math.min(index, values.length - 1)]!;
  const stt = await startStt((index) => {
    const own = nth(heard, index);
    return typeof own === 'string' ? { text: own } : own;
  });
  const llm = await startLlm((index) => nth(replies, index), services.llm);
  const tts = await startTts(services.tts);
  t.after(() => Promise.all([stt.close(), llm.close(), tts.close()]));
  const caller = startCaller(t, { stt, llm, tts, ...options });
  return { stt, llm, tts, ...caller };
}

const messagesOf = ({ json }: { json: Record<string, unknown> }): ChatMessage[] => json['messages'] as ChatMessage[];
const inputs = (requests: ReadonlyArray<{ json: Record<string, unknown> }>): unknown[] =>
  requests.map(({ json }) => json['input']);
const aTurn = voiceLike(1500);

suite('a conversation', { concurrency: 4 }, () => {
  test('the first message is spoken as it stands, then turns are heard, answered and spoken sentence by sentence', async (t) => {
    const {
      answer,
      say,
      until,
      stt,
      llm,
      tts,
      transcript,
      isQuiet,
      reports,
      session,
      spokenMs: spoken,
    } = await aCall(
      t,
      {},
      {
        agent: {
          firstMessage: 'Good morning, here is Robin.',
          prompt: 'You are Robin.',
          temperature: 0.3,
          language: 'de',
        },
        settings: (settings) => {
          settings.stt.model = 'ears-1';
          settings.stt.api_key = 'ears-key';
        },
      },
    );
    answer();
    await until(() => spoken() > 500 && isQuiet());
    assert.deepEqual(inputs(tts.requests), ['Good morning,', 'here is Robin.']);
    assert.equal(llm.requests.length, 0);
    say(aTurn);
    await until(() => tts.requests.length === 4 && isQuiet());
    const { fields, wav } = formIn(stt.requests[0]!);
    assert.deepEqual(fields, { model: 'ears-1', response_format: 'json', language: 'de' });
    assert.equal(stt.requests[0]!.headers.authorization, 'Bearer ears-key');
    assert.equal(readWavHeader(wav)!.rate, 8000);
    const heardMs = (wav.length - 44) / 16;
    assert.ok(heardMs > 1500 && heardMs < 2800, `${heardMs} ms`);
    const { json } = llm.requests[0]!;
    assert.deepEqual([json['model'], json['temperature'], json['stream']], ['mind-1', 0.3, true]);
    assert.deepEqual(
      (json['tools'] as Array<{ function: { name: string } }>).map(({ function: { name } }) => name),
      ['end_call', 'send_dtmf'],
    );
    const [system, ...rest] = messagesOf(llm.requests[0]!);
    assert.match(system!.content!, /^You are Robin\./);
    assert.deepEqual(rest, [
      { role: 'assistant', content: 'Good morning, here is Robin.' },
      { role: 'user', content: 'Hello, who is this?' },
    ]);
    assert.deepEqual(inputs(tts.requests.slice(2)), ['I am Robin.', 'How can I help?']);
    const { voice, response_format: format } = tts.requests[2]!.json;
    assert.deepEqual([voice, format, 'model' in tts.requests[2]!.json], ['nova', 'pcm', false]);
    assert.deepEqual(
      transcript().map(({ role, text }) => [role, text]),
      [
        ['agent', 'Good morning, here is Robin.'],
        ['user', 'Hello, who is this?'],
        ['agent', 'I am Robin. How can I help?'],
      ],
    );
    assert.equal(reports[0]!.type, 'greeting');
    const { turns, interruptions, input_tokens: input, output_tokens: output, latencyMs } = session.facts();
    assert.deepEqual([turns, interruptions, input, output], [1, 0, 100, 10]);
    assert.ok(latencyMs! < 3000, `${latencyMs} ms`);
  });

  test('the second sentence is asked for before the first one is played, and follows it without a gap', async (t) => {
    const text = ['This is the first sentence, which takes a while to say. And this is the second one, which follows.'];
    const { answer, say, until, tts, sent, isQuiet } = await aCall(
      t,
      { replies: [{ text }], tts: { pauseMs: 10 } },
      { agent: { firstMessage: 'Hi.' } },
    );
    answer();
    await until(() => sent.some((frame) => frame !== null) && isQuiet());
    const before = sent.length;
    say(aTurn);
    await until(() => tts.requests.length >= 4 && isQuiet() && sent.slice(before).some((frame) => frame !== null));
    const frames = sent.slice(before);
    const [first, last] = [
      frames.findIndex((frame) => frame !== null),
      frames.findLastIndex((frame) => frame !== null),
    ];
    const gaps = frames.slice(first, last).filter((frame) => frame === null).length;
    assert.ok(gaps <= 2, `${gaps * 20} ms of silence in the answer`);
  });

  test('an interruption stops the sound, aborts the requests, and leaves what was heard', async (t) => {
    const text = Array.from({ length: 12 }, (_, index) => `This is sentence number ${index + 1} of a long story. `);
    const {
      answer,
      say,
      until,
      llm,
      tts,
      reports,
      transcript,
      isQuiet,
      sent,
      spokenMs: spoken,
    } = await aCall(
      t,
      {
        replies: [{ text, pauseMs: 1000 }, { text: ['Sorry, go on.'] }],
        heard: ['Tell me a story.', 'Stop, please.'],
        tts: { pauseMs: 20 },
      },
      { agent: { firstMessage: 'Hi.' } },
    );
    answer();
    await until(() => spoken() > 100 && isQuiet());
    const before = spoken();
    say(aTurn);
    await until(() => spoken() > before + 1500);
    say(voiceLike(1200));
    await until(() => reports.some(({ type }) => type === 'interrupted'));
    await llm.requests[0]!.aborted;
    assert.ok(isQuiet() || sent.at(-1) === null);
    const interrupted = reports.find((report) => report.type === 'interrupted')!;
    const ownMs = spoken() - before;
    // Frames that a late service leaves half empty count as whole ones here.
    const emptyMs = ownMs - interrupted.sentMs;
    assert.ok(emptyMs >= 0 && emptyMs <= 200, `${interrupted.sentMs} told, ${ownMs} sent`);
    await until(
      () => llm.requests.length === 2 && isQuiet() && transcript().some(({ text: said }) => said.startsWith('Sorry')),
    );
    const heard = transcript().find(({ text: said }) => said.startsWith('This is sentence'))!.text;
    assert.match(heard, /…$/);
    const whole = text.join('').length;
    assert.ok(heard.length < whole / 2, heard);
    assert.ok(messagesOf(llm.requests[1]!).some(({ role, content }) => role === 'assistant' && content === heard));
    assert.ok(tts.requests.length < 12);
  });

  test('a short sound while the agent speaks interrupts nothing', async (t) => {
    const {
      answer,
      say,
      until,
      stt,
      reports,
      isQuiet,
      spokenMs: spoken,
    } = await aCall(t, {}, { agent: { firstMessage: 'This is a rather long first message for you.' } });
    answer();
    await until(() => spoken() > 300);
    say(voiceLike(120));
    await until(() => isQuiet());
    assert.equal(
      reports.some(({ type }) => type === 'interrupted'),
      false,
    );
    assert.equal(stt.requests.length, 0);
  });

  test('words that are heard in a breath of sound are no turn', async (t) => {
    const {
      answer,
      say,
      until,
      stt,
      llm,
      isQuiet,
      spokenMs: spoken,
    } = await aCall(t, { heard: ['Thank you for watching!'] }, { agent: { firstMessage: 'Hi.' } });
    answer();
    await until(() => spoken() > 100 && isQuiet());
    say(join(voiceLike(160), silence(900)));
    await stt.request(0);
    await until(() => isQuiet());
    say(silence(500));
    assert.equal(llm.requests.length, 0);
  });

  test('a tool that was not offered, or has wrong arguments, is answered with an error, and the agent goes on', async (t) => {
    const {
      answer,
      say,
      until,
      llm,
      hangUps,
      isQuiet,
      spokenMs: spoken,
    } = await aCall(
      t,
      {
        replies: [
          {
            text: [],
            calls: [
              { id: 'call-a', name: 'report_voicemail', args: '{}' },
              { id: 'call-b', name: 'end_call', args: '{"reason":5}' },
            ],
          },
          { text: ['On we go.'] },
        ],
      },
      { agent: { firstMessage: 'Hi.' } },
    );
    answer();
    await until(() => spoken() > 100 && isQuiet());
    say(aTurn);
    await until(() => llm.requests.length === 2 && isQuiet());
    assert.deepEqual(
      messagesOf(llm.requests[1]!)
        .slice(-2)
        .map(({ content }) => content),
      ['{"error":"there is no tool report_voicemail"}', '{"error":"reason must be a text"}'],
    );
    assert.deepEqual(hangUps, []);
  });

  test('tools are carried out while the call goes on, and the model is told the results', async (t) => {
    const used: unknown[] = [];
    const {
      answer,
      say,
      until,
      llm,
      tts,
      hangUps,
      keys,
      isQuiet,
      spokenMs: spoken,
    } = await aCall(
      t,
      {
        replies: [
          {
            text: ['One moment.'],
            calls: [
              { id: 'call-a', name: 'find_slots', args: '{"start":"2026-11-28"}' },
              { id: 'call-b', name: 'send_dtmf', args: '{"digits":"12#"}' },
            ],
          },
          { text: ['Goodbye.'], calls: [{ id: 'call-c', name: 'end_call', args: '{}' }] },
        ],
      },
      {
        agent: { firstMessage: 'Hi.' },
        tool: (use) => {
          used.push(use);
          return Promise.resolve('{"slots":[]}');
        },
      },
    );
    answer();
    await until(() => spoken() > 100 && isQuiet());
    say(aTurn);
    await until(() => hangUps.length > 0);
    assert.deepEqual(used, [{ id: 'call-a', name: 'find_slots', args: '{"start":"2026-11-28"}' }]);
    assert.deepEqual(keys, ['12#']);
    assert.deepEqual(inputs(tts.requests), ['Hi.', 'One moment.', 'Goodbye.']);
    assert.deepEqual(
      messagesOf(llm.requests[1]!)
        .slice(-3)
        .map(({ role, content }) => [role, content]),
      [
        ['assistant', null],
        ['tool', '{"slots":[]}'],
        ['tool', '{"sent":true}'],
      ],
    );
    assert.deepEqual(hangUps, [{ status: 'completed', errorMessage: null, afterPlayed: true }]);
    assert.ok(spoken() >= spokenMs('Goodbye.') + spokenMs('One moment.'));
  });

  for (const [what, services] of [
    ['WAV at 22,050 Hz whatever is asked for', { tts: { isWav: true, rate: 22_050 } }],
    ['WAV after 422 to pcm', { tts: { refusesPcm: 422, rate: 22_050 } }],
    ['a voice that drips in odd bytes', { tts: { pieceBytes: 4801, pauseMs: 60 } }],
    ['a model that answers whole, not streamed', { llm: { isPlain: true } }],
    ['tools that come whole and without an index', { llm: { wholeCalls: true } }],
    ['a model that takes no stream_options', { llm: { refusesOptions: true } }],
    [
      'a model that thinks aloud',
      { replies: [{ text: ['<thi', 'nk>They greet me.</th', 'ink>**I am** Robin. 🎉', ' How can I help?'] }] },
    ],
  ] as const) {
    test(`a conversation with ${what}`, async (t) => {
      const {
        answer,
        say,
        until,
        tts,
        transcript,
        isQuiet,
        spokenMs: spoken,
      } = await aCall(t, services, { agent: { firstMessage: 'Hi.' } });
      answer();
      await until(() => spoken() >= 200 && isQuiet());
      say(aTurn);
      await until(() => transcript().length === 3 && isQuiet() && spoken() > 1000);
      assert.equal(transcript()[2]!.text, 'I am Robin. How can I help?');
      assert.deepEqual(
        inputs(
          tts.requests.filter(({ json }) => json['response_format'] === tts.requests.at(-1)!.json['response_format']),
        ).slice(-2),
        ['I am Robin.', 'How can I help?'],
      );
      const expected = ['Hi.', 'I am Robin.', 'How can I help?'].reduce((sum, text) => sum + spokenMs(text), 0);
      assert.ok(Math.abs(spoken() - expected) <= 100, `${spoken()} ms instead of ${expected}`);
    });
  }

  for (const [what, services] of [
    ['the ears', { heard: [{ status: 500 }] }],
    ['the mind', { replies: [{ status: 503 }] }],
    ['the voice', { tts: { status: (index: number) => (index === 0 ? undefined : 500) } }],
  ] as const) {
    test(`${what} that fail three times in a row end the call, or hand it on`, async (t) => {
      for (const emergencyFallback of [null, '+4930901820']) {
        const {
          answer,
          say,
          until,
          hangUps,
          transfers,
          reports,
          isQuiet,
          spokenMs: spoken,
          end,
        } = await aCall(t, services, {
          agent: { firstMessage: 'Hi.', emergencyFallback },
          transfer: () => Promise.resolve(null),
        });
        answer();
        await until(() => spoken() >= 200 && isQuiet());
        say(aTurn);
        await until(() => hangUps.length > 0 || transfers.length > 0);
        assert.ok(reports.some(({ type }) => type === 'speech_lost'));
        if (emergencyFallback === null) {
          assert.equal(hangUps[0]!.status, 'failed');
          assert.match(hangUps[0]!.errorMessage!, /three times|3 times/);
        } else assert.deepEqual([transfers, hangUps], [[emergencyFallback], []]);
        end();
      }
    });
  }

  test('an answer that does not come in time is asked for again, and after the third the call fails', async (t) => {
    const {
      answer,
      say,
      until,
      llm,
      hangUps,
      isQuiet,
      spokenMs: spoken,
    } = await aCall(
      t,
      { replies: ['hang'] },
      {
        agent: { firstMessage: 'Hi.' },
        settings: (settings) => void (settings.response_timeout_ms = 400),
      },
    );
    answer();
    await until(() => spoken() >= 200 && isQuiet());
    say(aTurn);
    await until(() => hangUps.length > 0);
    assert.equal(llm.requests.length, 3);
    assert.equal(hangUps[0]!.status, 'failed');
  });

  test('keys are told the model, silence makes the agent ask and then hang up', async (t) => {
    const {
      answer,
      until,
      llm,
      session,
      hangUps,
      transcript,
      isQuiet,
      spokenMs: spoken,
    } = await aCall(
      t,
      { replies: [{ text: ['I see.'] }] },
      {
        agent: { firstMessage: 'Hi.', reminderTriggerMs: 1500, silenceTimeoutMs: 5500 },
      },
    );
    answer();
    await until(() => spoken() >= 200 && isQuiet());
    for (const digit of '12#') session.key(digit);
    await until(() => llm.requests.length === 1);
    assert.equal(messagesOf(llm.requests[0]!).at(-1)!.content, '[keypad] 12#');
    assert.deepEqual(
      transcript()
        .filter(({ format }) => format === 'dtmf')
        .map(({ text }) => text),
      ['12#'],
    );
    await until(() => hangUps.length > 0);
    assert.equal(llm.requests.length, 3, 'two reminders');
    assert.deepEqual(hangUps, [{ status: 'completed', errorMessage: null }]);
  });

  test('a turn that is typed interrupts the agent and is answered', async (t) => {
    const call = await aCall(
      t,
      { replies: [{ text: ['Yes, we have.'] }] },
      { agent: { firstMessage: 'Good day, here is Robin, and I have a good deal to tell.' } },
    );
    call.answer();
    await call.until(() => call.spokenMs() >= 400);
    call.session.typed('Do you have engines?');
    await call.until(() => call.transcript().length === 3 && call.isQuiet());
    assert.equal(messagesOf(call.llm.requests[0]!).at(-1)!.content, 'Do you have engines?');
    assert.match(call.transcript()[0]!.text, /…$/);
    assert.deepEqual(
      call.transcript().map(({ role, format }) => [role, format]),
      [
        ['agent', 'text'],
        ['user', 'text'],
        ['agent', 'text'],
      ],
    );
    assert.deepEqual([call.session.facts().turns, call.session.facts().interruptions], [1, 1]);
  });

  test('nothing is said to a mailbox before its tone; then the message is spoken and the call ends', async (t) => {
    const {
      answer,
      say,
      until,
      tts,
      llm,
      hangUps,
      reports,
      spokenMs: spoken,
    } = await aCall(
      t,
      {},
      {
        agent: { firstMessage: 'Hi.', voicemailMessage: 'Please call us back.', detectsVoicemail: true },
      },
    );
    answer();
    say(join(voiceLike(2000), silence(300), sine(1000, 500), silence(3000)));
    await until(() => hangUps.length > 0);
    assert.deepEqual(inputs(tts.requests), ['Please call us back.']);
    assert.equal(llm.requests.length, 0);
    assert.ok(Math.abs(spoken() - spokenMs('Please call us back.')) <= 40);
    assert.deepEqual(
      reports.flatMap((report) => (report.type === 'verdict' ? [report.verdict] : [])),
      ['machine'],
    );
  });

  test('of an unclear greeting the model decides: a person is greeted, a mailbox reported', async (t) => {
    for (const isMachine of [false, true]) {
      const { answer, say, until, stt, llm, tts, hangUps, reports, end } = await aCall(
        t,
        {
          heard: ['You have reached the office of Miller and Sons.'],
          replies: [
            isMachine
              ? { calls: [{ id: 'r', name: 'report_voicemail', args: '{}' }] }
              : { text: ['Hi, here is Robin.'] },
          ],
        },
        { agent: { firstMessage: 'Hi, here is Robin.', voicemailMessage: null, detectsVoicemail: true } },
      );
      answer();
      say(join(voiceLike(3500), silence(2000)));
      if (isMachine) await until(() => hangUps.length > 0);
      else await until(() => tts.requests.length > 0);
      assert.equal(stt.requests.length, 1);
      const [system, ...rest] = messagesOf(llm.requests[0]!);
      assert.match(system!.content!, /report_voicemail[\s\S]*Hi, here is Robin\./);
      assert.deepEqual(rest, [{ role: 'user', content: 'You have reached the office of Miller and Sons.' }]);
      const verdicts = reports.flatMap((report) => (report.type === 'verdict' ? [report.verdict] : []));
      assert.deepEqual(verdicts, isMachine ? ['unclear', 'machine'] : ['unclear']);
      end();
    }
  });

  test('a person is greeted at the verdict, and what was said before is part of the conversation', async (t) => {
    const {
      answer,
      say,
      until,
      stt,
      transcript,
      isQuiet,
      spokenMs: spoken,
    } = await aCall(
      t,
      { heard: ['Hello?'] },
      {
        agent: { firstMessage: 'Hi, here is Robin.', detectsVoicemail: true },
      },
    );
    answer();
    say(join(silence(200), voiceLike(800), silence(3000)));
    await until(() => transcript().length === 2 && spoken() > 500 && isQuiet());
    assert.equal(stt.requests.length, 1);
    assert.deepEqual(
      transcript().map(({ role, text }) => [role, text]),
      [
        ['user', 'Hello?'],
        ['agent', 'Hi, here is Robin.'],
      ],
    );
  });
});
