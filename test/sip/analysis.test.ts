import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { aReceiver } from '../http/calling-support.ts';
import { dataOf } from '../support/server.ts';
import { answerJson, type FakeService, startService } from '../support/speech/service.ts';
import { audioOf, type Peer, startPeer } from '../support/sip/peer.ts';
import { isInProgress, type SipCall, startTelephony } from '../support/sip/server.ts';

const analysis = {
  summary: 'Robin greeted; nobody spoke.',
  sentiment: 'neutral',
  disposition: 'no conversation',
  goals_met: false,
  next_steps: 'Call again.',
};

type Say = { status?: number; content?: string } | 'hang';

/** A model that answers its nth request with the nth of these, and further ones with the last. */
async function aModel(t: TestContext, ...says: readonly Say[]): Promise<FakeService> {
  const service = await startService('/v1/chat/completions', (_request, response, index) => {
    const say = says[Math.min(index, says.length - 1)]!;
    if (say === 'hang') return;
    const { status = 200, content = JSON.stringify(analysis) } = say;
    answerJson(response, status, { choices: [{ message: { role: 'assistant', content } }] });
  });
  t.after(() => service.close());
  return service;
}

const trunk = await startPeer((peer: Peer, request) => {
  if (request.method === 'INVITE') peer.answer(request, { status: 200, reason: 'OK', body: audioOf(40_000) });
  if (request.method === 'BYE') peer.answer(request, { status: 200, reason: 'OK' });
});
after(() => trunk.close());

type Call = SipCall & { summary: string | null; post_call_analysis: object | null; ended_at: string | null };

/** A call that the other side hangs up once it was answered. Returns its id, and when the BYE was sent. */
async function aCall(t: TestContext, settings: Record<string, string>) {
  const telephony = await startTelephony(t, { 'webhooks.allow_http_loopback': 'true', ...settings });
  const receiver = await aReceiver(t);
  const changed = await telephony.server.put(`/agents/${telephony.agentId}`, { webhook_url: receiver.url });
  assert.equal(changed.status, 200, JSON.stringify(changed));
  const id = await telephony.call(trunk.uri);
  const invite = await trunk.next(
    ({ method, headers }) =>
      method === 'INVITE' && headers.some(([name, value]) => name.toLowerCase() === 'call-id' && value.startsWith(id)),
  );
  await telephony.when(id, isInProgress);
  const hangUp = (): number => {
    trunk.request(invite, 'BYE');
    return Date.now();
  };
  return { ...telephony, id, receiver, hangUp };
}

test('a completed call is summarized after the BYE and before call.completed', async (t) => {
  const model = await aModel(t, {});
  const { id, ended, hangUp, receiver } = await aCall(t, {
    'analysis.url': model.url,
    'analysis.model': 'judge-1',
    'analysis.api_key': 'secret-key',
  });
  const byeAt = hangUp();
  const call = (await ended(id)) as Call;
  const { summary, ...rest } = analysis;
  assert.deepEqual([call.status, call.disconnect_reason], ['completed', 'customer_hangup']);
  assert.deepEqual([call.summary, call.post_call_analysis], [summary, rest]);
  assert.ok(Math.abs(Date.parse(call.ended_at!) - byeAt) < 2000);
  while (receiver.events.length === 0) await pause(20);
  const [{ event, data }] = receiver.events as unknown as [{ event: string; data: Call }];
  assert.deepEqual([event, data.summary, data.post_call_analysis], ['call.completed', summary, rest]);
  const [{ headers, json }] = model.requests as [FakeService['requests'][number]];
  assert.equal(headers.authorization, 'Bearer secret-key');
  assert.equal(json['model'], 'judge-1');
  const format = json['response_format'] as {
    type: string;
    json_schema: { strict: boolean; schema: { required: string[] } };
  };
  assert.equal(format.type, 'json_schema');
  assert.deepEqual(format.json_schema.schema.required, Object.keys(analysis));
});

test('until the model has answered, the call is in progress; its end stays the instant of the BYE', async (t) => {
  const model = await aModel(t, 'hang');
  const { id, ended, hangUp, server } = await aCall(t, { 'analysis.url': model.url, 'analysis.timeout_ms': '1500' });
  const byeAt = hangUp();
  const { json } = await model.request(0);
  assert.ok(!('model' in json), 'a null model is left out');
  assert.equal(dataOf(await server.get<Call>(`/calls/${id}`)).state, 'in_progress');
  const call = (await ended(id)) as Call;
  const [endedAt, toldAt] = [Date.parse(call.ended_at!), Date.now()];
  assert.ok(endedAt < byeAt + 1000 && toldAt >= byeAt + 1400, `${byeAt} ${endedAt} ${toldAt}`);
  assert.deepEqual([call.status, call.summary, call.post_call_analysis], ['completed', null, null]);
});

for (const [what, say] of [
  ['refuses', { status: 500 }],
  ['answers no JSON', { content: 'It was a nice call.' }],
  ['answers another object', { content: '{"summary": "x", "sentiment": "great"}' }],
] as const) {
  test(`without a summary the call ends, too: the model ${what}`, async (t) => {
    const model = await aModel(t, say);
    const { id, ended, hangUp } = await aCall(t, { 'analysis.url': model.url });
    hangUp();
    const call = (await ended(id)) as Call;
    assert.deepEqual([call.status, call.summary, call.post_call_analysis], ['completed', null, null]);
    assert.equal(model.requests.length, 1);
  });
}

test('POST …/hangup ends a call at once, unanalyzed, also one that is being analyzed', async (t) => {
  const model = await aModel(t, 'hang');
  const { id, hangUp, server, call: place, when } = await aCall(t, { 'analysis.url': model.url });
  const other = await place(trunk.uri);
  await when(other, isInProgress);
  await server.post(`/calls/${other}/hangup`, {});
  const at = dataOf(await server.get<Call>(`/calls/${other}`));
  assert.deepEqual([at.state, at.summary, at.disconnect_reason], ['ended', null, 'agent_hangup']);
  hangUp();
  await model.request(0);
  await server.post(`/calls/${id}/hangup`, {});
  const call = dataOf(await server.get<Call>(`/calls/${id}`));
  assert.deepEqual([call.state, call.status, call.disconnect_reason], ['ended', 'completed', 'customer_hangup']);
  assert.equal(model.requests.length, 1);
});
