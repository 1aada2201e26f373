import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aContact } from '../support/fixtures.ts';
import { anAccount, anEventType, aKey } from '../support/calendar.ts';
import { startFakeCal } from '../support/fake-cal.ts';
import { type FakeAnswer, startFakeRealtime } from '../support/realtime/server.ts';
import { dataOf } from '../support/server.ts';
import { startDialingTrunk } from '../support/sip/dialing-trunk.ts';
import { audioOf } from '../support/sip/peer.ts';
import { startPhone } from '../support/sip/phone.ts';
import { isInProgress, type SipCall, startTelephony } from '../support/sip/server.ts';
import { pause } from '../../src/base/clock.ts';
import { callIn, toAnInvite } from '../http/sip-incoming-support.ts';

/** A whole conversation over SIP and RTP with a realtime speech service that does as the real one does. */

const start = '2027-03-02T09:00:00Z';

test('an agent greets, is interrupted, books an appointment, and hands the call on', async (t) => {
  const cal = await startFakeCal();
  t.after(() => cal.close());
  const answers: Record<number, FakeAnswer[]> = {
    0: [{ text: 'Hello Ada, this is Robin. What can I do for you today, and how are you?', audioMs: 4000 }],
    1: [
      {
        text: '',
        tools: [{ name: 'find_slots', args: { event_type: 'intro', start: '2027-03-02', end: '2027-03-02' } }],
      },
      { text: '', tools: [{ name: 'book_slot', args: { event_type: 'intro', start } }] },
      { text: 'It is booked.', audioMs: 600 },
    ],
    2: [{ text: 'I put you through.', audioMs: 400, tools: [{ name: 'transfer_call', args: {} }] }],
  };
  const fake = await startFakeRealtime({
    heard: (turn) => ['', 'Please book me in.', 'Give me a person.'][turn]!,
    answer: ({ turn }) => answers[turn]!.shift() ?? { text: 'Yes.' },
  });
  t.after(() => fake.close());
  const telephony = await startTelephony(t, {
    'speech.engine': 'realtime',
    'speech.realtime.url': fake.url,
    'calendar.base_url': cal.url,
  });
  const { server } = telephony;
  const eventType = anEventType({ slug: 'intro', free: [start] });
  await anAccount(server, aKey(cal, { eventTypes: [eventType] }));
  await aContact(server, { phone: '+4930901820', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' });
  dataOf(
    await server.put(`/agents/${telephony.agentId}`, {
      firstMessage: 'Hello {{first_name}}.',
      prompt: 'You answer for {{company}} engines.',
      transferPhone: '+4930901829',
    }),
  );
  const trunk = await startDialingTrunk();
  t.after(() => trunk.close());
  const number = await telephony.number(trunk.uri, { inbound_agent_id: telephony.agentId });
  let speaksUntil = 0;
  const speak = (ms: number): void => void (speaksUntil = performance.now() + ms);
  const phone = await startPhone({ isSpeaking: () => performance.now() < speaksUntil });
  t.after(() => phone.stop());

  const call = trunk.invite(telephony.port, { to: number.phone, body: audioOf(phone.port) });
  const ok = await trunk.next(toAnInvite(200));
  call.ack(ok);
  phone.talkTo(Number(/m=audio (\d+)/.exec(ok.body)![1]));
  const { call_id: id } = await callIn(server, 'in_progress');

  const create = await fake.next(({ type }) => type === 'response.create');
  assert.match(create['response'].instructions, /Hello Ada\./);
  await phone.received(60);
  await pause(700); // while it greets
  speak(400);
  const truncate = await fake.next(({ type }) => type === 'conversation.item.truncate');
  assert.ok(truncate['audio_end_ms'] > 200 && truncate['audio_end_ms'] < 4000);
  await telephony.when(id, ({ transcripts }) => JSON.stringify(transcripts).includes('It is booked.'));
  const live = await telephony.when(id, isInProgress);
  const { speech } = live as SipCall & { speech: Record<string, unknown> };
  assert.deepEqual(
    [speech['engine'], speech['model'], speech['sessions'], speech['interruptions']],
    ['realtime', 'gpt-realtime', 1, 1],
  );
  await pause(800);
  speak(400);
  const refer = await trunk.next('REFER');
  assert.match(refer.headers.find(([name]) => name === 'Refer-To')![1], /4930901829/);
  trunk.answer(refer, 202);
  call.request(ok, 'NOTIFY', {
    headers: [
      ['Event', 'refer'],
      ['Subscription-State', 'terminated'],
    ],
    body: 'SIP/2.0 200 OK\r\n',
  });
  const bye = await trunk.next('BYE');
  trunk.answer(bye, 200);

  const ended = await telephony.ended(id);
  assert.deepEqual([ended.status, ended.disconnect_reason], ['completed', 'agent_hangup']);
  assert.deepEqual([ended.sip['turns'], ended.sip['interruptions']], [2, 1]);
  assert.ok((ended['call_latency_ms'] as number) > 0);
  const transcripts = ended['transcripts'] as Array<{ role: string; message: { content: string } }>;
  assert.deepEqual(
    transcripts.map(({ role, message }) => `${role}: ${message.content.slice(0, 20)}`),
    [
      'agent: ' + transcripts[0]!.message.content.slice(0, 20),
      'user: Please book me in.',
      'agent: It is booked.',
      'user: Give me a person.',
      'agent: I put you through.',
    ],
  );
  assert.match(transcripts[0]!.message.content, /^Hello Ada.*…$/);
  const timeline = (await telephony.timeline(id)).map(({ type }) => type);
  assert.deepEqual(timeline, [
    'invite',
    'answered',
    'greeting',
    'interrupted',
    'tool',
    'tool',
    'transfer',
    'hangup',
    'tool', // its result is known when the other side has hung up
  ]);
  assert.deepEqual(
    fake.sessions.flatMap(({ errors }) => errors),
    [],
  );
  assert.deepEqual(eventType.free, [], 'the slot is booked');
});
