import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { aCampaign, aContact, anActiveModel, anAgent, aNumber } from '../support/fixtures.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());
const modelAndVoice = await anActiveModel(server);

type Model = {
  id: string;
  llmModel: string;
  isActive: boolean;
  price: number;
  voices: Array<Record<string, unknown> & { id: string; llmModelId: string }>;
};
const models = dataOf(await server.get<Model[]>('/available-llm-models/with-voices'));

test('an agent created with name, model and voice has every field, with defaults', async () => {
  const agent = dataOf(await server.post('/agents/', { agentName: 'Robin', ...modelAndVoice }));
  assert.deepEqual(agent, {
    id: agent.id,
    organizationId: server.orgId,
    agentName: 'Robin',
    status: 'ACTIVE',
    model: modelAndVoice.model,
    voiceId: modelAndVoice.voiceId,
    temperature: 0.7,
    reminderTriggerMs: 10_000,
    maxCallDurationMs: 3_600_000,
    silenceTimeoutMs: 30_000,
    transferPhone: null,
    recordCalls: false,
    recordingNotice: null,
    calendarTimezone: 'UTC',
    emotion: false,
    voicemailDetection: true,
    emergencyFallback: null,
    prompt: null,
    firstMessage: null,
    voicemailMessage: null,
    knowledgeBaseIds: [],
    webhookUrls: [],
    webhookEvents: ['call.completed'],
    callStats: {},
    version: 1,
    edition: 1,
    createdAt: '2026-03-02T09:00:00.000Z',
    updatedAt: '2026-03-02T09:00:00.000Z',
  });
  assert.deepEqual(dataOf(await server.get(`/agents/${agent.id}`)), agent);
  const listed = dataOf(await server.get<Data[]>('/agents/'));
  assert.deepEqual(listed[0], agent);
});

test('every field of an agent can be set, and is returned as it was sent', async () => {
  const settings = {
    agentName: 'Ünï 🦜',
    ...modelAndVoice,
    status: 'INACTIVE',
    temperature: 2,
    reminderTriggerMs: 1000,
    maxCallDurationMs: 7_200_000,
    silenceTimeoutMs: 600_000,
    transferPhone: '+4930901820',
    recordCalls: true,
    recordingNotice: 'This call is recorded.',
    calendarTimezone: 'America/Argentina/Buenos_Aires',
    emotion: true,
    voicemailDetection: false,
    emergencyFallback: '+4930901820',
    prompt: 'Say "hello"\n\tand \\ wait.',
    firstMessage: '',
    voicemailMessage: 'Bye.',
  };
  const agent = dataOf(await server.post('/agents/', settings));
  for (const [name, value] of Object.entries(settings)) assert.deepEqual(agent[name], value, name);
});

test('bounds of agent settings are inclusive', async () => {
  const { id } = await anAgent(server);
  const put = (body: object) => server.put(`/agents/${id}`, body);
  const validBodies = [
    { temperature: 0 },
    { temperature: 2 },
    { reminderTriggerMs: 1000 },
    { reminderTriggerMs: Number.MAX_SAFE_INTEGER },
    { maxCallDurationMs: 10_000 },
    { maxCallDurationMs: 7_200_000 },
    { silenceTimeoutMs: 5000 },
    { silenceTimeoutMs: 600_000 },
    { transferPhone: null },
    { agentName: 'x'.repeat(200) },
  ];
  for (const body of validBodies) {
    const [[name, value]] = Object.entries(body) as [[string, unknown]];
    assert.equal(dataOf(await put(body))[name], value);
  }
  const invalidBodies = [
    { temperature: -0.01 },
    { temperature: 2.01 },
    { temperature: '1' },
    { temperature: null },
    { reminderTriggerMs: 999 },
    { maxCallDurationMs: 9999 },
    { maxCallDurationMs: 7_200_001 },
    { silenceTimeoutMs: 4999 },
    { silenceTimeoutMs: 600_001 },
    { transferPhone: '030' },
    { recordCalls: 'yes' },
    { recordingNotice: 'x'.repeat(501) },
    { agentName: '' },
    { agentName: ' \n' },
    { agentName: 'x'.repeat(201) },
    { agentName: null },
    { status: 'active' },
    { calendarTimezone: '+02:00' },
    { calendarTimezone: 'Europe/Bielefeld' },
    { calendarTimezone: '' },
    { emotion: 1 },
    { voicemailDetection: null },
    { emergencyFallback: '030901820' },
    { emergencyFallback: '+0000000000' },
  ];
  for (const body of invalidBodies)
    assert.deepEqual(faultPaths(await put(body)), Object.keys(body), JSON.stringify(body));
});

test('creating an agent requires name, model and voice', async () => {
  assert.deepEqual(faultPaths(await server.post('/agents/', {})), ['agentName', 'model', 'voiceId']);
  assert.deepEqual(faultPaths(await server.post('/agents/', { agentName: '', model: '', voiceId: '' })), [
    'agentName',
    'model',
    'voiceId',
  ]);
});

test('PUT changes only the fields in the body and returns the whole agent', async () => {
  const before = await anAgent(server, { prompt: 'Be kind.', temperature: 1 });
  await server.advance(1000);
  const answer = await server.put(`/agents/${before.id}`, {
    webhook_url: 'https://example.com/hook',
    webhook_events: ['call.completed'],
  });
  const changed = dataOf(answer);
  assert.deepEqual(changed, {
    ...before,
    webhookUrls: ['https://example.com/hook'],
    version: 2,
    updatedAt: changed['updatedAt'],
  });
  assert.notEqual(changed['updatedAt'], before['updatedAt']);
  assert.deepEqual(dataOf(await server.get(`/agents/${before.id}`)), changed);
  const cleared = dataOf(await server.put(`/agents/${before.id}`, { prompt: null }));
  assert.deepEqual([cleared['prompt'], cleared['temperature']], [null, 1]);
  assert.equal((await server.put(`/agents/${before.id}`, {})).status, 200);
});

test('read-only fields of an agent are refused in a body as unknown fields', async () => {
  const { id } = await anAgent(server);
  assert.deepEqual(
    faultPaths(await server.put(`/agents/${id}`, { id, organizationId: server.orgId, callStats: {}, createdAt: 'x' })),
    ['callStats', 'createdAt', 'id', 'organizationId'],
  );
});

test('DELETE deletes an agent', async () => {
  const { id } = await anAgent(server);
  assert.equal((await server.del(`/agents/${id}/`)).status, 200);
  assert.equal((await server.get(`/agents/${id}`)).status, 404);
  assert.equal((await server.del(`/agents/${id}`)).status, 404);
});

test('an agent that a running campaign uses cannot be deleted', async () => {
  const agent = await anAgent(server);
  const number = await aNumber(server);
  const campaign = await aCampaign(server, {
    agentId: agent.id,
    phoneNumberId: number.id,
    schedule: { windowStart: '01:00', windowEnd: '02:00' },
  });
  const contact = await aContact(server);
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] }));
  dataOf(await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' }));
  const refused = await server.del(`/agents/${agent.id}`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
  dataOf(await server.patch(`/campaigns/${campaign.id}/`, { status: 'completed' }));
  assert.equal((await server.del(`/agents/${agent.id}`)).status, 200);
});

test('the list of models has active and inactive models with their voices', () => {
  assert.deepEqual(Object.keys(models[0]!), ['id', 'llmModel', 'description', 'price', 'isActive', 'voices']);
  assert.deepEqual([...new Set(models.map(({ isActive }) => isActive))], [true, false]);
  for (const model of models) {
    assert.ok(model.price >= 0);
    for (const voice of model.voices) {
      const names = ['id', 'llmModelId', 'voiceName', 'gender', 'language', 'recordingUrl', 'imgUrl'];
      assert.deepEqual([Object.keys(voice), voice.llmModelId], [names, model.id]);
    }
  }
});

test('the voice must belong to the model, and the model must be active', async () => {
  const inactive = models.find(({ isActive }) => !isActive)!;
  const voiceOfInactive = inactive.voices[0]!.id;
  const create = (body: object) => server.post('/agents/', { agentName: 'x', ...modelAndVoice, ...body });
  assert.deepEqual(faultPaths(await create({ voiceId: voiceOfInactive })), ['voiceId']);
  assert.deepEqual(faultPaths(await create({ voiceId: 'nobody' })), ['voiceId']);
  assert.deepEqual(faultPaths(await create({ model: 'gpt-0' })), ['model']);
  assert.deepEqual(faultPaths(await create({ model: inactive.llmModel, voiceId: voiceOfInactive })), ['model']);
  const { id } = await anAgent(server);
  assert.deepEqual(faultPaths(await server.put(`/agents/${id}`, { voiceId: voiceOfInactive })), ['voiceId']);
  assert.deepEqual(
    faultPaths(await server.put(`/agents/${id}`, { model: inactive.llmModel, voiceId: voiceOfInactive })),
    ['model'],
  );
  const otherVoice = models[0]!.voices[1]!.id;
  assert.equal(dataOf(await server.put(`/agents/${id}`, { voiceId: otherVoice }))['voiceId'], otherVoice);
});

test('an agent keeps working with a model that became inactive', async () => {
  const data = join(mkdtempSync(join(tmpdir(), 'parley-models-')), 'data');
  const catalog = (isActive: boolean) =>
    JSON.stringify([
      {
        llm_model: 'one',
        description: '',
        price: 0,
        is_active: isActive,
        voices: [{ id: 'v1', voice_name: 'V', language: 'en-US' }],
      },
      { llm_model: 'two', description: '', price: 0, voices: [{ id: 'v2', voice_name: 'W', language: 'en-US' }] },
    ]);
  const first = await startTestServer({ data, settings: { 'catalog.models': catalog(true) } });
  const agent = await anAgent(first);
  assert.equal(agent['model'], 'one');
  await first.stop();
  const second = await startTestServer({ data, settings: { 'catalog.models': catalog(false) } });
  try {
    const path = `/agents/${agent.id}`;
    const key = await second.keyWithRole('member');
    assert.deepEqual(dataOf(await second.get(path, { key })), agent);
    const changed = await second.put(path, { agentName: 'Sam', model: 'one', voiceId: 'v1' }, { key });
    assert.equal(dataOf(changed)['agentName'], 'Sam');
    assert.deepEqual(
      faultPaths(await second.post('/agents/', { agentName: 'x', model: 'one', voiceId: 'v1' }, { key })),
      ['model'],
    );
    assert.equal(dataOf(await second.put(path, { model: 'two', voiceId: 'v2' }, { key }))['model'], 'two');
    assert.deepEqual(faultPaths(await second.put(path, { model: 'one', voiceId: 'v1' }, { key })), ['model']);
  } finally {
    await second.stop();
    rmSync(join(data, '..'), { recursive: true, force: true });
  }
});

test('webhook_url sets one URL, webhook_urls several, and null or [] removes all', async () => {
  const { id } = await anAgent(server);
  const urlsAfter = async (body: object) => dataOf(await server.put(`/agents/${id}`, body))['webhookUrls'];
  const many = Array.from({ length: 10 }, (_, index) => `https://example.com/${index}`);
  assert.deepEqual(await urlsAfter({ webhook_urls: many }), many);
  assert.deepEqual(await urlsAfter({ webhook_url: 'https://example.org:8443/x?y=z' }), [
    'https://example.org:8443/x?y=z',
  ]);
  assert.deepEqual(await urlsAfter({ agentName: 'Sam' }), ['https://example.org:8443/x?y=z']);
  assert.deepEqual(await urlsAfter({ webhook_url: null }), []);
  assert.deepEqual(await urlsAfter({ webhookUrls: ['https://example.com/a', 'https://example.com/b'] }), [
    'https://example.com/a',
    'https://example.com/b',
  ]);
  assert.deepEqual(await urlsAfter({ webhook_urls: [] }), []);
  await urlsAfter({ webhook_url: 'https://example.com' });
  assert.deepEqual(await urlsAfter({ webhook_urls: null }), []);
});

test('in a list with an entry of the wrong type, the other faulty entries are named, too', async () => {
  const { id } = await anAgent(server);
  const mixed = { webhook_urls: [5, 'http://example.com/', 'https://example.com/', null, 'https://10.0.0.1/'] };
  const paths = ['webhook_urls[0]', 'webhook_urls[1]', 'webhook_urls[3]', 'webhook_urls[4]'];
  assert.deepEqual(faultPaths(await server.put(`/agents/${id}`, mixed)), paths);
  assert.deepEqual(faultPaths(await server.put(`/agents/${id}`, { webhookUrls: ['http://example.com/', 5] })), [
    'webhookUrls[0]',
    'webhookUrls[1]',
  ]);
});

test('giving both webhook_url and webhook_urls is a fault of each, and more than ten URLs are refused', async () => {
  const { id } = await anAgent(server);
  const put = (body: object) => server.put(`/agents/${id}`, body);
  const both = { webhook_url: 'https://example.com', webhook_urls: ['https://example.com'] };
  assert.deepEqual(faultPaths(await put(both)), ['webhook_url', 'webhook_urls']);
  const eleven = Array.from({ length: 11 }, (_, index) => `https://example.com/${index}`);
  assert.deepEqual(faultPaths(await put({ webhook_urls: eleven })), ['webhook_urls']);
  assert.deepEqual(faultPaths(await put({ webhook_events: ['call.completed', 'call.started', 7] })), [
    'webhook_events[1]',
    'webhook_events[2]',
  ]);
});

const refusedUrls = [
  '',
  'example.com',
  '/hook',
  'ftp://example.com/',
  'javascript:alert(1)',
  'http://example.com/',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://127.0.0.2/',
  'https://127.1.2.3/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://2130706434/',
  'https://0x7f000002/',
  'https://0177.0.0.2/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[ff02::1]/',
  'https://[::]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[64:ff9b::a00:1]/',
  'https://[::7f00:1]/',
  'https://foo.localhost/',
  'http://127.0.0.2/',
  'http://[::2]/',
  'https://exa mple.com/',
  `https://example.com/${'x'.repeat(3000)}`,
];

test('a webhook URL that is not public HTTPS cannot be saved', async () => {
  const { id } = await anAgent(server);
  for (const url of refusedUrls) {
    assert.deepEqual(faultPaths(await server.put(`/agents/${id}`, { webhook_url: url })), ['webhook_url'], url);
  }
  const mixed = await server.put(`/agents/${id}`, {
    webhook_urls: ['https://example.com/', ...refusedUrls.slice(1, 4)],
  });
  assert.deepEqual(faultPaths(mixed), ['webhook_urls[1]', 'webhook_urls[2]', 'webhook_urls[3]']);
  for (const url of [7, {}, [], true]) {
    assert.deepEqual(faultPaths(await server.put(`/agents/${id}`, { webhook_url: url })), ['webhook_url']);
  }
  assert.deepEqual(dataOf(await server.get(`/agents/${id}`))['webhookUrls'], []);
});

test('a setting allows loopback URLs over HTTP (not HTTPS), which are refused otherwise', async () => {
  const loopback = ['http://127.0.0.1:1/a', 'http://[::1]:1/a', 'http://localhost:1/a'];
  const secure = ['https://127.0.0.1/', 'https://localhost/', 'https://[::1]/'];
  const { id } = await anAgent(server);
  for (const url of loopback) assert.equal((await server.put(`/agents/${id}`, { webhook_url: url })).status, 200, url);
  for (const url of secure) {
    assert.deepEqual(faultPaths(await server.put(`/agents/${id}`, { webhook_url: url })), ['webhook_url'], url);
  }
  const strict = await startTestServer({
    settings: { 'webhooks.allow_http_loopback': 'false', 'outbound.allow_networks': '["10.1.0.0/16"]' },
  });
  try {
    const agent = await anAgent(strict);
    const put = (url: string) => strict.put(`/agents/${agent.id}`, { webhook_url: url });
    for (const url of [...loopback, ...secure, 'https://10.2.0.1/', 'http://10.1.0.1/']) {
      assert.deepEqual(faultPaths(await put(url)), ['webhook_url'], url);
    }
    assert.equal((await put('https://10.1.2.3/')).status, 200, 'the operator allows this network');
    assert.equal((await put('https://nowhere.invalid/')).status, 200, 'host names are checked when connecting');
  } finally {
    await strict.stop();
  }
});

test('each unknown knowledge base is a fault', async () => {
  const ids = [randomUUID(), randomUUID()];
  assert.deepEqual(
    faultPaths(await server.post('/agents/', { agentName: 'x', ...modelAndVoice, knowledgeBaseIds: ids })),
    ['knowledgeBaseIds[0]', 'knowledgeBaseIds[1]'],
  );
});

test('callStats counts ended calls and leaves out counters that are zero', async () => {
  const agent = await anAgent(server);
  const number = await aNumber(server);
  const call = async (ending: string) =>
    dataOf(await server.post('/calls', { agent_id: agent.id, to: `+49301234${ending}`, phone_number_id: number.id }));
  for (const ending of ['00', '01', '02', '03', '05']) await call(ending);
  await server.advance(120_000);
  assert.deepEqual(dataOf(await server.get(`/agents/${agent.id}`))['callStats'], {
    totalCalls: 5,
    completedCalls: 2,
    failedCalls: 1,
    noAnswerCalls: 1,
    busyCalls: 1,
  });
});
