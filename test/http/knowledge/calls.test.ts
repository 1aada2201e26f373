import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { aBase, addSources, type Passage } from '../../support/knowledge.ts';
import { dataOf, type Envelope } from '../../support/server.ts';
import { httpBench } from '../http-carrier-support.ts';
import { type Message, sign, type Signing, voiceRuntime } from '../voice-runtime.ts';

type Tool = { name: string; description: string; parameters: { required: string[]; properties: object }; url: string };

test('during a call the voice runtime can search the knowledge bases of the call’s agent, and no others', async (t) => {
  const runtime = await voiceRuntime(t);
  const { server, agentId, place, settled, now } = await httpBench(t, runtime);
  const [known, other] = [await aBase(server), await aBase(server)];
  const texts = (days: number) => ({
    knowledge_base_texts: [{ title: 'Returns', text: `May be returned within ${days} days.` }],
  });
  await addSources(server, known, texts(30));
  await addSources(server, other, texts(14));
  await settled();
  dataOf(await server.put(`/agents/${agentId}`, { knowledgeBaseIds: [known] }));
  const id = await place();

  const dialed = JSON.parse(runtime.seen[0]!.text) as Message & {
    tools: Tool[];
    agent: { knowledge_base_ids: string[] };
  };
  assert.deepEqual(dialed.agent.knowledge_base_ids, [known]);
  const [tool, ...rest] = dialed.tools;
  assert.deepEqual(rest, []);
  assert.deepEqual([tool!.name, tool!.parameters.required], ['search_knowledge', ['query']]);
  assert.deepEqual(Object.keys(tool!.parameters.properties), ['query', 'limit']);
  assert.equal(tool!.url, `${server.url}/api/v1/calls/${id}/knowledge`);

  const lookUp = async (body: object, signing: Signing = {}, url = tool!.url) => {
    const text = JSON.stringify({ call_session_id: id, ...body });
    const timestampSec = Math.floor(now() / 1000);
    const headers = { 'content-type': 'application/json', ...sign(text, { timestampSec, ...signing }) };
    const response = await fetch(url, { method: 'POST', headers, body: text });
    return { status: response.status, body: (await response.json()) as Envelope<Passage[]> };
  };
  const found = await lookUp({ query: 'How long may I return it?', limit: 3 });
  assert.equal(found.status, 200, JSON.stringify(found.body));
  assert.deepEqual(
    found.body.data.map(({ text, source_name }) => [text, source_name]),
    [['May be returned within 30 days.', 'Returns']],
  );

  assert.equal((await lookUp({ query: 'x' }, { secret: 'another secret' })).status, 401);
  assert.equal((await lookUp({ query: 'x' }, { timestampSec: Math.floor(now() / 1000) - 301 })).status, 401);
  assert.equal((await fetch(tool!.url, { method: 'POST', headers: { 'x-api-key': server.apiKey } })).status, 401);
  assert.equal((await lookUp({ query: ' ' })).status, 400);
  const another = await place();
  const replayed = await lookUp({ query: 'x' }, {}, tool!.url.replace(id, another));
  assert.deepEqual(
    replayed.body.details?.map(({ path }) => path),
    ['call_session_id'],
  );
  const unknown = randomUUID();
  assert.equal(
    (await lookUp({ query: 'x', call_session_id: unknown }, {}, tool!.url.replace(id, unknown))).status,
    404,
  );

  dataOf(await server.del(`/rag/knowledge-base/${known}`));
  assert.deepEqual((await lookUp({ query: 'How long may I return it?' })).body.data, []);
  await runtime.report(id, now(), { type: 'ended', status: 'completed' });
  assert.equal((await lookUp({ query: 'x' })).status, 409);
});
