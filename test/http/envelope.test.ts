import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { featureRoutes } from '../../src/features/interface.ts';
import { aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { pathFor } from '../support/route-requests.ts';
import { dataOf, faultPaths, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());
const mebibyte = 1024 * 1024;

test('a success answers 200 with success, message and data, and a paged list adds meta', async () => {
  const created = await server.post('/contacts/', { first_name: 'Ada' });
  assert.equal(created.status, 200);
  assert.deepEqual(Object.keys(created.body), ['success', 'message', 'data']);
  assert.equal(created.body.success, true);
  assert.match(created.body.message, /^[A-Z].*\.$/);
  assert.match(created.headers.get('content-type')!, /^application\/json/);
  const list = await server.get('/contacts/');
  assert.deepEqual(Object.keys(list.body), ['success', 'message', 'data', 'meta']);
  const deleted = await server.del(`/contacts/${created.body.data.id}`);
  assert.deepEqual(Object.keys(deleted.body), ['success', 'message']);
});

test('an error has success: false, a message and a code; a 401 has no code', async () => {
  const missing = await server.get(`/contacts/${randomUUID()}`);
  assert.deepEqual(missing.body, { success: false, message: 'No such contact.', code: 'NOT_FOUND' } as never);
  const nobody = await server.get('/contacts/', { key: null });
  assert.deepEqual(Object.keys(nobody.body), ['success', 'message']);
  const faulty = await server.post('/contacts/', { email: 'x' });
  assert.deepEqual(Object.keys(faulty.body), ['success', 'message', 'code', 'details']);
  assert.deepEqual(Object.keys(faulty.body.details![0]!), ['path', 'message']);
});

test('X-Request-Id is accepted if printable and at most 128 characters, otherwise generated', async () => {
  const echoedId = async (id: string) =>
    (await server.get('//livez', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
  assert.equal(await echoedId('order 7/a~'), 'order 7/a~');
  assert.equal(await echoedId('x'.repeat(128)), 'x'.repeat(128));
  assert.notEqual(await echoedId('x'.repeat(129)), 'x'.repeat(129));
  assert.match((await echoedId('é'))!, /^[0-9a-f-]{36}$/);
  const made = [await server.get('/contacts/'), await server.get('/nowhere')].map(({ headers }) =>
    headers.get('x-request-id'),
  );
  assert.match(made[0]!, /^[0-9a-f-]{36}$/);
  assert.notEqual(made[0], made[1]);
});

test('every path works with and without its trailing slash', async () => {
  const rows = featureRoutes.map((route) => [route.method, pathFor(route), route.access] as const);
  for (const [method, path, access] of [
    ...rows,
    ['GET', '/api/v1/system', 'any'],
    ['GET', '/api/v1/test-clock', 'any'],
  ] as const) {
    const bare = path.replace(/\/$/, '');
    const answers = [
      await server.request(method, `/${bare}`, { key: null }),
      await server.request(method, `/${bare}/`, { key: null }),
    ] as const;
    assert.deepEqual(answers[0].text, answers[1].text, `${method} ${path}`);
    assert.doesNotMatch(answers[1].text, /nothing at/, `${method} ${path}`);
    if (access !== 'public') assert.equal(answers[0].status, 401, `${method} ${path}`);
  }
  for (const path of ['//ready/', '//livez/', '//openapi.json/'])
    assert.equal((await server.get(path)).status, 200, path);
});

test('an unknown path answers 404, and a known path with another method 405 with Allow', async () => {
  for (const path of ['//api', '//api/v1', '/nothing', '/agents/a/b', '/agents//', '//API/v2/agents', '//ready/x']) {
    const answer = await server.get(path);
    assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_FOUND'], path);
  }
  const cases = [
    ['PUT', '/contacts/', ['GET', 'POST']],
    ['POST', `/contacts/${randomUUID()}`, ['DELETE', 'GET', 'PATCH']],
    ['DELETE', '//ready', ['GET']],
    ['PATCH', `/agents/${randomUUID()}/`, ['DELETE', 'GET', 'PUT']],
  ] as const;
  for (const [method, path, allowed] of cases) {
    const answer = await server.request(method, path);
    assert.deepEqual([answer.status, answer.body.code], [405, 'METHOD_NOT_ALLOWED'], path);
    const allow = answer.headers.get('allow')!.split(', ');
    assert.deepEqual(allow.filter((name) => name !== 'HEAD').toSorted(), allowed, path);
  }
});

test('HEAD answers like GET without a body', async () => {
  const head = await server.request('HEAD', '/contacts/');
  assert.deepEqual([head.status, head.text], [200, '']);
});

test('a malformed body answers 400 with an empty path', async () => {
  const broken = ['{', '{"first_name":}', '{"first_name":"Ada",}', "{'a':1}", 'Ada', '{"a":1}{"b":2}', '\u0000', 'NaN'];
  for (const body of broken) assert.deepEqual(faultPaths(await server.post('/contacts/', body)), [''], body);
  for (const body of ['null', '[]', '"text"', '7', 'true']) {
    const answer = await server.post('/contacts/', body);
    assert.deepEqual([faultPaths(answer), answer.body.message], [[''], 'The body must be a JSON object.'], body);
  }
  assert.deepEqual(faultPaths(await server.post('/contacts/')), ['']);
  assert.deepEqual(faultPaths(await server.post('/contacts/', '', { headers: { 'content-length': '0' } })), ['']);
});

test('invalid UTF-8 is refused instead of being decoded to other text', async () => {
  const body = Buffer.concat([Buffer.from('{"first_name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  assert.deepEqual(faultPaths(await server.post('/contacts/', body)), ['']);
  const contact = await server.post('/contacts/', Buffer.from('\ufeff{"first_name":"Zoë 🦜"}'));
  assert.equal(contact.body.data['first_name'], 'Zoë 🦜');
});

test('an unsupported content type answers 415', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'x',
  ]) {
    const answer = await server.post('/contacts/', '{}', { headers: { 'content-type': type } });
    assert.deepEqual([answer.status, answer.body.code], [415, 'UNSUPPORTED_MEDIA_TYPE'], type);
  }
  const encoded = await server.post('/contacts/', '{}', { headers: { 'content-encoding': 'compress' } });
  assert.equal(encoded.status, 415);
  const charset = await server.post('/contacts/', '{}', {
    headers: { 'content-type': 'application/json; charset=UTF-8' },
  });
  assert.equal(charset.status, 200);
});

test('a body over the limit answers 413, and one at the limit is accepted', async () => {
  const sized = (bytes: number) => `{"metadata":{"pad":"x"}${' '.repeat(bytes - 24)}}`;
  assert.equal(sized(mebibyte).length, mebibyte);
  assert.equal((await server.post('/contacts/', sized(mebibyte))).status, 200);
  const over = await server.post('/contacts/', sized(mebibyte + 1));
  assert.deepEqual([over.status, over.body.code], [413, 'PAYLOAD_TOO_LARGE']);
  const bomb = gzipSync(Buffer.alloc(4 * mebibyte, ' '));
  assert.equal((await server.post('/contacts/', bomb, { headers: { 'content-encoding': 'gzip' } })).status, 413);
  const zipped = gzipSync('{"first_name":"Zip"}');
  assert.equal((await server.post('/contacts/', zipped, { headers: { 'content-encoding': 'gzip' } })).status, 200);
  const stream = new Blob([sized(2 * mebibyte)]).stream();
  assert.equal((await server.post('/contacts/', stream)).status, 413);
});

test('a list of campaign contacts may have up to 16 MiB', async () => {
  const path = `/campaigns/${randomUUID()}/contacts`;
  const body = (bytes: number) => `{"contacts":[{"phone":"+4930901820"}]${' '.repeat(bytes)}}`;
  assert.equal((await server.post(path, body(2 * mebibyte))).status, 404);
  assert.equal((await server.post(path, body(16 * mebibyte))).status, 413);
});

test('a connection can be reused after its body was refused', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const head = `Host: x\r\nX-Api-Key: ${server.apiKey}\r\n`;
  const chunk = `${(2 * mebibyte).toString(16)}\r\n${' '.repeat(2 * mebibyte)}\r\n0\r\n\r\n`;
  socket.write(
    `POST /api/v1/contacts/ HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
  );
  socket.write(`GET /livez HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
  const chunks: Buffer[] = [];
  for await (const part of socket) chunks.push(part as Buffer);
  const statuses = Buffer.concat(chunks)
    .toString()
    .match(/HTTP\/1\.1 \d+/g);
  assert.deepEqual(statuses, ['HTTP/1.1 413', 'HTTP/1.1 200']);
});

test('all faults in path, query and body are reported at once, one entry each', async () => {
  const answer = await server.post('/agents/?colour=red&limit=3', {
    agentName: ' ',
    model: 7,
    temperature: 2.1,
    reminderTriggerMs: 10.5,
    maxCallDurationMs: 1,
    calendarTimezone: 'Mars/Olympus',
    emotion: 'yes',
    emergencyFallback: '112',
    webhook_events: ['call.started'],
    webhook_urls: ['http://example.com'],
    knowledgeBaseIds: ['x'],
    nonsense: 1,
  });
  assert.deepEqual(faultPaths(answer), [
    'agentName',
    'calendarTimezone',
    'colour',
    'emergencyFallback',
    'emotion',
    'knowledgeBaseIds[0]',
    'limit',
    'maxCallDurationMs',
    'model',
    'nonsense',
    'reminderTriggerMs',
    'temperature',
    'voiceId',
    'webhook_events[0]',
    'webhook_urls[0]',
  ]);
  assert.deepEqual(faultPaths(await server.del('/do-not-call/12?why=1')), ['phone', 'why']);
  assert.deepEqual(
    faultPaths(await server.post('/phone-numbers/import', { phone: '1', termination_uri: 'http://x/' })),
    ['phone', 'termination_uri'],
  );
});

test('faults inside lists are reported with their path', async () => {
  const contacts = [{ phone: '+4930901820' }, { phone: '030' }, {}, { email: 'no', tags: ['', 5], shoe_size: 44 }];
  const answer = await server.post(`/campaigns/${randomUUID()}/contacts`, { contacts, contact_ids: ['x'] });
  assert.deepEqual(faultPaths(answer), [
    'contact_ids[0]',
    'contacts[1].phone',
    'contacts[3].email',
    'contacts[3].shoe_size',
    'contacts[3].tags[0]',
    'contacts[3].tags[1]',
  ]);
});

test('unknown fields and parameters are reported with a suggestion', async () => {
  const hintOf = async (path: string, body?: unknown): Promise<string> => {
    const answer = await (body === undefined ? server.get(path) : server.post(path, body));
    assert.equal(answer.status, 400);
    return answer.body.details!.map(({ message }) => message).join();
  };
  assert.match(await hintOf('/contacts/', { frist_name: 'Ada' }), /first_name/);
  assert.match(await hintOf('/contacts/', { firstName: 'Ada' }), /first_name/);
  assert.match(await hintOf('/contacts/', { metdata: {} }), /metadata/);
  assert.match(await hintOf('/contacts/?limt=5'), /limit/);
  assert.match(await hintOf('/campaigns/', { name: 'x', schedule: { windowStrat: '09:00' } }), /windowStart/);
  assert.doesNotMatch(await hintOf('/contacts/', { zzzzzzzzzzzzz: 1 }), /did you mean/);
});

test('agents, campaigns and numbers accept both cases, and faults are reported in the case used', async () => {
  const [model] = (
    await server.get<Array<{ llmModel: string; voices: Array<{ id: string }> }>>('/available-llm-models/with-voices')
  ).body.data;
  const agent = await server.post('/agents/', {
    agent_name: 'Sam',
    model: model!.llmModel,
    voice_id: model!.voices[0]!.id,
    max_call_duration_ms: 20_000,
    webhookUrl: 'https://example.com/a',
  });
  assert.deepEqual(
    [agent.status, agent.body.data['agentName'], agent.body.data['maxCallDurationMs'], agent.body.data['webhookUrls']],
    [200, 'Sam', 20_000, ['https://example.com/a']],
  );
  const campaign = await server.post<{ schedule: Record<string, unknown> }>('/campaigns/', {
    name: 'Spring',
    schedule: { window_start: '09:00', windowEnd: '17:00', retry_gap_min: 5 },
  });
  assert.equal(campaign.status, 200);
  assert.deepEqual(
    [campaign.body.data.schedule['windowStart'], campaign.body.data.schedule['retryGapMin']],
    ['09:00', 5],
  );
  const number = await server.post('/phone-numbers/import', {
    phone: '+4930901899',
    terminationUri: 'sip.example.com',
  });
  assert.equal(number.body.data['termination_uri'], 'sip.example.com');

  const faulty = await server.post('/campaigns/', {
    name: 'x',
    schedule: { window_start: '9', windowEnd: '25:00', max_concurrent: 0 },
  });
  assert.deepEqual(faultPaths(faulty), ['schedule.max_concurrent', 'schedule.windowEnd', 'schedule.window_start']);
  assert.deepEqual(
    faultPaths(await server.put(`/agents/${agent.body.data.id}`, { agent_name: '', voice_id: 'nobody' })),
    ['agent_name', 'voice_id'],
  );
  assert.deepEqual(faultPaths(await server.put(`/agents/${agent.body.data.id}`, { voice_id: 'nobody' })), ['voice_id']);
});

test('both spellings of a field are accepted with the same value and refused with different values', async () => {
  const same = await server.post('/campaigns/', {
    name: 'x',
    maxCps: 2,
    max_cps: 2,
    schedule: { maxConcurrent: 3, max_concurrent: 3 },
  });
  assert.equal(same.status, 200);
  const schedule = { maxConcurrent: 3, max_concurrent: 4 };
  assert.deepEqual(faultPaths(await server.post('/campaigns/', { name: 'x', max_cps: 2, maxCps: 3, schedule })), [
    'maxCps',
    'max_cps',
    'schedule.maxConcurrent',
    'schedule.max_concurrent',
  ]);
});

test('contacts, notes and other resources accept only the documented case', async () => {
  const { id } = await aContact(server);
  assert.deepEqual(faultPaths(await server.patch(`/contacts/${id}`, { firstName: 'Ada' })), ['firstName']);
  assert.deepEqual(faultPaths(await server.post('/api-keys', { Name: 'x', role: 'viewer' })), ['Name', 'name']);
});

test('a repeated parameter is one fault', async () => {
  assert.deepEqual(faultPaths(await server.get('/contacts/?limit=5&limit=6')), ['limit']);
  assert.deepEqual(faultPaths(await server.get('/contacts/?__proto__=1&constructor=2')), ['__proto__', 'constructor']);
});

test('an id that is not a UUID answers 404 in the path and 400 in a query or body', async () => {
  for (const id of ['x', '1', '0', 'null', `${randomUUID()}0`, randomUUID().replaceAll('-', ''), '%00', '..%2f..']) {
    const answer = await server.get(`/contacts/${id}`);
    assert.deepEqual([answer.status, answer.text], [404, (await server.get(`/contacts/${randomUUID()}`)).text], id);
  }
  assert.deepEqual(faultPaths(await server.get('/calls?agent_id=x&campaign_id=&contact_id=7')), [
    'agent_id',
    'campaign_id',
    'contact_id',
  ]);
  assert.deepEqual(faultPaths(await server.post('/calls', { agent_id: 'x', to: '+4930901820' })), ['agent_id']);
});

test('ids in paths, queries and bodies are case-insensitive, and answers show them in lower case', async () => {
  const [contact, agent, number] = [await aContact(server), await anAgent(server), await aNumber(server)];
  const upper = (id: unknown): string => String(id).toUpperCase();
  assert.equal((await server.get(`/contacts/${upper(contact.id)}`)).body.data.id, contact.id);
  const body = { name: 'Upper', agentId: upper(agent.id), phoneNumberId: upper(number.id) };
  const campaign = dataOf(await server.post('/campaigns/', body));
  assert.deepEqual([campaign['agentId'], campaign['phoneNumberId']], [agent.id, number.id]);
  const ids = { agent_id: agent.id, contact_id: contact.id };
  const given = { agent_id: upper(agent.id), contact_id: upper(contact.id), phone_number_id: upper(number.id) };
  const call = dataOf(await server.post('/calls', { ...given, to: aPhone() }));
  assert.deepEqual({ agent_id: call['agent_id'], contact_id: call['contact_id'] }, ids);
  for (const [name, id] of Object.entries(ids)) {
    assert.equal((await server.get(`/calls?${name}=${upper(id)}`)).body.meta.total, 1, name);
  }
});

test('paths are case-sensitive', async () => {
  assert.equal((await server.get('/Agents')).status, 404);
  assert.equal((await server.get('/agents')).status, 200);
});

test('ids are version 7 UUIDs and times are ISO 8601 UTC with milliseconds', async () => {
  const contact = await aContact(server);
  assert.match(contact.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(contact['created_at'], '2026-03-02T09:00:00.000Z');
});
