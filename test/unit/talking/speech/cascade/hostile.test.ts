// Long: time-outs of services pass in real time.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { suite, test, type TestContext } from 'node:test';
import { pause } from '../../../../../src/base/clock.ts';
import { soundReader } from '../../../../../src/talking/speech/cascade/voice.ts';
import { voiceLike } from '../../../../support/listening/sounds.ts';
import { type CallerOptions, startCaller } from '../../../../support/speech/caller.ts';
import { type Reply, startLlm, startStt, startTts } from '../../../../support/speech/cascade.ts';
import { answerJson, type FakeService, type ServiceRequest, startService } from '../../../../support/speech/service.ts';

/** Ears, minds and voices that are slow, broken or mean harm: what the caller hears, and that the call goes on or ends. */

type Answer = (request: ServiceRequest, response: ServerResponse, index: number) => void | Promise<void>;
type Services = { ears?: Answer; mind?: Answer; voice?: Answer; replies?: readonly Reply[] };

const responseTimeoutMs = 600;
const aTurn = voiceLike(900);

/** A call in which some services are these, and the others do as they should. */
async function aCall(
  t: TestContext,
  { ears, mind, voice, replies }: Services,
  options: Partial<CallerOptions> = {},
  timeoutMs = responseTimeoutMs,
) {
  const stt = await (ears ? startService('/v1/stt', ears) : startStt(() => ({ text: 'Can you help me?' })));
  const answers = replies ?? [{ text: ['I can help you.'] }];
  const llm = await (mind
    ? startService('/v1/llm', mind)
    : startLlm((index) => answers[Math.min(index, answers.length - 1)]!));
  const tts = await (voice ? startService('/v1/tts', voice) : startTts());
  t.after(() => Promise.all([stt.close(), llm.close(), tts.close()]));
  const caller = startCaller(t, {
    stt,
    llm,
    tts,
    ...options,
    agent: { firstMessage: 'Hi.', ...options.agent },
    settings: (settings) => void (settings.response_timeout_ms = timeoutMs),
  });
  caller.answer();
  return { stt, llm, tts, ...caller };
}

type Call = Awaited<ReturnType<typeof aCall>>;

/** Another call of the thread, with services of its own, is answered meanwhile. */
async function anotherIsAnswered(t: TestContext): Promise<void> {
  const other = await aCall(t, {});
  await other.until(() => other.spokenMs() >= 200 && other.isQuiet());
  other.say(aTurn);
  await other.until(() => other.transcript().some(({ text }) => text === 'I can help you.'));
  other.end();
}

const sound = (ms: number): Buffer => {
  const bytes = Buffer.alloc(ms * 48);
  for (let at = 0; at < bytes.length; at += 2) bytes.writeInt16LE(Math.round(8000 * Math.sin(at / 16)), at);
  return bytes;
};

const isGone = ({ aborted }: ServiceRequest): Promise<void> => aborted;

/** Writes this again and again, until the client goes away. */
async function drip(response: ServerResponse, piece: string | Buffer, everyMs: number): Promise<void> {
  while (!response.destroyed) {
    response.write(piece);
    await pause(everyMs);
  }
}

/** As fast as it is read, until the client goes away. Returns how many bytes that were. */
async function flood(response: ServerResponse, piece: Buffer): Promise<number> {
  let bytes = 0;
  let wake: () => void = () => undefined;
  response.on('drain', () => wake()).on('close', () => wake());
  while (!response.destroyed && bytes < 100_000_000) {
    const isTaken = response.write(piece);
    bytes += piece.length;
    if (!isTaken) await new Promise<void>((resolve) => void (wake = resolve));
  }
  response.end();
  return bytes;
}

const failed = ({ hangUps }: Call, why: RegExp): void => {
  assert.deepEqual([hangUps.length, hangUps[0]!.status], [1, 'failed']);
  assert.match(hangUps[0]!.errorMessage!, why);
};

const isOver = ({ hangUps }: Call): boolean => hangUps.length > 0;

const said = ({ transcript }: Call, role: string): string[] =>
  transcript()
    .filter((entry) => entry.role === role)
    .map(({ text }) => text);

suite('a service of a cascade', { concurrency: 4 }, () => {
  for (const [what, voice, why] of [
    [
      'answers a page',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>'),
      /text\/html/,
    ],
    ['answers JSON', (_, response) => answerJson(response, 200, { error: 'no such voice' }), /no such voice/],
    [
      'answers MP3',
      (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'audio/mpeg' })
          .end(Buffer.concat([Buffer.from('ID3\u0004'), sound(500)])),
      /neither PCM nor WAV/,
    ],
    [
      'sends the client elsewhere',
      (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      /answered 307/,
    ],
    ['sends a byte now and then', (_, response) => drip(response, Buffer.alloc(1), 20), /no sound for 600 ms/],
    ['says nothing', () => undefined, /no sound for 600 ms/],
    ['hangs up before its first byte', (_, response) => void response.destroy(), /three times|3 times/],
  ] as ReadonlyArray<readonly [string, Answer, RegExp]>) {
    test(`a voice that ${what} is silence, and after three attempts the end of the call`, async (t) => {
      const call = await aCall(t, { voice });
      await anotherIsAnswered(t);
      await call.until(() => isOver(call));
      failed(call, why);
      assert.deepEqual([call.spokenMs(), call.tts.requests.length], [0, 3]);
      assert.equal(call.metrics.errors['answer'], 3);
    });
  }

  /** The first text is spoken by the voice under test, all further ones as they should be. */
  const onlyFirst =
    (first: Answer): Answer =>
    (request, response, index) => {
      if (index === 0) return first(request, response, index);
      response.writeHead(200, { 'content-type': 'audio/pcm' }).end(sound(400));
      return undefined;
    };

  for (const [what, first] of [
    ['falls silent', (_, response) => void response.write(sound(500))],
    ['goes on byte by byte', (_, response) => (response.write(sound(500)), drip(response, Buffer.alloc(1), 20))],
    [
      'goes on a thousand times too slowly',
      (_, response) => (response.write(sound(500)), drip(response, sound(1).subarray(0, 48), 1000)),
    ],
    [
      'breaks off',
      (_, response) => (
        response.writeHead(200, { 'content-length': '1000000' }),
        response.write(sound(500)),
        pause(200).then(() => void response.destroy())
      ),
    ],
  ] as ReadonlyArray<readonly [string, Answer]>) {
    test(`of a voice that ${what} in the middle the caller hears what came, and the next turn is answered`, async (t) => {
      const call = await aCall(t, { voice: onlyFirst(first) });
      await call.until(() => call.warnings.some((warning) => warning.startsWith('an answer broke off')));
      await isGone(call.tts.requests[0]!);
      await call.until(call.isQuiet);
      assert.ok(call.spokenMs() >= 460 && call.spokenMs() <= 800, `${call.spokenMs()} ms`);
      call.say(aTurn);
      await call.until(() => said(call, 'agent').includes('I can help you.'));
      assert.deepEqual(call.hangUps, []);
      assert.equal(call.metrics.errors['answer'], 1);
    });
  }

  test('a voice that never ends is read for a minute of sound, can be interrupted, and keeps nobody else', async (t) => {
    let bytes = 0;
    const piece = sound(1000);
    const call = await aCall(t, {
      voice: onlyFirst(async (_, response) => void (bytes = await flood(response, piece))),
    });
    await call.until(() => bytes > 0);
    assert.ok(bytes >= 60 * 48_000 && bytes < 12_000_000, `${bytes} bytes were read`);
    await anotherIsAnswered(t);
    call.say(aTurn);
    await call.until(() => said(call, 'agent').includes('I can help you.'));
    assert.match(said(call, 'agent')[0]!, /…$/);
  });

  test('a message whose voice breaks off is followed by the end of the call all the same', async (t) => {
    const breaks: Answer = (_, response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      response.write(sound(300));
      void pause(100).then(() => response.destroy());
    };
    const leaving = await aCall(t, { voice: breaks }, { agent: { voicemailMessage: 'Please call us back.' } });
    leaving.session.begin('mailbox');
    await leaving.until(() => isOver(leaving));
    assert.deepEqual([leaving.hangUps[0]!.status, leaving.spokenMs() >= 280], ['completed', true]);

    const bye: Reply = { text: ['Goodbye.'], calls: [{ id: 'end', name: 'end_call', args: '{}' }] };
    const ending = await aCall(t, { voice: breaks, replies: [bye] });
    await ending.until(() => ending.warnings.length > 0 && ending.isQuiet());
    ending.say(aTurn);
    await ending.until(() => isOver(ending));
    assert.equal(ending.hangUps[0]!.status, 'completed');
  });

  const header = (changes: (file: Buffer) => void): Buffer => {
    const file = Buffer.alloc(44 + 320);
    file.write('RIFF\u0000\u0000\u0000\u0000WAVEfmt ', 0, 'latin1');
    file.writeUInt32LE(16, 16);
    file.writeUInt16LE(1, 20);
    file.writeUInt16LE(1, 22);
    file.writeUInt32LE(8000, 24);
    file.writeUInt16LE(16, 34);
    file.write('data', 36, 'latin1');
    file.writeUInt32LE(320, 40);
    changes(file);
    return file;
  };

  test('the header of a WAV file is believed only where it can be true', () => {
    const read = (changes: (file: Buffer) => void): number => soundReader('PCMU', 24_000).push(header(changes)).length;
    assert.equal(
      read(() => undefined),
      160,
    );
    for (const bytes of [0, 2, 0xffff_ffff]) {
      assert.equal(
        read((file) => file.writeUInt32LE(bytes, 40)),
        160,
        'the length of the sound does not matter',
      );
    }
    for (const [what, change] of [
      ['0 samples a second', (file) => file.writeUInt32LE(0, 24)],
      ['four thousand million', (file) => file.writeUInt32LE(0xffff_ffff, 24)],
      ['a rate without a common divisor', (file) => file.writeUInt32LE(47_999, 24)],
      ['no channel', (file) => file.writeUInt16LE(0, 22)],
      ['65,535 channels', (file) => file.writeUInt16LE(65_535, 22)],
      ['samples of a byte', (file) => file.writeUInt16LE(8, 34)],
      ['floating point', (file) => file.writeUInt16LE(3, 20)],
    ] as ReadonlyArray<readonly [string, (file: Buffer) => void]>) {
      assert.throws(() => read(change), /WAV file/, what);
    }
    const endless = header((file) => file.write('LIST', 36, 'latin1'));
    endless.writeUInt32LE(0xffff_fff0, 40);
    const reader = soundReader('PCMU', 24_000);
    assert.throws(() => {
      for (let count = 0; count < 1000; count += 1) reader.push(count === 0 ? endless : Buffer.alloc(1000));
    }, /no data/);
  });

  for (const [what, mind, why] of [
    [
      'answers a page',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>'),
      /no completion but text\/html/,
    ],
    [
      'sends a letter now and then',
      (_, response) => drip(response, 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n', 100),
      /no sound for 600 ms/,
    ],
    [
      'sends one line without end',
      async (_, response) => void (await flood(response, Buffer.alloc(65_536, 'a'))),
      /too long/,
    ],
    [
      'sends the client elsewhere',
      (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      /answered 302/,
    ],
  ] as ReadonlyArray<readonly [string, Answer, RegExp]>) {
    test(`a mind that ${what} is silence, and after three attempts the end of the call`, async (t) => {
      const call = await aCall(t, { mind });
      await call.until(() => call.spokenMs() >= 200 && call.isQuiet());
      const before = call.spokenMs();
      call.say(aTurn);
      await anotherIsAnswered(t);
      await call.until(() => isOver(call));
      failed(call, why);
      assert.deepEqual([call.spokenMs() - before, call.llm.requests.length], [0, 3]);
    });
  }

  const delta = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

  for (const [what, after] of [
    ['falls silent', () => undefined],
    ['goes on letter by letter', (response) => drip(response, delta('a'), 100)],
    ['breaks off', (response) => pause(300).then(() => void response.destroy())],
  ] as ReadonlyArray<readonly [string, (response: ServerResponse) => void | Promise<void>]>) {
    test(`of a mind that ${what} in mid-sentence the caller hears the sentences before it, and the next turn is answered`, async (t) => {
      const call = await aCall(t, {
        mind: async (_, response, index) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(delta(index === 0 ? 'This is one sentence. And then ' : 'I can help you.'));
          if (index > 0) response.end('data: [DONE]\n\n');
          else await after(response);
        },
      });
      await call.until(() => call.spokenMs() >= 200 && call.isQuiet());
      call.say(aTurn);
      await call.until(() => call.warnings.some((warning) => warning.startsWith('an answer broke off')));
      assert.match(said(call, 'agent')[1]!, /^This is one sentence\.…?$/);
      call.say(aTurn);
      await call.until(() => said(call, 'agent').includes('I can help you.'));
      assert.deepEqual(call.hangUps, []);
    });
  }

  test('an enormous piece of a text is spoken sentence by sentence, and can be interrupted', async (t) => {
    const call = await aCall(t, {
      replies: [{ text: ['One of very many words. '.repeat(40_000)] }, { text: ['Sorry.'] }],
    });
    await call.until(() => call.spokenMs() >= 200 && call.isQuiet());
    call.say(aTurn);
    await call.until(() => call.tts.requests.length >= 4);
    assert.ok(call.tts.requests.every(({ json }) => String(json['input']).length <= 300));
    await anotherIsAnswered(t);
    call.say(aTurn);
    await call.until(() => said(call, 'agent').includes('Sorry.'));
  });

  test('a tool that takes longer than an answer may is waited for, and carried out once', async (t) => {
    let uses = 0;
    const call = await aCall(
      t,
      { replies: [{ calls: [{ id: 'one', name: 'book_slot', args: '{}' }] }, { text: ['It is booked.'] }] },
      {
        tool: async () => {
          uses += 1;
          await pause(3 * responseTimeoutMs);
          return '{"booked":true}';
        },
      },
    );
    await call.until(() => call.spokenMs() >= 200 && call.isQuiet());
    call.say(aTurn);
    await call.until(() => said(call, 'agent').includes('It is booked.'));
    assert.deepEqual([uses, call.llm.requests.length, call.metrics.errors], [1, 2, {}]);
  });

  for (const [what, ears, why] of [
    [
      'answer a page',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>'),
      /JSON/,
    ],
    ['answer 100 MB', async (_, response) => void (await flood(response, Buffer.alloc(65_536, 'a'))), /too long/],
    [
      'send the client elsewhere',
      (_, response) => void response.writeHead(308, { location: 'http://127.0.0.1:1/' }).end(),
      /answered 308/,
    ],
  ] as ReadonlyArray<readonly [string, Answer, RegExp]>) {
    test(`ears that ${what} three times end the call`, async (t) => {
      const call = await aCall(t, { ears }, {}, 3000);
      await call.until(() => call.spokenMs() >= 200 && call.isQuiet());
      call.say(aTurn);
      await anotherIsAnswered(t);
      await call.until(() => isOver(call));
      failed(call, why);
      assert.equal(call.llm.requests.length, 0);
    });
  }

  test('ears that hear a letter now and then are not waited for: the next turn is heard', async (t) => {
    const slow: Answer = (_, response) => drip(response, ' ', 50);
    const call = await aCall(t, {
      ears: (request, response, index) =>
        index === 0 ? slow(request, response, index) : answerJson(response, 200, { text: 'Can you help me?' }),
    });
    await call.until(() => call.spokenMs() >= 200 && call.isQuiet());
    call.say(aTurn);
    const first: FakeService = call.stt;
    await isGone(await first.request(0));
    call.say(aTurn);
    await call.until(() => said(call, 'agent').includes('I can help you.'));
    assert.deepEqual(call.hangUps, []);
  });
});
