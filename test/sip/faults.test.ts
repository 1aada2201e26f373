import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { pause } from '../../src/base/clock.ts';
import { aReceiver } from '../http/calling-support.ts';
import { aNumber, anAgent, aPhone } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { portRange } from '../support/sip/ports.ts';
import { skipWithout } from '../support/sip/program.ts';
import { isInProgress, type SipCall, startTelephony } from '../support/sip/server.ts';
import { startSipp } from '../support/sip/sipp.ts';

const skip = skipWithout('sipp');

test(
  'when the telephony thread dies, its calls fail with one event each, their dialogs end, and the next call works',
  skip,
  async (t) => {
    const threads: Worker[] = [];
    const add = (worker: Worker): void => void threads.push(worker);
    process.on('worker', add);
    t.after(() => process.off('worker', add));
    const telephony = await startTelephony(t);
    const { server, call, when, ended } = telephony;
    const [first, second, third] = [await startSipp(t, 'talk'), await startSipp(t, 'ring'), await startSipp(t, 'talk')];
    const receiver = await aReceiver(t);
    const agent = await anAgent(server, { webhook_url: receiver.url });
    const place = async (uri: string): Promise<string> => {
      const number = await aNumber(server, { termination_uri: uri });
      const body = { agent_id: agent.id, phone_number_id: number.id, to: aPhone() };
      return dataOf(await server.post<SipCall>('/calls', body)).call_id;
    };
    const [talking, ringing] = [await place(first.uri), await place(second.uri)];
    await when(talking, isInProgress);
    await when(ringing, ({ state }) => state === 'ringing');
    const telephonyThread = threads.find(({ threadName }) => threadName === 'telephony');
    assert.ok(telephonyThread, threads.map(({ threadName }) => threadName).join());
    await telephonyThread.terminate();

    for (const id of [talking, ringing]) {
      const over = await ended(id);
      assert.deepEqual([over.status, over.disconnect_reason], ['failed', 'error']);
      assert.match(over.error_message ?? '', /telephony thread/);
    }
    await Promise.all([first.succeeded(), second.succeeded()]); // with the BYE and the CANCEL of the successor

    const next = await call(third.uri);
    await when(next, isInProgress);
    dataOf(await server.post(`/calls/${next}/hangup`));
    assert.equal((await third.agrees(ended(next))).status, 'completed');
    while (receiver.events.length < 2) await pause(20);
    const told = receiver.events.map(({ event, data }) => `${event} ${data.call_session_id} ${data.status}`);
    assert.deepEqual(told.toSorted(), [talking, ringing].map((id) => `call.completed ${id} failed`).toSorted());
  },
);

test(
  'a call for whose sound no port is left fails and names the setting, and the port is free again later',
  skip,
  async (t) => {
    const { portMin } = await portRange();
    const oneCall = { 'sip.rtp_port_min': String(portMin), 'sip.rtp_port_max': String(portMin + 1) };
    const { server, call, when, ended } = await startTelephony(t, oneCall);
    const sipp = await startSipp(t, 'talk', { calls: 2 });
    const first = await call(sipp.uri);
    await when(first, isInProgress);
    const refused = await ended(await call(sipp.uri));
    assert.deepEqual([refused.status, refused.disconnect_reason], ['failed', 'error']);
    assert.match(refused.error_message ?? '', /sip\.rtp_port_min/);
    dataOf(await server.post(`/calls/${first}/hangup`));
    await ended(first);
    const again = await call(sipp.uri);
    await when(again, isInProgress);
    dataOf(await server.post(`/calls/${again}/hangup`));
    await sipp.agrees(ended(again));
  },
);

test('five numbers in a row that do not exist make the trunk suspect, not the sixth contact', skip, async (t) => {
  const telephony = await startTelephony(t);
  const { server } = telephony;
  const keys = { status: '404', phrase: 'Not Found', reason: 'Q.850;cause=1' };
  const sipp = await startSipp(t, 'refuse', { keys, calls: 7 });
  const number = await telephony.number(sipp.uri);
  const campaign = dataOf(
    await server.post<{ id: string }>('/campaigns/', {
      name: 'Wrong trunk',
      agentId: telephony.agentId,
      phoneNumberId: number.id,
      schedule: { maxConcurrent: 1, retryAttempts: 1, retryGapMin: 60 },
    }),
  );
  const contacts = Array.from({ length: 7 }, () => ({ phone: aPhone() }));
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contacts }));
  dataOf(await server.patch(`/campaigns/${campaign.id}`, { status: 'active' }));
  await sipp.succeeded();
  type Contact = { phone: string; status: string; next_retry_at: string | null };
  const listed = async (): Promise<Contact[]> =>
    dataOf(await server.get<Contact[]>(`/campaigns/${campaign.id}/contacts`));
  while ((await listed()).filter(({ next_retry_at: at }) => at !== null).length < 2) await pause(50);
  const states = Map.groupBy(await listed(), ({ status }) => status);
  assert.deepEqual([states.get('failed')?.length, states.get('pending')?.length], [5, 2]);
});
