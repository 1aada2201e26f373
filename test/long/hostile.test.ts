import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { featureRoutes } from '../../src/features/interface.ts';
import { aContact } from '../support/fixtures.ts';
import { bodyFor, paramsOf, pathFor } from '../support/route-requests.ts';
import { faultPaths, type RequestOptions, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());
/** Every third item, starting at `offset % 3`: each route gets a third of the inputs, and each input goes to a third of the routes. */
const third = <T>(items: readonly T[], offset: number): T[] => items.filter((_, index) => index % 3 === offset % 3);
const writes = featureRoutes.filter((route) => route.body !== undefined && route.access !== 'public');
assert.ok(writes.length >= 25, `only ${writes.length} routes take a body`);

/** Sends a request and fails if the answer is a 5xx. */
async function survives(method: string, path: string, options: RequestOptions = {}) {
  const answer = await server.request(method, path, options);
  assert.ok(answer.status < 500, `${method} ${path.slice(0, 200)} ${answer.status} ${answer.text.slice(0, 500)}`);
  return answer;
}

const hostile: unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\uffff\ufffe',
  '🦜'.repeat(1000),
  'x'.repeat(100_000),
  '%00',
  '../../etc/passwd',
  "'; DROP TABLE agents; --",
  '{{7*7}}${7*7}',
  '__proto__',
  'constructor',
  0,
  -0,
  -1,
  0.1,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  2 ** 63,
  2 ** 64,
  true,
  null,
  [],
  [[]],
  [null],
  Array.from({ length: 5000 }, () => 'a'),
  {},
  { toString: 1 },
  { length: -1 },
];

test('no value of a body field causes a 5xx', async () => {
  for (const [position, route] of writes.entries()) {
    const fields = Object.keys((route.body as { properties?: object }).properties ?? {});
    const bearer = route.access === 'bearer';
    for (const [index, value] of third(hostile, position).entries()) {
      const field = fields[(index + position) % fields.length] ?? 'anything';
      const body = { ...(bodyFor(route) as object), [field]: value };
      await survives(route.method, `/${pathFor(route)}`, { body, bearer });
    }
  }
});

const rawBodies = [
  '{"__proto__":{"role":"admin"}}',
  '{"constructor":{"prototype":{"role":"admin"}}}',
  '{"__proto__":null,"toString":1,"valueOf":2,"hasOwnProperty":3}',
  '{"a":1e999}',
  `{"a":${'9'.repeat(5000)}}`,
  `{"limit":-0,"ms":1e400}`,
  '['.repeat(20_000),
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"metadata":${'{"a":'.repeat(20_000)}1.0${'}'.repeat(20_000)}}`,
  `{"metadata":${'['.repeat(63)}1.0${']'.repeat(63)}}`,
  `{${Array.from({ length: 2000 }, (_, index) => `"k${index}":0`).join()}}`,
  `{"${'k'.repeat(50_000)}":1}`,
  '{"a":"\\ud800","b":"\\u0000"}',
  '\u0000',
  '"\\',
  '\ufeff\ufeff{}',
  '{"first_name":"a","first_name":"b"}',
];

test('no raw body causes a 5xx', async () => {
  for (const [position, route] of writes.entries()) {
    const bearer = route.access === 'bearer';
    for (const body of third(rawBodies, position)) await survives(route.method, `/${pathFor(route)}`, { body, bearer });
  }
});

test('prototypes are not polluted', async () => {
  await survives('POST', '/contacts/', { body: '{"__proto__":{"polluted":1}}' });
  await survives('POST', '/contacts/', { body: '{"metadata":{"__proto__":{"polluted":1}}}' });
  await survives('GET', '/contacts/?__proto__[polluted]=1&constructor.prototype.polluted=1');
  assert.equal((Object.prototype as Record<string, unknown>)['polluted'], undefined);
  assert.deepEqual(faultPaths(await server.post('/contacts/', '{"__proto__":{"first_name":"x"}}')), ['__proto__']);
});

test('text that cannot be stored unchanged is refused with its path', async () => {
  assert.deepEqual(faultPaths(await server.post('/contacts/', { first_name: 'a\u0000b', company: '\ud800' })), [
    'company',
    'first_name',
  ]);
  assert.deepEqual(
    faultPaths(await server.post('/agents/', { agent_name: '\u0000', model: 'm', voice_id: 'v' })).includes(
      'agent_name',
    ),
    true,
  );
  const { id } = await aContact(server);
  const tags = [{ phone: '+4930901820', tags: ['ok', 'half \udc00'] }];
  assert.deepEqual(faultPaths(await server.post(`/campaigns/${id}/contacts`, { contacts: tags })), [
    'contacts[0].tags[1]',
  ]);
  assert.deepEqual(faultPaths(await server.get('/contacts/?q=%00')), ['q']);
});

test('a body nested more than 64 levels deep is refused', async () => {
  const nested = (levels: number) => `{"metadata":{"a":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}}`;
  assert.equal((await server.post('/contacts/', nested(64))).status, 200);
  assert.deepEqual(faultPaths(await server.post('/contacts/', nested(65))), ['']);
});

/** Sends a request line unchanged; HTTP clients would normalize the path. */
async function statusOf(line: string): Promise<number> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(
    `${line} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${server.apiKey}\r\nAuthorization: Bearer ${server.accessToken}\r\nConnection: close\r\n\r\n`,
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of socket) chunks.push(chunk as Uint8Array);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(Buffer.concat(chunks).toString())?.[1]);
}

test('no path causes a 5xx', async () => {
  const segments = [
    '%',
    '%0',
    '%zz',
    '%00',
    '%ff',
    '%c3%28',
    '%ed%a0%80',
    '%2f',
    '%2e%2e',
    '..',
    '.',
    '*',
    ':id',
    '{id}',
    '(.*)',
    '__proto__',
    'constructor',
    '\u0000',
    'é',
    '🦜',
    '%2B',
    '+',
    "'%20OR%201=1",
    'x'.repeat(4000),
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ];
  // Without a session, its own operations answer 401 before they look at the path.
  const withParams = featureRoutes.filter(
    (route) => paramsOf(route).length > 0 && route.access !== 'public' && route.access !== 'session',
  );
  assert.ok(withParams.length >= 35, `only ${withParams.length} routes have path parameters`);
  for (const [index, segment] of segments.entries()) {
    for (const route of third(withParams, index)) {
      const path = route.path.replaceAll(/\{\w+\}/g, () => segment);
      const status = await statusOf(`${route.method} ${path}`);
      // An unknown agent simply has no calendar.
      const isAnswered = route.operationId === 'getAgentCalendarStatus' && status === 200;
      assert.ok([400, 404].includes(status) || isAnswered, `${route.method} ${path.slice(0, 100)} ${status}`);
    }
  }
  for (const target of [
    '*',
    '//',
    '///',
    '//evil.example/x',
    'http://evil.example/ready',
    '/?',
    '/#',
    '\\',
    '/..%2f..%2fetc',
  ]) {
    const status = await statusOf(`GET ${target}`);
    assert.ok(status < 500, `${target} ${status}`);
  }
  for (const method of ['OPTIONS', 'TRACE', 'PROPFIND', 'LINK', 'QUERY']) {
    assert.ok([405, 400].includes(await statusOf(`${method} /api/v1/contacts/`)), method);
  }
});

test('no query string causes a 5xx', async () => {
  const queries = [
    '?',
    '?&&&===',
    '?limit',
    '?limit[]=1',
    '?limit[a]=1',
    '?limit=%00',
    '?limit=%ff',
    '?limit=%',
    '?limit=9e99',
    `?limit=${'9'.repeat(3000)}`,
    `?offset=${'9'.repeat(3000)}`,
    '?offset=9223372036854775807',
    '?offset=9223372036854775808',
    '?offset=-9223372036854775809',
    '?__proto__=1',
    '?constructor=1&toString=2',
    `?${'a=1&'.repeat(3000)}`,
    `?q=${'x'.repeat(12_000)}`,
    `?${'x'.repeat(12_000)}`,
    '?q=%F0%9F%A6%9C',
    '?q=%ED%A0%80',
    '?status=%00',
    '?agent_id=%00',
  ];
  const lists = featureRoutes.filter(({ method, params }) => method === 'GET' && !params);
  assert.ok(lists.length >= 15, `only ${lists.length} routes without path parameters`);
  for (const [position, { path, access }] of lists.entries()) {
    for (const query of third(queries, position))
      await survives('GET', `/${path}${query}`, { bearer: access === 'bearer' });
  }
});

test('no header causes a 5xx', async () => {
  const values = ['', 'x'.repeat(8000), 'é'.repeat(100), '\t', ',', ';=', '"', '\u00ff\u00fe'];
  for (const name of [
    'x-api-key',
    'authorization',
    'x-request-id',
    'accept',
    'accept-encoding',
    'content-type',
    'cookie',
    'range',
    'if-none-match',
    'origin',
    'x-forwarded-for',
    'idempotency-key',
    'x-http-method-override',
  ]) {
    for (const value of values) {
      await survives('GET', '/contacts/', { headers: { [name]: value } });
      await survives('POST', '/contacts/', { headers: { [name]: value }, body: '{}' });
    }
  }
  for (const value of [
    'Bearer ..',
    'Bearer e30.e30.',
    `Bearer ${'a.'.repeat(3000)}`,
    'Bearer eyJhbGciOiJub25lIn0.e30.',
  ]) {
    assert.equal((await survives('GET', '/contacts/', { key: null, headers: { authorization: value } })).status, 401);
  }
});

test('no JSON value as a body causes a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...writes), fc.jsonValue(), async (route, body) => {
      const bearer = route.access === 'bearer';
      await survives(route.method, `/${pathFor(route)}`, { body: JSON.stringify(body), bearer });
    }),
    { numRuns: 200 },
  );
});

test('the server still works afterwards', async () => {
  assert.equal((await server.get('//ready')).text, '{"status":"ready"}');
  assert.equal((await server.post('/contacts/', { first_name: 'Ada' })).status, 200);
});
