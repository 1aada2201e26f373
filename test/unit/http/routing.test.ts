import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import Koa from 'koa';
import { AppError } from '../../../src/base/errors.ts';
import { createRouting } from '../../../src/http/routing.ts';

const routing = createRouting();
for (const [method, path] of [
  ['GET', '/api/v1/contacts/{id}'],
  ['PATCH', '/api/v1/contacts/{id}'],
  ['GET', '/api/v1/contacts'],
  ['POST', '/api/v1/contacts'],
  ['GET', '/api/v1/contacts/export'],
  ['GET', '/api/v1/contacts/{id}/notes/{note_id}/'],
  ['GET', '/docs'],
  ['GET', '/docs/docs.css'],
] as const) {
  routing.add(method, path, (ctx, params) => void (ctx.body = { target: `${method} ${path}`, params }));
}

const koa = new Koa();
koa.use(async (ctx, next) => {
  await next().catch((error: unknown) => {
    assert.ok(error instanceof AppError);
    ctx.body = { refused: error.kind, allowed: error.headers['Allow'] };
  });
});
const route = routing.router();
koa.use(async (ctx) => void (await route(ctx)));
const server = createServer((asked, answer) => void koa.callback()(asked, answer));
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => void server.close());

/** Sends the path unchanged, which `fetch` would normalize. */
const found = (method: string, path: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve(text === '' ? answer.statusCode : JSON.parse(text)));
    });
    sent.on('error', reject).end();
  });
const contact = (method: string, id: string) => ({ target: `${method} /api/v1/contacts/{id}`, params: { id } });
const nothing = { refused: 'not_found' };

test('a literal segment takes precedence over a placeholder, unless only the placeholder’s route has the method', async () => {
  assert.deepEqual(await found('GET', '/api/v1/contacts/export'), {
    target: 'GET /api/v1/contacts/export',
    params: {},
  });
  assert.deepEqual(await found('GET', '/api/v1/contacts/exports'), contact('GET', 'exports'));
  assert.deepEqual(await found('PATCH', '/api/v1/contacts/export'), contact('PATCH', 'export'));
});

test('a path matches with and without one trailing slash, and case-sensitively', async () => {
  for (const path of ['/api/v1/contacts/a/notes/b', '/api/v1/contacts/a/notes/b/']) {
    assert.deepEqual(await found('GET', path), {
      target: 'GET /api/v1/contacts/{id}/notes/{note_id}/',
      params: { id: 'a', note_id: 'b' },
    });
  }
  for (const path of ['/docs/docs.css', '/docs/']) assert.notDeepEqual(await found('GET', path), nothing, path);
  for (const path of [
    '/',
    '//',
    '/api',
    '/api/v1',
    '/api/v1//contacts',
    '/api/v1/contacts//notes/b',
    '/api/v1/contacts/a/notes',
    '/API/v1/contacts',
    '/api/v1/contacts/a/NOTES/b',
    '/api/v2/contacts',
    '/x/v1/contacts',
  ]) {
    assert.deepEqual(await found('GET', path), nothing, path);
  }
});

test('a parameter is decoded once; an invalid encoding stays unchanged', async () => {
  for (const [segment, id] of [
    ['%C3%A9', 'é'],
    ['a%2Fb', 'a/b'],
    ['%2525', '%25'],
    ['%', '%'],
    ['%E0%A4%A', '%E0%A4%A'],
    ['__proto__', '__proto__'],
  ] as const) {
    assert.deepEqual(await found('GET', `/api/v1/contacts/${segment}`), contact('GET', id));
  }
});

test('GET routes answer HEAD; another method gets the allowed methods of the path', async () => {
  assert.equal(await found('HEAD', '/api/v1/contacts/a'), 200);
  assert.deepEqual(await found('PUT', '/api/v1/contacts/export'), {
    refused: 'method_not_allowed',
    allowed: 'GET, HEAD, PATCH',
  });
});
