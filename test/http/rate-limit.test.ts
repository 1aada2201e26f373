import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer, type TestServer } from '../support/server.ts';

suite('the rate limit', () => {
  let server: TestServer;
  before(async () => {
    // So slow that no token comes back while the test runs.
    const settings = { 'http.rate_limit.per_second': '0.001', 'http.rate_limit.burst': '3' };
    server = await startTestServer({ settings });
  });
  after(() => server.stop());

  test('a key that has used up its burst gets 429 with the time to wait; other keys are not affected', async () => {
    const key = await server.keyWithRole('admin');
    const get = () => server.get('/agents', { key });
    const answers = [await get(), await get(), await get(), await get()];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 429],
    );
    assert.deepEqual(
      answers.map(({ headers }) => headers.get('ratelimit')?.replace(/;t=\d+$/, '')),
      ['"default";r=2', '"default";r=1', '"default";r=0', '"default";r=0'],
    );
    for (const { headers } of answers) assert.equal(headers.get('ratelimit-policy'), '"default";q=3;w=3000');
    const refused = answers[3]!;
    assert.equal(refused.body.code, 'RATE_LIMITED');
    assert.match(refused.headers.get('retry-after') ?? '', /^(1000|999)$/);
    assert.equal((await server.get('/agents', { key: await server.keyWithRole('viewer') })).status, 200);
  });

  test('it is checked after 401 and before 403, and a token counts against its key', async () => {
    const key = await server.keyWithRole('viewer');
    assert.equal((await server.get('/agents', { key: 'pk_nobody' })).headers.get('ratelimit'), null);
    const { body } = await server.post<{ access_token: string }>('/auth/token', undefined, { key });
    const headers = { authorization: `Bearer ${body.data.access_token}` };
    const asToken = await server.get('/agents', { key: null, headers });
    assert.match(asToken.headers.get('ratelimit') ?? '', /r=1;/);
    assert.equal((await server.post('/contacts', {}, { key })).status, 403);
    assert.equal((await server.post('/contacts', {}, { key })).status, 429);
  });

  test('endpoints that need no key are not limited', async () => {
    for (let index = 0; index < 5; index++) assert.equal((await server.get('//ready')).status, 200);
  });
});

test('a rate of 0 turns off the limit and its headers', async (t) => {
  const server = await startTestServer({
    settings: { 'http.rate_limit.per_second': '0', 'http.rate_limit.burst': '1' },
  });
  t.after(() => server.stop());
  for (let index = 0; index < 3; index++) {
    const { status, headers } = await server.get('/agents');
    assert.deepEqual([status, headers.get('ratelimit'), headers.get('ratelimit-policy')], [200, null, null]);
  }
});
