import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { featureRoutes } from '../../src/features/interface.ts';
import { aBase } from '../support/knowledge.ts';
import { aCampaign, aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { type Answer, type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

const contact = await aContact(server);
const campaign = await aCampaign(server);
const base = await aBase(server);
const lists = featureRoutes
  .filter(({ method }) => method === 'GET')
  .map((route) => {
    const id = route.path.startsWith('/api/v1/campaigns') ? campaign.id : contact.id;
    return {
      paged: Boolean(route.paged),
      path: route.path.slice('/api/v1'.length).replace('{id}', id).replace('{kb_id}', base),
    };
  });
const paged = lists.filter((list) => list.paged && !list.path.includes('{')).map(({ path }) => path);

test('exactly the lists that are documented as paged are paged', () => {
  const plain = new Set(paged.map((path) => path.replace(/\/$/, '')));
  for (const path of [
    '/agents',
    '/available-llm-models/with-voices',
    '/contacts',
    `/contacts/${contact.id}/notes`,
    '/campaigns',
    `/campaigns/${campaign.id}/contacts`,
    '/calls',
    '/phone-numbers',
    '/webhooks/endpoints',
    '/webhooks/deliveries',
    '/do-not-call',
    `/rag/knowledge-base/${base}/sources`,
  ]) {
    assert.ok(plain.has(path), path);
  }
  for (const path of ['/api-keys', '/phone-numbers/available']) assert.ok(!plain.has(path), path);
});

for (const path of paged) {
  test(`${path.replaceAll(/[0-9a-f-]{36}/g, '{id}')} is paged by limit and offset`, async () => {
    const metaOf = async (query: string) => {
      const { status, body } = await server.get(`${path}${query}`);
      assert.equal(status, 200);
      const { total, ...rest } = body.meta;
      assert.ok(Number.isInteger(total));
      return rest;
    };
    assert.deepEqual(await metaOf(''), { limit: 50, offset: 0 });
    assert.deepEqual(await metaOf('?limit=1&offset=1'), { limit: 1, offset: 1 });
    assert.deepEqual(await metaOf('?limit=500'), { limit: 500, offset: 0 });
    assert.deepEqual(await metaOf('?limit=501'), { limit: 500, offset: 0 });
    assert.deepEqual(await metaOf(`?limit=${'9'.repeat(30)}`), { limit: 500, offset: 0 });
    assert.deepEqual(await metaOf('?offset=9007199254740991'), { limit: 50, offset: Number.MAX_SAFE_INTEGER });
    for (const bad of ['0', '-1', 'x', '', '1.5', '1e1', '0x10', ' 1', 'NaN', 'Infinity', '9'.repeat(400)]) {
      assert.deepEqual(faultPaths(await server.get(`${path}?limit=${bad}`)), ['limit'], bad);
    }
    for (const bad of ['-1', 'x', '', '0.5', '9'.repeat(30)]) {
      assert.deepEqual(faultPaths(await server.get(`${path}?offset=${bad}`)), ['offset'], bad);
    }
    assert.deepEqual(faultPaths(await server.get(`${path}?limit=x&offset=-2&cursor=3`)), ['cursor', 'limit', 'offset']);
  });
}

const walked = [
  '/contacts/',
  `/campaigns/${campaign.id}/contacts`,
  '/calls',
  '/webhooks/deliveries',
  '/audit',
  `/rag/knowledge-base/${base}/sources`,
];

test('lists that may be long are walked by after; it belongs to one list with its filters', async () => {
  for (const path of walked) {
    const first = await server.get(`${path}?after=&limit=1`);
    assert.equal(first.status, 200, path);
    assert.deepEqual(Object.keys(first.body.meta), ['limit', 'next']);
    assert.deepEqual(faultPaths(await server.get(`${path}?after=&offset=0`)), ['after', 'offset']);
    for (const bad of ['x', 'WyJ4Il0.AAAAAAAAAAAAAAAA', '%00']) {
      assert.deepEqual(faultPaths(await server.get(`${path}?after=${bad}`)), ['after'], bad);
    }
  }
  await aContact(server);
  const { next } = (await server.get('/contacts?after=&limit=1')).body.meta;
  assert.equal((await server.get(`/contacts?after=${next}&limit=7`)).status, 200);
  for (const other of [`/contacts?q=a&after=${next}`, `/calls?after=${next}`]) {
    assert.deepEqual(faultPaths(await server.get(other)), ['after'], other);
  }
});

test('a walk by after shows every contact that stood still once, while others come and go', async () => {
  const stood: string[] = [];
  const leaving: string[] = [];
  for (let count = 0; count < 12; count++) (count % 3 === 0 ? leaving : stood).push((await aContact(server)).id);
  for (const filter of ['', '&q=4']) {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: Answer<Data[]> = await server.get<Data[]>(`/contacts?limit=2${filter}&after=${cursor}`);
      seen.push(...body.data.map(({ id }: Data) => id));
      cursor = body.meta.next ?? null;
      await aContact(server);
      const gone = leaving.pop();
      if (gone !== undefined) await server.del(`/contacts/${gone}`);
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(
      stood.filter((id) => !seen.includes(id)),
      [],
    );
  }
});

test('lists without paging refuse limit and offset', async () => {
  assert.deepEqual(faultPaths(await server.get('/api-keys?limit=1&offset=1')), ['limit', 'offset']);
});

test('rows created at the same instant are listed newest first, without gaps or repetitions between pages', async () => {
  const makers = {
    '/agents/': () => anAgent(server),
    '/contacts/': () => aContact(server),
    '/campaigns/': () => aCampaign(server),
    '/phone-numbers': () => aNumber(server),
    [`/contacts/${contact.id}/notes`]: async () =>
      dataOf(await server.post(`/contacts/${contact.id}/notes`, { content: 'Called back.' })),
  };
  for (const [path, make] of Object.entries(makers)) {
    const made: string[] = [];
    for (let count = 0; count < 7; count++) made.unshift((await make()).id);
    const pages: string[] = [];
    for (let offset = 0; offset < 7; offset += 3) {
      const { body } = await server.get<Data[]>(`${path}?limit=3&offset=${offset}`);
      pages.push(...body.data.map(({ id }) => id));
    }
    assert.deepEqual(pages.slice(0, 7), made, path);
    const { body } = await server.get<Data[]>(`${path}?limit=500`);
    assert.equal(body.meta.total, body.data.length, path);
    const beyond = await server.get<Data[]>(`${path}?offset=1000`);
    assert.deepEqual([beyond.body.data, beyond.body.meta.total], [[], body.meta.total], path);
  }
});

test('a list shows at most 500 rows', async () => {
  const phones = Array.from({ length: 510 }, () => aPhone());
  assert.deepEqual(dataOf(await server.post('/do-not-call', { phones })), { added: 510 });
  const { body } = await server.get<unknown[]>('/do-not-call?limit=1000');
  assert.deepEqual([body.data.length, body.meta], [500, { total: 510, limit: 500, offset: 0 }]);
});
