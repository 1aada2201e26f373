import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { type CallingOrg, newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

/** Outcome 08 rings for 5 s, answers and never reports its end. A minute of grace follows the maximum duration. */
const maxMs = 60_000;
const lastsMs = 5000 + maxMs + 60_000;
const silentOrg = () => newCallingOrg(server, { agent: { maxCallDurationMs: maxMs } });

const states = async (org: CallingOrg): Promise<unknown[]> => (await org.calls()).map(({ state }) => state).toSorted();

async function jobsOf(org: CallingOrg): Promise<number> {
  const [call] = await org.calls();
  const { db } = server.running.app;
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM outbox JOIN calls ON calls.organization_id = outbox.key
    WHERE outbox.kind = 'calls.leases' AND calls.id = ${call!.call_session_id}`.execute(db);
  return rows[0]!.n;
}

test('calls whose end nobody reports end each at their own time, by one job of the organization', async () => {
  const org = await silentOrg();
  const place = async () =>
    dataOf(await org.client.post('/calls', { agent_id: org.agentId, to: aPhone('08'), from: org.phone }));
  await place();
  await server.advance(20_000);
  await place();
  await server.advance(0);
  assert.equal(await jobsOf(org), 1);
  await server.advance(lastsMs - 20_000 - 1);
  assert.deepEqual(await states(org), ['in_progress', 'in_progress']);
  await server.advance(1);
  assert.deepEqual(await states(org), ['ended', 'in_progress']);
  assert.equal(await jobsOf(org), 1);
  await server.advance(20_000 - 1);
  assert.deepEqual(await states(org), ['ended', 'in_progress']);
  await server.advance(1);
  assert.deepEqual(await states(org), ['ended', 'ended']);
  assert.equal(await jobsOf(org), 0, 'nothing is left to look for');
});

test('many silent calls end at the same instant, in batches; a call of another time among them stays', async () => {
  const org = await silentOrg();
  const silent = 25;
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 100, max_concurrent: 1000 }));
  const phones = Array.from({ length: silent }, () => aPhone('08'));
  await org.run(phones, { maxCps: 100, schedule: { maxConcurrent: 100 } });
  await server.advance(1000);
  dataOf(await org.client.post('/calls', { agent_id: org.agentId, to: aPhone('08'), from: org.phone }));
  await server.advance(lastsMs - 1);
  assert.deepEqual(await states(org), [...Array.from({ length: silent }, () => 'ended'), 'in_progress']);
  await server.advance(1);
  assert.deepEqual(new Set(await states(org)), new Set(['ended']));
});

test('a call that ends leaves the job, which then looks for the next one', async () => {
  const org = await silentOrg();
  dataOf(await org.client.post('/calls', { agent_id: org.agentId, to: aPhone('00'), from: org.phone }));
  await server.advance(60_000);
  assert.deepEqual([await states(org), await jobsOf(org)], [['ended'], 1]);
  dataOf(await org.client.post('/calls', { agent_id: org.agentId, to: aPhone('08'), from: org.phone }));
  await server.advance(lastsMs - 1);
  assert.deepEqual(await states(org), ['ended', 'in_progress']);
  await server.advance(1);
  assert.deepEqual(await states(org), ['ended', 'ended']);
});
