import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aBase,
  addSources,
  aPage,
  assertComplete,
  type Base,
  documentsOf,
  type Page,
  settled,
  type Site,
  startCrawlTest,
  startKnowledgeServer,
} from '../../support/knowledge.ts';
import { dataOf } from '../../support/server.ts';

const { server, site } = await startCrawlTest();

/** Crawls a site until the round is finished; a new round if the base already has it. */
async function crawled(id: string, { origin }: Site): Promise<Base> {
  await addSources(server, id, { knowledge_base_urls: [`${origin}/`] });
  return settled(server, id);
}

const urlsOf = async (id: string): Promise<string[]> =>
  (await documentsOf(server, id)).map(({ url }) => url!).toSorted();

const hours = (count: number): number => count * 3_600_000;

/** A page that is answered only after `open()`; `arrived` resolves when it is requested. */
function held(answer: Exclude<Page, (...args: never) => unknown>) {
  const arrival = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  const { status = 200, headers = {}, body = '' } = typeof answer === 'string' ? { body: answer } : answer;
  const page: Page = async (_request, response) => {
    arrival.resolve();
    await opening.promise;
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
  };
  return { page, arrived: arrival.promise, open: opening.resolve };
}

test('a document deleted while its page is fetched does not return, and the round ends', async () => {
  const ours = await site({ '/': aPage('Start', 'The start.', ['/b']), '/b': aPage('B', 'The other page.') });
  const id = await aBase(server, { enable_auto_refresh: true });
  assertComplete(await crawled(id, ours));
  const again = held(aPage('Start', 'The start, anew.', ['/b', '/c']));
  ours.pages['/'] = again.page;
  ours.pages['/c'] = aPage('C', 'A third page.');
  await addSources(server, id, { knowledge_base_urls: [ours.origin] });
  await again.arrived;
  const start = (await documentsOf(server, id)).find(({ url }) => url === `${ours.origin}/`)!;
  dataOf(await server.del(`/rag/document?doc_id=${start.doc_id}`));
  again.open();
  assertComplete(await settled(server, id));
  assert.deepEqual(await urlsOf(id), [`${ours.origin}/b`, `${ours.origin}/c`]);
  ours.asked.length = 0;
  await server.advance(hours(12));
  assert.deepEqual(ours.asked.toSorted(), ['/', '/b', '/c', '/robots.txt', '/sitemap.xml'], 'the next refresh comes');
  assert.deepEqual(await urlsOf(id), [`${ours.origin}/b`, `${ours.origin}/c`]);
});

test('a URL can be added again while the robots.txt of its redirect target is pending', async () => {
  const there = await site({
    '/': aPage('Home', 'The site has moved here.', ['/more']),
    '/more': aPage('More', 'More.'),
  });
  const here = await site({ '/': { status: 301, headers: { location: `${there.origin}/` } } });
  const robots = held({ status: 404 });
  there.pages['/robots.txt'] = robots.page;
  const id = await aBase(server);
  for (const _ of ['first', 'again']) {
    await addSources(server, id, { knowledge_base_urls: [here.origin] });
    await robots.arrived;
  }
  robots.open();
  assertComplete(await settled(server, id));
  assert.deepEqual(await urlsOf(id), [`${there.origin}/`, `${there.origin}/more`]);
});

test('a refresh fetches the start URL before the pages kept behind its redirect', async () => {
  const there = await site({ '/': aPage('Home', 'Here.', ['/old', '/two']) });
  there.pages['/old'] = aPage('Old', 'The opening hours.');
  there.pages['/two'] = aPage('Two', 'The second page.');
  const here = await site({ '/': { status: 301, headers: { location: `${there.origin}/` } } });
  const id = await aBase(server);
  assertComplete(await crawled(id, here));
  const slow = held({ status: 301, headers: { location: `${there.origin}/` } });
  here.pages['/'] = slow.page;
  there.pages['/'] = aPage('Home', 'Here.', ['/old', '/two', '/three']);
  there.pages['/old'] = { status: 301, headers: { location: '/new' } };
  there.pages['/new'] = aPage('New', 'The opening hours.');
  there.pages['/three'] = aPage('Three', 'The third page.');
  there.asked.length = 0;
  await addSources(server, id, { knowledge_base_urls: [here.origin] });
  await slow.arrived;
  assert.deepEqual(there.asked, []);
  slow.open();
  assertComplete(await settled(server, id));
  assert.deepEqual(
    await urlsOf(id),
    ['/', '/new', '/three', '/two'].map((path) => there.origin + path),
  );
  // If the start URL fails, kept pages stay on their old host.
  here.pages['/'] = { status: 500 };
  there.pages['/two'] = aPage('Two', 'The second page.', ['/four']);
  there.pages['/four'] = aPage('Four', 'The fourth page.');
  assertComplete(await crawled(id, here));
  assert.ok((await urlsOf(id)).includes(`${there.origin}/four`));
});

test('a document is refreshed from its URL, not from where that redirected before', async () => {
  const ours = await site({
    '/here': { status: 302, headers: { location: '/there' } },
    '/there': aPage('There', 'What is there.'),
  });
  const id = await aBase(server, { enable_auto_refresh: true });
  dataOf(await server.post('/rag/document', { kb_id: id, url: `${ours.origin}/here` }));
  await settled(server, id);
  ours.pages['/here'] = aPage('Here', 'What is here.');
  ours.asked.length = 0;
  await server.advance(hours(12));
  assert.deepEqual(ours.asked, ['/robots.txt', '/here']);
  assert.match((await documentsOf(server, id))[0]!.text!, /What is here/);
});

test('a page that was unavailable is read again, even if the page that links to it did not change', async () => {
  const ours = await site({
    '/': (request, response) => {
      const isKnown = request.headers['if-none-match'] === '"1"';
      response.writeHead(isKnown ? 304 : 200, { 'content-type': 'text/html', etag: '"1"' });
      response.end(isKnown ? '' : aPage('Start', 'The start.', ['/away', '/moved', '/barred']));
    },
  });
  const pages = { '/away': aPage('A', 'One.'), '/moved': aPage('M', 'Two.'), '/barred': aPage('B', 'Three.') };
  const id = await aBase(server);
  Object.assign(ours.pages, pages);
  assertComplete(await crawled(id, ours));
  Object.assign(ours.pages, {
    '/away': { status: 404 },
    '/moved': { status: 302, headers: { location: '/login' } },
    '/robots.txt': { body: 'User-agent: *\nDisallow: /barred' },
  });
  assertComplete(await crawled(id, ours));
  assert.deepEqual(await urlsOf(id), [`${ours.origin}/`]);
  delete ours.pages['/robots.txt'];
  Object.assign(ours.pages, pages);
  assertComplete(await crawled(id, ours));
  assert.deepEqual(
    await urlsOf(id),
    ['/', '/away', '/barred', '/moved'].map((path) => ours.origin + path),
  );
});

test('a page whose canonical URL redirects back to it is kept in every round', async () => {
  const shoes = aPage('Shoes', 'Boots are 90 euros.', [], '<link rel="canonical" href="/shoes">');
  const ours = await site({
    '/': aPage('Start', 'To the shop.', ['/shoes', '/shop/shoes']),
    '/shoes': { status: 301, headers: { location: '/shop/shoes' } },
    '/shop/shoes': shoes,
  });
  const id = await aBase(server);
  for (const _ of [1, 2, 3]) {
    assertComplete(await crawled(id, ours));
    assert.deepEqual(await urlsOf(id), [`${ours.origin}/`, `${ours.origin}/shoes`]);
  }
});

test('crawls of a host with a Crawl-delay share its slots, and a deleted one frees them', async () => {
  const links = Array.from({ length: 20 }, (_, index) => `/${index}`);
  const ours = await site({
    '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 10\nDisallow: /sitemap.xml' },
    '/': aPage('Start', 'The start.', links),
    ...Object.fromEntries(links.map((link) => [link, aPage(link, `Page ${link}.`)])),
    '/fresh': aPage('Fresh', 'A fresh page.'),
  });
  const id = await aBase(server);
  await crawled(id, ours);
  await server.advance(10_000);
  assert.deepEqual(ours.asked, ['/robots.txt', '/', '/0']);
  const other = await server.newOrganization();
  const fresh = await aBase(other);
  await addSources(other, fresh, { knowledge_base_urls: [`${ours.origin}/fresh`] });
  await server.advance(20_000);
  assert.deepEqual(ours.asked.slice(3), ['/robots.txt', '/1', '/fresh']);
  dataOf(await server.del(`/rag/knowledge-base/${id}`));
  ours.asked.length = 0;
  await addSources(other, fresh, { knowledge_base_urls: [`${ours.origin}/5`] });
  await server.advance(20_000);
  assert.deepEqual(ours.asked, ['/robots.txt', '/5'], 'at most one slot of the deleted crawl is wasted');
});

test('sitemaps use crawl-delay slots like pages', async () => {
  const ours = await site({ '/': aPage('Start', 'The start.'), '/fresh': aPage('Fresh', 'A fresh page.') });
  const sitemaps = Array.from({ length: 8 }, (_, index) => `Sitemap: ${ours.origin}/${index}.xml`);
  ours.pages['/robots.txt'] = { body: ['User-agent: *', 'Crawl-delay: 10', ...sitemaps].join('\n') };
  const [id, fresh] = [await aBase(server), await aBase(server)];
  await crawled(id, ours);
  dataOf(await server.del(`/rag/knowledge-base/${id}`));
  await addSources(server, fresh, { knowledge_base_urls: [`${ours.origin}/fresh`] });
  await server.advance(20_000);
  assert.deepEqual(ours.asked, ['/robots.txt', '/', '/robots.txt', '/fresh']);
});

test('the crawl of a site whose pages all redirect ends', async () => {
  const limited = await startKnowledgeServer({ settings: { 'knowledge.crawl.max_pages': '4' } });
  const ours = await site();
  try {
    const links = Array.from({ length: 60 }, (_, index) => `/${index}`);
    ours.pages['/'] = aPage('Start', 'All lead on and on.', links);
    for (const link of links) {
      for (let step = 0; step <= 5; step += 1) {
        ours.pages[link + 'x'.repeat(step)] = { status: 302, headers: { location: `${link}${'x'.repeat(step + 1)}` } };
      }
    }
    const id = await aBase(limited);
    await addSources(limited, id, { knowledge_base_urls: [ours.origin] });
    assertComplete(await settled(limited, id));
    // Five requests for each of the four pages, plus robots.txt and the sitemap.
    assert.ok(ours.asked.length <= 22, `${ours.asked.length} requests`);
  } finally {
    await limited.stop();
  }
});
