import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { anAgent } from '../../support/fixtures.ts';
import {
  aBase,
  addFile,
  addSources,
  ask,
  assertComplete,
  type Base,
  documentsOf,
  settled,
  startKnowledgeServer,
  theBase,
} from '../../support/knowledge.ts';
import { type Data, dataOf, faultPaths } from '../../support/server.ts';

const server = await startKnowledgeServer();
after(() => server.stop());

const nowMs = (): number => server.running.app.clock.now();

test('a knowledge base is created, fetched and listed in its documented shape', async () => {
  const client = await server.newOrganization();
  const base = dataOf(
    await client.post<Base>('/rag/knowledgebases', {
      name: 'Help centre',
      org_id: client.orgId,
      enable_auto_refresh: true,
    }),
  );
  assert.deepEqual(base, {
    knowledge_base_id: base.knowledge_base_id,
    knowledge_base_name: 'Help centre',
    status: 'complete',
    enable_auto_refresh: true,
    knowledge_base_sources: [],
    source_count: 0,
    created_timestamp: nowMs(),
    last_updated_timestamp: nowMs(),
    url_sources: [],
    retrieval: 'full_text',
    pending_embeddings: 0,
    version: 1,
  });
  assert.deepEqual(await theBase(client, base.knowledge_base_id), base);
  const second = await aBase(client, { name: 'Prices' });
  const list = dataOf(await client.get<Data[]>(`/rag/knowledgebases?org_id=${client.orgId}`));
  assert.deepEqual(list, [
    {
      id: second,
      name: 'Prices',
      org_id: client.orgId,
      document_count: 0,
      created_at: list[0]!['created_at'],
      version: 1,
    },
    {
      id: base.knowledge_base_id,
      name: 'Help centre',
      org_id: client.orgId,
      document_count: 0,
      created_at: new Date(base.created_timestamp).toISOString(),
      version: 1,
    },
  ]);
  assert.equal((await theBase(client, second)).enable_auto_refresh, false);
});

test('the organization parameter of a list has four aliases and must be the caller’s own', async () => {
  for (const name of ['org_id', 'organization_id', 'orgId', 'organizationId']) {
    assert.equal((await server.get(`/rag/knowledgebases?${name}=${server.orgId}`)).status, 200, name);
    assert.deepEqual(faultPaths(await server.get(`/rag/knowledgebases?${name}=mine`)), [name]);
    assert.equal((await server.get(`/rag/knowledgebases?${name}=${randomUUID()}`)).status, 404);
  }
  assert.deepEqual(faultPaths(await server.get('/rag/knowledgebases')), ['org_id']);
  assert.deepEqual(faultPaths(await server.get(`/rag/knowledgebases?orgid=${server.orgId}`)), ['orgid']);
});

test('creating a knowledge base requires a name and refuses another organization', async () => {
  const create = (body: object) => server.post('/rag/knowledgebases', body);
  assert.deepEqual(faultPaths(await create({})), ['name']);
  assert.deepEqual(faultPaths(await create({ name: ' ', enable_auto_refresh: 'yes', kind: 'x' })), [
    'enable_auto_refresh',
    'kind',
    'name',
  ]);
  assert.deepEqual(faultPaths(await create({ name: 'x', org_id: 'mine' })), ['org_id']);
  assert.equal((await create({ name: 'x', org_id: randomUUID() })).status, 404);
});

test('document_count counts one per text, file, upserted document and page', async () => {
  const client = await server.newOrganization();
  const id = await aBase(client);
  const texts = [
    { title: 'One', text: 'The first of them.' },
    { title: 'Two', text: 'The second of them.' },
  ];
  await addSources(client, id, { knowledge_base_texts: texts });
  assert.equal((await addFile(client, id, 'The third of them.', 'three.txt')).status, 200);
  dataOf(await client.post('/rag/document', { kb_id: id, doc_id: 'four', text: 'The fourth of them.' }));
  dataOf(await client.post('/rag/document', { kb_id: id, doc_id: 'four', text: 'The fourth of them, anew.' }));
  const count = async () =>
    dataOf(await client.get<Data[]>(`/rag/knowledgebases?org_id=${client.orgId}`))[0]!['document_count'];
  assert.equal(await count(), 4);
  const base = await settled(server, id, client);
  assertComplete(base);
  assert.deepEqual(
    base.knowledge_base_sources.map(({ source_type, source_name, source_status }) => [
      source_type,
      source_name,
      source_status,
    ]),
    [
      ['text', 'One', 'complete'],
      ['text', 'Two', 'complete'],
      ['file', 'three.txt', 'complete'],
      ['document', 'four', 'complete'],
    ],
  );
  assert.equal(await count(), 4);
  assert.equal((await client.get<Data[]>(`/rag/documents?kb_id=${id}`)).body.meta.total, 4);
  dataOf(await client.del(`/rag/knowledge-base/${id}/sources/${base.knowledge_base_sources[0]!.source_id}`));
  dataOf(await client.del('/rag/document?doc_id=four'));
  assert.equal(await count(), 2);
  assert.deepEqual(
    (await documentsOf(client, id)).map(({ text }) => text),
    ['The third of them.', 'The second of them.'],
    'newest first',
  );
});

test('a query finds passages of its own base only', async () => {
  const id = await aBase(server);
  const other = await aBase(server);
  await addSources(server, id, {
    knowledge_base_texts: [
      { title: 'Returns', text: '# Returning\n\nWhat you bought may be returned within 30 days.' },
    ],
  });
  await addSources(server, other, {
    knowledge_base_texts: [{ title: 'Old rules', text: 'What you bought may be returned within 14 days.' }],
  });
  const base = await settled(server, id);
  const [document] = await documentsOf(server, id);
  assert.deepEqual(
    (await ask(server, id, 'Until when may I return it?')).map(({ score: _score, ...passage }) => passage),
    [
      {
        text: 'What you bought may be returned within 30 days.',
        highlights: [[23, 31]],
        source_id: base.knowledge_base_sources[0]!.source_id,
        source_name: 'Returns',
        doc_id: document!.doc_id,
        url: null,
        heading: 'Returning',
        page: null,
      },
    ],
  );
  const query = (body: object) => server.post(`/rag/knowledge-base/${id}/query`, body);
  for (const bad of ['', '  ', null, 7, 'x'.repeat(10_001)]) {
    assert.deepEqual(faultPaths(await query({ query: bad })), ['query'], String(bad).slice(0, 20));
  }
  for (const limit of [0, 51, 1.5, '5']) assert.deepEqual(faultPaths(await query({ query: 'x', limit })), ['limit']);
  assert.deepEqual(faultPaths(await query({})), ['query']);
  for (const limit of [1, 50]) assert.equal((await query({ query: 'return', limit })).status, 200);
});

test('passages say where they have what the question asks for, in whatever form', async () => {
  const text =
    'Ça coûte ﬁnalement peu: the café 🎉 refunds what you paid within 30 days. Rückgabefrist, money-back and Straße. 退款政策。';
  const id = await aBase(server);
  await addSources(server, id, { knowledge_base_texts: [{ title: 'Rules', text }] });
  await settled(server, id);
  for (const [question, highlighted] of [
    ['Do you refund?', ['refunds']],
    ['CAFE', ['café']],
    ['how long is the frist', ['Rückgabefrist']],
    ['refnuds', ['refunds']],
    ['money', ['money']],
    ['moneyback', ['money']],
    ['strasse', ['Straße']],
    ['finalement', ['ﬁnalement']],
    ['退款', ['退款']],
    ['🎉', ['🎉']],
  ] as const) {
    const [passage] = await ask(server, id, question);
    assert.deepEqual(
      passage?.highlights.map(([start, end]) => passage.text.slice(start, end)),
      highlighted,
      question,
    );
  }
});

test('a query returns five passages by default', async () => {
  const id = await aBase(server);
  const animals = ['lion', 'tiger', 'bear', 'wolf', 'lynx', 'fox', 'otter'];
  const texts = animals.map((animal) => ({
    title: animal,
    text: `The ${animal} lives in the zoo and eats ${animal} food.`,
  }));
  await addSources(server, id, { knowledge_base_texts: texts });
  await settled(server, id);
  assert.equal((await ask(server, id, 'Who lives in the zoo?')).length, 5);
  assert.equal((await ask(server, id, 'Who lives in the zoo?', 7)).length, 7);
  assert.equal((await ask(server, id, 'Who lives in the zoo?', 2)).length, 2);
});

test('a deleted knowledge base disappears at once, also from agents, and leaves no rows', async () => {
  const client = await server.newOrganization();
  const [id, other] = [await aBase(client), await aBase(client)];
  const texts = Array.from({ length: 20 }, (_, index) => ({
    title: `Text ${index}`,
    text: `Number ${index} of the texts.`,
  }));
  await addSources(client, id, { knowledge_base_texts: texts });
  await settled(server, id, client);
  assert.equal((await addFile(client, id, 'Not read yet.', 'late.txt')).status, 200);
  dataOf(await client.post('/rag/document', { kb_id: id, doc_id: 'mine', text: 'My own.' }));
  const agent = await anAgent(client, { knowledgeBaseIds: [id.toUpperCase(), other] });
  assert.deepEqual(agent['knowledgeBaseIds'], [id, other]);

  dataOf(await client.del(`/rag/knowledge-base/${id}`));
  for (const answer of [
    await client.get(`/rag/knowledge-base/${id}`),
    await client.del(`/rag/knowledge-base/${id}`),
    await client.post(`/rag/knowledge-base/${id}/query`, { query: 'number' }),
    await client.post(`/rag/knowledge-base/${id}/add-sources`, { knowledge_base_texts: texts.slice(0, 1) }),
    await client.get(`/rag/document?org_id=${client.orgId}&doc_id=mine`),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_FOUND'], answer.text);
  }
  assert.deepEqual(await documentsOf(client, id), []);
  assert.deepEqual(dataOf(await client.get<Data[]>('/rag/documents')), []);
  assert.deepEqual(dataOf(await client.get(`/agents/${agent.id}`))['knowledgeBaseIds'], [other]);
  dataOf(await client.post('/rag/document', { kb_id: other, doc_id: 'mine', text: 'Mine again.' }));

  await settled(server, other, client);
  const { db } = server.running.app;
  for (const table of ['knowledge_sources', 'knowledge_documents', 'retrieval_bases'] as const) {
    const rows = await db.selectFrom(table).select('knowledge_base_id').where('knowledge_base_id', '=', id).execute();
    assert.deepEqual(rows, [], table);
  }
  const { rows } = await sql`SELECT 1 FROM knowledge_file_pieces UNION ALL
    SELECT 1 FROM knowledge_bases WHERE id = ${id} UNION ALL
    SELECT 1 FROM retrieval_passages WHERE document_id NOT IN (SELECT id FROM knowledge_documents)`.execute(db);
  assert.deepEqual(rows, []);
});

test('an agent accepts existing knowledge bases and reports each unknown one', async () => {
  const id = await aBase(server);
  const agent = await anAgent(server, { knowledgeBaseIds: [id] });
  assert.deepEqual(agent['knowledgeBaseIds'], [id]);
  const refused = await server.put(`/agents/${agent.id}`, { knowledgeBaseIds: [id, randomUUID()] });
  assert.deepEqual(faultPaths(refused), ['knowledgeBaseIds[1]']);
  const cleared = dataOf(await server.put(`/agents/${agent.id}`, { knowledgeBaseIds: [] }));
  assert.deepEqual(cleared['knowledgeBaseIds'], []);
});
