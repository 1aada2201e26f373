import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import type { FaultPoint } from '../../src/base/fault-points.ts';
import { audioOf, headerIn, type Peer, type PeerMessage, startPeer } from '../support/sip/peer.ts';
import { freePort } from '../support/sip/free-port.ts';
import { aReceiver, type CallEvent } from '../http/calling-support.ts';
import { answerJson, type FakeService, startService } from '../support/speech/service.ts';
import { createClient } from './client.ts';
import { createKillableServer } from './server.ts';

type Until = 'silent' | 'ringing' | 'answered';
type Kill = readonly [point: FaultPoint | 'ringing' | 'talking', until: Until];

/** Where the server is killed, and how far the other side lets the call come before. */
export const kills: readonly Kill[] = [
  ['dial.unsent', 'silent'],
  ['dial.unsent', 'answered'],
  ['dial.unrecorded', 'silent'],
  ['dial.unrecorded', 'ringing'],
  ['dial.unrecorded', 'answered'],
  ['ringing', 'ringing'],
  ['call-answer.unrecorded', 'answered'],
  ['talking', 'answered'],
  ['call-end.uncommitted', 'answered'],
  ['call-end.committed', 'answered'],
];

/** Where the server is killed between the BYE of a call and its event, while the call waits for its summary. */
export const analysisKills: readonly Kill[] = [
  ['call-end.unanalyzed', 'answered'],
  ['analysis.unrecorded', 'answered'],
  ['call-end.uncommitted', 'answered'],
  ['call-end.committed', 'answered'],
];

const summary = 'Nobody spoke.';
const analysis = { summary, sentiment: 'neutral', disposition: 'silence', goals_met: false, next_steps: '' };

/** A model that summarizes calls. */
const aModel = (): Promise<FakeService> =>
  startService('/v1/chat/completions', (_request, response) =>
    answerJson(response, 200, { choices: [{ message: { content: JSON.stringify(analysis) } }] }),
  );

/** A trunk that keeps account of its dialogs as a real one does: it repeats its 200 until the ACK comes. */
function trunk(until: Until) {
  return (peer: Peer, request: PeerMessage): void => {
    if (request.method === 'INVITE' && until !== 'silent') {
      peer.answer(request, { status: 180, reason: 'Ringing' });
      if (until === 'answered') peer.answer(request, { status: 200, reason: 'OK', body: audioOf(40_000) });
    } else if (request.method === 'CANCEL') {
      peer.answer(request, { status: 200, reason: 'OK' });
      const invite = peer.received.find(({ method }) => method === 'INVITE');
      if (invite) peer.answer(invite, { status: 487, reason: 'Request Terminated' });
    } else if (request.method === 'BYE') peer.answer(request, { status: 200, reason: 'OK' });
  };
}

type Call = {
  call_id: string;
  state: string;
  status: string | null;
  disconnect_reason: string | null;
  summary: string | null;
};

/** A call is under way when the server is killed. Restarted, it leaves nothing behind at the trunk and loses no event. */
export async function survive(
  t: TestContext,
  [point, until]: Kill,
  { isAnalyzed = false }: { isAnalyzed?: boolean } = {},
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-crash-sip-'));
  const peer = await startPeer(trunk(until));
  const judge = isAnalyzed ? await aModel() : undefined;
  const server = createKillableServer(directory, {
    ...(judge ? { 'analysis.url': judge.url, 'analysis.timeout_ms': '120000' } : {}),
    'carrier.driver': 'sip',
    'speech.engine': 'echo',
    'webhooks.allow_http_loopback': 'true',
    'sip.host': '127.0.0.1',
    'sip.port': String(await freePort()),
    'sip.allow_networks': '["127.0.0.0/8"]',
  });
  t.after(async () => {
    await server.kill();
    await peer.close();
    await judge?.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const isPoint = point !== 'ringing' && point !== 'talking';
  await server.start(isPoint ? { crashAt: `${point}:1` } : {});
  const client = createClient(server);
  const [model] = await client.ask<Array<{ llmModel: string; voices: Array<{ id: string }> }>>(
    'GET',
    '/available-llm-models/with-voices',
  );
  const voice = { model: model!.llmModel, voiceId: model!.voices[0]!.id };
  const receiver = await aReceiver(t);
  const fields = { agentName: 'Robin', webhook_url: receiver.url, ...voice };
  const agent = await client.ask<{ id: string }>('POST', '/agents/', fields);
  const number = await client.ask<{ id: string }>('POST', '/phone-numbers/import', {
    phone: '+4930901821',
    termination_uri: peer.uri,
  });
  await client.once('POST', '/calls', { agent_id: agent.id, phone_number_id: number.id, to: '+4930901820' });
  if (!isPoint) await peer.next(until === 'answered' ? 'ACK' : 'INVITE');
  const isAfterBye = point.startsWith('call-end') || point.startsWith('analysis');
  if (isAfterBye) {
    await peer.next('ACK');
    peer.request(
      peer.received.find(({ method }) => method === 'INVITE')!,
      'BYE',
    );
  }
  if (isPoint) await server.gone();
  else await server.kill();
  await server.start();

  const invites = peer.received.filter(({ method }) => method === 'INVITE');
  const isOver = invites.length === 0 || isAfterBye;
  if (!isOver) await peer.next(({ method }) => method === 'BYE' || method === 'CANCEL');
  let [call] = await client.ask<Call[]>('GET', '/calls');
  while (isAnalyzed && call?.state !== 'ended') {
    await pause(20);
    [call] = await client.ask<Call[]>('GET', '/calls');
  }
  assert.equal(call?.state, 'ended');
  if (isAnalyzed) assert.deepEqual([call.status, call.summary], ['completed', summary]);
  else if (point === 'call-end.committed') assert.equal(call.status, 'completed');
  else assert.deepEqual([call.status, call.disconnect_reason], ['failed', 'error']);
  const branches = new Set(
    peer.received.filter(({ method }) => method === 'INVITE').map((invite) => headerIn(invite, 'Via')),
  );
  assert.ok(branches.size <= 1, 'one INVITE, however often it was repeated');
  while (receiver.events.length === 0) await pause(20);
  const deliveries = await client.ask<Array<{ event_id: string }>>('GET', '/webhooks/deliveries');
  assert.equal((await server.stop()).code, 0, server.log());
  assert.equal(deliveries.length, 1, 'one event');
  assertOneEvent(receiver, deliveries[0]!.event_id, call);
}

/** The end of the call is told, perhaps more than once, and always as the same event. */
function assertOneEvent(
  { events, ids }: { events: readonly CallEvent[]; ids: readonly string[] },
  eventId: string,
  { call_id: id, status }: Call,
): void {
  assert.deepEqual([...new Set(ids)], [eventId]);
  for (const { event, data } of events) {
    assert.deepEqual([event, data.call_session_id, data.status], ['call.completed', id, status]);
    assert.deepEqual(data, events[0]!.data);
  }
}
