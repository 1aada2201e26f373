import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FaultPoint } from '../../src/base/fault-points.ts';
import { pause } from '../../src/base/clock.ts';
import { aReceiver } from '../http/calling-support.ts';
import { type DialingTrunk, startDialingTrunk, type TrunkCall } from '../support/sip/dialing-trunk.ts';
import { headerIn } from '../support/sip/peer.ts';
import { freePort } from '../support/sip/free-port.ts';
import { createClient } from './client.ts';
import { createKillableServer } from './server.ts';

const points: ReadonlyArray<FaultPoint | 'talking'> = [
  'incoming.unanswered',
  'call-answer.unrecorded',
  'talking',
  'call-end.uncommitted',
  'call-end.committed',
];

type Call = { call_id: string; state: string; status: string | null; disconnect_reason: string | null };

/** Repeats the INVITE as a trunk does, since the server may not listen yet, until it is answered or the server is gone. */
async function answered(trunk: DialingTrunk, call: TrunkCall, gone: Promise<unknown>): Promise<void> {
  const repeat = setInterval(call.repeat, 500);
  const ok = trunk.next((message) => message.status === 200 && headerIn(message, 'CSeq') === '1 INVITE');
  const answer = await Promise.race([ok, gone.then(() => undefined)]);
  clearInterval(repeat);
  if (answer) call.ack(answer);
}

for (const point of points) {
  test(`killed at ${point}, a call that came in is over for both sides and told once`, async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-crash-sip-in-'));
    const trunk = await startDialingTrunk();
    const receiver = await aReceiver(t);
    const port = await freePort();
    const server = createKillableServer(directory, {
      'carrier.driver': 'sip',
      'speech.engine': 'echo',
      'sip.host': '127.0.0.1',
      'sip.port': String(port),
      'sip.allow_networks': '["127.0.0.0/8"]',
      'webhooks.allow_http_loopback': 'true',
    });
    t.after(async () => {
      await server.kill();
      await trunk.close();
      rmSync(directory, { recursive: true, force: true });
    });
    await server.start(point === 'talking' ? {} : { crashAt: `${point}:1` });
    const client = createClient(server);
    const [model] = await client.ask<Array<{ llmModel: string; voices: Array<{ id: string }> }>>(
      'GET',
      '/available-llm-models/with-voices',
    );
    const agent = await client.ask<{ id: string }>('POST', '/agents/', {
      agentName: 'Robin',
      model: model!.llmModel,
      voiceId: model!.voices[0]!.id,
      webhook_url: receiver.url,
    });
    const phone = '+4930901821';
    await client.ask('POST', '/phone-numbers/import', {
      phone,
      termination_uri: trunk.uri,
      inbound_agent_id: agent.id,
    });
    const call = trunk.invite(port, { to: phone });
    const gone = point === 'talking' ? new Promise<never>(() => undefined) : server.gone();
    await answered(trunk, call, gone);
    if (point.startsWith('call-end')) {
      const answer = trunk.received.find(({ status }) => status === 200)!;
      call.request(answer, 'BYE');
    }
    if (point === 'talking') await server.kill();
    else await gone;
    await server.start();

    const isOver = point === 'incoming.unanswered' || point.startsWith('call-end');
    if (!isOver) trunk.answer(await trunk.next('BYE'), 200);
    const all = await client.ask<Call[]>('GET', '/calls');
    assert.deepEqual(
      all.map(({ state }) => state),
      ['ended'],
    );
    if (point === 'call-end.committed') assert.equal(all[0]!.status, 'completed');
    else assert.deepEqual([all[0]!.status, all[0]!.disconnect_reason], ['failed', 'error']);
    while (receiver.events.length === 0) await pause(20);
    assert.equal((await server.stop()).code, 0, server.log());
    assert.deepEqual([...new Set(receiver.events.map(({ data }) => data['call_id']))], [all[0]!.call_id]);
  });
}
