import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { aPhone } from '../support/fixtures.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { type CallingOrg, conflictOf, isBalanced, newCallingOrg } from './calling-support.ts';
import { httpSettings } from './http-carrier-support.ts';
import { voiceRuntime } from './voice-runtime.ts';

const server = await startTestServer();
after(() => server.stop());

type Named = { id: string; name: string };
type Calling = {
  stopped: boolean;
  stopped_at: string | null;
  by: { kind: string; id: string | null; name: string | null } | null;
  reason: string | null;
  campaigns: Named[];
  in_flight: { ringing: number; talking: number };
  hung_up: number;
};
type Resumed = { resumed: Named[]; not_resumed: Array<Named & { reason: string }> };

const stop = async ({ client }: CallingOrg, body: object = {}): Promise<Calling> =>
  dataOf(await client.post<Calling & { id: string }>('/calling/stop', body));
const resume = async ({ client }: CallingOrg): Promise<Resumed> =>
  dataOf(await client.post<Resumed & { id: string }>('/calling/resume', {}));
const calling = async ({ client }: CallingOrg): Promise<Calling> =>
  dataOf(await client.get<Calling & { id: string }>('/calling'));
const eventsOf = async ({ client }: CallingOrg, id: string) =>
  dataOf(
    await client.get<Array<{ type: string; actor: { kind: string } | null; detail: object }>>(
      `/campaigns/${id}/events`,
    ),
  );

test('a stop holds every running campaign, hangs up what rings, and calling goes on as it was when it is resumed', async () => {
  const org = await newCallingOrg(server);
  const phones = [aPhone('00'), aPhone('00'), aPhone('00'), aPhone('00')];
  const { id } = await org.run(phones, { maxCps: 1, schedule: { maxConcurrent: 3 } });
  const draft = await org.campaign();
  const held = await org.run([aPhone()], { schedule: { start: '2030-01-01T00:00:00Z' } });
  await org.patch(held.id, { status: 'active', executionStatus: 'paused' });
  await server.advance(2000); // three calls, the first rings for two seconds
  assert.deepEqual((await calling(org)).in_flight, { ringing: 3, talking: 0 });

  const stopped = await stop(org, { reason: 'Wrong prompt' });
  assert.deepEqual(stopped.campaigns, [{ id, name: 'Spring' }]);
  assert.deepEqual([stopped.hung_up, stopped.in_flight], [3, { ringing: 0, talking: 0 }]);
  assert.equal(stopped.reason, 'Wrong prompt');
  assert.equal(stopped.by?.kind, 'api_key');
  const campaign = await org.read(id);
  assert.deepEqual([campaign.status, campaign.executionStatus], ['active', 'paused']);
  const { hung_up: _, ...facts } = stopped;
  assert.deepEqual(await calling(org), { ...facts, stopped: true });
  const [event] = await eventsOf(org, id);
  assert.deepEqual(
    [event?.type, event?.actor?.kind, event?.detail],
    ['stopped', 'api_key', { reason: 'Wrong prompt' }],
  );

  const again = await stop(org, { reason: 'Another' });
  assert.deepEqual([again.reason, again.hung_up, again.campaigns], ['Wrong prompt', 0, stopped.campaigns]);
  await server.advance(60_000);
  assert.equal((await org.calls()).length, 3, 'nobody is called while calling is stopped');
  assert.equal((await org.stats(id)).pending, 1);

  const resumed = await resume(org);
  assert.deepEqual(resumed, { resumed: [{ id, name: 'Spring' }], not_resumed: [] });
  assert.equal((await org.read(id)).executionStatus, 'running');
  assert.equal((await org.read(held.id)).executionStatus, 'paused', 'it was held before the stop');
  assert.equal((await org.read(draft.id)).status, 'draft');
  assert.equal((await eventsOf(org, id))[0]?.type, 'resumed');
  await server.advance(60_000);
  assert.equal((await org.stats(id)).contacted, 1, 'who was waiting is called');
  assert.deepEqual((await calling(org)).campaigns, []);
  assert.match(conflictOf(await org.client.post('/calling/resume', {})), /not stopped/);
});

test('while calling is stopped nothing goes active, no call is placed, and why has a code', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone()], { schedule: { start: '2030-01-01T00:00:00Z' } });
  const draft = await org.campaign();
  await stop(org);
  const sentence = /Calling is stopped for the whole organization/;
  const single = { agent_id: org.agentId, to: aPhone(), phone_number_id: org.numberId };
  assert.match(conflictOf(await org.client.post('/calls', single)), sentence);
  assert.match(conflictOf(await org.client.patch(`/campaigns/${draft.id}`, { status: 'active' })), sentence);
  assert.match(conflictOf(await org.client.patch(`/campaigns/${id}`, { executionStatus: 'running' })), sentence);
  const created = { name: 'x', agentId: org.agentId, phoneNumberId: org.numberId, status: 'active' };
  assert.match(conflictOf(await org.client.post('/campaigns/', created)), sentence);
  assert.equal((await org.client.patch(`/campaigns/${id}`, { name: 'Summer' })).status, 200, 'its settings can change');
  const [contact] = await org.contacts(id);
  const why = dataOf(
    await org.client.get<{ id: string; reason_codes: string[]; next_attempt_at: null }>(
      `/campaigns/${id}/contacts/${contact!.contact_id}/why`,
    ),
  );
  assert.equal(why.reason_codes[0], 'calling_stopped');
  assert.equal(why.next_attempt_at, null);
  await resume(org);
});

test('campaigns that were paused, completed or deleted since the stop do not run again', async () => {
  const org = await newCallingOrg(server);
  const schedule = { start: '2030-01-01T00:00:00Z' };
  const names = ['paused', 'paused though held', 'completed', 'deleted', 'edited', 'untouched'];
  const ids = new Map<string, string>();
  for (const name of names) ids.set(name, (await org.run([aPhone()], { name, schedule })).id);
  await stop(org);
  await org.patch(ids.get('paused')!, { status: 'paused' });
  await org.patch(ids.get('paused though held')!, { executionStatus: 'paused' });
  await org.patch(ids.get('completed')!, { status: 'completed' });
  await org.patch(ids.get('deleted')!, { status: 'paused' });
  dataOf(await org.client.request('DELETE', `/campaigns/${ids.get('deleted')}`));
  await org.patch(ids.get('edited')!, { name: 'renamed' });
  const { resumed, not_resumed: kept } = await resume(org);
  assert.deepEqual(resumed.map(({ name }) => name).toSorted(), ['renamed', 'untouched']);
  assert.deepEqual(kept.map(({ name, reason }) => `${name}: ${reason}`).toSorted(), [
    'completed: completed',
    'deleted: deleted',
    'paused though held: paused',
    'paused: paused',
  ]);
});

test('hang_up says which calls end; a later stop carries out what it asks for', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('00'), aPhone('00')], { maxCps: 1 });
  await server.advance(5500); // the first is answered after 5 s, the second rings
  const none = await stop(org, { hang_up: 'none' });
  assert.deepEqual([none.hung_up, none.in_flight], [0, { ringing: 1, talking: 1 }]);
  const ringing = await stop(org);
  assert.deepEqual([ringing.hung_up, ringing.in_flight], [1, { ringing: 0, talking: 1 }]);
  const all = await stop(org, { hang_up: 'all' });
  assert.deepEqual([all.hung_up, all.in_flight], [1, { ringing: 0, talking: 0 }]);
  assert.deepEqual(
    (await org.calls()).map(({ status }) => status),
    ['completed', 'no_answer'],
  );
  assert.ok(isBalanced(await org.stats(id)));
  assert.equal((await org.client.post('/calling/stop', { hang_up: 'some' })).status, 400);
});

test('all live calls of a campaign, an agent or a state are hung up by one request', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('00'), aPhone('00')], { maxCps: 1 });
  await org.run([aPhone('00')]);
  await server.advance(5500);
  const hangUp = async (filter: object): Promise<number> =>
    dataOf(await org.client.post<{ id: string; hung_up: number }>('/calls/hangup', { filter })).hung_up;
  assert.equal((await org.client.post('/calls/hangup', { filter: {} })).status, 400);
  assert.equal((await org.client.post('/calls/hangup', {})).status, 400);
  assert.equal(await hangUp({ campaign_id: id, state: 'in_progress' }), 1);
  assert.equal(await hangUp({ campaign_id: id }), 1);
  assert.equal(await hangUp({ state: 'live' }), 1);
  assert.equal(await hangUp({ agent_id: org.agentId }), 0);
});

test('single calls that wait for their turn fail with the reason', async () => {
  const org = await newCallingOrg(server);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 1 }));
  const body = { agent_id: org.agentId, phone_number_id: org.numberId };
  for (const to of [aPhone('00'), aPhone('00')]) dataOf(await org.client.post('/calls', { ...body, to }));
  assert.equal((await org.calls())[1]?.state, 'queued');
  await stop(org, { hang_up: 'none' });
  const [, waiting] = await org.calls();
  assert.deepEqual([waiting?.status, waiting?.error_message], ['failed', 'Calling was stopped.']);
  await server.advance(60_000);
  assert.equal((await org.calls())[0]?.status, 'completed', 'the call that rang goes on');
});

test('a stop is in the audit log and in the overview, and other organizations call on', async () => {
  const [org, other] = [await newCallingOrg(server), await newCallingOrg(server)];
  const theirs = await other.run([aPhone('00')]);
  await stop(org);
  const [entry] = dataOf(await org.client.get<Array<{ id: string; operation: string }>>('/audit'));
  assert.equal(entry?.operation, 'stopCalling');
  assert.equal((await calling(other)).stopped, false);
  await server.advance(60_000);
  assert.equal((await other.read(theirs.id)).contactStats.contacted, 1);
  await resume(org);
});

test('after the answer no call reaches the voice runtime, whatever was being handed over', async (t) => {
  const runtime = await voiceRuntime(t);
  const own = await startTestServer({ settings: httpSettings(runtime.url) });
  t.after(() => own.stop());
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 6 }),
      fc.constantFrom('none', 'ringing', 'all'),
      fc.boolean(),
      async (steps, hangUp, hasSingle) => {
        const org = await newCallingOrg(own, { agent: {} });
        const phones = Array.from({ length: 12 }, () => aPhone());
        const { id } = await org.campaign({ maxCps: 100, schedule: { maxConcurrent: 100 } });
        await org.add(id, phones);
        const starting = org.client.patch(`/campaigns/${id}/`, { status: 'active' });
        const body = { agent_id: org.agentId, phone_number_id: org.numberId, to: aPhone() };
        const single = hasSingle ? org.client.post('/calls', body) : undefined;
        await starting;
        for (let n = 0; n < steps; n += 1) await new Promise((resolve) => setImmediate(resolve));
        const stopped = await stop(org, { hang_up: hangUp });
        const dialed = runtime.dials().length;
        await single;
        await own.advance(120_000);
        assert.equal(runtime.dials().length, dialed, 'nothing is dialed after the answer');
        assert.equal(stopped.in_flight.ringing, 0, 'what had not rung was hung up');
        assert.ok(isBalanced(await org.stats(id)));
        const { resumed } = await resume(org);
        assert.equal(resumed.length, 1);
        dataOf(await org.client.patch(`/campaigns/${id}/`, { status: 'completed' }));
      },
    ),
    { numRuns: propertyRuns({ few: 15, all: 300 }) },
  );
});
