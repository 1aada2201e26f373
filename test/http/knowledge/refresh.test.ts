import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  aBase,
  addSources,
  aPage,
  ask,
  aSite,
  assertComplete,
  type Doc,
  documentsOf,
  settled,
  startKnowledgeServer,
} from '../../support/knowledge.ts';
import { dataOf } from '../../support/server.ts';

const server = await startKnowledgeServer();
after(() => server.stop());

const hours = (count: number): number => count * 3_600_000;
const byPath = (documents: readonly Doc[]): Record<string, Doc> =>
  Object.fromEntries(documents.map((document) => [new URL(document.url!).pathname, document]));

test('a site is crawled again every 12 hours: changed pages are read again, deleted ones are removed, and the others stay', async (t) => {
  const site = await aSite({
    '/': {
      headers: { etag: '"1"' },
      body: aPage('Start', 'The start.', ['/same', '/changed', '/gone', '/ailing', '/hidden']),
    },
    '/same': { headers: { 'last-modified': 'Sun, 01 Mar 2026 09:00:00 GMT' }, body: aPage('Same', 'Always the same.') },
    '/changed': aPage('Changed', 'The price is ten euros.'),
    '/gone': aPage('Gone', 'This will be gone.'),
    '/ailing': aPage('Ailing', 'This will fail for a while.'),
    '/hidden': aPage('Hidden', 'This will ask not to be kept.'),
  });
  t.after(() => site.stop());
  const id = await aBase(server, { enable_auto_refresh: true });
  const off = await aBase(server);
  for (const each of [id, off]) await addSources(server, each, { knowledge_base_urls: [site.origin] });
  await settled(server, off);
  assertComplete(await settled(server, id));
  const before = byPath(await documentsOf(server, id));
  assert.deepEqual(Object.keys(before).toSorted(), ['/', '/ailing', '/changed', '/gone', '/hidden', '/same']);

  site.asked.length = 0;
  site.pages['/'] = (request, response) => {
    response.writeHead(request.headers['if-none-match'] === '"1"' ? 304 : 500).end();
  };
  site.pages['/same'] = (request, response) => {
    const isKnown = request.headers['if-modified-since'] === 'Sun, 01 Mar 2026 09:00:00 GMT';
    response.writeHead(isKnown ? 304 : 500).end();
  };
  site.pages['/changed'] = aPage('Changed', 'The price is twelve euros.', ['/new']);
  site.pages['/new'] = aPage('New', 'This is new.');
  site.pages['/gone'] = { status: 410 };
  site.pages['/ailing'] = { status: 503 };
  site.pages['/hidden'] = aPage('Hidden', 'Not to be kept.', [], '<meta name="robots" content="noindex">');
  await server.advance(hours(12) - 1);
  assert.deepEqual(site.asked, []);
  await server.advance(1);
  const base = await settled(server, id);
  assertComplete(base);
  assert.equal(base.url_sources[0]!.pages_found, 5);
  assert.equal(site.asked.filter((path) => path === '/robots.txt').length, 1, 'only the base with auto refresh crawls');
  const documents = byPath(await documentsOf(server, id));
  assert.deepEqual(Object.keys(documents).toSorted(), ['/', '/ailing', '/changed', '/new', '/same']);
  for (const path of ['/', '/ailing', '/same']) assert.deepEqual(documents[path], before[path], path);
  assert.equal(documents['/changed']!.doc_id, before['/changed']!.doc_id);
  assert.notEqual(documents['/changed']!.updated_at, before['/changed']!.updated_at);
  const [price] = await ask(server, id, 'What is the price?');
  assert.match(price!.text, /twelve/);
  assert.equal((await documentsOf(server, off)).length, 6);

  site.pages['/ailing'] = aPage('Ailing', 'It is well again.');
  await server.advance(hours(12));
  const healed = byPath(await documentsOf(server, id));
  assert.match(healed['/ailing']!.text!, /well again/);
});

test('a site that fails completely keeps its documents and is tried again', async (t) => {
  const site = await aSite({ '/': aPage('Start', 'The start.', ['/b']), '/b': aPage('B', 'The other page.') });
  t.after(() => site.stop());
  const id = await aBase(server, { enable_auto_refresh: true });
  await addSources(server, id, { knowledge_base_urls: [site.origin] });
  await settled(server, id);
  site.pages['/robots.txt'] = { status: 500 };
  await server.advance(hours(12));
  const ailing = await settled(server, id);
  assertComplete(ailing);
  assert.match(ailing.url_sources[0]!.error!, /robots\.txt/);
  assert.equal((await ask(server, id, 'the other page')).length > 0, true);
  delete site.pages['/robots.txt'];
  site.pages['/b'] = aPage('B', 'The other page, anew.');
  await server.advance(hours(12));
  const well = await settled(server, id);
  assert.equal(well.url_sources[0]!.error, null);
  assert.ok((await documentsOf(server, id)).some(({ text }) => text!.includes('anew')));
  dataOf(await server.del(`/rag/knowledge-base/${id}`));
  site.asked.length = 0;
  await server.advance(hours(24));
  assert.deepEqual(site.asked, [], 'a deleted base sends no requests');
});

test('a failed start URL is tried again, and a fetched document is fetched again', async (t) => {
  const site = await aSite({ '/': { status: 500 }, '/doc': aPage('Doc', 'The first version.') });
  t.after(() => site.stop());
  const id = await aBase(server, { enable_auto_refresh: true });
  await addSources(server, id, { knowledge_base_urls: [site.origin] });
  dataOf(await server.post('/rag/document', { kb_id: id, doc_id: 'fetched', url: `${site.origin}/doc` }));
  assert.equal((await settled(server, id)).url_sources[0]!.status, 'error');
  site.pages['/'] = aPage('Start', 'It is there now.');
  site.pages['/doc'] = aPage('Doc', 'The second version.');
  await server.advance(hours(12));
  assertComplete(await settled(server, id));
  const document = async () => dataOf(await server.get<Doc>(`/rag/document?org_id=${server.orgId}&doc_id=fetched`));
  assert.match((await document()).text!, /second version/);
  site.pages['/doc'] = { status: 404 };
  await server.advance(hours(12));
  const kept = await document();
  assert.match(kept.text!, /second version/, 'only its owner deletes an upserted document');
  assert.equal(kept.status, 'complete');
});
