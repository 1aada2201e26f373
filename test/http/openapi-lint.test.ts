import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { carrierDrivers } from '../../src/features/calls/carriers/index.ts';
import { resultContentTypes } from '../../src/features/campaigns/results/results.ts';
import { drainingReason, startingReason } from '../../src/http/health.ts';
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
  description?: string;
  parameters: Json[];
  requestBody?: { required: boolean; content: Media };
  responses: Record<string, Json>;
};

const routes = describedRoutes({ testClock: true });
const document = JSON.parse(JSON.stringify(openApiDocument(routes, '0.0.0'))) as {
  info: { contact: { name: string } };
  tags: Array<{ name: string; description?: string }>;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Json>>;
};

const operationsOf = (items: Record<string, Record<string, Operation>>) =>
  Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
const served = operationsOf(document.paths);
const all = [...served, ...operationsOf(document.webhooks)];

function resolve(value: Json): unknown {
  const { $ref: reference } = value;
  if (typeof reference !== 'string') return value;
  let target: unknown = document;
  for (const part of reference.replace('#/', '').split('/')) target = (target as Json | undefined)?.[part];
  assert.ok(target, `${reference} has no target`);
  return target;
}

const parametersOf = ({ parameters }: Operation) => parameters.map((one) => resolve(one) as Parameter);
const responsesOf = ({ responses }: Operation) =>
  Object.entries(responses).map(([status, one]) => ({ status, response: resolve(one) as Response }));

// Each schema is compiled for an example or two, so compiling it well costs more than it saves.
const quickly = { inlineRefs: false, code: { optimize: false } };
const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, allErrors: true, ...quickly });
for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format.test);
// Strict mode knows only JSON Schema's keywords, so declare those of OpenAPI that surround the schemas.
const rootSchema = { $id: 'doc', ...document };
ajv.addVocabulary(Object.keys(document));
ajv.addSchema(rootSchema, undefined, undefined, false);

const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

/** Compiles a schema whose references point into the document. */
function compile(schema: Json): ReturnType<typeof ajv.compile> {
  const text = JSON.stringify(schema).replaceAll('"#/', '"doc#/');
  const known = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Json);
  compiled.set(text, known);
  return known;
}

/** All schemas of the document with their examples. */
function* allSchemas(): Generator<[name: string, schema: Json, examples: unknown[]]> {
  for (const [name, schema] of Object.entries(document.components['schemas']!)) yield [name, schema, []];
  for (const [name, { schema, example }] of Object.entries(document.components['headers']!)) {
    yield [name, schema as Json, [example]];
  }
  for (const { name: operationName, operation } of all) {
    for (const { name, schema, example } of parametersOf(operation)) {
      yield [`${operationName} ${name}`, schema, [example]];
    }
    const media = [
      ...Object.entries(operation.requestBody?.content ?? {}).map(([type, body]) => [type, body] as const),
      ...responsesOf(operation).flatMap(({ response }) => Object.entries(response.content ?? {})),
    ];
    for (const [type, { schema, example, examples = {} }] of media) {
      const named = Object.values(examples).map(({ value }) => value);
      yield [`${operationName} ${type}`, schema, example === undefined ? named : [example, ...named]];
    }
  }
}

test('every schema is valid JSON Schema 2020-12 in strict mode, and every example conforms to its schema', () => {
  let checked = 0;
  for (const [name, schema, examples] of allSchemas()) {
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText(ajv.errors)}`);
    const validate = compile(schema);
    for (const example of examples) {
      assert.ok(validate(example), `${name}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(example)}`);
      checked += 1;
    }
  }
  assert.ok(checked > 200, `only ${checked} examples were seen`);
});

/** Types of downloads and streams, which are described in words. */
const fileTypes = [...Object.values(resultContentTypes), 'text/event-stream', 'audio/wav'];

test('every body and answer has an example', () => {
  for (const { name, operation } of all) {
    const bodies = Object.entries(operation.requestBody?.content ?? {}).filter(
      ([type]) => type !== 'multipart/form-data',
    );
    for (const [type, body] of bodies) assert.ok('example' in body, `${name} takes ${type} without an example`);
    for (const { status, response } of responsesOf(operation)) {
      for (const [type, answer] of Object.entries(response.content ?? {})) {
        assert.ok(fileTypes.includes(type) || answer.example || answer.examples, `${name} ${status} has no example`);
      }
    }
  }
});

/*
 * Rules of redocly (recommended-strict) and spectral (spectral:oas) beyond the tests around this one. Both bring 200 packages, so their
 * rules are repeated here.
 */
test('paths end without a slash, and operations say who may do them and how they are refused', () => {
  assert.equal(typeof document.info.contact.name, 'string');
  for (const path of Object.keys(document.paths)) assert.match(path, /[^/]$/);
  for (const { name, operation } of served) {
    assert.ok(operation.description, name);
    assert.ok(
      Object.keys(operation.responses).some((status) => /^4\d\d$/.test(status)),
      name,
    );
  }
});

test('no request fits two paths, but for one whose placeholder takes ids only', () => {
  const fits = (one: string, other: string): boolean => {
    const [parts, others] = [one.split('/'), other.split('/')];
    return (
      parts.length === others.length &&
      parts.every((part, index) => part === others[index] || part.startsWith('{') || others[index]!.startsWith('{'))
    );
  };
  const placeholders = (path: string): number => path.split('{').length;
  const paths = Object.keys(document.paths);
  const ambiguous = paths.flatMap((one, index) =>
    paths
      .slice(index + 1)
      .flatMap((other) =>
        placeholders(one) === placeholders(other) && fits(one, other) ? [[one, other].toSorted().join(' ')] : [],
      ),
  );
  // The interface names them. No id is `release`, `check`, `imports`, `campaigns` and so on, and `import` is no number.
  assert.deepEqual(ambiguous.toSorted(), [
    '/api/v1/contacts/imports/{import_id} /api/v1/contacts/{id}/campaigns',
    '/api/v1/contacts/imports/{import_id} /api/v1/contacts/{id}/do-not-call',
    '/api/v1/contacts/imports/{import_id} /api/v1/contacts/{id}/erase',
    '/api/v1/contacts/imports/{import_id} /api/v1/contacts/{id}/everything',
    '/api/v1/contacts/imports/{import_id} /api/v1/contacts/{id}/notes',
    '/api/v1/contacts/imports/{import_id} /api/v1/contacts/{id}/why',
    '/api/v1/phone-numbers/import/{id} /api/v1/phone-numbers/{id}/check',
    '/api/v1/phone-numbers/import/{id} /api/v1/phone-numbers/{phone_number}/release',
  ]);
});

test('defaults are in the document, and conform to their schemas', () => {
  const defaults: string[] = [];
  for (const { operation } of served) {
    for (const { name, schema } of parametersOf(operation)) {
      if ('default' in schema) {
        assert.ok(compile(schema)(schema['default']), `${operation.operationId} ${name}`);
        defaults.push(name);
      }
    }
  }
  for (const name of ['limit', 'offset', 'dry_run', 'dedupe', 'on_duplicate']) assert.ok(defaults.includes(name), name);
  for (const name of ['NewAgent', 'NewSchedule', 'NewCampaign', 'NewKnowledgeBase', 'KnowledgeQuery']) {
    assert.match(JSON.stringify(document.components['schemas']![name]), /"default":/, name);
  }
});

/** All fields and parameters with their schemas, and the values that each may have. */
function* allFields(): Generator<[location: string, name: string, schema: Json]> {
  function* fieldsIn(schema: Json, location: string): Generator<[string, string, Json]> {
    for (const [name, field] of Object.entries((schema['properties'] ?? {}) as Record<string, Json>)) {
      yield [location, name, field];
      yield* fieldsIn(field, location);
    }
    for (const inner of [schema['items'], ...((schema['anyOf'] ?? []) as Json[])]) {
      if (inner !== undefined) yield* fieldsIn(inner as Json, location);
    }
  }
  for (const [location, schema] of allSchemas()) yield* fieldsIn(schema, location);
  for (const { name: location, operation } of all) {
    for (const { name, schema } of parametersOf(operation)) yield [location, name, schema];
  }
}

/** The listed values of a field, or of the entries of a list. Undefined for a text whose values are not listed. */
const valuesOf = (schema: Json): readonly unknown[] | undefined => {
  const { enum: values, items } = (resolve(schema) ?? {}) as { enum?: unknown[]; items?: Json };
  return values ?? (items === undefined ? undefined : valuesOf(items));
};

test('a field whose values are a closed set lists them', () => {
  const closed =
    /^(status|statuses|state|kind|type|role|driver|drivers|carrier|format|direction|channel|transport|sentiment|code|reason_codes|disconnect_reason|source_type|dedupe|on_duplicate|sort|storage|via)$/i;
  const open = [...allFields()].filter(([, name, schema]) => {
    const types = [(resolve(schema) as Json)['type']].flat();
    return closed.test(name) && types.some((type) => type === 'string' || type === 'array') && !valuesOf(schema);
  });
  // Cal.com's own values; an HTTP status would be an integer. A number's carrier is any driver of this build, which requests check.
  assert.deepEqual(
    [...new Set(open.map(([location, name]) => `${location} ${name}`))],
    [
      'NumberToImport carrier',
      'PhoneNumber carrier',
      'Booking status',
      'PATCH /api/v1/phone-numbers/{id} application/json carrier',
    ],
  );
});

test('the carriers, the format of a transcript and the reasons of /ready are those that parley has', () => {
  const listed = (location: string, field: string) => {
    const found = [...allFields()].filter(([at, name]) => at.startsWith(location) && name === field);
    assert.notEqual(found.length, 0, `${location} ${field}`);
    return found.flatMap(([, , schema]) => valuesOf(schema) ?? ['any']);
  };
  const names = carrierDrivers.filter(({ isInternal }) => !isInternal).map(({ name }) => name);
  assert.deepEqual(listed('GET /api/v1/system', 'driver'), names);
  assert.deepEqual(listed('GET /api/v1/system', 'drivers'), names);
  assert.deepEqual(listed('TranscriptEntry', 'format'), ['text', 'dtmf']);
  assert.deepEqual(listed('GET /ready', 'reason'), [startingReason, drainingReason, 'any']);
});

test('operation ids are unique and in camel case', () => {
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
    'routes with the same method and path',
  );
});

test('every operation, parameter, tag and answer has a description', () => {
  const tags = new Map(document.tags.map((tag) => [tag.name, tag.description]));
  assert.deepEqual(
    [...new Set(all.flatMap(({ operation }) => operation.tags))].toSorted(),
    [...tags.keys()].toSorted(),
  );
  for (const [name, description] of tags) assert.ok(description, `the tag ${name} has no description`);
  for (const { name, operation } of all) {
    assert.ok(operation.summary, name);
    for (const { name: parameter, description } of parametersOf(operation)) {
      assert.ok(description && description.length > 3, `${name} does not describe ${parameter}`);
      assert.doesNotMatch(description, /^(?!IANA|ISO|API|ID|UTC)[A-Z]{2}|^[a-z]+$/, `${name} ${parameter}`);
    }
    for (const { status, response } of responsesOf(operation)) assert.ok(response.description, `${name} ${status}`);
  }
});

test('every reference has a target, and every component is referenced', () => {
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

test('the documented errors of an operation follow from its access, role and body', () => {
  const operations = served.filter(({ name }) => name.includes('/api/v1/'));
  assert.equal(operations.length, routes.filter(({ undocumented }) => !undocumented).length);
  for (const { name, operation } of operations) {
    const statuses = new Set(Object.keys(operation.responses));
    const schemes = operation.security.flatMap((requirement) => Object.keys(requirement));
    const documents = (status: string, expected: boolean): void =>
      assert.equal(statuses.has(status), expected, `${name} ${status}`);
    const needsCredentials = schemes.some((scheme) => scheme !== 'signature');
    for (const status of ['200', '400', '417', '431', '500', '503']) documents(status, true);
    const opensSession = ['createSession', 'setUp'].includes(operation.operationId);
    const judgesSecret = ['logIn', 'readInvitation'].includes(operation.operationId);
    documents('401', schemes.length > 0 || opensSession || judgesSecret);
    documents('429', !schemes.includes('signature'));
    const { role, readOnly } = routes.find(({ operationId }) => operationId === operation.operationId)!;
    const isIdempotent = needsCredentials && name.startsWith('POST') && readOnly !== true;
    // A session counts on other methods than GET only for requests of the server's own pages.
    const hasTopicOfMembers = operation.operationId === 'watchLive';
    documents(
      '403',
      opensSession || hasTopicOfMembers || (needsCredentials && (role !== 'viewer' || !name.startsWith('GET'))),
    );
    documents('413', operation.requestBody !== undefined);
    documents('415', operation.requestBody !== undefined);
    documents('422', isIdempotent);
    for (const scheme of schemes) assert.ok(document.components['securitySchemes']![scheme], scheme);
    const headers = parametersOf(operation).filter((one) => one.in === 'header');
    assert.equal(
      headers.some((header) => header.name === 'Idempotency-Key'),
      isIdempotent,
      name,
    );
    assert.ok(
      headers.some((header) => header.name === 'X-Request-Id'),
      name,
    );
  }
});

test('the errors that the interface lists are documented for its operations', () => {
  const codesOf = (id: string) => {
    const { operation } = served.find((one) => one.operation.operationId === id)!;
    return responsesOf(operation).flatMap(({ status, response }) =>
      Object.values(response.content!['application/json']!.examples ?? {}).map(
        ({ value }) => `${status} ${(value as { code?: string }).code ?? '-'}`,
      ),
    );
  };
  const expected: Record<string, string[]> = {
    getAgentCalendarStatus: ['400 INVALID_REQUEST', '401 -', '500 INTERNAL_ERROR'],
    disconnectCalendar: ['400 INVALID_REQUEST', '401 -', '500 INTERNAL_ERROR'],
    getCalendarStatus: ['400 INVALID_REQUEST', '401 -', '404 NOT_FOUND', '500 INTERNAL_ERROR'],
    lookUpEventType: ['400 INVALID_REQUEST', '401 -', '404 NOT_FOUND', '409 NOT_CONNECTED', '500 INTERNAL_ERROR'],
  };
  for (const [id, codes] of Object.entries(expected)) {
    const listed = codesOf(id);
    for (const code of codes) assert.ok(listed.includes(code), `${id} does not list ${code}`);
  }
  assert.ok(!codesOf('getAgentCalendarStatus').some((code) => code.startsWith('404')));
});

test('contacts can be imported as a file or as part of a form', () => {
  const { operation } = served.find((one) => one.operation.operationId === 'importContacts')!;
  const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  assert.deepEqual(Object.keys(operation.requestBody!.content), ['text/csv', sheet, 'multipart/form-data']);
});

test('delivered webhooks conform to the document', async () => {
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
