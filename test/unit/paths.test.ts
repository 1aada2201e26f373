import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPaths } from '../../src/http/paths.ts';

const paths = createPaths<string>();
for (const [method, path] of [
  ['GET', '/contacts'],
  ['POST', '/contacts'],
  ['GET', '/contacts/export'],
  ['GET', '/contacts/{id}'],
  ['PATCH', '/contacts/{id}'],
  ['GET', '/contacts/{id}/notes/{note_id}/'],
  ['DELETE', '/{kind}/export/all'],
] as const) {
  paths.add(method, path, `${method} ${path}`);
}

const found = (method: string, path: string) => paths.find(method, path);

test('a literal segment goes before a parameter, unless only the parameter has the method', () => {
  assert.deepEqual(found('GET', '/contacts/export'), { target: 'GET /contacts/export', params: {} });
  assert.deepEqual(found('GET', '/contacts/exports'), { target: 'GET /contacts/{id}', params: { id: 'exports' } });
  assert.deepEqual(found('PATCH', '/contacts/export'), { target: 'PATCH /contacts/{id}', params: { id: 'export' } });
});

test('a literal that leads nowhere does not hide a parameter that leads on', () => {
  assert.deepEqual(found('DELETE', '/contacts/export/all'), {
    target: 'DELETE /{kind}/export/all',
    params: { kind: 'contacts' },
  });
});

test('a path is found with and without one trailing slash, and in its own case', () => {
  for (const path of ['/contacts/a/notes/b', '/contacts/a/notes/b/']) {
    assert.deepEqual(found('GET', path), {
      target: 'GET /contacts/{id}/notes/{note_id}/',
      params: { id: 'a', note_id: 'b' },
    });
  }
  for (const path of [
    '',
    '/',
    '//',
    '/contacts//',
    '//contacts',
    '/contacts//notes/b',
    '/contacts/a/notes',
    '/Contacts/a/NOTES/b',
    'contacts',
  ]) {
    assert.deepEqual(found('GET', path), { allowed: [] }, path);
  }
});

test('a parameter is decoded, once; what is no encoding stays as it is', () => {
  for (const [segment, id] of [
    ['%C3%A9', 'é'],
    ['a%2Fb', 'a/b'],
    ['%2525', '%25'],
    ['%', '%'],
    ['%E0%A4%A', '%E0%A4%A'],
    ['__proto__', '__proto__'],
  ] as const) {
    assert.deepEqual(found('GET', `/contacts/${segment}`), { target: 'GET /contacts/{id}', params: { ['id']: id } });
  }
});

test('GET answers HEAD; another method is told what the path allows', () => {
  assert.equal(found('HEAD', '/contacts/a').target, 'GET /contacts/{id}');
  assert.deepEqual(found('PUT', '/contacts/export'), { allowed: ['GET', 'HEAD', 'PATCH'] });
  assert.deepEqual(found('GET', '/a/export/all'), { allowed: ['DELETE'] });
});
