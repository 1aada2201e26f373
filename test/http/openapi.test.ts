import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { featureRoutes } from '../../src/features/interface.ts';
import { answerCheck } from '../support/openapi.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());
const { document } = server;

type Parameter = { name: string; in: string; required: boolean; schema: object };
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, object>;
  security: Array<Record<string, unknown>>;
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation: operation as unknown as Operation,
  })),
);
const has = (method: string, path: string): boolean =>
  operations.some((entry) => entry.method === method && entry.path === path);

test('the document is public, OpenAPI 3.1.0, and bears the version of the interface', async () => {
  const answer = await server.get('//openapi.json', { key: null });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type')!, /^application\/json/);
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info['version'], '1.0.0');
  assert.match(String(document.info['x-parley-version']), /^\d+\.\d+\.\d+/);
  assert.equal(typeof document.info['title'], 'string');
});

test('every route is in it, under its own path', () => {
  for (const route of featureRoutes) {
    assert.equal(has(route.method, route.path), route.undocumented !== true, `${route.method} ${route.path}`);
  }
  for (const path of ['/ready', '/api/v1/system', '/api/v1/test-clock']) assert.ok(has('GET', path), path);
});

test('the paths are those of the interface, slash for slash', () => {
  const shown = [
    ['GET', '/api/v1/agents/'],
    ['POST', '/api/v1/agents/'],
    ['PUT', '/api/v1/agents/{agent_id}'],
    ['GET', '/api/v1/available-llm-models/with-voices'],
    ['POST', '/api/v1/contacts/'],
    ['GET', '/api/v1/contacts/'],
    ['GET', '/api/v1/contacts/{id}/campaigns'],
    ['GET', '/api/v1/contacts/{id}/notes'],
    ['PATCH', '/api/v1/campaigns/{id}/'],
    ['GET', '/api/v1/campaigns/{id}/contacts'],
    ['DELETE', '/api/v1/campaigns/{id}/contacts/{contact_id}'],
    ['GET', '/api/v1/phone-numbers/import/{id}'],
    ['DELETE', '/api/v1/phone-numbers/{phone_number}/release/'],
    ['GET', '/ready'],
  ] as const;
  for (const [method, path] of shown) assert.ok(has(method, path), `${method} ${path}`);
});

test('no two paths are the same but for the names of their parameters', () => {
  const plain = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
  assert.deepEqual(
    plain.filter((path, index) => plain.indexOf(path) !== index),
    [],
  );
});

test('operations have ids of their own, and exactly the parameters of their paths', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { path, method, operation } of operations) {
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    assert.deepEqual(
      inPath.map(({ name }) => name).toSorted(),
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted(),
      `${method} ${path}`,
    );
    assert.ok(inPath.every(({ required }) => required));
    assert.ok('200' in operation.responses || method === 'POST');
    assert.ok(Array.isArray(operation.security));
  }
});

test('every reference leads somewhere, and every schema compiles', () => {
  const text = JSON.stringify(document);
  for (const [, reference] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
    let target: unknown = document;
    for (const part of reference!.replace('#/', '').split('/')) target = (target as Record<string, unknown>)[part];
    assert.ok(target, reference!);
  }
  const check = answerCheck(document);
  for (const { path, method, operation } of operations) {
    if (!('200' in operation.responses)) continue;
    const said = check(method, path.replaceAll(/\{\w+\}/g, 'x'), 200, null);
    assert.match(said ?? '', /must be (?:object|string)/, `${method} ${path}`);
  }
});

test('the document tells a wrong answer from a right one', () => {
  const check = answerCheck(document);
  const right = { success: true, message: 'Deleted.' };
  assert.equal(check('DELETE', '/api/v1/contacts/x', 200, right), undefined);
  assert.match(check('DELETE', '/api/v1/contacts/x', 200, { ...right, data: 1 })!, /additional properties/);
  assert.match(check('GET', '/api/v1/contacts/', 200, right)!, /required property/);
  assert.match(check('GET', '/nowhere', 404, { message: 'x' })!, /success/);
});
