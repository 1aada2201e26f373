import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { anAgent, aNumber } from '../support/fixtures.ts';
import { dataOf, faultPaths, startTestServer } from '../support/server.ts';
import {
  advanceTo,
  type Campaign,
  conflictOf,
  type CallingOrg,
  isoAt,
  newCallingOrg,
  nowOf,
} from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

// The table of docs/api/campaigns.md, "Statuses", written independently of the code.

const partner = { draft: 'draft', active: 'running', paused: 'paused', completed: 'completed' } as const;
type Status = keyof typeof partner;
type Execution = (typeof partner)[Status];
const statuses = Object.keys(partner) as Status[];
const executions = Object.values(partner);
const statusOf = (execution: Execution): Status => statuses.find((status) => partner[status] === execution)!;
const allowed: Record<Status, readonly Status[]> = {
  draft: ['active', 'completed'],
  active: ['paused', 'completed'],
  paused: ['active', 'completed'],
  completed: [], // nobody is left to call; see campaigns-reopening.test.ts
};

type States = { status: Status; executionStatus: Execution };
const plain = (status: Status): States => ({ status, executionStatus: partner[status] });
const held: States = { status: 'active', executionStatus: 'paused' };
const every: States[] = [...statuses.map(plain), held];

const wishes: Array<Partial<States>> = [
  ...statuses.map((status) => ({ status })),
  ...executions.map((executionStatus) => ({ executionStatus })),
  ...statuses.flatMap((status) => executions.map((executionStatus) => ({ status, executionStatus }))),
];

/** The expected statuses after a request, or the status code of its refusal. */
function expected(from: States, { status, executionStatus }: Partial<States>): States | 400 | 409 {
  let to: States;
  if (status !== undefined && executionStatus !== undefined) {
    const isHeld = status === 'active' && executionStatus === 'paused';
    if (partner[status] !== executionStatus && !isHeld) return 400;
    to = { status, executionStatus };
  } else if (status === undefined) {
    to = executionStatus === from.executionStatus ? from : plain(statusOf(executionStatus!));
  } else {
    to = status === from.status ? from : plain(status);
  }
  return to.status === from.status || allowed[from.status].includes(to.status) ? to : 409;
}

const pick = ({ status, executionStatus }: Campaign) => ({ status, executionStatus });

async function campaignIn(org: CallingOrg, state: States): Promise<Campaign> {
  const campaign = await org.campaign();
  if (state.status === 'draft') return campaign;
  if (state.status === 'paused') await org.patch(campaign.id, { status: 'active' });
  return org.patch(campaign.id, state);
}

for (const from of every) {
  test(`from ${from.status}/${from.executionStatus} every request leads where the table says`, async () => {
    const org = await newCallingOrg(server);
    let campaign = await campaignIn(org, from);
    assert.deepEqual(pick(campaign), from);
    for (const wish of wishes) {
      const outcome = expected(from, wish);
      const answer = await org.client.patch<Campaign>(`/campaigns/${campaign.id}/`, wish);
      const what = `${JSON.stringify(from)} + ${JSON.stringify(wish)}: ${answer.text}`;
      if (outcome === 400) assert.deepEqual(faultPaths(answer), ['executionStatus', 'status'], what);
      else if (outcome === 409) assert.match(conflictOf(answer), new RegExp(from.status), what);
      else assert.deepEqual(pick(dataOf(answer)), outcome, what);
      if (answer.status === 200 && outcome !== from) campaign = await campaignIn(org, from);
    }
  });
}

test('a request with a refused status change changes nothing', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  conflictOf(await org.client.patch(`/campaigns/${id}/`, { status: 'paused', name: 'Other' }));
  assert.equal((await org.read(id)).name, 'Spring');
});

test('a campaign can be created in any status that a draft can change to', async () => {
  const org = await newCallingOrg(server);
  const create = (wish: object) => ({ name: 'Spring', agentId: org.agentId, phoneNumberId: org.numberId, ...wish });
  for (const wish of wishes) {
    const outcome = expected(plain('draft'), wish);
    const answer = await org.client.post<Campaign>('/campaigns/', create(wish));
    if (typeof outcome === 'number') assert.equal(answer.status, outcome, JSON.stringify(wish));
    else assert.deepEqual(pick(dataOf(answer)), outcome, JSON.stringify(wish));
  }
});

test('statuses are spelled as in the interface', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  for (const [field, value] of [
    ['status', 'running'],
    ['status', 'ACTIVE'],
    ['status', null],
    ['executionStatus', 'active'],
    ['executionStatus', null],
  ] as const) {
    assert.deepEqual(faultPaths(await org.client.patch(`/campaigns/${id}/`, { [field]: value })), [field]);
  }
});

test('activating a campaign is refused with every reason at once', async () => {
  const agent = await anAgent(server, { status: 'INACTIVE' });
  const { id } = dataOf(await server.post('/campaigns/', { name: 'Spring', schedule: { end: '2026-03-01T00:00Z' } }));
  const activate = (changes: object = {}) =>
    server.patch<Campaign>(`/campaigns/${id}/`, { status: 'active', ...changes });
  const all = conflictOf(await activate());
  for (const reason of [/agentId/, /phoneNumberId or fromPhoneNumber/, /end has passed/]) assert.match(all, reason);
  assert.match(conflictOf(await activate({ agentId: agent.id })), /INACTIVE/);
  assert.doesNotMatch(conflictOf(await activate({ agentId: agent.id })), /set agentId/);
  assert.equal(dataOf(await server.get<Campaign>(`/campaigns/${id}`)).agentId, null, 'nothing was changed');
  const executing = conflictOf(await server.patch(`/campaigns/${id}/`, { executionStatus: 'running' }));
  assert.equal(executing, all);
  const heldUp = conflictOf(await activate({ executionStatus: 'paused' }));
  assert.equal(heldUp, all, 'held is active, too');
});

test('activating needs an ACTIVE agent, a number that is not released, and an end in the future', async () => {
  const org = await newCallingOrg(server);
  const refusal = async (id: string) => conflictOf(await org.client.patch(`/campaigns/${id}/`, { status: 'active' }));
  const { id: past } = await org.campaign({ schedule: { end: isoAt(nowOf(server)) } });
  assert.match(await refusal(past), /end/);
  await org.patch(past, { schedule: { end: isoAt(nowOf(server) + 1) } });
  assert.equal((await org.patch(past, { status: 'active' })).status, 'active');
  const number = await aNumber(org.client);
  const { id: numberless } = await org.campaign({ phoneNumberId: number.id });
  dataOf(await org.client.del(`/phone-numbers/${number.phone}/release/`));
  assert.match(await refusal(numberless), new RegExp(`\\${number.phone} is released`));
  const { id: agentless } = await org.campaign();
  dataOf(await org.client.put(`/agents/${org.agentId}`, { status: 'INACTIVE' }));
  assert.match(await refusal(agentless), /INACTIVE/);
  dataOf(await org.client.put(`/agents/${org.agentId}`, { status: 'ACTIVE' }));
  assert.equal((await org.patch(agentless, { status: 'active' })).executionStatus, 'running');
});

test('a campaign that cannot be created as active is not created at all', async () => {
  const { body } = await server.get('/campaigns/');
  conflictOf(await server.post('/campaigns/', { name: 'Spring', status: 'active' }));
  assert.equal((await server.get('/campaigns/')).body.meta.total, body.meta.total);
});

test('an active campaign cannot lose its agent or number, nor get an end in the past', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({ status: 'active' });
  for (const [changes, reason] of [
    [{ agentId: null }, /agentId/],
    [{ phoneNumberId: null }, /phoneNumberId/],
    [{ schedule: { end: isoAt(nowOf(server) - 1) } }, /end/],
  ] as const) {
    assert.match(conflictOf(await org.client.patch(`/campaigns/${id}/`, changes)), reason);
  }
  await org.patch(id, { status: 'paused', schedule: { end: isoAt(nowOf(server) + 60_000) } });
});

test('an active campaign whose agent was set INACTIVE can still be changed', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({ status: 'active' });
  dataOf(await org.client.put(`/agents/${org.agentId}`, { status: 'INACTIVE' }));
  assert.equal((await org.patch(id, { schedule: { maxConcurrent: 2 } })).schedule['maxConcurrent'], 2);
});

test('startedAt is set the first time, completedAt at completion, and neither moves again', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  await server.advance(1000);
  const startedAt = isoAt(nowOf(server));
  const times = ({ startedAt: started, completedAt: completed }: Campaign) => [started, completed];
  assert.deepEqual(times(await org.patch(id, { status: 'active' })), [startedAt, null]);
  await server.advance(1000);
  assert.deepEqual(times(await org.patch(id, { executionStatus: 'paused' })), [startedAt, null]);
  await server.advance(1000);
  assert.deepEqual(times(await org.patch(id, { executionStatus: 'running' })), [startedAt, null]);
  await server.advance(1000);
  const completedAt = isoAt(nowOf(server));
  assert.deepEqual(times(await org.patch(id, { status: 'completed' })), [startedAt, completedAt]);
  await server.advance(1000);
  assert.deepEqual(times(await org.patch(id, { status: 'completed' })), [startedAt, completedAt]);
  const never = await org.campaign({ status: 'completed' });
  assert.deepEqual(times(never), [null, isoAt(nowOf(server))]);
});

test('of a completed campaign only the name and the end can change', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({ status: 'completed' });
  assert.equal((await org.patch(id, { name: 'Last spring', status: 'completed' })).name, 'Last spring');
  assert.match(conflictOf(await org.client.patch(`/campaigns/${id}/`, { maxCps: 2 })), /completed/);
  assert.match(
    conflictOf(await org.client.patch(`/campaigns/${id}/`, { schedule: { end: null, maxConcurrent: 2 } })),
    /completed/,
  );
  const end = '2030-01-01T00:00:00.000Z';
  assert.equal((await org.patch(id, { schedule: { end } })).schedule['end'], end);
  const { schedule, status } = await org.patch(id, { schedule: { end: null } });
  assert.deepEqual([schedule['end'], status], [null, 'completed']);
});

test('a running campaign’s number is not released and its agent not deleted: 409 names the campaigns', async () => {
  const org = await newCallingOrg(server);
  const spring = await org.campaign({ status: 'active' });
  const summer = await org.campaign({ name: 'Summer', status: 'active' });
  const release = () => org.client.del(`/phone-numbers/${org.phone}/release/`);
  const remove = () => org.client.del(`/agents/${org.agentId}`);
  for (const request of [release, remove]) {
    const message = conflictOf(await request());
    for (const part of [spring.id, summer.id, '"Spring"', '"Summer"']) assert.ok(message.includes(part), message);
  }
  await org.patch(spring.id, { status: 'completed' });
  for (const request of [release, remove]) assert.ok(!conflictOf(await request()).includes(spring.id));
  await org.patch(summer.id, { status: 'paused' });
  assert.equal((await release()).status, 200);
  assert.equal((await remove()).status, 200);
  const orphan = await org.read(summer.id);
  assert.deepEqual([orphan.status, orphan.agentId], ['paused', null]);
  const message = conflictOf(await org.client.patch(`/campaigns/${summer.id}/`, { status: 'active' }));
  assert.match(message, /no agent.*is released/);
  assert.equal((await release()).status, 404, 'released twice');
});

test('an active campaign calls nobody before its start', async () => {
  const org = await newCallingOrg(server);
  const start = nowOf(server) + 3_600_000;
  const { id } = await org.run(['+4930123470000'], { schedule: { start: isoAt(start) } });
  await server.advance(3_599_999);
  assert.deepEqual(await org.calls(), []);
  await server.advance(1);
  assert.equal((await org.calls())[0]!.started_at, isoAt(start));
  await org.patch(id, { status: 'completed' });
});

test('a draft whose end has passed stays a draft', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({ schedule: { end: isoAt(nowOf(server) + 1000) } });
  await advanceTo(server, isoAt(nowOf(server) + 5000));
  assert.equal((await org.read(id)).status, 'draft');
});
