// Waits: time-outs of services pass in real time.
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { heardPart } from '../../../../src/talking/conversation/interruption.ts';
import { complete } from '../../../../src/talking/speech/cascade/completion.ts';
import { createSentences } from '../../../../src/talking/speech/cascade/sentences.ts';
import { readEvent } from '../../../../src/talking/speech/realtime/server-event.ts';
import { tone } from '../../../../src/telephony/audio/tone.ts';
import { playQueue } from '../../../../src/telephony/media/play-queue.ts';
import { startCall } from '../../../support/realtime/call.ts';
import { type FakeRealtime, type FakeSession, startFakeRealtime } from '../../../support/realtime/server.ts';
import { startService } from '../../../support/speech/service.ts';

/** A speech service that means harm, or is broken: other calls share its thread and memory. */

async function answered(t: TestContext) {
  const fake = await startFakeRealtime();
  t.after(() => fake.close());
  const call = startCall(t, { url: fake.url });
  call.answer();
  await call.until(() => call.transcript().length > 0);
  return { fake, call };
}

/** A turn after everything shows that the call still talks. */
async function stillTalks({ fake, call }: { fake: FakeRealtime; call: ReturnType<typeof startCall> }): Promise<void> {
  await call.until(() => call.queue.queuedBytes() === 0);
  const before = call.session.facts().turns;
  call.speak(300);
  await call.until(() => call.session.facts().turns > before);
  assert.deepEqual(call.hangUps, []);
  assert.equal(fake.sessions.length, 1);
}

const odd: readonly unknown[] = [null, 5, true, [], {}, [[]], { length: 5 }, ''];
const types = [
  'response.output_audio.delta',
  'response.output_audio.done',
  'response.output_audio_transcript.delta',
  'response.output_audio_transcript.done',
  'response.function_call_arguments.done',
  'response.output_item.added',
  'response.output_item.done',
  'input_audio_buffer.speech_started',
  'input_audio_buffer.speech_stopped',
  'conversation.item.input_audio_transcription.completed',
  'conversation.item.truncated',
  'session.created',
  'session.updated',
  'error',
];
const fields = ['delta', 'transcript', 'item_id', 'response_id', 'call_id', 'name', 'arguments', 'audio_start_ms'];

test('events whose fields have other types than they should end neither the call nor the thread', async (t) => {
  const { fake, call } = await answered(t);
  const [session] = fake.sessions;
  for (const type of types) {
    for (const value of odd) {
      session!.send({ type, ...Object.fromEntries(fields.map((name) => [name, value])), item: value, error: value });
      const item = { id: value, type: 'function_call', name: value, call_id: value, arguments: value };
      session!.send({ type, item, error: { type: value, code: value, message: value, event_id: value } });
      session!.send({ type, session: { input_audio_format: value }, response: { id: value, usage: value } });
    }
  }
  for (const raw of ['', 'null', '5', '[]', '"x"', '{"type":5}', '{', '\u0000']) session!.sendRaw(raw);
  await stillTalks({ fake, call });
});

test('a message with more values than an event has is not read', () => {
  const bomb = Buffer.from(`{"type":"x","session":[${'{},'.repeat(100_000)}{}]}`);
  const nested = Buffer.from(`{"type":"x","session":${'['.repeat(70_000)}${']'.repeat(70_000)}}`);
  assert.deepEqual([readEvent(bomb), readEvent(nested)], [undefined, undefined]);
  const sound = 'A'.repeat(6_400_000);
  assert.equal(readEvent(Buffer.from(JSON.stringify({ type: 'x', delta: sound })))?.delta, sound);
});

test('a minute of sound in pieces of a byte takes no more than its sound', () => {
  const queue = playQueue(0xff);
  const byte = Uint8Array.of(1);
  for (let count = 0; count < 600_000; count += 1) queue.add(byte, 'item');
  assert.equal(queue.queuedBytes(), 480_000);
  let frames = 0;
  while (queue.take()) frames += 1;
  assert.equal(frames, 3000);
  assert.equal(queue.sentBytes('item'), 480_000);
  // Pieces of ever other answers are not joined, and so are few.
  for (let count = 0; count < 10_000; count += 1) queue.add(byte, `item ${count % 2}`);
  assert.ok(queue.queuedBytes() < 6000);
});

test('a long word of an answer, and a long text without an end, are cut without looking at them again and again', () => {
  const word = `${'a'.repeat(20_000)} bc`;
  assert.equal(heardPart(word, 20_002 / word.length), `${'a'.repeat(20_000)}…`);
  const parts = createSentences().push('word '.repeat(200_000));
  assert.ok(parts.length > 3000 && parts.every((part) => part.length <= 300));
});

test('a flood of events, errors and turns leaves the call talking', async (t) => {
  const { fake, call } = await answered(t);
  const [session] = fake.sessions;
  for (let count = 0; count < 6000; count += 1) {
    session!.send({ type: 'error', error: { code: `code-${count}`, message: 'x'.repeat(100) } });
    session!.send({ type: 'response.created', response: { id: `r-${count}` } });
    session!.send({ type: 'input_audio_buffer.speech_started', item_id: `i-${count}` });
    session!.send({ type: 'input_audio_buffer.speech_stopped', item_id: `i-${count}` });
    session!.send({ type: 'response.done', response: { id: `r-${count}`, status: 'cancelled' } });
  }
  assert.ok(Object.keys(call.metrics.errors).length <= 51);
  await stillTalks({ fake, call });
});

test('a service that sends without end is lost, and so the call alone', async (t) => {
  const { fake, call } = await answered(t);
  const [session] = fake.sessions;
  const message = JSON.stringify({ type: 'response.output_audio.delta', item_id: 'i', delta: 'A'.repeat(4_000_000) });
  for (let count = 0; count < 24; count += 1) session!.sendRaw(message);
  const lost = () => call.reports.find((report) => report.type === 'speech_lost');
  await call.until(() => lost() !== undefined);
  assert.deepEqual(lost(), { type: 'speech_lost', reason: 'the speech service sends more than a call can use' });
  await call.until(() => call.reports.some(({ type }) => type === 'speech_back'));
});

test('a message longer than a minute of sound is not read: the session is lost, and another one opened', async (t) => {
  const { fake, call } = await answered(t);
  const minute = 'A'.repeat(3_840_000);
  const delta = (sound: string): string =>
    JSON.stringify({ type: 'response.output_audio.delta', response_id: 'r', item_id: 'i', delta: sound });
  fake.sessions[0]!.sendRaw(delta(minute));
  await call.until(() => call.queue.queuedBytes() > 59 * 8000);
  fake.sessions[0]!.sendRaw(delta(minute.repeat(2)));
  await call.until(() => call.reports.some(({ type }) => type === 'speech_back'));
  const lost = call.reports.find((report) => report.type === 'speech_lost');
  assert.match(lost!.reason, /payload size/);
});

/** The caller hears the beginning of an answer, of which `more` comes after that. */
async function stopsAfter(t: TestContext, more: (session: FakeSession) => void): Promise<void> {
  const fake = await startFakeRealtime();
  t.after(() => fake.close());
  const agent = { reminderTriggerMs: 400, silenceTimeoutMs: 60_000 };
  const times = { lookEveryMs: 20 };
  const call = startCall(t, { url: fake.url, agent, times, settings: { response_timeout_ms: 500 } });
  call.answer();
  await call.until(() => call.transcript().length > 0 && call.queue.queuedBytes() === 0);
  const [session] = fake.sessions;
  session!.send({ type: 'response.created', response: { id: 'r1' } });
  const delta = Buffer.from(tone('PCMU', 1000, 200)).toString('base64');
  session!.send({ type: 'response.output_audio.delta', response_id: 'r1', item_id: 'i1', delta });
  more(session!);
  await fake.next(({ type }) => type === 'response.cancel');
  assert.equal(call.metrics.errors['no_answer'], 1);
  // The agent is not taken for speaking any more: it asks whether anybody is there.
  await fake.next(({ type, response }) => type === 'response.create' && /still there/.test(response?.instructions));
  await stillTalks({ fake, call });
}

test('an answer that stops in the middle counts as done', (t) => stopsAfter(t, () => undefined));

test('an answer that goes on byte by byte does, too', (t) =>
  stopsAfter(t, (session) => {
    const drip = { type: 'response.output_audio.delta', response_id: 'r1', item_id: 'i1', delta: 'AA==' };
    const timer = setInterval(() => session.send(drip), 30);
    t.after(() => clearInterval(timer));
  }));

test('an end_call whose answer stops in the middle ends the call', async (t) => {
  const fake = await startFakeRealtime();
  t.after(() => fake.close());
  const call = startCall(t, { url: fake.url, settings: { response_timeout_ms: 400 }, times: { lookEveryMs: 20 } });
  call.answer();
  await call.until(() => call.transcript().length > 0 && call.queue.queuedBytes() === 0);
  const [session] = fake.sessions;
  session!.send({ type: 'response.created', response: { id: 'r1' } });
  const item = { type: 'function_call', name: 'end_call', call_id: 'c1', arguments: '{}' };
  session!.send({ type: 'response.output_item.done', response_id: 'r1', item });
  await call.until(() => call.hangUps.length > 0);
  assert.equal(call.hangUps[0]!.status, 'completed');
});

test('a service that sends the client elsewhere is not followed', async (t) => {
  const server = createServer((_request, response) => response.end());
  server.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const call = startCall(t, { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/realtime` });
  call.answer();
  await call.until(() => call.hangUps.length > 0);
  assert.match(call.hangUps[0]!.errorMessage!, /answered HTTP 302/);
});

/** What a mind's answer came to that a service writes until the client goes away. */
async function completedBy(t: TestContext, contentType: string, write: (response: ServerResponse) => void) {
  const service = await startService('/v1/chat/completions', (_request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    write(response);
  });
  t.after(() => service.close());
  let characters = 0;
  const request = { model: null, messages: [], temperature: 1, tools: [] };
  const settings = { url: service.url, model: null, api_key: null };
  const outcome = await complete(
    settings,
    request,
    (text) => (characters += text.length),
    AbortSignal.timeout(20_000),
  ).then(
    () => 'completed',
    (error: Error) => error.message,
  );
  return { outcome, characters };
}

test('a mind that never ends is cut at an hour of speech, and its stream at 4 MiB', async (t) => {
  const line = `data: ${JSON.stringify({ choices: [{ delta: { content: 'word '.repeat(2000) } }] })}\n\n`;
  const endless = await completedBy(t, 'text/event-stream', (response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(line));
      response.once('drain', more);
    };
    more();
  });
  assert.deepEqual(endless, { outcome: 'the answer does not end', characters: 50_000 });
});

test('a line of a mind with more values than an answer has is refused unread', async (t) => {
  const bomb = `{"choices":[${'{},'.repeat(50_000)}{}]}`;
  for (const [type, text] of [
    ['text/event-stream', `data: ${bomb}\n\n`],
    ['application/json', bomb],
  ] as const) {
    const { outcome } = await completedBy(t, type, (response) => response.end(text));
    assert.equal(outcome, 'a line of the answer has too many values');
  }
});
