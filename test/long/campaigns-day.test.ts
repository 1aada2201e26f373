import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../support/server.ts';
import { newCallingOrg } from '../http/calling-support.ts';

const dayMs = 24 * 3_600_000;

test('a day of 500 contacts in two zones, with retries, passes in one advance', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const org = await newCallingOrg(server);
  const contacts = Array.from({ length: 500 }, (_, index) => ({
    phone: `+4930${10_000_000 + index * 7}`,
    timezone: index % 2 === 0 ? null : 'America/New_York',
  }));
  const { id } = await org.run(contacts, {
    schedule: { windowStart: '09:00', windowEnd: '17:00', retryAttempts: 2, retryGapMin: 60 },
  });
  const from = performance.now();
  const cpu = process.cpuUsage();
  const ran = await server.advance(dayMs);
  const realMs = performance.now() - from;
  const { user, system } = process.cpuUsage(cpu);
  const jobs = Object.values(ran).reduce((total, count) => total + count, 0);
  t.diagnostic(
    `${jobs} jobs in ${Math.round(realMs)} ms of real time, ${Math.round((user + system) / 1000)} ms of CPU`,
  );
  const { status, contactStats } = await org.read(id);
  assert.deepEqual([status, contactStats.total, contactStats.pending], ['completed', 500, 0]);
});
