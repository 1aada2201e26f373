// Waits: sound takes its time.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createConnection } from 'node:net';
import { type TestContext, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { carrierDrivers } from '../../src/features/calls/carriers/index.ts';
import { createWebDriver } from '../../src/features/calls/carriers/web/driver.ts';
import { usualTimes, type WebTimes } from '../../src/features/calls/carriers/web/live.ts';
import { tone } from '../../src/telephony/audio/tone.ts';
import { aContact, anAgent } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { sipSettings } from '../support/sip/server.ts';
import { medianToneShare } from '../support/sip/tones.ts';
import { begin, type CallData, connect, ended, refusal } from '../support/test-calls.ts';
import { aReceiver } from './calling-support.ts';

const settings = await sipSettings();

async function aServer(t: TestContext, more: Readonly<Record<string, string>> = {}) {
  const own = { ...settings, 'carrier.driver': 'simulated', ...more };
  const server = await startTestServer({ testClock: false, settings: own });
  t.after(() => server.stop());
  return server;
}

test('a person talks to an agent without a telephone: sound goes round, and the call is like any other', async (t) => {
  const server = await aServer(t);
  const agent = await anAgent(server, { recordCalls: true });
  const contact = await aContact(server, { first_name: 'Ada' });
  const begun = await begin(server, agent.id, { contact_id: contact.id, metadata: { trial: 'one' } });
  assert.equal(begun.audio_url, `${server.url.replace('http', 'ws')}/api/v1/calls/${begun.call_session_id}/audio`);
  const client = await connect(t, begun, { origin: server.url });
  assert.equal(client.socket.protocol, 'parley.audio.v1');
  assert.deepEqual(await client.message('answered'), { type: 'answered' });
  const live = dataOf(await server.get<CallData>(`/calls/${begun.call_session_id}`));
  assert.deepEqual(
    [
      'state',
      'channel',
      'direction',
      'phone',
      'caller_number',
      'callee_number',
      'campaign_id',
      'contact_id',
      'caller_name',
      'metadata',
    ].map((name) => live[name]),
    ['in_progress', 'web', 'outbound', null, null, null, null, contact.id, 'Ada', { trial: 'one' }],
  );
  // The echo engine greets, then says back what it hears.
  const isSilent = (frame: Buffer): boolean => frame.every((byte) => byte === 0xff);
  await client.when(() => client.frames.some((frame) => !isSilent(frame)));
  await client.when(() => client.frames.slice(-10).every(isSilent) && client.frames.length > 100);
  const sound = tone('PCMU', 1000, 2000);
  const before = client.frames.length;
  for (let at = 0; at < sound.length; at += 320) {
    client.socket.send(sound.subarray(at, at + 320));
    await pause(36);
  }
  await client.when(() => client.frames.length > before + 100);
  const heard = Buffer.concat(client.frames.slice(before).filter((frame) => !isSilent(frame)));
  assert.ok(medianToneShare('PCMU', heard, 1000) > 0.8, 'the tone came back');
  assert.ok(client.frames.every(({ length }) => length === 160));

  assert.equal(dataOf(await server.get<CallData[]>('/calls?channel=web')).length, 1);
  assert.equal(dataOf(await server.get<CallData[]>('/calls?channel=voice')).length, 0);
  assert.equal((await server.post(`/calls/${begun.call_session_id}/dtmf`, { digits: '1' })).status, 409);
  assert.equal((await server.post(`/calls/${begun.call_session_id}/transfer`, { to: '+4930901820' })).status, 409);
  assert.equal((await server.post(`/calls/${begun.call_session_id}/say`, { text: 'Hello' })).status, 200);

  client.socket.send(JSON.stringify({ type: 'key', digit: '5' }));
  client.socket.send(JSON.stringify({ type: 'text', text: 'Good morning' }));
  const said = await client.message('said');
  assert.deepEqual([said['role'], said['text']], ['user', 'Good morning']);
  client.socket.send(JSON.stringify({ type: 'hangup' }));
  assert.deepEqual(await client.message('ended'), {
    type: 'ended',
    status: 'completed',
    disconnect_reason: 'customer_hangup',
    error_message: null,
  });
  assert.equal(await client.closed, 1000);
  const over = await ended(server, begun.call_session_id);
  assert.deepEqual([over.status, over['disconnect_reason']], ['completed', 'customer_hangup']);
  const transcripts = over['transcripts'] as Array<{ role: string; message: { content: string } }>;
  assert.deepEqual(transcripts[0]?.message.content, 'Good morning');
  assert.equal((await server.get(`/calls/${begun.call_session_id}/envelope`)).status, 200);
  const timeline = dataOf(await server.get<Array<{ type: string }>>(`/calls/${begun.call_session_id}/timeline`));
  const types = timeline.map(({ type }) => type);
  for (const type of ['answered', 'greeting', 'dtmf', 'recording', 'hangup']) assert.ok(types.includes(type), type);
});

test('an agent that hears nobody hangs up after silenceTimeoutMs, whatever the engine', async (t) => {
  const server = await aServer(t);
  const agent = await anAgent(server, { silenceTimeoutMs: 5000, reminderTriggerMs: 60_000 });
  const begun = await begin(server, agent.id);
  const client = await connect(t, begun);
  assert.deepEqual(await client.message('ended'), {
    type: 'ended',
    status: 'completed',
    disconnect_reason: 'agent_hangup',
    error_message: null,
  });
});

test('a server with keys and a hang-up of a test call still to write stops', async (t) => {
  const server = await aServer(t);
  const agent = await anAgent(server);
  const client = await connect(t, await begin(server, agent.id));
  await client.message('answered');
  for (const digit of '123456789') client.send({ type: 'key', digit });
  client.send({ type: 'hangup' });
  await client.message('ended');
  await server.stop();
});

test('a ticket opens one connection, for pages of this server alone', async (t) => {
  const server = await aServer(t);
  const agent = await anAgent(server);
  const begun = await begin(server, agent.id);
  const { audio_url: url, ticket } = begun;
  assert.equal(await refusal(url, ['parley.audio.v1', 'ticket.wrong']), 401);
  assert.equal(await refusal(url, ['parley.audio.v1']), 401);
  assert.equal(
    await refusal(url, ['parley.audio.v1', `ticket.${ticket}`], { origin: 'https://evil.example.com' }),
    403,
  );
  const client = await connect(t, begun);
  assert.equal(await refusal(url, ['parley.audio.v1', `ticket.${ticket}`]), 401);
  client.socket.close();
  const over = await ended(server, begun.call_session_id);
  assert.deepEqual([over.status, over['disconnect_reason']], ['completed', 'customer_hangup']);
});

test('a message that does not belong there ends the call as an error', async (t) => {
  const server = await aServer(t);
  const agent = await anAgent(server);
  for (const message of [Buffer.alloc(161), '{"type":"shout"}', 'nonsense', '{"type":"key","digit":"12"}']) {
    const begun = await begin(server, agent.id);
    const client = await connect(t, begun);
    await client.message('answered');
    client.socket.send(message);
    assert.equal(await client.closed, 1008);
    const over = await ended(server, begun.call_session_id);
    assert.deepEqual([over.status, over['disconnect_reason']], ['failed', 'error']);
  }
});

test('test calls are limited, need an engine, and send an event only where that is wanted', async (t) => {
  const receiver = await aReceiver(t);
  const server = await aServer(t, { 'web_calls.max': '1' });
  const agent = await anAgent(server, { webhook_url: receiver.url });
  const quiet = await begin(server, agent.id);
  const full = await server.post(`/agents/${agent.id}/test-calls`, {});
  assert.deepEqual([full.status, full.text.includes('web_calls.max')], [409, true]);
  const client = await connect(t, quiet);
  await client.message('answered');
  dataOf(await server.post(`/calls/${quiet.call_session_id}/hangup`));
  assert.equal((await client.message('ended'))['disconnect_reason'], 'agent_hangup');
  const loud = await begin(server, agent.id, { webhook: true });
  (await connect(t, loud)).socket.close();
  await ended(server, loud.call_session_id);
  const deliveries = dataOf(await server.get<Array<{ event_id: string }>>('/webhooks/deliveries'));
  assert.deepEqual(
    deliveries.map((delivery) => delivery.event_id),
    [loud.call_session_id],
  );

  const mute = await startTestServer({ testClock: false });
  t.after(() => mute.stop());
  const refused = await mute.post(`/agents/${(await anAgent(mute)).id}/test-calls`, {});
  assert.deepEqual([refused.status, refused.text.includes('speech.engine')], [409, true]);
});

test('sound that comes too early is dropped, and counted', async (t) => {
  const server = await aServer(t);
  const begun = await begin(server, (await anAgent(server)).id);
  const client = await connect(t, begun);
  await client.message('answered');
  // 4 s at once: little more than 200 ms of it is taken.
  for (let count = 0; count < 40; count += 1) client.socket.send(new Uint8Array(800));
  client.socket.send(JSON.stringify({ type: 'hangup' }));
  assert.equal(await client.closed, 1000);
  const { text: metrics } = await server.get('//metrics');
  const dropped = Number(/^parley_web_calls_dropped_seconds_total (\S+)$/m.exec(metrics)![1]);
  assert.ok(dropped >= 3 && dropped <= 3.8, `${dropped} s`);
});

test('a client that floods is read no faster than sound needs, and the call goes on', async (t) => {
  const server = await aServer(t);
  const begun = await begin(server, (await anAgent(server)).id);
  const client = await connect(t, begun);
  await client.message('answered');
  const sound = new Uint8Array(160);
  for (let count = 0; count < 1500; count += 1) {
    client.socket.send(sound);
    client.socket.ping();
  }
  const startedMs = performance.now();
  for (let count = 0; count < 20; count += 1)
    client.socket.send(JSON.stringify({ type: 'text', text: `text ${count}` }));
  await client.message('said', 39);
  assert.ok(performance.now() - startedMs > 4000, 'the flood was read at once');
  client.socket.send('x'.repeat(1_000_000));
  assert.equal(await client.closed, 1009);
  assert.equal((await ended(server, begun.call_session_id))['disconnect_reason'], 'error');
});

/** A server whose test calls have other times. */
async function aHastyServer(t: TestContext, times: Partial<WebTimes>) {
  const drivers = [...carrierDrivers.filter(({ name }) => name !== 'web')];
  drivers.push(createWebDriver({ ...usualTimes, ...times }));
  const server = await startTestServer({
    testClock: false,
    settings: { ...settings, 'carrier.driver': 'simulated', 'http.cors.origins': '["https://app.example.com"]' },
    carrierDrivers: drivers,
  });
  t.after(() => server.stop());
  return server;
}

test('a ticket that nobody uses in time opens nothing, and its call has failed; a page of an allowed origin may connect', async (t) => {
  const server = await aHastyServer(t, { ticketMs: 500 });
  const agent = await anAgent(server);
  const begun = await begin(server, agent.id);
  const call = await ended(server, begun.call_session_id);
  assert.deepEqual(
    [call.status, call['disconnect_reason'], call['error_message']],
    ['failed', 'error', 'nobody connected'],
  );
  assert.equal(await refusal(begun.audio_url, ['parley.audio.v1', `ticket.${begun.ticket}`]), 401);
  const other = await connect(t, await begin(server, agent.id), { origin: 'https://app.example.com' });
  assert.equal(other.socket.extensions, '', 'no compression');
  other.send({ type: 'hangup' });
  assert.equal(await other.closed, 1000);
});

test('a test call ends after web_calls.max_duration_sec', async (t) => {
  const server = await aServer(t, { 'web_calls.max_duration_sec': '2' });
  const client = await connect(t, await begin(server, (await anAgent(server)).id));
  await client.message('answered');
  const openedMs = performance.now();
  assert.deepEqual(await client.message('ended'), {
    type: 'ended',
    status: 'completed',
    disconnect_reason: 'agent_hangup',
    error_message: null,
  });
  const talkedMs = performance.now() - openedMs;
  assert.ok(talkedMs > 1000 && talkedMs < 3500, `${talkedMs} ms`);
});

test('a client whose message comes byte by byte answers no ping, and ends its own call alone', async (t) => {
  const server = await aHastyServer(t, { pingEveryMs: 100, pongWithinMs: 250 });
  const agent = await anAgent(server);
  const listening = await connect(t, await begin(server, agent.id));
  const begun = await begin(server, agent.id);
  const { port } = new URL(server.url);
  const socket = createConnection(Number(port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.write(
    [
      `GET /api/v1/calls/${begun.call_session_id}/audio HTTP/1.1`,
      'Host: 127.0.0.1',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      `Sec-WebSocket-Protocol: parley.audio.v1, ticket.${begun.ticket}`,
      '\r\n',
    ].join('\r\n'),
  );
  socket.resume();
  const masked800 = Buffer.from([0x82, 0xfe, 0x03, 0x20, 0, 0, 0, 0, ...Array.from({ length: 800 }, () => 0xff)]);
  const dripping = (async () => {
    for (const byte of masked800) {
      if (socket.destroyed) return;
      socket.write(Buffer.of(byte));
      await pause(20);
    }
  })();
  const call = await ended(server, begun.call_session_id);
  assert.deepEqual([call.status, call['disconnect_reason']], ['failed', 'error']);
  await dripping;
  listening.send({ type: 'text', text: 'Still there?' });
  assert.equal((await listening.message('said'))['text'], 'Still there?');
});

test('a connection that does not answer pings ends the call as an error', async (t) => {
  const server = await aHastyServer(t, { pingEveryMs: 100, pongWithinMs: 250 });
  const agent = await anAgent(server);
  const alive = await begin(server, agent.id);
  const listening = await connect(t, alive);
  const gone = await begin(server, agent.id);
  const deaf = await connect(t, gone, { autoPong: false });
  assert.equal(await deaf.closed, 1006);
  const over = await ended(server, gone.call_session_id);
  assert.deepEqual([over.status, over['disconnect_reason']], ['failed', 'error']);
  assert.match(String(over['error_message']), /does not answer/);
  assert.equal(dataOf(await server.get<CallData>(`/calls/${alive.call_session_id}`)).state, 'in_progress');
  listening.send({ type: 'hangup' });
  assert.equal(await listening.closed, 1000);
});
