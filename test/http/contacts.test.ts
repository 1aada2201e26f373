import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aCampaign, aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

const empty = {
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  company: null,
  metadata: {},
  timezone: null,
  do_not_call: false,
  do_not_call_state: { may_be_called: true, on_list: false, opted_out: false, since: null, reason: null, by: null },
  version: 1,
  created_at: '2026-03-02T09:00:00.000Z',
  updated_at: '2026-03-02T09:00:00.000Z',
};

test('no field of a contact is required, and missing ones are null', async () => {
  const contact = dataOf(await server.post('/contacts/', {}));
  assert.deepEqual(contact, { id: contact.id, ...empty });
  assert.deepEqual(dataOf(await server.get(`/contacts/${contact.id}`)), contact);
});

test('every field of a contact is returned as it was sent', async () => {
  const fields = {
    first_name: 'Zoë',
    last_name: "O'Brien-李",
    email: 'Zoe.O+tag@Example.co.uk',
    phone: aPhone(),
    company: '"Ünï" & Söhne',
    metadata: { plan: 'gold', Nested: { snake_case: [1, null, { camelCase: true }] } },
    timezone: 'Asia/Kathmandu',
    do_not_call: true,
  };
  const contact = dataOf(await server.post('/contacts/', fields));
  const { do_not_call_state: _state, ...shown } = contact;
  const { do_not_call_state: _callable, ...expected } = empty;
  assert.deepEqual(shown, { ...expected, id: contact.id, ...fields });
});

test('phone numbers must be strict E.164 with an assigned country code', async () => {
  for (const phone of [
    '+4930901820',
    '+14155552671',
    '+442071838750',
    '+8613800138000',
    '+88312345678',
    '+999',
    '+1',
  ]) {
    const answer = await server.post('/contacts/', { phone });
    assert.equal(answer.status, phone.length > 5 ? 200 : 400, phone);
  }
  for (const phone of [
    '',
    '030901820',
    '4930901820',
    '+49 30 901820',
    '+49-30901820',
    '+0930901820',
    '+2101234567',
    '+4930901820123456',
    '+49abc01820',
    ' +4930901820',
    '+4930901820\n',
    '++4930901820',
    49_309_018,
    '+٤٩٣٠٩٠١٨٢٠',
  ]) {
    assert.deepEqual(faultPaths(await server.post('/contacts/', { phone })), ['phone'], String(phone));
  }
});

test('e-mail addresses are validated', async () => {
  for (const email of ['a@example.com', "o'hara+x@sub.example.org", 'a.b_c%d@xn--mnchen-3ya.de']) {
    assert.equal((await server.post('/contacts/', { email })).status, 200, email);
  }
  for (const email of [
    '',
    'a',
    'a@',
    '@example.com',
    'a@example',
    'a b@example.com',
    'a@@example.com',
    'a.@example.com',
    '.a@example.com',
    'a@-example.com',
    'a@example..com',
    'a@example.com ',
    `${'x'.repeat(250)}@example.com`,
    'a\u0000@example.com',
  ]) {
    const answer = await server.post('/contacts/', { email });
    assert.ok(
      faultPaths(answer).every((path) => path === 'email'),
      email,
    );
  }
});

test('other fields of a contact are validated too', async () => {
  const invalidBodies = [
    { first_name: 7 },
    { first_name: 'x'.repeat(201) },
    { company: [] },
    { metadata: [] },
    { metadata: 'x' },
    { timezone: 'CEST+2' },
    { timezone: '+01:00' },
    { do_not_call: 'no' },
    { do_not_call: null },
    { id: 'x' },
    { created_at: '2026-03-02T09:00:00.000Z' },
    { organization_id: server.orgId },
  ];
  for (const body of invalidBodies)
    assert.deepEqual(faultPaths(await server.post('/contacts/', body)), Object.keys(body));
});

test('PATCH changes only the fields in the body, and null clears one', async () => {
  const before = await aContact(server, { first_name: 'Ada', company: 'Analytical', metadata: { a: 1 } });
  await server.advance(1000);
  const changed = dataOf(await server.patch(`/contacts/${before.id}`, { first_name: null, timezone: 'Europe/London' }));
  assert.deepEqual(changed, {
    ...before,
    version: 2,
    first_name: null,
    timezone: 'Europe/London',
    updated_at: changed['updated_at'],
  });
  assert.notEqual(changed['updated_at'], before['updated_at']);
  assert.deepEqual(dataOf(await server.patch(`/contacts/${before.id}/`, { metadata: null }))['metadata'], {});
  assert.deepEqual(faultPaths(await server.patch(`/contacts/${before.id}`, { phone: '12', email: 'x' })), [
    'email',
    'phone',
  ]);
});

test('q searches name, e-mail, phone and company, ignoring case', async () => {
  const other = await server.newOrganization();
  const make = (body: object) => aContact(other, { phone: null, ...body });
  const ada = await make({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@engine.example' });
  const grace = await make({ first_name: 'Grace', last_name: 'HÖPPER', company: 'Navy 100%_' });
  const alan = await make({ phone: '+442071838750', metadata: { first_name: 'Lovelace' } });
  const found = async (q: string) => {
    const { body } = await other.get<Data[]>(`/contacts/?q=${encodeURIComponent(q)}`);
    assert.equal(body.meta.total, body.data.length);
    return body.data.map(({ id }) => id);
  };
  assert.deepEqual(await found(''), [alan.id, grace.id, ada.id]);
  assert.deepEqual(await found('lovelace'), [ada.id]);
  assert.deepEqual(await found('ada love'), [ada.id]);
  assert.deepEqual(await found('ENGINE.example'), [ada.id]);
  assert.deepEqual(await found('höpper'), [grace.id]);
  assert.deepEqual(await found('100%_'), [grace.id]);
  assert.deepEqual(await found('%'), [grace.id]);
  assert.deepEqual(await found('2071838'), [alan.id]);
  assert.deepEqual(await found('+4420'), [alan.id]);
  assert.deepEqual(await found("'; DROP TABLE contacts; --"), []);
  assert.equal(
    (await other.get<Data[]>('/contacts/?q=+4420')).body.data.length,
    1,
    'an unescaped + arrives as a space',
  );
  const page = await other.get<Data[]>('/contacts/?q=a&limit=1&offset=1');
  assert.deepEqual(page.body.meta, { total: 2, limit: 1, offset: 1 });
});

test('notes of a contact are listed newest first and can be deleted', async () => {
  const contact = await aContact(server);
  const path = `/contacts/${contact.id}/notes`;
  const add = async (content: string) => dataOf(await server.post(path, { content }));
  const first = await add('Called.\nNo answer.');
  assert.deepEqual(Object.keys(first), ['id', 'content', 'created_at']);
  const second = await add('Second, at the same instant');
  await server.advance(1000);
  const third = await add('x'.repeat(10_000));
  const listed = await server.get<Data[]>(path);
  assert.deepEqual(listed.body.data, [third, second, first]);
  assert.deepEqual(listed.body.meta, { total: 3, limit: 50, offset: 0 });
  assert.equal((await server.del(`${path}/${second.id}`)).status, 200);
  assert.equal((await server.del(`${path}/${second.id}`)).status, 404);
  assert.deepEqual(dataOf(await server.get<Data[]>(path)), [third, first]);
  for (const content of ['', '  ', 7, null, 'x'.repeat(10_001)]) {
    assert.deepEqual(faultPaths(await server.post(path, { content })), ['content']);
  }
  assert.deepEqual(faultPaths(await server.post(path, {})), ['content']);
});

test('deleting a contact deletes its notes', async () => {
  const contact = await aContact(server);
  dataOf(await server.post(`/contacts/${contact.id}/notes`, { content: 'x' }));
  assert.equal((await server.del(`/contacts/${contact.id}`)).status, 200);
  for (const path of [
    `/contacts/${contact.id}`,
    `/contacts/${contact.id}/notes`,
    `/contacts/${contact.id}/campaigns`,
  ]) {
    assert.equal((await server.get(path)).status, 404, path);
  }
});

test('a contact on a call cannot be deleted; once deleted, its calls stay with contact_id null', async () => {
  const contact = await aContact(server, { phone: aPhone('00') });
  const agent = await anAgent(server);
  const number = await aNumber(server);
  const call = dataOf(
    await server.post<{ call_session_id: string }>('/calls', {
      agent_id: agent.id,
      to: contact['phone'],
      phone_number_id: number.id,
      contact_id: contact.id,
    }),
  );
  await server.advance(10_000);
  const refused = await server.del(`/contacts/${contact.id}`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
  await server.advance(120_000);
  assert.equal((await server.del(`/contacts/${contact.id}`)).status, 200);
  assert.equal(dataOf(await server.get(`/calls/${call.call_session_id}`))['contact_id'], null);
});

test('the campaigns of a contact are listed in compact form, and in full with view=full', async () => {
  const contact = await aContact(server);
  assert.deepEqual(dataOf(await server.get<Data[]>(`/contacts/${contact.id}/campaigns`)), []);
  const campaign = await aCampaign(server, { name: 'Autumn' });
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] }));
  const compact = dataOf(await server.get<Data[]>(`/contacts/${contact.id}/campaigns`));
  assert.deepEqual(compact, [{ campaign_id: campaign.id, name: 'Autumn', status: 'pending', last_attempt_at: null }]);
  const [full] = dataOf(await server.get<Data[]>(`/contacts/${contact.id}/campaigns?view=full`));
  assert.deepEqual(Object.keys(full!).toSorted(), [
    'agent_id',
    'completed_at',
    'contact_stats',
    'created_at',
    'execution_status',
    'from_phone_number',
    'id',
    'local_presence',
    'name',
    'organization_id',
    'phone_number_id',
    'phone_number_ids',
    'schedule',
    'started_at',
    'status',
    'updated_at',
    'version',
  ]);
  assert.deepEqual(faultPaths(await server.get(`/contacts/${contact.id}/campaigns?view=whole`)), ['view']);
});

test('the do-not-call list accepts one phone or several and counts the new ones', async () => {
  const [one, two, three] = [aPhone(), aPhone(), aPhone()];
  const added = async (body: object) => dataOf(await server.post<{ added: number }>('/do-not-call', body)).added;
  assert.equal(await added({ phone: one }), 1);
  assert.equal(await added({ phone: one }), 0);
  assert.equal(await added({ phones: [one, two, two, three] }), 2);
  const listed = await server.get<Array<{ phone: string }>>('/do-not-call');
  assert.deepEqual(Object.keys(listed.body.data[0]!), ['phone', 'reason', 'created_at']);
  assert.deepEqual(listed.body.data.map(({ phone }) => phone).toSorted(), [one, two, three].toSorted());
  assert.deepEqual(listed.body.meta, { total: 3, limit: 50, offset: 0 });
  assert.equal((await server.del(`/do-not-call/${encodeURIComponent(two)}`)).status, 200);
  assert.equal((await server.del(`/do-not-call/${three}/`)).status, 200, 'a bare + works too');
  assert.equal((await server.del(`/do-not-call/${three}`)).status, 404);
  assert.equal((await server.get<Data[]>('/do-not-call')).body.meta.total, 1);
});

test('adding to the do-not-call list requires exactly one of phone and phones, in E.164', async () => {
  const post = (body: object) => server.post('/do-not-call', body);
  assert.deepEqual(faultPaths(await post({})), ['phone', 'phones']);
  assert.deepEqual(faultPaths(await post({ phone: aPhone(), phones: [aPhone()] })), ['phone', 'phones']);
  assert.deepEqual(faultPaths(await post({ phone: '030' })), ['phone']);
  assert.deepEqual(faultPaths(await post({ phones: [aPhone(), '030', 7] })), ['phones[1]', 'phones[2]']);
  assert.deepEqual(faultPaths(await post({ phones: [] })), ['phones']);
  assert.deepEqual(faultPaths(await server.del('/do-not-call/030')), ['phone']);
});
