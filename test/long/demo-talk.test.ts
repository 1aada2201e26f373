import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import { startFakeRealtime } from '../support/realtime/server.ts';
import { demo } from '../cli/support.ts';

type Answer<D> = { data: D };
type Begun = { audio_url: string; ticket: string };
type Message = { type: string; role?: string; text?: string };

/** Begins a test call with the agent that the demo names, and resolves with its first message of a type. */
async function callFrom(t: TestContext, link: string, key: string) {
  const { origin, pathname } = new URL(link);
  const response = await fetch(`${origin}/api/v1${pathname}/test-calls`, {
    method: 'POST',
    headers: { 'x-api-key': key },
  });
  assert.equal(response.status, 200);
  const { data } = (await response.json()) as Answer<Begun>;
  const socket = new WebSocket(data.audio_url, ['parley.audio.v1', `ticket.${data.ticket}`]);
  t.after(() => socket.terminate());
  const messages: Message[] = [];
  socket.on('message', (bytes, isBinary) => {
    if (!isBinary) messages.push(JSON.parse((bytes as Buffer).toString('utf8')) as Message);
  });
  return {
    socket,
    async next(type: string): Promise<Message> {
      for (;;) {
        const found = messages.find((message) => message.type === type);
        if (found) return found;
        await once(socket, 'message');
      }
    },
  };
}

test('the demo prints where one talks to its agent, with a realtime service, too', async (t) => {
  const fake = await startFakeRealtime({
    answer: ({ instructions }) => ({ text: instructions ?? 'Yes.', audioMs: 400 }),
  });
  t.after(() => fake.close());
  const engine = ['engine=realtime', 'realtime.api_key=sk-demo', `realtime.url=${fake.url}`];
  const running = demo(t, ['--contacts', '1', ...engine.flatMap((setting) => ['--set', `speech.${setting}`])]);
  const link = /^Talk to the agent Ava: (http:\S+)$/m.exec(await running.prints(/^Talk to the agent Ava: \S+$/m))![1]!;
  const key = /API key {2}(\S+)/.exec(await running.prints(/API key {2}\S+/))![1]!;
  const page = await fetch(link);
  assert.match(page.headers.get('permissions-policy') ?? '', /microphone=\(self\)/);
  const call = await callFrom(t, link, key);
  const said = await call.next('said');
  assert.deepEqual([said.role, /Hello, this is Ava/.test(said.text!)], ['agent', true]);
  assert.equal(fake.sessions[0]!.headers.authorization, 'Bearer sk-demo');
  assert.equal(fake.sessions[0]!.url, '/v1/realtime?model=gpt-realtime');
  call.socket.send('{"type":"hangup"}');
  await call.next('ended');
  await running.stop();
});

test('the agent of the demo says back what it hears unless told otherwise', async (t) => {
  const running = demo(t, ['--contacts', '1']);
  const out = await running.prints(/API key {2}\S+/);
  const link = /^Talk to the agent Ava, who says back what she hears: (http:\S+)$/m.exec(out)![1]!;
  const call = await callFrom(t, link, /API key {2}(\S+)/.exec(out)![1]!);
  await call.next('answered');
  call.socket.send('{"type":"text","text":"Good morning"}');
  assert.equal((await call.next('said')).text, 'Good morning');
  await running.stop();
});
