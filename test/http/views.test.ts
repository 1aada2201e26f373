import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Data, dataOf, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

const view = {
  page: 'calls',
  name: 'Goals missed',
  query: 'goals_met=false&since=2026-03-01T00%3A00%3A00Z',
  shared: false,
};
const namesFor = async (key: string, query = '') =>
  dataOf(await server.get<Data[]>(`/views${query}`, { key })).map(({ name }) => name);

test('a view is its own, until it is shared; then all see it, and its maker and admins change it', async () => {
  const [maker, colleague, viewer] = [
    await server.keyWithRole('member'),
    await server.keyWithRole('member'),
    await server.keyWithRole('viewer'),
  ];
  const saved = dataOf(await server.post('/views', view, { key: maker }));
  assert.deepEqual([saved['query'], saved['own'], saved['version']], [view.query, true, 1]);
  assert.deepEqual([await namesFor(maker), await namesFor(colleague)], [['Goals missed'], []]);
  assert.equal((await server.patch(`/views/${saved.id}`, { name: 'Mine' }, { key: colleague })).status, 404);
  dataOf(await server.patch(`/views/${saved.id}`, { shared: true }, { key: maker }));
  assert.deepEqual([await namesFor(colleague), await namesFor(viewer)], [['Goals missed'], ['Goals missed']]);
  assert.deepEqual(await namesFor(viewer, '?page=audit'), []);
  assert.equal((await server.patch(`/views/${saved.id}`, { name: 'Ours' }, { key: colleague })).status, 403);
  assert.equal((await server.del(`/views/${saved.id}`, { key: viewer })).status, 403);
  assert.equal(dataOf(await server.patch(`/views/${saved.id}`, { name: 'By admin' }))['name'], 'By admin');
  assert.equal((await server.post('/views', { ...view, shared: true }, { key: viewer })).status, 403);
  const own = dataOf(await server.post('/views', view, { key: viewer }));
  assert.equal((await server.patch(`/views/${own.id}`, { shared: true }, { key: viewer })).status, 403);
  dataOf(await server.del(`/views/${saved.id}`));
  assert.deepEqual(await namesFor(maker), []);
});

test('a stale If-Match changes nothing', async () => {
  const { body, headers } = await server.post('/views', view);
  assert.equal(headers.get('etag'), '"1"');
  const path = `/views/${body.data.id}`;
  dataOf(await server.patch(path, { name: 'Second' }, { headers: { 'if-match': '"1"' } }));
  const stale = await server.patch(path, { name: 'Third' }, { headers: { 'if-match': '"1"' } });
  assert.equal(stale.status, 412, stale.text);
  assert.equal((await server.del(path, { headers: { 'if-match': '"1"' } })).status, 412);
  dataOf(await server.del(path, { headers: { 'if-match': '"2"' } }));
});

test('a person has at most 100 views, and a query at most 2,000 characters', async () => {
  const key = await server.keyWithRole('member');
  for (let count = 0; count < 100; count += 1) dataOf(await server.post('/views', view, { key }));
  const refused = await server.post('/views', view, { key });
  assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
  for (const wrong of [{ query: 'x'.repeat(2001) }, { page: 'people' }, { name: '' }])
    assert.equal((await server.post('/views', { ...view, ...wrong })).status, 400);
});
