import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { dataOf } from '../support/server.ts';
import { join, silence, sine, type Sound, voiceLike } from '../support/listening/sounds.ts';
import { audioOf, type Peer, startPeer } from '../support/sip/peer.ts';
import { type SipCall, startTelephony } from '../support/sip/server.ts';
import { startTalker } from '../support/sip/talker.ts';
import { medianToneShare } from '../support/sip/tones.ts';
import { type Reply, spokenMs, startLlm, startStt, startTts } from '../support/speech/cascade.ts';

/** The frequency of the fake voice. */
const voiceHz = 300;

type Call = SipCall & {
  summary: string | null;
  speech: Record<string, unknown> | null;
  transcripts: Array<{ role: string; message: { content: string } }>;
};

type Answer = (index: number) => Reply;

/** A call that a telephone answers which then says these sounds. */
async function aCall(t: TestContext, agent: object, answer: Answer, ...sounds: readonly Sound[]) {
  const stt = await startStt(() => ({ text: 'Hello, can you help me?' }));
  const llm = await startLlm((index) => answer(index));
  const tts = await startTts();
  const talker = await startTalker();
  const trunk = await startPeer((peer: Peer, request) => {
    if (request.method === 'INVITE') {
      const port = Number(/m=audio (\d+)/.exec(request.body)![1]);
      peer.answer(request, { status: 200, reason: 'OK', body: audioOf(talker.port) });
      talker.talkTo(port, ...sounds);
    } else if (request.method === 'BYE') peer.answer(request, { status: 200, reason: 'OK' });
  });
  const telephony = await startTelephony(t, {
    'speech.engine': 'cascade',
    'speech.stt.url': stt.url,
    'speech.llm.url': llm.url,
    'speech.tts.url': tts.url,
  });
  t.after(async () => {
    talker.stop();
    await Promise.all([stt.close(), llm.close(), tts.close(), trunk.close()]);
  });
  const changed = await telephony.server.put(`/agents/${telephony.agentId}`, {
    firstMessage: 'Hi, here is Robin.',
    ...agent,
  });
  assert.equal(changed.status, 200, JSON.stringify(changed));
  const id = await telephony.call(trunk.uri);
  const types = async (): Promise<string[]> => (await telephony.timeline(id)).map(({ type }) => type);
  return { ...telephony, id, stt, llm, tts, talker, trunk, types };
}

const noMind: Answer = () => ({ text: ['Never asked.'] });
const mailbox = join(silence(300), voiceLike(2000), silence(400), sine(1000, 500));

test('a mailbox gets the message after its tone, and nothing before', async (t) => {
  const { id, ended, talker, tts, types, timeline } = await aCall(
    t,
    { voicemailMessage: '{{nobody}}Call us back.' },
    noMind,
    mailbox,
    silence(20_000),
  );
  const call = (await ended(id)) as Call;
  assert.deepEqual([call.status, call.disconnect_reason], ['voicemail', 'agent_hangup']);
  assert.deepEqual(
    tts.requests.map(({ json }) => json['input']),
    ['Call us back.'],
  );
  const toneEndsMs = mailbox.length / 8;
  assert.ok(talker.saidBeforeHearingMs()! >= toneEndsMs, `spoke after ${talker.saidBeforeHearingMs()!} ms`);
  const said = talker.heardSound();
  assert.ok(Math.abs(said.length / 8 - spokenMs('Call us back.')) <= 60, `${said.length / 8} ms`);
  assert.ok(medianToneShare('PCMU', said, voiceHz) > 0.9);
  assert.deepEqual(await types(), ['invite', 'answered', 'verdict', 'greeting', 'hangup']);
  assert.match((await timeline(id))[2]!.detail!, /^machine: a steady tone/);
  assert.ok(call.duration_sec >= 4, `${call.duration_sec} s`);
});

test('without a message the call ends at the tone', async (t) => {
  const { id, ended, tts, talker } = await aCall(t, {}, noMind, mailbox, silence(20_000));
  const call = (await ended(id)) as Call;
  assert.deepEqual([call.status, call.disconnect_reason], ['voicemail', 'agent_hangup']);
  assert.deepEqual([tts.requests.length, talker.saidBeforeHearingMs()], [0, undefined]);
});

test('a mailbox that hangs up during the message is one all the same', async (t) => {
  const { id, ended, talker, trunk } = await aCall(
    t,
    { voicemailMessage: 'A long message. '.repeat(20) },
    noMind,
    mailbox,
    silence(20_000),
  );
  while (talker.saidBeforeHearingMs() === undefined) await pause(20);
  trunk.request(
    trunk.received.find(({ method }) => method === 'INVITE')!,
    'BYE',
  );
  const call = (await ended(id)) as Call;
  assert.deepEqual([call.status, call.disconnect_reason], ['voicemail', 'customer_hangup']);
});

test('a person who says hello is greeted once, heard and answered; the end is summarized by speech.llm', async (t) => {
  const summary = {
    summary: 'They said hello.',
    sentiment: 'positive',
    disposition: 'done',
    goals_met: true,
    next_steps: '',
  };
  const answer: Answer = (index) =>
    index === 0
      ? { text: ['With plea', 'sure. Good', 'bye.'], calls: [{ id: 'end', name: 'end_call', args: '{}' }] }
      : { text: [JSON.stringify(summary)] };
  const hello = join(silence(200), voiceLike(700), silence(9000), voiceLike(1200), silence(20_000));
  const { id, ended, stt, llm, types, talker } = await aCall(t, {}, answer, hello);
  const call = (await ended(id)) as Call;
  assert.deepEqual([call.status, call.disconnect_reason], ['completed', 'agent_hangup']);
  assert.deepEqual(
    call.transcripts.map(({ role, message }) => [role, message.content]),
    [
      ['user', 'Hello, can you help me?'],
      ['agent', 'Hi, here is Robin.'],
      ['user', 'Hello, can you help me?'],
      ['agent', 'With pleasure. Goodbye.'],
    ],
  );
  assert.equal(stt.requests.length, 2);
  assert.equal(llm.requests.length, 2);
  assert.ok('response_format' in llm.requests[1]!.json);
  const { engine, sessions, turns, input_tokens: tokens } = call.speech!;
  assert.deepEqual([engine, sessions, turns, tokens], ['cascade', 1, 1, 100]);
  assert.deepEqual(await types(), ['invite', 'answered', 'verdict', 'greeting', 'tool', 'hangup']);
  const greetedAtMs = talker.saidBeforeHearingMs()!;
  assert.ok(greetedAtMs >= 1500 && greetedAtMs < 9000, `greeted after ${greetedAtMs} ms`);
});

test('without voicemail detection the agent greets at once', async (t) => {
  const { id, talker, server, types } = await aCall(t, { voicemailDetection: false }, noMind, silence(20_000));
  while (talker.saidBeforeHearingMs() === undefined) await pause(20);
  assert.deepEqual((await types()).includes('verdict'), false);
  await server.post(`/calls/${id}/hangup`, {});
  assert.equal(dataOf(await server.get<Call>(`/calls/${id}`)).status, 'completed');
});
