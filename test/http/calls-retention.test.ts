import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { maxBatchRows } from '../../src/kernel/batch-size.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { newCallingOrg } from './calling-support.ts';

const server = await startTestServer({ settings: { 'calls.retention_days': '2' } });
after(() => server.stop());
const dayMs = 86_400_000;

test('calls are deleted after their retention, in small batches; statistics and results stay', async () => {
  const org = await newCallingOrg(server);
  const agentStats = async () =>
    dataOf(await org.client.get<{ id: string; callStats: object }>(`/agents/${org.agentId}`)).callStats;
  const settings = { maxCps: 100, schedule: { maxConcurrent: 1000, retryAttempts: 1, retryGapMin: 10_080 } };
  const answered = Array.from({ length: 2 * maxBatchRows + 7 }, () => aPhone('00'));
  const campaign = await org.run([...answered, aPhone('02')], settings);
  await server.advance(600_000);
  // The busy contact waits a week for its retry.
  const [before, contacts, stats] = [await org.read(campaign.id), await org.contacts(campaign.id), await agentStats()];
  assert.equal(before.contactStats.contacted, answered.length);
  assert.equal((await org.client.get('/calls')).body.meta.total, answered.length + 1);

  await server.advance(dayMs);
  assert.equal((await org.client.get('/calls')).body.meta.total, answered.length + 1, 'none is old enough');
  const ran = await server.advance(2 * dayMs);
  assert.equal(ran['calls.delete'], 1 + 3, 'one batch in a night without old calls, then two full ones and the rest');
  const kept = await org.calls();
  assert.deepEqual(
    kept.map(({ status }) => status),
    ['busy'],
    'its retry depends on it',
  );
  assert.deepEqual((await org.read(campaign.id)).contactStats, before.contactStats);
  assert.deepEqual(await org.contacts(campaign.id), contacts);
  assert.deepEqual(await agentStats(), stats);
  assert.equal((await org.client.get(`/calls/${contacts[0]!.call_session_id}`)).status, 404);

  await server.advance(8 * dayMs);
  assert.deepEqual(
    (await org.calls()).map(({ attempt, status }) => [attempt, status]),
    [],
  );
  const ended = await org.read(campaign.id);
  assert.deepEqual([ended.status, ended.contactStats.noAnswer], ['completed', 1]);
});
