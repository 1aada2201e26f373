import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { aPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

suite('the rate limit', () => {
  let server: TestServer;
  before(async () => {
    // A rate so low that no token is replenished while the test runs.
    const settings = {
      'http.rate_limit.per_second': '0.001',
      'http.rate_limit.burst': '3',
      'http.trusted_proxies': '["127.0.0.0/8", "::1/128"]',
    };
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

  const logIn = (email: string, from: string, password = 'wrong password') =>
    server.post('/auth/login', { email, password }, { key: null, headers: { 'x-forwarded-for': from } });

  test('log-ins are limited per address, whatever else the address asks for', async () => {
    const answers = [];
    for (let index = 0; index < 4; index++) answers.push(await logIn(`${index}@example.com`, '192.0.2.1'));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 401, 429],
    );
    const refused = answers[3]!;
    assert.deepEqual(
      [refused.body.code, /^\d+$/.test(refused.headers.get('retry-after') ?? '')],
      ['RATE_LIMITED', true],
    );
    assert.match(refused.headers.get('ratelimit') ?? '', /r=0;/);
    const malformed = await server.post('/auth/login', '{', { key: null, headers: { 'x-forwarded-for': '192.0.2.1' } });
    assert.equal(malformed.status, 429);
    assert.equal((await logIn('4@example.com', '192.0.2.2')).status, 401, 'another address');
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    const key = await server.keyWithRole('viewer');
    assert.equal((await server.get('/agents', { key, headers })).status, 200, 'a key has its own limit');
  });

  test('a log-in from an address that its person has logged in from is not limited', async () => {
    const { email, credentials } = await aPerson(server);
    assert.equal((await logIn(email, '192.0.2.3', credentials.password)).status, 200);
    for (let index = 0; index < 5; index++) await logIn('stranger@example.com', '192.0.2.3');
    assert.equal((await logIn('stranger@example.com', '192.0.2.3')).status, 429);
    assert.equal((await logIn(email, '192.0.2.3')).status, 401, 'with a wrong password, too');
    assert.equal((await logIn(email.toUpperCase(), '192.0.2.3', credentials.password)).status, 200);
  });

  test('the OpenAPI document is limited per address; probes, pages and their files are not', async () => {
    const statuses = async (path: string) => {
      const headers = { 'x-forwarded-for': '192.0.2.4' };
      const found = [];
      for (let index = 0; index < 4; index++) found.push((await server.get(path, { key: null, headers })).status);
      return found;
    };
    assert.deepEqual(await statuses('//openapi.json'), [200, 200, 200, 429]);
    for (const path of ['//ready', '//livez', '//docs', '//docs/docs.css']) {
      assert.deepEqual(await statuses(path), [200, 200, 200, 200], path);
    }
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
