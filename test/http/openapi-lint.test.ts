import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { formats } from '../../src/http/input/formats.ts';
import { describedRoutes } from '../../src/http/routes.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';
import { receiver } from './openapi-support.ts';

type Json = Record<string, unknown>;
type Media = Record<string, { schema: Json; example?: unknown; examples?: Record<string, { value: unknown }> }>;
type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Json; example?: unknown };
type Response = { description: string; headers?: Record<string, Json>; content?: Media };
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  security: Array<Record<string, string[]>>;
  parameters: Json[];
  requestBody?: { required: boolean; content: Media };
  responses: Record<string, Json>;
};

const routes = describedRoutes({ testClock: true });
const document = JSON.parse(JSON.stringify(openApiDocument(routes, '0.0.0'))) as {
  tags: Array<{ name: string; description?: string }>;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Json>>;
};

const operationsOf = (items: Record<string, Record<string, Operation>>) =>
  Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ place: `${method.toUpperCase()} ${path}`, operation })),
  );
const served = operationsOf(document.paths);
const all = [...served, ...operationsOf(document.webhooks)];

function resolve(value: Json): unknown {
  const { $ref: reference } = value;
  if (typeof reference !== 'string') return value;
  let target: unknown = document;
  for (const part of reference.replace('#/', '').split('/')) target = (target as Json | undefined)?.[part];
  assert.ok(target, `${reference} leads nowhere`);
  return target;
}

const parametersOf = ({ parameters }: Operation) => parameters.map((one) => resolve(one) as Parameter);
const responsesOf = ({ responses }: Operation) =>
  Object.entries(responses).map(([status, one]) => ({ status, response: resolve(one) as Response }));

const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, allErrors: true });
for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format.test);
// Keywords of OpenAPI around the schemas are none of JSON Schema's.
const shell = { $id: 'doc', ...document };
ajv.addVocabulary(Object.keys(document));
ajv.addSchema(shell, undefined, undefined, false);

/** References within a schema are to the document. */
const compile = (schema: Json) => ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/')) as Json);

function* schemasOf(): Generator<[place: string, schema: Json, examples: unknown[]]> {
  for (const [name, schema] of Object.entries(document.components['schemas']!)) yield [name, schema, []];
  for (const [name, { schema, example }] of Object.entries(document.components['headers']!)) {
    yield [name, schema as Json, [example]];
  }
  for (const { place, operation } of all) {
    for (const { name, schema, example } of parametersOf(operation)) yield [`${place} ${name}`, schema, [example]];
    const media = [
      ...Object.entries(operation.requestBody?.content ?? {}).map(([type, body]) => [type, body] as const),
      ...responsesOf(operation).flatMap(({ response }) => Object.entries(response.content ?? {})),
    ];
    for (const [type, { schema, example, examples = {} }] of media) {
      const given = Object.values(examples).map(({ value }) => value);
      yield [`${place} ${type}`, schema, example === undefined ? given : [example, ...given]];
    }
  }
}

test('every schema is one of JSON Schema 2020-12, strictly, and every example is what its schema says', () => {
  let examples = 0;
  for (const [place, schema, given] of schemasOf()) {
    assert.ok(ajv.validateSchema(schema), `${place}: ${ajv.errorsText(ajv.errors)}`);
    const validate = compile(schema);
    for (const example of given) {
      assert.ok(validate(example), `${place}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(example)}`);
      examples++;
    }
  }
  assert.ok(examples > 200, `only ${examples} examples were seen`);
});

test('bodies and answers have examples', () => {
  for (const { place, operation } of all) {
    const bodies = Object.entries(operation.requestBody?.content ?? {}).filter(
      ([type]) => type !== 'multipart/form-data',
    );
    for (const [type, body] of bodies) assert.ok('example' in body, `${place} takes ${type} without an example`);
    for (const { status, response } of responsesOf(operation)) {
      for (const [type, answer] of Object.entries(response.content ?? {})) {
        assert.ok(type === 'text/csv' || answer.example || answer.examples, `${place} ${status} has no example`);
      }
    }
  }
});

test('operations have ids of their own, in camel case', () => {
  const ids = all.map(({ operation }) => operation.operationId);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
  for (const id of ids) assert.match(id, /^[a-z]+(?:[A-Z][a-z]*)*$/);
  const rows = routes.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(
    rows.filter((row, index) => rows.indexOf(row) !== index),
    [],
    'rows of the route table',
  );
});

test('every operation, parameter, tag and answer says in words what it is', () => {
  const tags = new Map(document.tags.map((tag) => [tag.name, tag.description]));
  assert.deepEqual(
    [...new Set(all.flatMap(({ operation }) => operation.tags))].toSorted(),
    [...tags.keys()].toSorted(),
  );
  for (const [name, description] of tags) assert.ok(description, `the tag ${name} has no description`);
  for (const { place, operation } of all) {
    assert.ok(operation.summary, place);
    for (const { name, description } of parametersOf(operation)) {
      assert.ok(description && description.length > 3, `${place} does not describe ${name}`);
      assert.doesNotMatch(description, /^(?!IANA|ISO|API)[A-Z]{2}|^[a-z]+$/, `${place} ${name}`);
    }
    for (const { status, response } of responsesOf(operation)) assert.ok(response.description, `${place} ${status}`);
  }
});

test('every reference leads somewhere, and nothing stands in the components that nobody refers to', () => {
  const referred = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, to]) => to!),
  );
  for (const reference of referred) resolve({ $ref: `#/components/${reference}` });
  const present = ['schemas', 'responses', 'parameters', 'headers'].flatMap((kind) =>
    Object.keys(document.components[kind]!).map((name) => `${kind}/${name}`),
  );
  assert.deepEqual(
    present.filter((name) => !referred.has(name)),
    [],
  );
});

test('what may be refused follows from what an operation is', () => {
  for (const { place, operation } of served.filter(({ place: at }) => at.includes('/api/v1/'))) {
    const statuses = new Set(Object.keys(operation.responses));
    const schemes = operation.security.flatMap((one) => Object.keys(one));
    const has = (status: string, wanted: boolean): void =>
      assert.equal(statuses.has(status), wanted, `${place} ${status}`);
    const known = schemes.some((scheme) => scheme !== 'signature');
    for (const status of ['200', '400', '500', '503']) has(status, true);
    has('401', schemes.length > 0 || operation.operationId === 'logIn');
    has('429', known);
    const role = routes.find(({ operationId }) => operationId === operation.operationId)!.role;
    has('403', known && role !== 'viewer');
    has('413', operation.requestBody !== undefined);
    has('415', operation.requestBody !== undefined);
    has('422', known && place.startsWith('POST'));
    for (const scheme of schemes) assert.ok(document.components['securitySchemes']![scheme], scheme);
    const headers = parametersOf(operation).filter((one) => one.in === 'header');
    assert.equal(
      headers.some(({ name }) => name === 'Idempotency-Key'),
      known && place.startsWith('POST'),
      place,
    );
    assert.ok(
      headers.some(({ name }) => name === 'X-Request-Id'),
      place,
    );
  }
});

test('the interface’s own refusals are listed where it lists them', () => {
  const codesOf = (id: string) => {
    const { operation } = served.find((one) => one.operation.operationId === id)!;
    return responsesOf(operation).flatMap(({ status, response }) =>
      Object.values(response.content!['application/json']!.examples ?? {}).map(
        ({ value }) => `${status} ${(value as { code?: string }).code ?? '-'}`,
      ),
    );
  };
  const wanted: Record<string, string[]> = {
    getAgentCalendarStatus: ['400 INVALID_REQUEST', '401 -', '500 INTERNAL_ERROR'],
    disconnectCalendar: ['400 INVALID_REQUEST', '401 -', '500 INTERNAL_ERROR'],
    getCalendarStatus: ['400 INVALID_REQUEST', '401 -', '404 NOT_FOUND', '500 INTERNAL_ERROR'],
    lookUpEventType: ['400 INVALID_REQUEST', '401 -', '404 NOT_FOUND', '409 NOT_CONNECTED', '500 INTERNAL_ERROR'],
  };
  for (const [id, codes] of Object.entries(wanted)) {
    const listed = codesOf(id);
    for (const code of codes) assert.ok(listed.includes(code), `${id} does not list ${code}`);
  }
  assert.ok(!codesOf('getAgentCalendarStatus').some((code) => code.startsWith('404')));
});

test('a file is taken by itself or as a part of a form', () => {
  const { operation } = served.find((one) => one.operation.operationId === 'importContacts')!;
  assert.deepEqual(Object.keys(operation.requestBody!.content), ['text/csv', 'multipart/form-data']);
});

test('what webhooks bring is what the document says', async () => {
  const hooks = await receiver();
  const server = await startTestServer();
  after(() => Promise.all([server.stop(), hooks.close()]));
  const agent = await anAgent(server, { webhook_url: hooks.url });
  const number = await aNumber(server);
  for (const ending of ['00', '02', '03', '04', '05', '06']) {
    dataOf(await server.post('/calls', { agent_id: agent.id, to: aPhone(ending), phone_number_id: number.id }));
    await server.advance(1000);
  }
  await server.advance(120_000);
  const [endpoint] = dataOf(await server.get<Data[]>('/webhooks/endpoints'));
  dataOf(await server.post(`/webhooks/endpoints/${endpoint!.id}/test`));
  await server.running.runner.settled();
  assert.equal(hooks.bodies.length, 7);
  const { requestBody, parameters } = document.webhooks['call.completed']!['post']!;
  const validate = compile(requestBody!.content['application/json']!.schema);
  for (const body of hooks.bodies)
    assert.ok(validate(body), `${ajv.errorsText(validate.errors)} ${JSON.stringify(body)}`);
  for (const parameter of parameters)
    assert.ok(hooks.headers.every((sent) => (resolve(parameter) as Parameter).name in sent));
});
