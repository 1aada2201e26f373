import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aCampaign, aContact, anAgent, aNumber } from '../support/fixtures.ts';
import { aPerson } from '../support/people.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

const ifMatch = (version: number | string) => ({ headers: { 'if-match': `"${version}"` } });

type Conflict = { version: number; changed_at: string; changed_by: Data; changes: Data[] };

/** One thing of each kind, with two of its fields and values for them. */
const kinds = [
  {
    kind: 'agent',
    make: async () => `/agents/${(await anAgent(server)).id}`,
    method: 'put',
    first: { prompt: 'Be brief.' },
    second: { firstMessage: 'Hello.' },
  },
  {
    kind: 'campaign',
    make: async () => `/campaigns/${(await aCampaign(server)).id}`,
    method: 'patch',
    first: { schedule: { windowStart: '09:00', windowEnd: '17:00' } },
    second: { name: 'Autumn' },
    fields: ['schedule.windowStart', 'schedule.windowEnd'],
  },
  {
    kind: 'contact',
    make: async () => `/contacts/${(await aContact(server)).id}`,
    method: 'patch',
    first: { company: 'Engines' },
    second: { metadata: { crm: 1 } },
  },
  {
    kind: 'phone number',
    make: async () => `/phone-numbers/${(await aNumber(server)).id}`,
    path: (path: string) => path.replace('/phone-numbers/', '/phone-numbers/import/'),
    method: 'patch',
    first: { max_cps: 3 },
    second: { name: 'Main' },
  },
  {
    kind: 'knowledge base',
    make: async () =>
      `/rag/knowledge-base/${String(dataOf(await server.post('/rag/knowledgebases', { name: 'Help' }))['knowledge_base_id'])}`,
    method: 'patch',
    first: { enable_auto_refresh: true },
    second: { name: 'Support' },
  },
] as const;

for (const each of kinds) {
  const read = (path: string) => server.get('path' in each ? each.path(path) : path);
  const write = (path: string, body: object, options = {}) => server[each.method](path, body, options);

  test(`a ${each.kind} counts the changes of what people set`, async () => {
    const path = await each.make();
    assert.equal(dataOf(await read(path)).version, 1);
    assert.equal((await read(path)).headers.get('etag'), '"1"');
    const changed = await write(path, each.first, ifMatch(1));
    assert.equal(dataOf(changed).version, 2);
    assert.equal(changed.headers.get('etag'), '"2"');
    const unchanged = await write(path, each.first, ifMatch(2));
    assert.equal(dataOf(unchanged).version, 2, 'the same values are no change');
    assert.equal(dataOf(await read(path)).version, 2);
  });

  test(`a request on an old version of a ${each.kind} changes nothing, and is told what has changed`, async () => {
    const path = await each.make();
    const before = dataOf(await read(path));
    const now = dataOf(await write(path, each.first, ifMatch(1)));
    const answer = await write(path, each.second, ifMatch(1));
    assert.equal(answer.status, 412);
    assert.equal(answer.body.code, 'PRECONDITION_FAILED');
    const { version, changed_by: by, changed_at: at, changes } = answer.body.data as unknown as Conflict;
    assert.deepEqual([version, by['kind'], by['name']], [2, 'api_key', 'First admin key']);
    assert.equal(new Date(at).toISOString(), at);
    const fields = 'fields' in each ? each.fields : Object.keys(each.first);
    assert.deepEqual(
      changes.map(({ field }) => field),
      fields,
    );
    const valueAt = (data: Data, field: string): unknown =>
      field.split('.').reduce<unknown>((value, name) => (value as Data)[name], data);
    for (const { field, before: old, after: current } of changes as Array<Data & { field: string }>) {
      assert.deepEqual([old, current], [valueAt(before, field), valueAt(now, field)]);
    }
    assert.deepEqual(dataOf(await read(path)), now);
    assert.equal((await write(path, each.second, ifMatch(2))).status, 200);
  });

  test(`a ${each.kind} is changed whatever its version without If-Match, or with *`, async () => {
    const path = await each.make();
    await write(path, each.first);
    assert.equal((await write(path, each.second)).status, 200);
    assert.equal((await write(path, each.first, { headers: { 'if-match': '*' } })).status, 200);
  });
}

test('two admins who change the organization lose nothing', async () => {
  const own = await server.newOrganization();
  const first = await own.get('/organization');
  assert.deepEqual([dataOf(first).version, first.headers.get('etag')], [1, '"1"']);
  const changed = await own.patch('/organization', { contact_limits: { max_per_day: 2 } }, ifMatch(1));
  assert.equal(dataOf(changed).version, 2);
  const stale = await own.patch('/organization', { contact_limits: { min_gap_min: 30 } }, ifMatch(1));
  assert.equal(stale.status, 412);
  const { version, changes } = stale.body.data as unknown as Conflict;
  assert.deepEqual([version, changes], [2, [{ field: 'contact_limits.max_per_day', before: null, after: 2 }]]);
  const limits = dataOf(await own.patch('/organization', { contact_limits: { min_gap_min: 30 } }, ifMatch(2)));
  assert.deepEqual(limits['contact_limits'], { max_per_day: 2, max_per_week: null, min_gap_min: 30 });
  await own.post('/calling/stop', {});
  assert.equal(dataOf(await own.get('/organization')).version, 3, 'a stop changes no setting');
});

test('limits and hours of the organization that come and go are changes of their fields', async () => {
  const own = await server.newOrganization();
  const hours = { start: '08:00', end: '21:00', days: [1, 2] };
  dataOf(await own.patch('/organization', { contact_limits: { max_per_day: 2 }, guard_hours: hours }));
  dataOf(await own.patch('/organization', { contact_limits: null, guard_hours: null }));
  const came = [
    { field: 'contact_limits.max_per_day', before: null, after: 2 },
    { field: 'guard_hours.start', before: null, after: '08:00' },
    { field: 'guard_hours.end', before: null, after: '21:00' },
    { field: 'guard_hours.days', before: null, after: [1, 2] },
  ];
  const went = came.map(({ field, before, after: value }) => ({ field, before: value, after: before }));
  const byField = (changes: unknown) => (changes as typeof came).toSorted((a, b) => a.field.localeCompare(b.field));
  const entries = dataOf(await own.get<Data[]>('/audit?target_kind=organization'));
  assert.deepEqual(
    entries.map(({ changes }) => byField(changes)),
    [byField(went), byField(came)],
  );
  const stale = await own.patch('/organization', { name: 'Stale' }, ifMatch(2));
  assert.deepEqual(byField((stale.body.data as unknown as Conflict).changes), byField(went));
  assert.deepEqual(dataOf(await own.get('/organization')).version, 3);
});

test('the deletion of what has changed since is refused', async () => {
  const { id } = await anAgent(server);
  await server.put(`/agents/${id}`, { prompt: 'New.' });
  assert.equal((await server.del(`/agents/${id}`, ifMatch(1))).status, 412);
  assert.equal((await server.get(`/agents/${id}`)).status, 200);
  assert.equal((await server.del(`/agents/${id}`, ifMatch(2))).status, 200);
  const number = await aNumber(server);
  await server.patch(`/phone-numbers/${number.id}`, { name: 'New' });
  assert.equal((await server.del(`/phone-numbers/${number.phone}/release/`, ifMatch(1))).status, 412);
  assert.equal((await server.del(`/phone-numbers/${number.phone}/release/`, ifMatch(2))).status, 200);
});

test('If-Match that is no version in quotes is an invalid request', async () => {
  const { id } = await aContact(server);
  for (const header of ['1', 'W/"1"', '"one"', '"1", "2"', '""']) {
    const answer = await server.patch(`/contacts/${id}`, { company: 'A' }, { headers: { 'if-match': header } });
    assert.deepEqual([answer.status, answer.body.details?.[0]?.path], [400, 'If-Match'], header);
  }
});

test('412 comes after 400 and 404, and before 409', async () => {
  const { id } = await anAgent(server);
  await server.put(`/agents/${id}`, { prompt: 'New.' });
  assert.equal((await server.put(`/agents/${id}`, { model: 'none' }, ifMatch(1))).status, 400);
  assert.equal((await server.put(`/agents/${crypto.randomUUID()}`, {}, ifMatch(1))).status, 404);
  const campaign = await aCampaign(server);
  assert.equal((await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' }, ifMatch(1))).status, 409);
  assert.equal((await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' }, ifMatch(7))).status, 412);
});

test('counters and states that the engine moves are no versions', async () => {
  const { id } = await anAgent(server);
  const contact = await aContact(server);
  const number = await aNumber(server);
  const schedule = { timezone: 'UTC' };
  const campaign = await aCampaign(server, { agentId: id, phoneNumberId: number.id, schedule });
  await server.post(`/campaigns/${campaign.id}/contacts`, { contacts: [{ contact_id: contact.id }] });
  const started = dataOf(await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' }));
  await server.advance(3_600_000);
  const ended = dataOf(await server.get(`/campaigns/${campaign.id}`));
  assert.equal((ended['contactStats'] as Data)['pending'], 0);
  assert.equal(ended.version, started.version);
  assert.equal(dataOf(await server.get(`/agents/${id}`)).version, 1);
  assert.equal(dataOf(await server.get(`/phone-numbers/import/${number.id}`)).version, 1);
});

test('large values are shown by length and hash, and secrets not at all', async () => {
  const { id } = await anAgent(server);
  await server.put(`/agents/${id}`, { prompt: 'x'.repeat(5000) });
  const [prompt] = ((await server.put(`/agents/${id}`, {}, ifMatch(1))).body.data as unknown as Conflict).changes;
  assert.deepEqual(Object.keys(prompt!['after'] as object), ['length', 'sha256']);
  assert.equal((prompt!['after'] as Data)['length'], 5000);
  const number = await aNumber(server);
  await server.patch(`/phone-numbers/${number.id}`, { sip_password: 'hush-hush' });
  const { body } = await server.patch(`/phone-numbers/${number.id}`, {}, ifMatch(1));
  assert.deepEqual((body.data as unknown as Conflict).changes, [
    { field: 'sip_password', before: null, after: { secret: true } },
  ]);
  assert.doesNotMatch(JSON.stringify(dataOf(await server.get('/audit'))), /hush-hush/);
});

test('changes of several people are told as one, with the last of them', async () => {
  const { id } = await aContact(server, { company: 'A' });
  const member = await aPerson(server, 'member');
  await server.patch(`/contacts/${id}`, { company: 'B', first_name: 'Ada' });
  await server.advance(1000);
  const { access_token: token } = dataOf(
    await server.post<{ access_token: string }>('/auth/login', member.credentials, { key: null }),
  );
  const asMember = { key: null, headers: { authorization: `Bearer ${token}` } };
  await server.patch(`/contacts/${id}`, { company: 'C', first_name: null }, asMember);
  const data = (await server.patch(`/contacts/${id}`, {}, ifMatch(1))).body.data as unknown as Conflict;
  assert.deepEqual([data.version, data.changed_by['name']], [3, member.email]);
  assert.deepEqual(data.changes, [{ field: 'company', before: 'A', after: 'C' }]);
});

test('changes are not told after 50 versions or 30 days', async () => {
  const changesOf = async (id: string, version: number) =>
    ((await server.patch(`/contacts/${id}`, {}, ifMatch(version))).body.data as unknown as Conflict).changes;
  const contact = await aContact(server);
  for (let at = 0; at < 51; at++) await server.patch(`/contacts/${contact.id}`, { company: `C${at}` });
  assert.equal(await changesOf(contact.id, 1), null);
  assert.equal((await changesOf(contact.id, 2))?.length, 1);
  const old = await aContact(server);
  await server.patch(`/contacts/${old.id}`, { company: 'Old' });
  await server.advance(31 * 86_400_000);
  assert.equal(await changesOf(old.id, 1), null);
});

test('changes that imports made are told like any other, with who imported', async () => {
  const contact = await aContact(server, { company: 'A', metadata: { crm: 1 } });
  const other = await aContact(server, { company: 'Same' });
  const campaign = await aCampaign(server);
  const text = { headers: { 'content-type': 'text/csv' } };
  const importInto = async (path: string, csv: string): Promise<unknown> =>
    dataOf(await server.post(`${path}/import?dedupe=phone`, csv, text));
  await importInto('/contacts', `phone,company,tier\n${contact.phone},B,gold\n${other.phone},Same,`);
  await server.patch(`/contacts/${contact.id}`, { first_name: 'Ada' });
  await server.advance(1000);
  await importInto(`/campaigns/${campaign.id}/contacts`, `phone,company\n${contact.phone},C\n+4930901899,New`);
  const conflictAt = async (version: number): Promise<Conflict> =>
    (await server.patch(`/contacts/${contact.id}`, {}, ifMatch(version))).body.data as unknown as Conflict;
  const { version, changes, changed_by: by, changed_at: at } = await conflictAt(1);
  assert.equal(version, 4);
  const byField = changes.toSorted((a, b) => String(a['field']).localeCompare(String(b['field'])));
  assert.deepEqual(byField, [
    { field: 'company', before: 'A', after: 'C' },
    { field: 'first_name', before: null, after: 'Ada' },
    { field: 'metadata', before: { crm: 1 }, after: { crm: 1, tier: 'gold' } },
  ]);
  assert.deepEqual([by['kind'], at], ['api_key', dataOf(await server.get('/test-clock'))['now']]);
  assert.deepEqual((await conflictAt(3)).changes, [{ field: 'company', before: 'B', after: 'C' }]);
  assert.equal(dataOf(await server.get(`/contacts/${other.id}`)).version, 1, 'nothing of it was changed');
  const known = dataOf(await server.get<{ changes: Data[] }>(`/contacts/${contact.id}/everything`));
  assert.deepEqual(
    known.changes.filter(({ operation }) => /import/i.test(String(operation))).map(({ operation }) => operation),
    ['importCampaignContacts', 'importContacts'],
  );
  const { db } = server.running.app;
  const kept = () => db.selectFrom('imported_changes').select('version').where('contact_id', '=', contact.id).execute();
  assert.deepEqual(
    (await kept()).map((row) => row.version),
    [2, 4],
  );
  await server.del(`/contacts/${contact.id}`);
  assert.deepEqual(await kept(), [], 'they go with the contact');
});

test('the audit log has what was changed, and forgets it with the contact', async () => {
  const { id } = await aContact(server, { company: 'A' });
  await server.patch(`/contacts/${id}`, { company: 'B' });
  const entries = async () =>
    dataOf(await server.get<Data[]>('/audit?operation=updateContact')).filter(
      ({ target }) => (target as Data)['id'] === id,
    );
  assert.deepEqual(
    (await entries()).map(({ changes }) => changes),
    [[{ field: 'company', before: 'A', after: 'B' }]],
  );
  await server.patch(`/contacts/${id}`, { company: 'B' });
  assert.equal((await entries())[0]!['changes'], null, 'the same value is no change');
  await server.del(`/contacts/${id}`);
  assert.deepEqual(
    (await entries()).map(({ changes }) => changes),
    [null, null],
  );
});

test('an agent has a new version when its knowledge base is deleted', async () => {
  const base = String(dataOf(await server.post('/rag/knowledgebases', { name: 'Gone' }))['knowledge_base_id']);
  const { id } = await anAgent(server, { knowledgeBaseIds: [base] });
  await server.del(`/rag/knowledge-base/${base}`);
  assert.equal((await server.put(`/agents/${id}`, { prompt: 'New.' }, ifMatch(1))).status, 412);
});

test('a replayed creation has the version that it answered as ETag', async () => {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const create = () => server.post('/contacts/', { first_name: 'Ada' }, { headers });
  const first = await create();
  const { id, version } = dataOf(first);
  await server.patch(`/contacts/${id}`, { company: 'Engines' });
  const replayed = await create();
  assert.deepEqual([replayed.headers.get('idempotency-replayed'), version], ['true', 1]);
  assert.deepEqual(
    [first, replayed].map(({ headers: got }) => got.get('etag')),
    ['"1"', '"1"'],
  );
});

test('lists show the version of each thing', async () => {
  const [agent, contact] = [await anAgent(server), await aContact(server)];
  const campaign = await aCampaign(server, { agentId: agent.id });
  await server.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] });
  await aNumber(server);
  await server.post('/rag/knowledgebases', { name: 'Listed' });
  for (const path of [
    '/agents',
    '/campaigns',
    '/contacts',
    '/phone-numbers',
    `/rag/knowledgebases?org_id=${agent['organizationId']}`,
    `/contacts/${contact.id}/campaigns?view=full`,
  ]) {
    const answer = await server.get<Data[]>(path);
    const [listed] = dataOf(answer);
    assert.ok(Number.isInteger(listed?.['version']), path);
    assert.doesNotMatch(answer.headers.get('etag') ?? '', /^"/, path);
  }
});
