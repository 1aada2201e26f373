import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aCampaign, aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';

const inventory = [
  { phone: '+498001234560', name: 'Berlin desk', termination_uri: 'sip:trunk@pbx.example.com', monthly_price: 1.5 },
  { phone: '+498001234561' },
];
const server = await startTestServer({ settings: { 'numbers.inventory': JSON.stringify(inventory) } });
after(() => server.stop());

test('an imported number is returned with every field except its password', async () => {
  const input = {
    phone: aPhone(),
    name: 'Front desk',
    termination_uri: 'sip.example.com:5061',
    sip_username: 'trunk',
    sip_password: 'hunter2-secret',
    transport: 'tls',
  };
  const answer = await server.post('/phone-numbers/import', input);
  const { sip_password: password, ...shown } = input;
  const number = dataOf(answer);
  assert.deepEqual(number, {
    id: number.id,
    ...shown,
    type: 'sip',
    carrier: null,
    dial_format: 'e164',
    register: false,
    registration: { state: 'off', expires_at: null, contact: null, detail: null },
    sip_from: 'number',
    inbound_agent_id: null,
    status: 'active',
    max_concurrent: 100,
    max_cps: 10,
    version: 1,
    paused_until: null,
    last_error: null,
    created_at: '2026-03-02T09:00:00.000Z',
  });
  const found = await server.get(`/phone-numbers/import/${number.id}`);
  assert.deepEqual(dataOf(found), number);
  const listed = await server.get<Data[]>('/phone-numbers');
  assert.deepEqual(listed.body.data[0], number);
  for (const { text } of [answer, found, listed]) assert.ok(!text.includes(password));
});

test('an import requires a phone and a termination URI; other fields default to null', async () => {
  assert.deepEqual(faultPaths(await server.post('/phone-numbers/import', {})), ['phone', 'termination_uri']);
  const number = await aNumber(server);
  assert.deepEqual([number['name'], number['sip_username'], number['transport']], [null, null, null]);
  const faults = {
    phone: '030',
    name: '',
    termination_uri: 'https://example.com/',
    sip_username: 5,
    sip_password: '',
    transport: 'sctp',
  };
  assert.deepEqual(faultPaths(await server.post('/phone-numbers/import', faults)), Object.keys(faults).toSorted());
  assert.deepEqual(
    faultPaths(
      await server.post('/phone-numbers/import', { ...faults, phone: aPhone(), type: 'sip', status: 'active' }),
    ),
    ['name', 'sip_password', 'sip_username', 'status', 'termination_uri', 'transport', 'type'],
  );
});

test('a phone that is active in any organization cannot be imported again', async () => {
  const { phone } = await aNumber(server);
  const other = await server.newOrganization();
  for (const client of [server, other]) {
    const refused = await client.post('/phone-numbers/import', { phone, termination_uri: 'sip.example.com' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
  }
});

test('a number is released once, with %2B or a bare + in the path, and can then be imported again', async () => {
  const other = await server.newOrganization();
  for (const encode of [encodeURIComponent, (phone: string) => phone]) {
    const number = await aNumber(server);
    const path = `/phone-numbers/${encode(number.phone)}/release`;
    const released = dataOf(await server.del(`${path}/`));
    assert.deepEqual(released, {
      phone_number: number.phone,
      status: 'released',
      released_at: '2026-03-02T09:00:00.000Z',
    });
    assert.equal((await server.del(path)).status, 404);
    assert.equal(dataOf(await server.get(`/phone-numbers/import/${number.id}`))['status'], 'released');
    const again = await aNumber(other, { phone: number.phone });
    assert.notEqual(again.id, number.id);
    assert.equal((await server.del(path)).status, 404, 'another organization owns it now');
    dataOf(await other.del(path));
  }
  for (const phone of ['030', 'x', '+', '%2B49', '+49abc', '4930901820']) {
    assert.deepEqual(faultPaths(await server.del(`/phone-numbers/${phone}/release/`)), ['phone_number'], phone);
  }
});

test('a number that running campaigns use cannot be released, and the refusal names them', async () => {
  const agent = await anAgent(server);
  const number = await aNumber(server);
  const window = { windowStart: '01:00', windowEnd: '02:00' };
  const make = async (name: string) => {
    const campaign = await aCampaign(server, { name, agentId: agent.id, phoneNumberId: number.id, schedule: window });
    const contact = await aContact(server);
    dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] }));
    return dataOf(await server.patch(`/campaigns/${campaign.id}/`, { status: 'active' }));
  };
  const campaigns = [await make('Spring thaw'), await make('Summer heat')];
  const refused = await server.del(`/phone-numbers/${number.phone}/release/`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
  assert.match(refused.body.message, /Spring thaw/);
  assert.match(refused.body.message, /Summer heat/);
  for (const { id } of campaigns) dataOf(await server.patch(`/campaigns/${id}/`, { status: 'completed' }));
  assert.equal((await server.del(`/phone-numbers/${number.phone}/release/`)).status, 200);
});

test('the name and limits of a number can be changed, with fields in either case', async () => {
  const number = await aNumber(server, { name: 'Old' });
  const patch = (body: object) => server.patch(`/phone-numbers/${number.id}`, body);
  assert.deepEqual(dataOf(await patch({ name: 'New', maxConcurrent: 5, max_cps: 2 })), {
    ...number,
    name: 'New',
    max_concurrent: 5,
    max_cps: 2,
    version: 2,
  });
  assert.equal(dataOf(await patch({ name: null }))['name'], null);
  assert.deepEqual(faultPaths(await patch({ max_concurrent: 0, maxCps: 0.5, name: ' ', phone: aPhone() })), [
    'maxCps',
    'max_concurrent',
    'name',
    'phone',
  ]);
  assert.equal(dataOf(await server.get(`/phone-numbers/import/${number.id}`))['max_concurrent'], 5);
});

test('numbers of the inventory are available until an organization buys them', async () => {
  const offered = async () => dataOf(await server.get<Array<{ phone: string }>>('/phone-numbers/available'));
  assert.deepEqual(await offered(), [
    { phone: '+498001234560', name: 'Berlin desk', monthly_price: 1.5 },
    { phone: '+498001234561', name: null, monthly_price: null },
  ]);
  const bought = dataOf(await server.post('/phone-numbers/purchase', { phone: '+498001234560' }));
  assert.deepEqual(
    [bought['type'], bought['status'], bought['name'], bought['termination_uri']],
    ['purchased', 'active', 'Berlin desk', 'sip:trunk@pbx.example.com'],
  );
  assert.deepEqual(
    (await offered()).map(({ phone }) => phone),
    ['+498001234561'],
  );
  const other = await server.newOrganization();
  assert.equal((await other.post('/phone-numbers/purchase', { phone: '+498001234560' })).status, 409);
  const unknown = await server.post('/phone-numbers/purchase', { phone: aPhone() });
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'NOT_FOUND']);
  assert.deepEqual(faultPaths(await server.post('/phone-numbers/purchase', { phone: '0800' })), ['phone']);
  dataOf(await server.del('/phone-numbers/%2B498001234560/release/'));
  assert.equal((await offered()).length, 2);
});
