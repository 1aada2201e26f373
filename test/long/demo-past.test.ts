import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rmSync } from 'node:fs';
import { createLog } from '../../src/base/log.ts';
import { createApi } from '../../src/cli/demo/api.ts';
import { usualPeople } from '../../src/cli/demo/people.ts';
import { makePast } from '../../src/cli/demo/past.ts';
import { start } from '../../src/main.ts';
import { startTestServer } from '../support/server.ts';

test('the week before the demo spreads its calls over the hours of its days, and leaves no steps of the clock in the audit log', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const log = createLog('silent');
  const { config } = server.running.app;
  const nowMs = Date.parse('2026-03-05T22:20:00Z');
  const timezone = 'America/New_York';
  const past = await makePast({ config, log, nowMs, timezone });
  t.after(() => rmSync(past.directory, { recursive: true, force: true }));
  const later = await start({ config: { ...config, data: past.directory }, log });
  t.after(() => later.stop());
  const api = createApi(later.url, past.apiKey);
  const { data } = await api.get<Array<{ operation: string }>>('/api/v1/audit?limit=500');
  const operations = new Set(data.map(({ operation }) => operation));
  assert.ok(operations.has('createAgent') && operations.has('addCampaignContacts'), [...operations].join());
  assert.ok(!operations.has('advanceTestClock'));
  type Row = { key: string; totals: { calls: number } };
  const callsOf = async (query: string): Promise<number[]> => {
    const { data: found } = await api.get<{ timezone: string; rows: Row[] }>(`/api/v1/analytics?${query}`);
    assert.equal(found.timezone, timezone);
    return found.rows.map(({ totals }) => totals.calls);
  };
  for (const day of ['2026-03-05', '2026-02-26']) {
    const calls = await callsOf(`from=${day}T08:00&to=${day}T17:00&step=hour&by=hour`);
    assert.equal(calls.length, 9, `${day}: ${calls.join()}`);
    assert.ok(Math.max(...calls) < 5 * Math.min(...calls), `${day}: ${calls.join()}`);
  }
  const week = await callsOf('from=2026-02-26T00:00&to=2026-03-06T00:00&by=weekday');
  assert.ok(Math.max(...week) < 3 * Math.min(...week), week.join());
  // What rings beside the past is no more than two and a half of its busy hours.
  const busiest = Math.max(...(await callsOf('from=2026-03-05T08:00&to=2026-03-05T17:00&step=hour&by=hour')));
  type Waiting = { attempt_count: number };
  const waiting = await api.get<Waiting[]>(`/api/v1/campaigns/${past.campaignId}/contacts?status=pending&limit=500`);
  const left = waiting.data.filter(({ attempt_count: attempts }) => attempts === 0).length;
  assert.ok(left > 20 && left + usualPeople <= 2.5 * busiest, `${left} and ${usualPeople} beside ${busiest}`);
  const byAgent = await callsOf('from=2026-03-05T00:00&to=2026-03-06T00:00&by=agent');
  assert.ok(byAgent.length === 2 && byAgent.every((calls) => calls >= 50), byAgent.join());
});
