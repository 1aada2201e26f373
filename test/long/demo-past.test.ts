import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rmSync } from 'node:fs';
import { createLog } from '../../src/base/log.ts';
import { createApi } from '../../src/cli/demo/api.ts';
import { makePast } from '../../src/cli/demo/past.ts';
import { start } from '../../src/main.ts';
import { startTestServer } from '../support/server.ts';

test('the week before the demo leaves no steps of the clock in the audit log', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const log = createLog('silent');
  const { config } = server.running.app;
  const past = await makePast({ config, log, nowMs: server.running.app.clock.now() });
  t.after(() => rmSync(past.directory, { recursive: true, force: true }));
  const later = await start({ config: { ...config, data: past.directory }, log });
  t.after(() => later.stop());
  const api = createApi(later.url, past.apiKey);
  const { data } = await api.get<Array<{ operation: string }>>('/api/v1/audit?limit=500');
  const operations = new Set(data.map(({ operation }) => operation));
  assert.ok(operations.has('createAgent') && operations.has('addCampaignContacts'), [...operations].join());
  assert.ok(!operations.has('advanceTestClock'));
});
