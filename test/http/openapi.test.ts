import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { featureRoutes } from '../../src/features/interface.ts';
import { answerCheck } from '../support/openapi.ts';
import { startTestServer } from '../support/server.ts';
import { aSession } from '../support/sessions.ts';

// Signed requests are only answered with this carrier. The test places no call, so nothing is sent to the URL.
const server = await startTestServer({
  settings: {
    'carrier.driver': 'http',
    'carrier.http.url': 'http://127.0.0.1:9/',
    'carrier.http.secret': 'a secret of the voice runtime',
  },
});
after(() => server.stop());
const { document } = server;

type Parameter = { name: string; in: string; required: boolean; schema: object };
type Operation = {
  operationId: string;
  parameters: Array<Parameter | { $ref: string }>;
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
  security: Array<Record<string, unknown>>;
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    name: `${method.toUpperCase()} ${path}`,
    operation: operation as unknown as Operation,
  })),
);
const has = (method: string, path: string): boolean =>
  operations.some((entry) => entry.method === method && entry.path === path.replace(/(?<=.)\/$/, ''));
/** The path with every parameter set to `x`, which is the id of no resource and matches no format. */
const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, 'x');

test('the tests below see every operation, of every method', () => {
  const count = (method: string): number => operations.filter((entry) => entry.method === method).length;
  const routes = featureRoutes.filter(({ undocumented }) => !undocumented);
  // Besides the features' operations: /ready, /livez, /metrics, getSystem and the two of the test clock.
  assert.equal(operations.length, routes.length + 6);
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const ofSystem = { GET: 5, POST: 1 }[method] ?? 0;
    assert.equal(count(method), routes.filter((route) => route.method === method).length + ofSystem, method);
    assert.ok(count(method) > 0, method);
  }
});

test('the document is public, OpenAPI 3.1.0, and has the version of the interface', async () => {
  const answer = await server.get('//openapi.json', { key: null });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type')!, /^application\/json/);
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info['version'], '1.0.0');
  assert.match(String(document.info['x-parley-version']), /^\d+\.\d+\.\d+/);
  assert.equal(typeof document.info['title'], 'string');
});

test('every route is documented under its own path, except undocumented ones', () => {
  for (const route of featureRoutes) {
    assert.equal(has(route.method, route.path), route.undocumented !== true, `${route.method} ${route.path}`);
  }
  for (const path of ['/ready', '/api/v1/system', '/api/v1/test-clock']) assert.ok(has('GET', path), path);
});

test('the paths are spelled as in the interface, but without slashes at their ends', () => {
  const inInterface = [
    ['GET', '/api/v1/agents'],
    ['POST', '/api/v1/agents'],
    ['PUT', '/api/v1/agents/{agent_id}'],
    ['GET', '/api/v1/available-llm-models/with-voices'],
    ['POST', '/api/v1/contacts'],
    ['GET', '/api/v1/contacts'],
    ['GET', '/api/v1/contacts/{id}/campaigns'],
    ['GET', '/api/v1/contacts/{id}/notes'],
    ['PATCH', '/api/v1/campaigns/{id}'],
    ['GET', '/api/v1/campaigns/{id}/contacts'],
    ['DELETE', '/api/v1/campaigns/{id}/contacts/{contact_id}'],
    ['GET', '/api/v1/phone-numbers/import/{id}'],
    ['DELETE', '/api/v1/phone-numbers/{phone_number}/release'],
    ['GET', '/ready'],
  ] as const;
  for (const [method, path] of inInterface) assert.ok(has(method, path), `${method} ${path}`);
});

test('no two paths differ only in the names of their placeholders', () => {
  const anonymous = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
  assert.deepEqual(
    anonymous.filter((path, index) => anonymous.indexOf(path) !== index),
    [],
  );
});

test('operation ids are unique, and the path parameters are the placeholders of the path', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { path, name, operation } of operations) {
    const inPath = operation.parameters.filter((parameter) => 'in' in parameter && parameter.in === 'path');
    assert.deepEqual(
      inPath.map((parameter) => (parameter as Parameter).name).toSorted(),
      [...path.matchAll(/\{(\w+)\}/g)].map(([, placeholder]) => placeholder!).toSorted(),
      name,
    );
    assert.ok(
      inPath.every((parameter) => (parameter as Parameter).required),
      name,
    );
    assert.ok('200' in operation.responses, name);
    assert.ok(Array.isArray(operation.security), name);
  }
});

test('every reference has a target', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!);
  assert.ok(references.length > 500, `only ${references.length} references were seen`);
  for (const reference of new Set(references)) {
    let target: unknown = document;
    for (const part of reference.replace('#/', '').split('/')) target = (target as Record<string, unknown>)[part];
    assert.ok(target, reference);
  }
});

test('the schema of every documented answer compiles and refuses a wrong answer', () => {
  const check = answerCheck(document);
  let answers = 0;
  for (const { path, method, name, operation } of operations) {
    for (const status of Object.keys(operation.responses)) {
      const problem = check(method, filled(path), Number(status), null);
      assert.match(problem ?? '', /must be (?:object|string)/, `${name} ${status}`);
      answers += 1;
    }
    assert.match(check(method, filled(path), 299, {}) ?? '', /has no description of 299/, name);
  }
  assert.ok(answers > operations.length * 5, `only ${answers} answers were checked`);
});

test('every operation requires exactly the credentials that it documents', async () => {
  const seen = { none: 0, apiKey: 0, bearer: 0, session: 0, signature: 0 };
  for (const { path, method, name, operation } of operations) {
    const schemes = operation.security.flatMap((requirement) => Object.keys(requirement));
    const kind = (['apiKey', 'signature', 'bearer', 'session'] as const).find((scheme) => schemes.includes(scheme));
    seen[kind ?? 'none'] += 1;
    const statusWith = async (credentials: object): Promise<number> =>
      (await server.request(method, `/${filled(path)}`, credentials)).status;
    assert.equal((await statusWith({ key: null })) === 401, kind !== undefined, name);
    if (kind === 'apiKey') assert.notEqual(await statusWith({}), 401, name);
    if (kind === 'bearer' || kind === 'session') assert.equal(await statusWith({}), 401, name);
    if (kind === 'apiKey' || kind === 'bearer') assert.notEqual(await statusWith({ bearer: true }), 401, name);
    if (kind === 'session') assert.equal(await statusWith({ bearer: true }), 401, name);
    if (kind === 'apiKey' || kind === 'bearer') assert.ok(schemes.includes('session'), name);
  }
  const { none, apiKey, bearer, session, signature } = seen;
  assert.deepEqual({ none, bearer, session, signature }, { none: 7, bearer: 6, session: 4, signature: 2 });
  assert.equal(apiKey, operations.length - none - bearer - session - signature);
});

test('every operation with a required body refuses a request without one, and others do not ask for one', async () => {
  let required = 0;
  for (const { path, method, name, operation } of operations) {
    const schemes = operation.security.flatMap((requirement) => Object.keys(requirement));
    if (schemes.includes('signature')) continue; // refused before the body is read, as tested above
    const credentials = schemes.length === 1 && schemes[0] === 'session' ? (await aSession(server)).page : undefined;
    const usual = { bearer: schemes.length > 0, key: null };
    const answer = await server.request(method, `/${filled(path)}`, credentials ?? usual);
    const asksForBody = answer.status === 400 && (answer.body.details ?? []).some(({ path: at }) => at === '');
    const isFile = operation.requestBody !== undefined && 'text/csv' in operation.requestBody.content;
    // An id that is no UUID is refused before the file is read.
    if (isFile) assert.equal(answer.status, path.includes('{') ? 404 : 400, name);
    else assert.equal(asksForBody, operation.requestBody?.required === true, `${name} ${answer.text}`);
    required += Number(asksForBody);
  }
  assert.ok(required >= 20, `only ${required} operations require a body`);
});

test('an answer that does not match the document is detected', () => {
  const check = answerCheck(document);
  const right = { success: true, message: 'Deleted.' };
  assert.equal(check('DELETE', '/api/v1/contacts/x', 200, right), undefined);
  assert.match(check('DELETE', '/api/v1/contacts/x', 200, { ...right, data: 1 })!, /additional properties/);
  assert.match(check('GET', '/api/v1/contacts/', 200, right)!, /required property/);
  assert.match(check('GET', '/nowhere', 404, { message: 'x' })!, /success/);
});
