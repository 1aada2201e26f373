import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { maxRecent } from '../../src/features/calls/filing.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

test('ended calls wait until there are many, and are then filed together; lists show them all the time', async () => {
  const org = await newCallingOrg(server);
  const recent = async (): Promise<number> =>
    (
      await sql<{
        n: number;
      }>`SELECT count(*) AS n FROM calls WHERE recent = 1 AND status IS NOT NULL AND agent_id = ${org.agentId}`.execute(
        server.running.app.db,
      )
    ).rows[0]!.n;
  const totals = async (): Promise<number[]> => {
    const queries = [
      '',
      `?agent_id=${org.agentId}`,
      `?campaign_id=${campaign.id}`,
      '?status=busy',
      '?status=no_answer',
    ];
    return Promise.all(queries.map(async (query) => (await org.client.get(`/calls${query}`)).body.meta.total));
  };
  const place = async (): Promise<string> =>
    dataOf(
      await org.client.post<{ id: string }>('/calls', { agent_id: org.agentId, to: aPhone('03'), from: org.phone }),
    ).id;
  const settings = { maxCps: 100, schedule: { maxConcurrent: 1000, retryAttempts: 0 } };
  const campaign = await org.run(
    Array.from({ length: maxRecent - 1 }, () => aPhone('02')),
    settings,
  );
  const ran = await server.advance(600_000);
  assert.equal(ran['calls.file'], undefined);
  assert.equal(await recent(), maxRecent - 1);
  assert.deepEqual(await totals(), [maxRecent - 1, maxRecent - 1, maxRecent - 1, maxRecent - 1, 0]);

  const last = await place();
  const filing = await server.advance(600_000);
  assert.ok(filing['calls.file']! > 2, 'in several transactions');
  assert.equal(await recent(), 0);
  assert.deepEqual(await totals(), [maxRecent, maxRecent, maxRecent - 1, maxRecent - 1, 1]);

  const next = await place();
  assert.equal((await server.advance(600_000))['calls.file'], undefined, 'counted anew');
  assert.equal(await recent(), 1);
  const newest = dataOf(await org.client.get<Array<{ id: string }>>(`/calls?agent_id=${org.agentId}&limit=2`));
  assert.deepEqual(
    newest.map(({ id }) => id),
    [next, last],
    'a recent call before a filed one',
  );
});
