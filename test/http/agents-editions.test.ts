import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { anAgent, aPhone } from '../support/fixtures.ts';
import { aBase } from '../support/knowledge.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { conflictOf, newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

type Edition = {
  id: string;
  edition: number;
  by: { kind: string } | null;
  note: string | null;
  fields: string[];
  calls: number;
};
type Agent = { id: string; edition: number; version: number; prompt: string | null; temperature: number };

const editionsOf = async (client: typeof server | Awaited<ReturnType<typeof server.newOrganization>>, id: string) =>
  dataOf(await client.get<Edition[]>(`/agents/${id}/editions`));

test('a change of what an agent says makes an edition; webhooks and status make none', async () => {
  const agent = await anAgent(server, { prompt: 'One\nTwo' });
  const put = async (body: object): Promise<Agent> => dataOf(await server.put<Agent>(`/agents/${agent.id}`, body));
  assert.equal((await put({ status: 'INACTIVE' })).edition, 1);
  assert.equal((await put({ webhook_url: 'https://example.com/hook', transferPhone: '+4930901820' })).edition, 1);
  assert.equal((await put({ prompt: 'One\nTwo' })).edition, 1, 'nothing changed');
  const changed = await put({ prompt: 'One\nThree', temperature: 1, edition_note: 'Shorter' });
  assert.equal(changed.edition, 2);
  const [newest, first] = await editionsOf(server, agent.id);
  assert.deepEqual([newest?.edition, newest?.note, newest?.by?.kind], [2, 'Shorter', 'api_key']);
  assert.deepEqual(new Set(newest?.fields), new Set(['prompt', 'temperature']));
  assert.deepEqual([first?.edition, first?.note, first?.fields], [1, null, []]);
  type Diff = { id: string; from: number; to: number; changes: Array<{ field: string; lines?: unknown }> };
  const diff = dataOf(await server.get<Diff>(`/agents/${agent.id}/editions/2/diff`));
  assert.deepEqual([diff.from, diff.to], [1, 2]);
  assert.deepEqual(diff.changes.find(({ field }) => field === 'prompt')?.lines, [
    { op: '=', text: 'One' },
    { op: '-', text: 'Two' },
    { op: '+', text: 'Three' },
  ]);
  assert.ok(!('lines' in diff.changes.find(({ field }) => field === 'temperature')!));
  const back = dataOf(await server.get<Diff>(`/agents/${agent.id}/editions/1/diff?with=2`));
  assert.deepEqual([back.from, back.to, back.changes.length], [2, 1, 2]);
  const { settings } = dataOf(
    await server.get<{ id: string; settings: Record<string, unknown> }>(`/agents/${agent.id}/editions/1`),
  );
  assert.equal(settings['prompt'], 'One\nTwo');
  assert.ok(!('status' in settings) && !('webhookUrls' in settings));
  for (const n of ['0', '3', 'x', '-1'])
    assert.equal((await server.get(`/agents/${agent.id}/editions/${n}`)).status, 404, n);
});

test('restoring makes a new edition, honours If-Match, and is recorded with what it changed', async () => {
  const agent = await anAgent(server, { prompt: 'Old' });
  const { version } = dataOf(await server.put<Agent>(`/agents/${agent.id}`, { prompt: 'New' }));
  const path = `/agents/${agent.id}/editions/1/restore`;
  const stale = await server.post(path, {}, { headers: { 'if-match': `"${version - 1}"` } });
  assert.deepEqual([stale.status, stale.body.code], [412, 'PRECONDITION_FAILED']);
  const restored = dataOf(
    await server.post<Agent>(path, { note: 'Back' }, { headers: { 'if-match': `"${version}"` } }),
  );
  assert.deepEqual([restored.prompt, restored.edition, restored.version], ['Old', 3, version + 1]);
  const [newest] = await editionsOf(server, agent.id);
  assert.deepEqual([newest?.note, newest?.fields], ['Back', ['prompt']]);
  const [entry] = dataOf(await server.get<Array<{ id: string; operation: string; changes: unknown[] }>>('/audit'));
  assert.equal(entry?.operation, 'restoreAgentEdition');
  assert.deepEqual(entry?.changes, [{ field: 'prompt', before: 'New', after: 'Old' }]);
});

test('an edition whose knowledge base is gone cannot be restored, and its loss is an edition by nobody', async () => {
  const base = await aBase(server);
  const agent = await anAgent(server, { knowledgeBaseIds: [base] });
  dataOf(await server.del(`/rag/knowledge-base/${base}`));
  const [newest] = await editionsOf(server, agent.id);
  assert.deepEqual([newest?.edition, newest?.by, newest?.fields], [2, null, ['knowledgeBaseIds']]);
  const sentence = conflictOf(await server.post(`/agents/${agent.id}/editions/1/restore`, {}));
  assert.ok(sentence.includes(base), sentence);
});

test('a call shows the edition with which it was made, and an edition counts its ended calls', async () => {
  const org = await newCallingOrg(server);
  await org.run([aPhone('00')]);
  dataOf(await org.client.put(`/agents/${org.agentId}`, { prompt: 'Be brief.' }));
  await org.run([aPhone('00'), aPhone('02')]);
  await server.advance(120_000);
  const editions = (await org.calls()).map((call) => call['agent_edition']);
  assert.deepEqual(editions, [1, 2, 2]);
  assert.deepEqual(
    (await editionsOf(org.client as typeof server, org.agentId)).map(({ calls }) => calls),
    [2, 1],
  );
});
