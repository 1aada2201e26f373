import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aCampaign, aContact, anAgent, aNumber } from '../support/fixtures.ts';
import { dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { type Campaign, conflictOf, isoAt, newCallingOrg, nowOf } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const nobody = '01990000-0000-7000-8000-00000000ffff';

test('a campaign created with only a name is a draft with all defaults', async () => {
  const campaign = await aCampaign(server, { name: 'Winter' });
  const now = isoAt(nowOf(server));
  assert.deepEqual(campaign, {
    id: campaign.id,
    organizationId: server.orgId,
    name: 'Winter',
    agentId: null,
    phoneNumberId: null,
    fromPhoneNumber: null,
    phoneNumberIds: null,
    localPresence: false,
    status: 'draft',
    executionStatus: 'draft',
    schedule: {
      start: null,
      end: null,
      windowStart: null,
      windowEnd: null,
      windowDays: [1, 2, 3, 4, 5, 6, 7],
      timezone: 'UTC',
      maxConcurrent: 10,
      retryAttempts: 0,
      retryGapMin: 60,
    },
    maxCps: 1,
    retryOn: ['busy', 'no_answer', 'failed', 'voicemail'],
    contactStats: { total: 0, contacted: 0, successful: 0, failed: 0, noAnswer: 0, pending: 0, inProgress: 0 },
    outboundMaxConcurrent: 10,
    outboundMaxCps: 1,
    version: 1,
    startedAt: null,
    completedAt: null,
    createdAt: now,
    updatedAt: now,
  });
  assert.deepEqual(dataOf(await server.get(`/campaigns/${campaign.id}`)), campaign);
  assert.deepEqual(dataOf(await server.get(`/campaigns/${campaign.id}/`)), campaign);
});

test('a name is required and must not be blank', async () => {
  assert.deepEqual(faultPaths(await server.post('/campaigns/', {})), ['name']);
  assert.deepEqual(faultPaths(await server.post('/campaigns/', { name: ' ' })), ['name']);
  assert.deepEqual(faultPaths(await server.post('/campaigns/', { name: null })), ['name']);
});

test('a body in snake_case means the same as in camelCase', async () => {
  const org = await newCallingOrg(server);
  const { id: _camel, ...camel } = await org.campaign({
    schedule: { windowStart: '09:00', windowEnd: '17:00', windowDays: [1, 2], maxConcurrent: 3, retryGapMin: 5 },
    maxCps: 2,
    retryOn: ['busy'],
  });
  const { id: _snake, ...snake } = dataOf(
    await org.client.post('/campaigns', {
      name: 'Spring',
      agent_id: org.agentId,
      from_phone_number: org.phone,
      schedule: {
        window_start: '09:00',
        window_end: '17:00',
        window_days: [1, 2],
        max_concurrent: 3,
        retry_gap_min: 5,
      },
      max_cps: 2,
      retry_on: ['busy'],
    }),
  );
  assert.deepEqual(snake, camel);
});

test('both spellings of a field are accepted if they agree; otherwise both are faults', async () => {
  const body = { name: 'Spring', maxCps: 2, max_cps: 2 };
  assert.equal(dataOf(await server.post('/campaigns/', body))['maxCps'], 2);
  assert.deepEqual(faultPaths(await server.post('/campaigns/', { ...body, max_cps: 3 })), ['maxCps', 'max_cps']);
  const schedule = { maxConcurrent: 1, max_concurrent: 2 };
  const both = ['schedule.maxConcurrent', 'schedule.max_concurrent'];
  assert.deepEqual(faultPaths(await server.post('/campaigns/', { name: 'Spring', schedule })), both);
});

test('faults name fields in the case that the caller used', async () => {
  const snake = { name: 'Spring', agent_id: nobody, schedule: { window_start: '09:00', window_end: '09:00' } };
  assert.deepEqual(faultPaths(await server.post('/campaigns/', snake)), [
    'agent_id',
    'schedule.window_end',
    'schedule.window_start',
  ]);
});

test('a missing field is named in the case of the other fields', async () => {
  const missing = async (schedule: object) =>
    faultPaths(await server.post('/campaigns/', { name: 'Spring', schedule }));
  assert.deepEqual(await missing({ window_start: '09:00' }), ['schedule.window_end', 'schedule.window_start']);
  assert.deepEqual(await missing({ windowStart: '09:00' }), ['schedule.windowEnd', 'schedule.windowStart']);
  const mixed = { window_start: '09:00', maxConcurrent: 3 };
  assert.deepEqual(await missing(mixed), ['schedule.windowEnd', 'schedule.window_start']);
  assert.deepEqual(faultPaths(await server.post('/agents/', { agent_name: 'Robin' })), ['model', 'voice_id']);
  const number = { sipUsername: 'parley', phone: 'no' };
  assert.deepEqual(faultPaths(await server.post('/phone-numbers/import', number)), ['phone', 'terminationUri']);
});

test('all faults come at once, with a suggestion for an unknown field', async () => {
  const answer = await server.post('/campaigns/', {
    agentId: nobody,
    phoneNumberId: 'x',
    fromPhoneNumber: '+49301234567',
    shedule: {},
    schedule: { windowDays: [8], maxConcurrent: 0 },
    status: 'active',
    executionStatus: 'draft',
    maxCps: 101,
  });
  assert.deepEqual(faultPaths(answer), [
    'agentId',
    'executionStatus',
    'fromPhoneNumber',
    'maxCps',
    'name',
    'phoneNumberId',
    'schedule.maxConcurrent',
    'schedule.windowDays[0]',
    'shedule',
    'status',
  ]);
  assert.match(answer.body.details!.find(({ path }) => path === 'shedule')!.message, /schedule/);
});

test('references of a campaign must exist and belong to the organization', async () => {
  const theirs = await server.newOrganization();
  const agent = await anAgent(theirs);
  const number = await aNumber(theirs);
  for (const [field, value] of [
    ['agentId', nobody],
    ['agentId', agent.id],
    ['agentId', 'nonsense'],
    ['phoneNumberId', nobody],
    ['phoneNumberId', number.id],
    ['fromPhoneNumber', number.phone],
    ['fromPhoneNumber', '0301234567'],
  ] as const) {
    assert.deepEqual(faultPaths(await server.post('/campaigns/', { name: 'Spring', [field]: value })), [field]);
  }
});

test('a released number is not accepted as caller number', async () => {
  const number = await aNumber(server);
  dataOf(await server.del(`/phone-numbers/${number.phone}/release/`));
  const body = { name: 'Spring', phoneNumberId: number.id };
  assert.deepEqual(faultPaths(await server.post('/campaigns/', body)), ['phoneNumberId']);
  const byPhone = { name: 'Spring', fromPhoneNumber: number.phone };
  assert.deepEqual(faultPaths(await server.post('/campaigns/', byPhone)), ['fromPhoneNumber']);
});

test('setting phoneNumberId or fromPhoneNumber sets both, at creation and later', async () => {
  const first = await aNumber(server);
  const second = await aNumber(server);
  const numberOf = ({ phoneNumberId, fromPhoneNumber }: Campaign) => [phoneNumberId, fromPhoneNumber];
  const create = async (body: object) =>
    dataOf(await server.post<Campaign>('/campaigns/', { name: 'Spring', ...body }));
  const byId = await create({ phoneNumberId: first.id });
  assert.deepEqual(numberOf(byId), [first.id, first.phone]);
  assert.deepEqual(numberOf(await create({ fromPhoneNumber: first.phone })), [first.id, first.phone]);
  const both = { phoneNumberId: first.id, fromPhoneNumber: first.phone };
  assert.deepEqual(numberOf(await create(both)), [first.id, first.phone]);
  const patch = (body: object) => server.patch<Campaign>(`/campaigns/${byId.id}/`, body);
  assert.deepEqual(numberOf(dataOf(await patch({ fromPhoneNumber: second.phone }))), [second.id, second.phone]);
  assert.deepEqual(numberOf(dataOf(await patch({ phoneNumberId: first.id }))), [first.id, first.phone]);
  const disagreeing = { phoneNumberId: first.id, fromPhoneNumber: second.phone };
  assert.deepEqual(faultPaths(await patch(disagreeing)), ['fromPhoneNumber', 'phoneNumberId']);
  assert.deepEqual(numberOf(dataOf(await patch({ phoneNumberId: null }))), [null, null]);
  dataOf(await patch({ phoneNumberId: first.id }));
  assert.deepEqual(numberOf(dataOf(await patch({ fromPhoneNumber: null }))), [null, null]);
});

test('PATCH changes only the given fields and updatedAt', async () => {
  const org = await newCallingOrg(server);
  const before = await org.campaign({ maxCps: 3, schedule: { maxConcurrent: 4, retryAttempts: 2 } });
  await server.advance(1500);
  const answer = await org.client.patch<Campaign>(`/campaigns/${before.id}/`, {
    name: 'Summer',
    schedule: { retryAttempts: 3 },
  });
  assert.match(answer.body.message, /updated/i);
  assert.deepEqual(dataOf(answer), {
    ...before,
    name: 'Summer',
    schedule: { ...before.schedule, retryAttempts: 3 },
    version: 2,
    updatedAt: isoAt(nowOf(server)),
  });
  assert.deepEqual(await org.read(before.id), dataOf(answer));
});

test('null sets a field back to its default', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({ maxCps: 3, retryOn: ['busy'] });
  const cleared = await org.patch(id, { agentId: null, maxCps: null, retryOn: null });
  assert.deepEqual(
    [cleared.agentId, cleared['maxCps'], cleared['retryOn']],
    [null, 1, ['busy', 'no_answer', 'failed', 'voicemail']],
  );
});

test('the id in the body must be that of the path', async () => {
  const { id } = await aCampaign(server);
  assert.equal(dataOf(await server.patch(`/campaigns/${id}/`, { id, name: 'Autumn' }))['name'], 'Autumn');
  assert.equal(dataOf(await server.patch(`/campaigns/${id}/`, { id: id.toUpperCase() })).id, id);
  assert.deepEqual(faultPaths(await server.patch(`/campaigns/${id}/`, { id: nobody })), ['id']);
  assert.deepEqual(faultPaths(await server.patch(`/campaigns/${id}/`, { id: 'x' })), ['id']);
});

test('retryOn takes retryable outcomes without repeats, or none', async () => {
  const create = (retryOn: unknown) => server.post('/campaigns/', { name: 'Spring', retryOn });
  assert.deepEqual(dataOf(await create([]))['retryOn'], []);
  assert.deepEqual(dataOf(await create(['voicemail', 'busy']))['retryOn'], ['voicemail', 'busy']);
  assert.deepEqual(faultPaths(await create(['completed'])), ['retryOn[0]']);
  assert.deepEqual(faultPaths(await create(['busy', 'busy'])), ['retryOn']);
  assert.deepEqual(faultPaths(await create('busy')), ['retryOn']);
});

test('campaigns are listed newest first and filtered by status', async () => {
  const org = await newCallingOrg(server);
  const draft = await org.campaign();
  const active = await org.campaign({ status: 'active' });
  const paused = await org.campaign({ status: 'active' });
  await org.patch(paused.id, { status: 'paused' });
  const completed = await org.campaign({ status: 'completed' });
  const ids = async (query: string) => {
    const { body } = await org.client.get<Campaign[]>(`/campaigns/${query}`);
    assert.equal(body.meta.total, query.includes('limit') ? 4 : body.data.length);
    return body.data.map(({ id }) => id);
  };
  assert.deepEqual(await ids(''), [completed.id, paused.id, active.id, draft.id]);
  assert.deepEqual(await ids('?limit=2&offset=1'), [paused.id, active.id]);
  assert.deepEqual(await ids('?status=draft'), [draft.id]);
  assert.deepEqual(await ids('?status=active'), [active.id]);
  assert.deepEqual(await ids('?status=paused'), [paused.id]);
  assert.deepEqual(await ids('?status=completed'), [completed.id]);
  assert.deepEqual(faultPaths(await org.client.get('/campaigns/?status=running')), ['status']);
  assert.deepEqual(faultPaths(await org.client.get('/campaigns/?state=draft')), ['state']);
  const [listed] = dataOf(await org.client.get<Campaign[]>('/campaigns/?status=active'));
  assert.deepEqual(listed, await org.read(active.id));
});

test('a campaign can be deleted unless it is running', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([]);
  assert.match(conflictOf(await org.client.del(`/campaigns/${id}`)), /running.*pause or complete/i);
  await org.patch(id, { status: 'paused' });
  const answer = await org.client.del(`/campaigns/${id}`);
  assert.deepEqual([answer.status, answer.body.success, 'data' in answer.body], [200, true, false]);
  assert.equal((await org.client.get(`/campaigns/${id}`)).status, 404);
  assert.equal((await org.client.del(`/campaigns/${id}`)).status, 404);
  for (const over of [{}, { status: 'completed' }, { status: 'active', executionStatus: 'paused' }]) {
    const campaign = await org.campaign(over);
    assert.equal((await org.client.del(`/campaigns/${campaign.id}/`)).status, 200, campaign.status);
  }
});

test('a deleted campaign disappears from its contacts’ campaigns; the contacts stay', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const contact = await aContact(org.client);
  await org.client.post(`/campaigns/${id}/contacts`, { contact_ids: [contact.id] });
  assert.equal(dataOf(await org.client.get<unknown[]>(`/contacts/${contact.id}/campaigns`)).length, 1);
  dataOf(await org.client.del(`/campaigns/${id}`));
  assert.deepEqual(dataOf(await org.client.get<unknown[]>(`/contacts/${contact.id}/campaigns`)), []);
});

test('a campaign of another organization is answered exactly like one that does not exist', async () => {
  const mine = await newCallingOrg(server);
  const theirs = await newCallingOrg(server);
  const { id } = await mine.run([{ phone: '+4930123456700' }]);
  const [{ contact_id: contactId } = { contact_id: '' }] = await mine.contacts(id);
  const [call] = await mine.calls();
  for (const [method, path, body] of [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine now' }],
    ['DELETE', ''],
    ['GET', '/contacts'],
    ['POST', '/contacts', { contacts: [{ phone: '+4930123456701' }] }],
    ['DELETE', `/contacts/${contactId}`],
    ['GET', '/plan'],
    ['GET', `/contacts/${contactId}/why`],
  ] as const) {
    const withBody = body ? { body } : {};
    const answers = await Promise.all([
      theirs.client.request(method, `/campaigns/${id}${path}`, withBody),
      theirs.client.request(method, `/campaigns/${nobody}${path}`, withBody),
      theirs.client.request(method, `/campaigns/nonsense${path}`, withBody),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404],
      `${method} ${path}`,
    );
    assert.equal(answers[0].text, answers[1].text);
    assert.equal(answers[0].body.code, 'NOT_FOUND');
  }
  assert.deepEqual(await theirs.calls(), []);
  assert.equal((await theirs.client.get(`/calls/${call!.call_session_id}`)).status, 404);
  assert.equal((await theirs.client.post(`/calls/${call!.call_session_id}/hangup`)).status, 404);
  assert.equal(dataOf(await theirs.client.get<unknown[]>('/campaigns/')).length, 0);
  assert.equal((await mine.read(id)).name, 'Spring');
});

test('faults of a request take precedence over an unknown campaign', async () => {
  const disagreeing = { status: 'active', executionStatus: 'draft' };
  assert.deepEqual(faultPaths(await server.patch(`/campaigns/${nobody}/`, disagreeing)), ['executionStatus', 'status']);
  assert.deepEqual(faultPaths(await server.patch(`/campaigns/${nobody}/`, { agentId: nobody })), ['agentId']);
  assert.equal((await server.patch(`/campaigns/${nobody}/`, { name: 'x' })).status, 404);
});

test('a viewer reads campaigns and calls, and changes nothing', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run(['+4930123456800']);
  const [call] = await org.calls();
  const key = await org.client.keyWithRole('viewer');
  for (const path of [
    '/campaigns/',
    `/campaigns/${id}`,
    `/campaigns/${id}/contacts`,
    `/campaigns/${id}/plan`,
    '/calls',
  ]) {
    assert.equal((await org.client.get(path, { key })).status, 200, path);
  }
  for (const [method, path, body] of [
    ['POST', '/campaigns/', { name: 'x' }],
    ['PATCH', `/campaigns/${id}/`, { name: 'x' }],
    ['DELETE', `/campaigns/${id}`, undefined],
    ['POST', `/campaigns/${id}/contacts`, { contact_ids: [] }],
    ['POST', '/calls', { agent_id: org.agentId, to: '+4930123456801', from: org.phone }],
    ['POST', `/calls/${call!.call_session_id}/hangup`, undefined],
  ] as const) {
    const answer = await org.client.request(method, path, { key, ...(body ? { body } : {}) });
    assert.deepEqual([answer.status, answer.body.code], [403, 'FORBIDDEN'], `${method} ${path}`);
  }
});
