import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import Sqlite from 'better-sqlite3';
import { migrations } from '../../../src/db/sqlite/migrations.generated.ts';
import { openDatabase } from '../../../src/db/sqlite/open.ts';
import { createAgent, getAgent, listAgents } from '../../../src/features/agents/service.ts';
import { endpointsOfAgent, urlsByAgent } from '../../../src/features/endpoints/service.ts';
import { makeOldDatabase, oldOrganization } from '../../support/old-database.ts';
import { hour, startReceiver, startWebhookTest, type WebhookTest, wholeList } from './support.ts';

const urlsOf = async ({ app, orgId, agentId }: WebhookTest): Promise<string[]> =>
  (await getAgent(app.db, orgId, agentId)).webhookUrls;

test('URLs keep the order in which they were last saved, and endpoints keep their ids', async (t) => {
  const env = await startWebhookTest(t, ['https://a.example/', 'https://b.example/', 'https://c.example/']);
  const before = new Map((await env.endpoints()).map(({ url, id }) => [url, id]));
  const reordered = ['https://c.example/', 'https://d.example/', 'https://a.example/'];
  await env.save(...reordered);
  assert.deepEqual(await urlsOf(env), reordered);
  const listed = await listAgents(env.app, env.orgId, undefined, wholeList);
  assert.deepEqual(
    listed.items.map(({ webhookUrls }) => webhookUrls),
    [reordered],
  );
  const after = await endpointsOfAgent(env.app.db, env.agentId);
  assert.deepEqual(
    after.map(({ url, position }) => [url, position]),
    reordered.map((url, position) => [url, position]),
  );
  assert.deepEqual([after[0]!.id, after[2]!.id], [before.get('https://c.example/'), before.get('https://a.example/')]);
});

test('a URL that was removed and is saved again is a new endpoint', async (t) => {
  const env = await startWebhookTest(t, ['https://a.example/']);
  const [first] = await env.endpoints();
  await env.save();
  assert.deepEqual(await urlsOf(env), []);
  await env.save('https://a.example/');
  const [second, ...others] = await env.endpoints();
  assert.equal(others.length, 0);
  assert.notEqual(second!.id, first!.id);
});

test('two agents with the same URL have an endpoint each, which fail and recover separately', async (t) => {
  const web = await startReceiver(t);
  const env = await startWebhookTest(t, [web.url()]);
  const { app, orgId } = env;
  const { model, voiceId } = await getAgent(app.db, orgId, env.agentId);
  const other = await createAgent(app, orgId, { agentName: 'Sam', model, voiceId, webhook_url: web.url() });
  web.answerWith({ status: 410 });
  await env.endCall();
  await env.settled();
  const statusOf = async (agentId: string) => (await endpointsOfAgent(app.db, agentId)).map(({ status }) => status);
  assert.deepEqual([await statusOf(env.agentId), await statusOf(other.id)], [['failing'], ['delivering']]);

  web.answerWith({ status: 200 });
  await env.endCall({ agentId: other.id });
  await env.settled();
  assert.deepEqual(
    (await env.deliveries()).map(({ agentId, status }) => [agentId, status]),
    [
      [env.agentId, 'retrying'],
      [other.id, 'delivered'],
    ],
  );
  await env.pass(6 * hour);
  assert.deepEqual([await statusOf(env.agentId), await statusOf(other.id)], [['delivering'], ['delivering']]);
});

/** A database file of the last version that stored the URLs of agents in two tables. */
function fileWithOldUrls(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-urls-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'parley.db');
  makeOldDatabase(
    file,
    migrations.findIndex(({ name }) => name === 'webhook_urls'),
  );
  const old = new Sqlite(file);
  old.exec(`
    INSERT INTO llm_models (id, llm_model, description, price, is_active, position) VALUES ('m', 'model', '', 0, 1, 0);
    INSERT INTO voices (id, llm_model_id, voice_name, language, position) VALUES ('v', 'm', 'Voice', 'en-US', 0);
  `);
  const insertAgent = old.prepare(`
    INSERT INTO agents (id, organization_id, agent_name, status, model, voice_id, temperature, reminder_trigger_ms,
      max_call_duration_ms, calendar_timezone, emotion, webhook_urls, created_at, updated_at)
    VALUES (?, '${oldOrganization}', 'Robin', 'ACTIVE', 'model', 'v', 1, 1000, 10000, 'UTC', 0, ?, 0, 0)`);
  insertAgent.run('agent-1', '["https://c.example/","https://a.example/","https://b.example/"]');
  insertAgent.run('agent-2', '["https://b.example/"]');
  insertAgent.run('agent-3', '[]');
  const insertEndpoint = old.prepare(`
    INSERT INTO webhook_endpoints (id, organization_id, agent_id, url, status, failing_since, last_error, held, created_at, removed_at)
    VALUES (?, '${oldOrganization}', ?, ?, ?, ?, ?, ?, 5, ?)`);
  insertEndpoint.run('e1', 'agent-1', 'https://a.example/', 'delivering', null, null, 0, null);
  insertEndpoint.run('e2', 'agent-1', 'https://b.example/', 'failing', 7, 'The endpoint answered 500.', 3, null);
  insertEndpoint.run('e3', 'agent-1', 'https://c.example/', 'delivering', null, null, 0, null);
  insertEndpoint.run('e4', 'agent-2', 'https://b.example/', 'delivering', null, null, 0, null);
  insertEndpoint.run('e5', 'agent-3', 'https://a.example/', 'delivering', null, null, 0, 9);
  insertEndpoint.run('e6', 'agent-1', 'https://a.example/', 'delivering', null, null, 0, 4);
  old.close();
  return file;
}

test('an upgrade keeps the URLs of every agent in order, and the health of their endpoints', async (t) => {
  const { db, close } = await openDatabase({ file: fileWithOldUrls(t), nowMs: 0, throwAway: true });
  assert.deepEqual(
    await urlsByAgent(db, ['agent-1', 'agent-2', 'agent-3']),
    new Map([
      ['agent-1', ['https://c.example/', 'https://a.example/', 'https://b.example/']],
      ['agent-2', ['https://b.example/']],
    ]),
  );
  const endpoints = await endpointsOfAgent(db, 'agent-1');
  assert.deepEqual(
    endpoints.map(({ id, position }) => [id, position]),
    [
      ['e3', 0],
      ['e1', 1],
      ['e2', 2],
    ],
  );
  assert.deepEqual(endpoints[2], {
    id: 'e2',
    orgId: oldOrganization,
    agentId: 'agent-1',
    sweep: null,
    sweeps: 0,
    url: 'https://b.example/',
    position: 2,
    status: 'failing',
    failingSince: 7,
    lastError: 'The endpoint answered 500.',
    failures: 1,
    held: 3,
    createdAt: 5,
  });
  const removed = await db.selectFrom('webhook_endpoints').select('id').where('removed_at', 'is not', null).execute();
  assert.deepEqual(removed.map(({ id }) => id).toSorted(), ['e5', 'e6']);
  close();
});
