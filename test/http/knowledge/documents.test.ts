import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { recordStatements } from '../../support/plans.ts';
import { nextMacrotask } from '../../../src/base/clock.ts';
import {
  aBase,
  addSources,
  aPage,
  ask,
  aSite,
  type Doc,
  documentsOf,
  settled,
  startKnowledgeServer,
  theBase,
} from '../../support/knowledge.ts';
import { dataOf, faultPaths } from '../../support/server.ts';

const server = await startKnowledgeServer();
const site = await aSite();
after(async () => {
  await server.stop();
  await site.stop();
});

const base = await aBase(server);
const upsert = (body: object) => server.post<Doc>('/rag/document', { kb_id: base, ...body });
const theDocument = async (docId: string): Promise<Doc> =>
  dataOf(await server.get<Doc>(`/rag/document?org_id=${server.orgId}&doc_id=${encodeURIComponent(docId)}`));
const status = async (docId: string): Promise<number> =>
  (await server.get(`/rag/document?org_id=${server.orgId}&doc_id=${docId}`)).status;

test('a document is stored at once, processed in the background, and returned as submitted', async () => {
  const metadata = { title: 'Returns', camelCase: 1, price: { __proto__: null, 'a b': [1.5, null] } };
  const given = {
    doc_id: 'returns/1',
    text: '  # Returns\n\n30 days.\n',
    url: 'https://example.com/returns',
    metadata,
  };
  const stored = dataOf(await upsert(given));
  assert.deepEqual(stored, {
    doc_id: 'returns/1',
    kb_id: base,
    org_id: server.orgId,
    text: given.text,
    url: given.url,
    status: 'pending',
    error: null,
    metadata: JSON.parse(JSON.stringify(metadata)) as object,
    created_at: '2026-03-02T09:00:00.000Z',
    updated_at: '2026-03-02T09:00:00.000Z',
  });
  await settled(server, base);
  assert.deepEqual(await theDocument('returns/1'), { ...stored, status: 'complete' });
  const [found] = await ask(server, base, 'returns');
  assert.deepEqual([found!.source_name, found!.url, found!.doc_id], ['Returns', given.url, 'returns/1']);
});

test('an upsert with the same doc_id updates the submitted fields', async () => {
  const first = dataOf(await upsert({ doc_id: 'hours', text: 'We open at nine.', metadata: { a: 1 } }));
  await settled(server, base);
  await server.advance(1000);
  const second = dataOf(await upsert({ doc_id: 'hours', text: 'We open at eleven.' }));
  assert.equal(second.created_at, first.created_at);
  assert.notEqual(second.updated_at, first.updated_at);
  assert.deepEqual([second.text, second.metadata, second.status], ['We open at eleven.', { a: 1 }, 'pending']);
  await settled(server, base);
  const found = await ask(server, base, 'When do you open?');
  assert.deepEqual(
    found.filter(({ doc_id }) => doc_id === 'hours').map(({ text }) => text),
    ['We open at eleven.'],
  );
  const third = dataOf(await upsert({ doc_id: 'hours', url: null, metadata: { b: [2] } }));
  assert.deepEqual([third.text, third.metadata, third.status], ['We open at eleven.', { b: [2] }, 'complete']);
  const same = dataOf(await upsert({ doc_id: 'hours', text: 'We open at eleven.' }));
  assert.equal(same.status, 'complete', 'unchanged text is not processed again');
});

test('a text that changes while it is processed is processed again', async () => {
  const texts = Array.from({ length: 20 }, (_, index) => `We have ${index} parking lots.`);
  for (const text of texts) dataOf(await upsert({ doc_id: 'parking', text }));
  await settled(server, base);
  assert.equal((await theDocument('parking')).status, 'complete');
  const found = (await ask(server, base, 'parking lots', 50)).filter(({ doc_id }) => doc_id === 'parking');
  assert.deepEqual(
    found.map(({ text }) => text),
    [texts.at(-1)],
  );
});

test('the passages of a long document that becomes short or empty are deleted in batches and never found meanwhile', async () => {
  const { db } = server.running.app;
  const long = Array.from({ length: 1500 }, (_, index) => `## Part ${index}\n\nSays walrus ${index}.`).join('\n\n');
  for (const [text, outcome, left] of [
    ['Short now.', 'complete', 1],
    ['<!-- nothing -->', 'error', 0],
  ] as const) {
    const docId = `ends in ${outcome}`;
    dataOf(await upsert({ doc_id: docId, text: long }));
    await settled(server, base);
    const passages = db
      .selectFrom('retrieval_passages as passage')
      .innerJoin('knowledge_documents as document', 'document.id', 'passage.document_id')
      .where('document.doc_id', '=', docId);
    const counts = new Set<number>();
    let state: string | null = null;
    const look = async (): Promise<void> => {
      const row = await passages
        .select([({ fn }) => fn.countAll<number>().as('count'), ({ fn }) => fn.max('document.status').as('state')])
        .executeTakeFirstOrThrow();
      counts.add(row.count);
      state = row.state;
      await nextMacrotask();
    };
    const question = async (): Promise<void> => {
      if (state !== outcome) return nextMacrotask();
      assert.ok((await ask(server, base, 'walrus', 50)).every(({ doc_id }) => doc_id !== docId));
    };
    dataOf(await upsert({ doc_id: docId, text }));
    const end = settled(server, base);
    const untilEnd = async (repeat: () => Promise<void>): Promise<void> => {
      while ((await Promise.race([end, repeat()])) === undefined);
    };
    await Promise.all([untilEnd(look), untilEnd(question)]); // a question takes longer than a batch
    await look();
    assert.ok(counts.size > 2, `${[...counts].join(', ')} passages were seen`);
    assert.equal([...counts].at(-1), left);
    assert.equal((await theDocument(docId)).status, outcome);
  }
});

test('a document without doc_id gets a generated one', async () => {
  const made = dataOf(await upsert({ text: 'Nobody named this.' }));
  assert.match(made.doc_id, /^[0-9a-f-]{36}$/);
  assert.equal((await theDocument(made.doc_id)).text, 'Nobody named this.');
});

test('a document with a URL and no text is fetched from there', async () => {
  site.pages['/opening'] = aPage('Opening', 'The doors open at ten.', ['/other'], '<link rel="canonical" href="/o">');
  site.pages['/moved'] = { status: 302, headers: { location: '/opening' } };
  const url = `${site.origin}/moved`;
  const stored = dataOf(await upsert({ doc_id: 'opening', url }));
  assert.deepEqual([stored.status, stored.text, stored.url], ['pending', null, url]);
  await settled(server, base);
  const read = await theDocument('opening');
  assert.deepEqual([read.status, read.error, read.url], ['complete', null, url]);
  assert.match(read.text!, /The doors open at ten\./);
  assert.ok(!site.asked.includes('/other'));
  const source = (await theBase(server, base)).knowledge_base_sources.at(-1)!;
  assert.deepEqual(
    [source.source_type, source.source_name, source.source_url, source.source_status],
    ['document', 'Opening', url, 'complete'],
  );
  site.pages['/opening'] = aPage('Opening', 'The doors open at twelve.');
  dataOf(await upsert({ doc_id: 'opening', url }));
  await settled(server, base);
  assert.match((await theDocument('opening')).text!, /at twelve\./);
  dataOf(await upsert({ doc_id: 'opening', text: 'By hand.' }));
  await settled(server, base);
  const byHand = await theDocument('opening');
  assert.deepEqual([byHand.text, byHand.url, byHand.status], ['By hand.', url, 'complete']);
});

test('a document whose page cannot be fetched fails with the reason', async () => {
  dataOf(await upsert({ doc_id: 'nothing', url: `${site.origin}/nothing` }));
  await settled(server, base);
  const document = await theDocument('nothing');
  assert.equal(document.status, 'error');
  assert.match(document.error!, /404/);
  dataOf(await upsert({ doc_id: 'nothing', text: 'Then by hand.' }));
  await settled(server, base);
  assert.equal((await theDocument('nothing')).status, 'complete');
});

test('until a new page is read, passages cite the URL they were fetched from', async () => {
  site.pages['/whales'] = aPage('Whales', 'Whales are seen in spring.');
  const [first, gone] = [`${site.origin}/whales`, `${site.origin}/gone`];
  const citation = async () => {
    const passages = await ask(server, base, 'When are whales seen?');
    return passages.filter(({ doc_id }) => doc_id === 'whales').map(({ url }) => url);
  };
  dataOf(await upsert({ doc_id: 'whales', url: first }));
  await settled(server, base);
  const changed = dataOf(await upsert({ doc_id: 'whales', url: gone }));
  assert.deepEqual([changed.url, changed.status], [gone, 'pending']);
  await settled(server, base);
  const failed = await theDocument('whales');
  assert.deepEqual([failed.url, failed.status], [gone, 'error']);
  assert.deepEqual(await citation(), [first]);
  site.pages['/gone'] = aPage('Whales', 'Whales are seen in spring.');
  dataOf(await upsert({ doc_id: 'whales', url: gone }));
  await settled(server, base);
  assert.deepEqual([(await theDocument('whales')).status, ...(await citation())], ['complete', gone]);
  delete site.pages['/gone'];
  dataOf(await upsert({ doc_id: 'whales', url: gone }));
  await settled(server, base);
  const kept = dataOf(await upsert({ doc_id: 'whales', url: null }));
  assert.deepEqual([kept.url, kept.status], [null, 'pending']);
  await settled(server, base);
  assert.deepEqual([(await theDocument('whales')).status, ...(await citation())], ['complete', null]);
});

test('the URL of a document without text cannot be removed', async () => {
  dataOf(await upsert({ doc_id: 'bare', url: `${site.origin}/nothing` }));
  assert.deepEqual(faultPaths(await upsert({ doc_id: 'bare', url: null })), ['text', 'url']);
  await settled(server, base);
  assert.deepEqual(faultPaths(await upsert({ doc_id: 'bare', url: null })), ['text', 'url']);
  assert.equal((await upsert({ doc_id: 'bare', metadata: { a: 1 } })).status, 200);
});

test('a document requires a base, and a text or a public URL', async () => {
  assert.deepEqual(faultPaths(await server.post('/rag/document', {})), ['kb_id', 'text', 'url']);
  assert.deepEqual(faultPaths(await server.post('/rag/document', { url: null, metadata: 1 })), [
    'kb_id',
    'metadata',
    'text',
    'url',
  ]);
  assert.deepEqual(faultPaths(await server.post('/rag/document', { text: 1 })), ['kb_id', 'text']);
  assert.deepEqual(faultPaths(await server.post('/rag/document', { doc_id: 'a' })), ['kb_id']);
  assert.deepEqual(faultPaths(await upsert({})), ['text', 'url']);
  assert.deepEqual(faultPaths(await upsert({ text: null, url: null })), ['text', 'url']);
  assert.deepEqual(faultPaths(await upsert({ text: ' ' })), ['text']);
  assert.deepEqual(faultPaths(await upsert({ text: 'x', doc_id: '' })), ['doc_id']);
  assert.deepEqual(faultPaths(await upsert({ text: 'x', doc_id: 'x'.repeat(201), metadata: [] })), [
    'doc_id',
    'metadata',
  ]);
  assert.equal((await upsert({ text: 'x', doc_id: 'x'.repeat(200) })).status, 200);
  for (const url of ['http://10.0.0.1/', 'ftp://example.com/', 'nowhere']) {
    assert.deepEqual(faultPaths(await upsert({ url })), ['url'], url);
    assert.deepEqual(faultPaths(await upsert({ text: 'x', url })), ['url'], url);
  }
  const unknown = await server.post('/rag/document', { kb_id: randomUUID(), text: 'x', url: 'nowhere' });
  assert.deepEqual(faultPaths(unknown), ['kb_id', 'url']);
  assert.deepEqual(faultPaths(await server.post('/rag/document', { text: 'x', title: 'y' })), ['kb_id', 'title']);
});

test('a doc_id is unique within the organization', async () => {
  const other = await aBase(server);
  dataOf(await upsert({ doc_id: 'unique', text: 'Here.' }));
  const elsewhere = await server.post('/rag/document', { kb_id: other, doc_id: 'unique', text: 'There.' });
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [409, 'CONFLICT']);
  const stranger = await server.newOrganization();
  const theirs = await aBase(stranger);
  const own = dataOf(await stranger.post<Doc>('/rag/document', { kb_id: theirs, doc_id: 'unique', text: 'Theirs.' }));
  assert.equal(own.text, 'Theirs.');
  assert.equal((await theDocument('unique')).text, 'Here.');
  const foreign = await server.post('/rag/document', { kb_id: theirs, doc_id: 'unique', text: 'x' });
  assert.deepEqual(faultPaths(foreign), ['kb_id']);
});

test('a document is fetched and deleted by any alias of doc_id', async () => {
  for (const name of ['doc_id', 'document_id', 'docId']) {
    dataOf(await upsert({ doc_id: `by ${name}`, text: 'x' }));
    const query = `${name}=${encodeURIComponent(`by ${name}`)}`;
    assert.equal((await server.get(`/rag/document?organizationId=${server.orgId}&${query}`)).status, 200);
    assert.equal((await server.get(`/rag/document?org_id=${randomUUID()}&${query}`)).status, 404);
    assert.deepEqual(faultPaths(await server.get(`/rag/document?${query}`)), ['org_id']);
    assert.equal((await server.del(`/rag/document?${query}`)).status, 200);
    assert.equal((await server.del(`/rag/document?${query}`)).status, 404);
  }
  assert.deepEqual(faultPaths(await server.get('/rag/document')), ['doc_id', 'org_id']);
  assert.deepEqual(faultPaths(await server.del('/rag/document')), ['doc_id']);
  assert.deepEqual(faultPaths(await server.del('/rag/document?doc_id=a&docId=b')), ['docId', 'doc_id']);
});

test('a deleted document is no longer found, and its source is gone', async () => {
  const id = await aBase(server);
  await addSources(server, id, { knowledge_base_texts: [{ title: 'Secret', text: 'The secret is swordfish.' }] });
  dataOf(await server.post('/rag/document', { kb_id: id, doc_id: 'second', text: 'The second secret is salmon.' }));
  await settled(server, id);
  assert.equal((await ask(server, id, 'secret')).length, 2);
  for (const { doc_id } of await documentsOf(server, id)) dataOf(await server.del(`/rag/document?doc_id=${doc_id}`));
  assert.deepEqual(await ask(server, id, 'secret'), []);
  assert.deepEqual((await theBase(server, id)).knowledge_base_sources, []);
  assert.equal(await status('second'), 404);
});

test('the audit log names documents that were stored or deleted', async () => {
  dataOf(await upsert({ doc_id: 'audited', text: 'Nobody must know.' }));
  dataOf(await server.del('/rag/document?doc_id=audited'));
  type Entry = { operation: string; target: Record<string, string> };
  const log = await server.get<Entry[]>('/audit?limit=2');
  assert.deepEqual(
    dataOf(log).map(({ operation, target }) => [operation, target]),
    [
      ['deleteKnowledgeDocument', { doc_id: 'audited' }],
      ['upsertKnowledgeDocument', { doc_id: 'audited', kb_id: base }],
    ],
  );
});

test('the document of a text source cannot be changed by an upsert', async () => {
  const id = await aBase(server);
  await addSources(server, id, { knowledge_base_texts: [{ title: 'Fixed', text: 'As it is.' }] });
  const [document] = await documentsOf(server, id);
  const answer = await server.post('/rag/document', { kb_id: id, doc_id: document!.doc_id, text: 'Otherwise.' });
  assert.deepEqual([answer.status, answer.body.code], [409, 'CONFLICT']);
});

test('documents are listed newest first, in pages, with the beginning of each text, without reading the rest', async (t) => {
  const id = await aBase(server);
  const texts = ['one', 'two', 'three'].map((word) => `${word} `.repeat(1000));
  for (const [index, text] of texts.entries()) {
    dataOf(await server.post('/rag/document', { kb_id: id, doc_id: `list ${index}`, text }));
  }
  await server.running.runner.settled(); // jobs read the texts
  const statements = await recordStatements(t, server.running.app.db);
  const page = await server.get<Doc[]>(`/rag/documents?kb_id=${id}&limit=2`);
  assert.deepEqual(
    statements.filter(({ sql }) => sql.includes('knowledge_texts')),
    [],
  );
  assert.deepEqual(page.body.meta, { total: 3, limit: 2, offset: 0 });
  assert.deepEqual(
    page.body.data.map(({ doc_id }) => doc_id),
    ['list 2', 'list 1'],
  );
  assert.equal(page.body.data[0]!.text, texts[2]!.slice(0, 2000));
  assert.equal((await theDocument('list 2')).text, texts[2]);
  const changed = `${'four '.repeat(500)}.`;
  dataOf(await server.post('/rag/document', { kb_id: id, doc_id: 'list 2', text: changed }));
  const [first] = dataOf(await server.get<Doc[]>(`/rag/documents?kb_id=${id}&limit=1`));
  assert.equal(first!.text, changed.slice(0, 2000));
  const rest = await server.get<Doc[]>(`/rag/documents?kb_id=${id}&limit=2&offset=2`);
  assert.deepEqual(
    rest.body.data.map(({ doc_id }) => doc_id),
    ['list 0'],
  );
  const all = await server.get<Doc[]>('/rag/documents');
  assert.ok(all.body.meta.total > 3);
  assert.deepEqual((await server.get(`/rag/documents?kb_id=${randomUUID()}`)).body.meta.total, 0);
  assert.deepEqual(faultPaths(await server.get('/rag/documents?kb_id=x')), ['kb_id']);
});
