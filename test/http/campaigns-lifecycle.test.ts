import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import {
  aReceiver,
  conflictOf,
  type CallingOrg,
  isBalanced,
  isoAt,
  type CampaignContact,
  newCallingOrg,
  nowOf,
  since,
  type Stats,
} from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const phones = (...suffixes: string[]) => suffixes.map((suffix) => aPhone(suffix));
const statuses = async (org: CallingOrg, id: string) => (await org.contacts(id)).map(({ status }) => status);

/** The counters computed from the list of contacts (docs/api/campaigns.md, "Statistics"), which does not show `successful`. */
function counted(contacts: readonly CampaignContact[]): Omit<Stats, 'successful'> {
  const of = (...wanted: string[]) => contacts.filter(({ status }) => wanted.includes(status)).length;
  return {
    total: contacts.length,
    contacted: of('completed'),
    failed: of('failed', 'cancelled', 'expired'),
    noAnswer: of('no_answer', 'busy', 'voicemail'),
    pending: of('pending'),
    inProgress: of('in_progress'),
  };
}

test('the counters are exact at every step of a run', async () => {
  const org = await newCallingOrg(server);
  const suffixes = ['00', '01', '02', '03', '04', '05', '06', '07', '09', '33', '44', '55'];
  const { id } = await org.run(phones(...suffixes, ...suffixes), {
    maxCps: 2,
    schedule: { maxConcurrent: 4, retryAttempts: 2, retryGapMin: 1 },
  });
  const steps = [200, 300, 1, 4999, 5000, 1000, 700, 13_000, 35_000];
  let contacted = 0;
  for (let step = 0; step < 60; step += 1) {
    const contacts = await org.contacts(id);
    const stats = await org.stats(id);
    const { successful: _successful, ...rest } = stats;
    assert.ok(isBalanced(stats), JSON.stringify(stats));
    assert.deepEqual(rest, counted(contacts));
    assert.ok(stats.contacted >= contacted);
    contacted = stats.contacted;
    for (const { status, next_retry_at: retryAt } of contacts) assert.ok(status === 'pending' || retryAt === null);
    await server.advance(steps[step % steps.length]!);
    if (step === 20) await org.client.del(`/campaigns/${id}/contacts/${contacts.at(-1)!.contact_id}`);
  }
  await server.advance(3_600_000);
  const { status, contactStats } = await org.read(id);
  assert.deepEqual([status, contactStats.pending, contactStats.inProgress], ['completed', 0, 0]);
  const successes = (await org.calls()).filter(
    (call) => (call['post_call_analysis'] as { goals_met: boolean } | null)?.goals_met,
  );
  assert.equal(contactStats.successful, successes.length);
});

test('a paused campaign starts no call and lets live ones end; resumed, it continues', async () => {
  const org = await newCallingOrg(server);
  const start = nowOf(server);
  const { id } = await org.run(phones('00', '02', '00'), {
    schedule: { maxConcurrent: 2, retryAttempts: 1, retryGapMin: 1 },
  });
  await server.advance(2000);
  assert.deepEqual(await statuses(org, id), ['in_progress', 'in_progress', 'pending']);
  const paused = await org.patch(id, { status: 'paused' });
  assert.deepEqual([paused.status, paused.executionStatus], ['paused', 'paused']);
  await server.advance(600_000);
  assert.deepEqual(await statuses(org, id), ['completed', 'pending', 'pending']);
  assert.equal((await org.calls()).length, 2);
  await org.patch(id, { executionStatus: 'running' });
  await server.advance(60_000);
  assert.deepEqual(
    (await org.calls()).slice(2).map((call) => [call.attempt, since(start, call.started_at)]),
    [
      [2, 602],
      [1, 603],
    ],
    'the retry that fell due meanwhile is first',
  );
  assert.equal((await org.read(id)).status, 'completed');
});

test('a held campaign (status active, executionStatus paused) calls nobody until it is running', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  await org.add(id, phones('00'));
  await org.patch(id, { status: 'active', executionStatus: 'paused' });
  await server.advance(600_000);
  assert.deepEqual(await org.calls(), []);
  await org.patch(id, { executionStatus: 'running' });
  assert.equal((await org.calls()).length, 1);
  await org.patch(id, { status: 'active', executionStatus: 'paused' });
  await server.advance(600_000);
  assert.deepEqual([await statuses(org, id), (await org.read(id)).status], [['completed'], 'completed']);
});

test('a campaign completes by itself as soon as no contact is pending or on the phone', async () => {
  const org = await newCallingOrg(server);
  const start = nowOf(server);
  const { id } = await org.run(phones('02', '00'));
  await server.advance(35_999);
  assert.equal((await org.read(id)).status, 'active');
  await server.advance(1);
  const campaign = await org.read(id);
  assert.deepEqual(
    [campaign.status, campaign.executionStatus, since(start, campaign.completedAt)],
    ['completed', 'completed', 36],
  );
});

test('a paused campaign without pending contacts completes when its last live call ends', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run(phones('00'));
  await org.patch(id, { status: 'paused' });
  await server.advance(35_000);
  assert.equal((await org.read(id)).status, 'completed');
});

test('a campaign without contacts does not complete', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([]);
  await server.advance(3_600_000);
  assert.equal((await org.read(id)).status, 'active');
  await org.add(id, phones('00', '00'));
  await server.advance(1000);
  assert.deepEqual(await statuses(org, id), ['in_progress', 'in_progress']);
});

test('contacts added to a running campaign are called in order', async () => {
  const org = await newCallingOrg(server);
  const first = phones('00', '00');
  const { id } = await org.run(first, { schedule: { maxConcurrent: 1 } });
  await server.advance(10_000);
  const later = phones('00');
  await org.add(id, later);
  await server.advance(3_600_000);
  assert.deepEqual(
    (await org.calls()).map(({ phone }) => phone),
    [...first, ...later],
  );
});

test('at its end a campaign lets live calls end, then completes and expires pending contacts', async () => {
  const org = await newCallingOrg(server);
  const start = nowOf(server);
  const { id } = await org.run(phones('00', '02', '00', '00'), {
    schedule: { end: isoAt(start + 3000), maxConcurrent: 2, retryAttempts: 3, retryGapMin: 1 },
  });
  await server.advance(3000);
  assert.deepEqual(await statuses(org, id), ['in_progress', 'in_progress', 'pending', 'pending']);
  assert.equal((await org.read(id)).status, 'active', 'calls are under way');
  await server.advance(31_999);
  assert.deepEqual(await statuses(org, id), ['in_progress', 'pending', 'pending', 'pending']);
  await server.advance(1);
  const campaign = await org.read(id);
  assert.deepEqual([campaign.status, since(start, campaign.completedAt)], ['completed', 35]);
  const contacts = await org.contacts(id);
  assert.deepEqual(
    contacts.map((contact) => [contact.status, contact.next_retry_at]),
    [
      ['completed', null],
      ['expired', null],
      ['expired', null],
      ['expired', null],
    ],
  );
  assert.deepEqual(campaign.contactStats, {
    total: 4,
    contacted: 1,
    successful: 1,
    failed: 3,
    noAnswer: 0,
    pending: 0,
    inProgress: 0,
  });
  await server.advance(3_600_000);
  assert.equal((await org.calls()).length, 2);
});

test('without live calls a campaign completes exactly at its end, even if paused or without contacts', async () => {
  const org = await newCallingOrg(server);
  const start = nowOf(server);
  const schedule = { end: isoAt(start + 60_000), windowStart: '03:00', windowEnd: '04:00' };
  const waiting = await org.run(phones('00'), { schedule });
  const paused = await org.run(phones('00'), { schedule });
  await org.patch(paused.id, { status: 'paused' });
  const empty = await org.run([], { schedule });
  await server.advance(60_000);
  for (const { id } of [waiting, paused, empty]) {
    const campaign = await org.read(id);
    assert.deepEqual([campaign.status, since(start, campaign.completedAt)], ['completed', 60]);
  }
  assert.deepEqual(await statuses(org, waiting.id), ['expired']);
});

test('a moved end takes effect, and a cleared one no longer ends the campaign', async () => {
  const org = await newCallingOrg(server);
  const start = nowOf(server);
  const schedule = { end: isoAt(start + 60_000), windowStart: '03:00', windowEnd: '04:00' };
  const later = await org.run(phones('00'), { schedule });
  const sooner = await org.run(phones('00'), { schedule });
  const never = await org.run(phones('00'), { schedule });
  await org.patch(later.id, { schedule: { end: isoAt(start + 120_000) } });
  await org.patch(sooner.id, { schedule: { end: isoAt(start + 30_000) } });
  await org.patch(never.id, { schedule: { end: null } });
  await server.advance(119_999);
  assert.deepEqual([(await org.read(later.id)).status, (await org.read(never.id)).status], ['active', 'active']);
  await server.advance(1);
  assert.equal(since(start, (await org.read(later.id)).completedAt), 120);
  assert.equal(since(start, (await org.read(sooner.id)).completedAt), 30);
  assert.equal((await org.read(never.id)).status, 'active');
});

test('completing a campaign by hand expires pending contacts at once; live calls keep their outcome and are not retried', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run(phones('00', '02', '00'), {
    schedule: { maxConcurrent: 2, retryAttempts: 3, retryGapMin: 1 },
  });
  await server.advance(1000);
  const completed = await org.patch(id, { status: 'completed' });
  assert.deepEqual([completed.status, completed.completedAt], ['completed', isoAt(nowOf(server))]);
  assert.deepEqual(await statuses(org, id), ['in_progress', 'in_progress', 'expired']);
  assert.ok(isBalanced(completed.contactStats));
  await server.advance(3_600_000);
  assert.deepEqual(await statuses(org, id), ['completed', 'busy', 'expired']);
  const campaign = await org.read(id);
  assert.equal(campaign.completedAt, completed.completedAt);
  assert.deepEqual(campaign.contactStats, {
    total: 3,
    contacted: 1,
    successful: 1,
    failed: 1,
    noAnswer: 1,
    pending: 0,
    inProgress: 0,
  });
  assert.equal((await org.calls()).length, 2);
});

test('an INACTIVE agent places no calls; once ACTIVE again it continues at once', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run(phones('00', '00', '00'), { schedule: { maxConcurrent: 1 } });
  const setStatus = async (status: string) => dataOf(await org.client.put(`/agents/${org.agentId}`, { status }));
  await setStatus('INACTIVE');
  await server.advance(600_000);
  assert.deepEqual(await statuses(org, id), ['completed', 'pending', 'pending']);
  assert.equal((await org.read(id)).status, 'active');
  await setStatus('ACTIVE');
  await server.advance(0);
  assert.equal((await org.calls())[1]!.started_at, isoAt(nowOf(server)));
  await server.advance(600_000);
  assert.equal((await org.read(id)).status, 'completed');
});

test('a running campaign can switch to another agent', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run(phones('00', '00'), { schedule: { maxConcurrent: 1 } });
  const { body } = await org.client.get<Array<Record<string, unknown>>>('/agents/');
  const { model, voiceId } = body.data[0]!;
  const second = dataOf(await org.client.post('/agents/', { agentName: 'Kim', model, voiceId }));
  await org.patch(id, { agentId: second.id });
  await server.advance(600_000);
  assert.deepEqual(
    (await org.calls()).map((call) => call['agent_name']),
    ['Robin', 'Kim'],
  );
});

test('deleting a campaign with live calls keeps the calls, their events and the capacity counters correct', async (t) => {
  const receiver = await aReceiver(t);
  const org = await newCallingOrg(server, { agent: { webhook_url: receiver.url } });
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_concurrent: 1 }));
  const { id } = await org.run(phones('00', '00'));
  assert.match(conflictOf(await org.client.del(`/campaigns/${id}`)), /running/);
  await org.patch(id, { status: 'paused' });
  assert.equal((await org.client.del(`/campaigns/${id}`)).status, 200);
  await server.advance(600_000);
  const calls = await org.calls(`&campaign_id=${id}`);
  assert.deepEqual(
    calls.map(({ state, status }) => [state, status]),
    [['ended', 'completed']],
  );
  assert.deepEqual(
    receiver.events.map(({ data }) => data.campaign_id),
    [id],
  );
  await org.run(phones('00'));
  assert.equal((await org.calls()).length, 2, 'the line is free again');
});
