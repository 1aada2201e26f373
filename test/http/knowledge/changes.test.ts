import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import {
  aBase,
  addSources,
  aPage,
  ask,
  aSite,
  type Base,
  documentsOf,
  settled,
  type Source,
  startKnowledgeServer,
  theBase,
} from '../../support/knowledge.ts';
import { dataOf } from '../../support/server.ts';

const server = await startKnowledgeServer();
after(() => server.stop());

const hours = (count: number): number => count * 3_600_000;
const change = (id: string, body: object) => server.patch<Base>(`/rag/knowledge-base/${id}`, body);
const refresh = (id: string, sourceId: string) =>
  server.post<Source>(`/rag/knowledge-base/${id}/sources/${sourceId}/refresh`);

test('a knowledge base is renamed, and another organization cannot', async () => {
  const id = await aBase(server, { name: 'Before' });
  const before = await theBase(server, id);
  await server.advance(1000);
  const changed = dataOf(await change(id, { name: 'After' }));
  assert.deepEqual(changed, {
    ...before,
    knowledge_base_name: 'After',
    last_updated_timestamp: before.last_updated_timestamp + 1000,
    version: 2,
  });
  assert.deepEqual(await theBase(server, id), changed);
  const other = await server.newOrganization();
  assert.equal((await other.patch(`/rag/knowledge-base/${id}`, { name: 'Mine' })).status, 404);
  assert.equal((await theBase(server, id)).knowledge_base_name, 'After');
});

test('crawling again can be switched on and off later', async (t) => {
  const site = await aSite({ '/': aPage('Start', 'The start.') });
  t.after(() => site.stop());
  const id = await aBase(server);
  await addSources(server, id, { knowledge_base_urls: [site.origin] });
  await settled(server, id);
  const visits = (): number => site.asked.filter((path) => path === '/').length;
  await server.advance(hours(24));
  assert.equal(visits(), 1);
  assert.equal(dataOf(await change(id, { enable_auto_refresh: true })).enable_auto_refresh, true);
  await server.advance(hours(12));
  await settled(server, id);
  assert.equal(visits(), 2);
  assert.equal(dataOf(await change(id, { enable_auto_refresh: false })).enable_auto_refresh, false);
  await server.advance(hours(24));
  assert.equal(visits(), 2);
});

test('a source is read again when asked, and says how many pages still wait', async (t) => {
  const answering = Promise.withResolvers<void>();
  const site = await aSite({
    '/': aPage('Start', 'It costs ten euros.', ['/a', '/b']),
    '/a': aPage('A', 'The page about apples.'),
    '/b': aPage('B', 'The page about bananas.'),
  });
  t.after(() => site.stop());
  const id = await aBase(server);
  await addSources(server, id, { knowledge_base_urls: [site.origin] });
  const [first] = (await settled(server, id)).url_sources;
  assert.deepEqual([first!.pages_found, first!.pages_waiting, first!.status], [3, 0, 'complete']);

  const asked = Promise.withResolvers<void>();
  site.pages['/'] = async (_request, response) => {
    asked.resolve();
    await answering.promise;
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(aPage('Start', 'It costs twelve euros.', ['/a', '/b']));
    await once(response, 'close');
  };
  await server.advance(1000);
  const refreshed = dataOf(await refresh(id, first!.source_id));
  assert.equal(refreshed.source_status, 'pending');
  assert.equal(refreshed.updated_timestamp, first!.updated_timestamp + 1000);
  await asked.promise;
  const [during] = (await theBase(server, id)).url_sources;
  assert.deepEqual([during!.pages_found, during!.pages_waiting], [3, 1]);
  answering.resolve();
  const base = await settled(server, id);
  assert.deepEqual([base.url_sources[0]!.pages_waiting, base.url_sources[0]!.status], [0, 'complete']);
  assert.match((await ask(server, id, 'What does it cost?'))[0]!.text, /twelve/);
});

test('links beyond the limit of pages do not wait once a crawl is over', async (t) => {
  const small = await startKnowledgeServer({ settings: { 'knowledge.crawl.max_pages': '2' } });
  t.after(() => small.stop());
  const site = await aSite({
    '/': aPage('Start', 'Read on.', ['/a', '/b', '/c']),
    '/a': aPage('A', 'Apples.'),
    '/b': aPage('B', 'Bananas.'),
    '/c': aPage('C', 'Cherries.'),
  });
  t.after(() => site.stop());
  const id = await aBase(small);
  await addSources(small, id, { knowledge_base_urls: [site.origin] });
  const [source] = (await settled(small, id, small)).url_sources;
  assert.deepEqual([source!.pages_found, source!.pages_waiting, source!.status], [2, 0, 'complete']);
});

test('a document from a page is read again, too; a text or a source of another organization is not', async (t) => {
  const site = await aSite({ '/page': aPage('Page', 'Open from nine.') });
  t.after(() => site.stop());
  const id = await aBase(server);
  dataOf(await server.post('/rag/document', { kb_id: id, doc_id: 'page', url: `${site.origin}/page` }));
  const [source] = (await settled(server, id)).knowledge_base_sources;
  site.pages['/page'] = aPage('Page', 'Open from ten.');
  dataOf(await refresh(id, source!.source_id));
  await settled(server, id);
  assert.match((await documentsOf(server, id))[0]!.text!, /ten/);

  const added = await addSources(server, id, { knowledge_base_texts: [{ title: 'Text', text: 'A text.' }] });
  const text = added.knowledge_base.knowledge_base_sources.at(-1)!;
  assert.equal((await refresh(id, text.source_id)).status, 409);
  assert.equal((await refresh(await aBase(server), source!.source_id)).status, 404);
  const other = await server.newOrganization();
  const path = `/rag/knowledge-base/${id}/sources/${source!.source_id}/refresh`;
  assert.equal((await other.post(path)).status, 404);
});
