import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, getAgent, listAgents } from '../../../src/features/agents/service.ts';
import { endpointsOfAgent } from '../../../src/features/endpoints/service.ts';
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
