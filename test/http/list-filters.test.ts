import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aCampaign, aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { type Answer, type Client, type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { aReceiver, isoAt, newCallingOrg, nowOf } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const sorted = (values: readonly unknown[]) => values.map(String).toSorted((a, b) => (a < b ? -1 : 1));

/** The values of a field in the rows that a list answers; also checks that `meta.total` counts them. */
async function listed(client: Client, path: string, field = 'id'): Promise<unknown[]> {
  const { status, body, text }: Answer<Data[]> = await client.get<Data[]>(path);
  assert.equal(status, 200, text);
  assert.equal(body.meta.total, body.data.length, path);
  return body.data.map((row: Data) => row[field]);
}

test('calls are found by result, length and edition', async () => {
  const org = await newCallingOrg(server);
  const [met, missed, busy] = ['00', '01', '02'].map((ending) => aPhone(ending)) as [string, string, string];
  await org.run([met, missed, busy]);
  await server.advance(120_000);
  const phones = async (query: string) => sorted(await listed(org.client, `/calls?${query}`, 'phone'));
  assert.deepEqual(await phones('goals_met=true'), [met]);
  assert.deepEqual(await phones('goals_met=false'), [missed]);
  assert.deepEqual(await phones('disposition=meeting_booked'), [met]);
  assert.deepEqual(await phones('disposition=meeting_booked&disposition=not_interested'), sorted([met, missed]));
  assert.deepEqual(await phones('min_duration_sec=30'), sorted([met, missed]));
  assert.deepEqual(await phones('min_duration_sec=31'), []);
  assert.deepEqual(await phones('agent_edition=1&status=busy'), [busy]);
  assert.deepEqual(await phones('agent_edition=2'), []);
  for (const query of ['goals_met=perhaps', 'min_duration_sec=-1', 'agent_edition=0'])
    assert.equal((await org.client.get(`/calls?${query}`)).status, 400, query);
});

test('calls are found by status, state, phone and time', async () => {
  const org = await newCallingOrg(server);
  const { client } = org;
  const [completed, busy, silent] = ['00', '02', '03'].map((ending) => aPhone(ending)) as [string, string, string];
  await org.run([completed, busy]);
  await server.advance(60_000);
  const later = nowOf(server);
  await org.run([silent]);
  const phones = (query: string) => listed(client, `/calls?${query}`, 'phone');
  assert.deepEqual(await phones('state=live'), [silent]);
  assert.deepEqual(await phones('state=ringing'), [silent]);
  assert.deepEqual(await phones('state=ended&status=completed'), [completed]);
  assert.deepEqual(await phones('state=live&status=completed'), []);
  await server.advance(60_000);
  assert.deepEqual(await phones('state=live'), []);
  assert.deepEqual(new Set(await phones('status=busy&status=no_answer')), new Set([busy, silent]));
  assert.deepEqual(await phones('status=busy&status=busy'), [busy]);
  assert.deepEqual(await phones(`since=${isoAt(later)}`), [silent]);
  assert.deepEqual(new Set(await phones(`until=${isoAt(later)}`)), new Set([completed, busy]));
  assert.deepEqual(await phones(`since=${isoAt(later)}&until=${isoAt(later)}`), []);
  assert.deepEqual(await phones(`since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z&status=busy`), [busy]);
  const digits = busy.slice(3);
  for (const q of [digits, busy, `${busy.slice(0, 3)} ${digits.slice(0, 4)}-${digits.slice(4)}`]) {
    assert.deepEqual(await phones(`q=${encodeURIComponent(q)}`), [busy], q);
  }
  assert.deepEqual(await phones('q=robin'), []);
  assert.deepEqual(faultPaths(await client.get('/calls?status=ringing&status=busy&state=over&since=monday')), [
    'since',
    'state',
    'status[0]',
  ]);
  assert.deepEqual(faultPaths(await client.get('/calls?state=live&state=ended')), ['state']);
  assert.deepEqual(await listed(server, `/calls?q=${digits}`), [], 'not those of another organization');
});

test('campaign contacts are found by name, phone, e-mail, tag and several statuses', async () => {
  const org = await newCallingOrg(server);
  const [one, two, three] = ['00', '02', '04'].map((ending) => aPhone(ending)) as [string, string, string];
  const { id } = await org.campaign();
  await org.add(id, [
    { phone: one, first_name: 'Ägnes', last_name: 'Öz', tags: ['vip', 'a,b'] },
    { phone: two, first_name: 'Bob', email: 'Bob@Example.com', tags: ['vi'] },
    { phone: three, first_name: 'Cem' },
  ]);
  const phones = (query: string) => listed(org.client, `/campaigns/${id}/contacts?${query}`, 'phone');
  const find = (q: string) => phones(`q=${encodeURIComponent(q)}`);
  assert.deepEqual(await find('äGNES öz'), [one]);
  assert.deepEqual(await find('bob@example'), [two]);
  assert.deepEqual(await find(two.slice(3)), [two]);
  assert.deepEqual(await find(` ${three.slice(0, 3)} (${three.slice(3, 6)}) ${three.slice(6)}`), [three]);
  assert.deepEqual(await find('%'), []);
  assert.deepEqual(await find(' '), [one, two, three]);
  assert.deepEqual(await phones('tag=vip'), [one]);
  assert.deepEqual(await phones('tag=a%2Cb'), [one]);
  assert.deepEqual(await phones('tag=VIP'), []);
  await org.patch(id, { status: 'active' });
  await server.advance(120_000);
  assert.deepEqual(await phones('status=completed&status=voicemail'), [one, three]);
  assert.deepEqual(await phones('status=completed&status=voicemail&q=cem&tag=vip'), []);
  assert.deepEqual(await phones('status=pending'), []);
  assert.deepEqual(faultPaths(await org.client.get(`/campaigns/${id}/contacts?sort=name&tag=a&tag=b`)), [
    'sort',
    'tag',
  ]);
});

test('campaign contacts are sorted by their next and last attempt, and a cursor belongs to its sort', async () => {
  const org = await newCallingOrg(server);
  const [busy, silent, completed] = ['02', '03', '00'].map((ending) => aPhone(ending)) as [string, string, string];
  const { id } = await org.campaign({ schedule: { retryAttempts: 1, maxConcurrent: 1 } });
  await org.add(id, [completed, silent, busy]);
  await org.patch(id, { status: 'active' });
  await server.advance(180_000);
  const added = aPhone('00');
  await org.patch(id, { status: 'paused' });
  await org.add(id, [added]);
  const phones = (query: string) => listed(org.client, `/campaigns/${id}/contacts?${query}`, 'phone');
  assert.deepEqual(await phones('sort=queue'), [completed, silent, busy, added]);
  assert.deepEqual(await phones('sort=next_attempt'), [silent, busy, completed, added]);
  assert.deepEqual(await phones('sort=last_attempt'), [busy, silent, completed, added]);
  assert.deepEqual(await phones('sort=last_attempt&status=pending'), [busy, silent, added]);
  for (const sort of ['queue', 'next_attempt', 'last_attempt']) {
    const path = `/campaigns/${id}/contacts?sort=${sort}`;
    const walked: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: Answer<Data[]> = await org.client.get<Data[]>(`${path}&limit=1&after=${cursor}`);
      walked.push(...body.data.map((row: Data) => row['phone']));
      cursor = body.meta.next ?? null;
    }
    assert.deepEqual(walked, await phones(`sort=${sort}`), sort);
    const { next } = (await org.client.get(`${path}&limit=1&after=`)).body.meta;
    for (const other of [`sort=${sort === 'queue' ? 'last_attempt' : 'queue'}`, `sort=${sort}&q=4`, '']) {
      assert.deepEqual(faultPaths(await org.client.get(`/campaigns/${id}/contacts?${other}&after=${next}`)), ['after']);
    }
  }
});

test('campaigns are found by name, agent and number, agents by name', async () => {
  const client = await server.newOrganization();
  const [robin, ada] = [await anAgent(client), await anAgent(client, { agentName: 'ÄDA 50%' })];
  const number = await aNumber(client);
  const spring = await aCampaign(client, { agentId: robin.id });
  const summer = await aCampaign(client, { name: 'SOMMER für alle', agentId: ada.id, phoneNumberId: number.id });
  const campaigns = (query: string) => listed(client, `/campaigns?${query}`);
  assert.deepEqual(await campaigns('q=FÜR'), [summer.id]);
  assert.deepEqual(await campaigns('q='), [summer.id, spring.id]);
  assert.deepEqual(await campaigns(`agent_id=${robin.id}`), [spring.id]);
  assert.deepEqual(await campaigns(`phone_number_id=${number.id}&agent_id=${ada.id}&status=draft&q=sommer`), [
    summer.id,
  ]);
  assert.deepEqual(await campaigns(`phone_number_id=${number.id}&agent_id=${robin.id}`), []);
  assert.deepEqual(faultPaths(await client.get('/campaigns?agent_id=7&phone_number_id=')), [
    'agent_id',
    'phone_number_id',
  ]);
  assert.deepEqual(await listed(client, '/agents?q=äda'), [ada.id]);
  assert.deepEqual(await listed(client, '/agents?q=0%25'), [ada.id]);
  assert.deepEqual(await listed(server, `/campaigns?agent_id=${robin.id}`), [], 'not those of another organization');
});

test('webhook endpoints and deliveries are found by agent, status and time', async (t) => {
  const client = await server.newOrganization();
  const receiver = await aReceiver(t);
  const [one, other] = [
    await anAgent(client, { webhookUrl: receiver.url }),
    await anAgent(client, { webhookUrl: receiver.url }),
  ];
  const endpoints = dataOf(await client.get<Data[]>('/webhooks/endpoints'));
  const ofOne = endpoints.find((endpoint) => endpoint['agent_id'] === one.id)!;
  assert.deepEqual(await listed(client, `/webhooks/endpoints?agent_id=${one.id}&status=delivering`), [ofOne.id]);
  assert.deepEqual(await listed(client, `/webhooks/endpoints?agent_id=${one.id}&status=failing`), []);
  const deliveries: string[] = [];
  for (const { id } of endpoints) {
    deliveries.push(dataOf(await client.post(`/webhooks/endpoints/${id}/test`)).id);
    await server.advance(1000);
  }
  const [early, late] = deliveries as [string, string];
  const at = String(dataOf(await client.get(`/webhooks/deliveries/${late}`))['created_at']);
  const found = (query: string) => listed(client, `/webhooks/deliveries?${query}`);
  assert.deepEqual(await found(`since=${at}`), [late]);
  assert.deepEqual(await found(`until=${at}`), [early]);
  assert.deepEqual(await found(`agent_id=${one.id}`), [endpoints[0] === ofOne ? early : late]);
  assert.deepEqual(await found(`agent_id=${one.id}&endpoint_id=${endpoints.find((each) => each !== ofOne)!.id}`), []);
  assert.deepEqual(await listed(server, `/webhooks/deliveries?agent_id=${other.id}`), [], 'not another organization');
});

test('the audit log is found by actor, operation and time', async () => {
  const client = await server.newOrganization();
  await aContact(client);
  await server.advance(1000);
  await client.post('/contacts/', { phone: aPhone() }, { key: await client.keyWithRole('member') });
  const [entry, first] = dataOf(await client.get<Array<Data & { at: string; actor: { id: string } }>>('/audit'));
  const found = (query: string) => listed(client, `/audit?${query}`);
  assert.deepEqual(await found(`actor_id=${entry!.actor.id}`), [entry!.id]);
  assert.deepEqual(await found('operation=createContact'), [entry!.id, first!.id]);
  assert.deepEqual(await found('operation=deleteContact'), []);
  assert.deepEqual(await found(`since=${entry!.at}`), [entry!.id]);
  assert.deepEqual(await found(`until=${entry!.at}&operation=createContact`), [first!.id]);
  assert.deepEqual(await listed(server, `/audit?actor_id=${entry!.actor.id}`), [], 'not that of another organization');
});

test('the do-not-call list is searched by parts of phones, newest first', async () => {
  const client = await server.newOrganization();
  const phones = ['+493012345678', '+493098765432', '+442071234567'];
  for (const phone of phones) {
    dataOf(await client.post('/do-not-call', { phone }));
    await server.advance(1000);
  }
  const found = (q: string) => listed(client, `/do-not-call?${new URLSearchParams({ q }).toString()}`, 'phone');
  assert.deepEqual(await found('+4930'), [phones[1], phones[0]]);
  assert.deepEqual(await found('1234'), [phones[2], phones[0]]);
  assert.deepEqual(await found('(20) 71-23'), [phones[2]]);
  assert.deepEqual(await found('nobody'), []);
  assert.deepEqual(await found(''), phones.toReversed());
});

test('the deliveries of a call are found by its id', async () => {
  const org = await newCallingOrg(server, { agent: { webhookUrls: ['http://127.0.0.1:9/hook'] } });
  await org.run([aPhone(), aPhone()]);
  await server.advance(120_000);
  const calls = dataOf(await org.client.get<Data[]>('/calls'));
  assert.equal(calls.length, 2);
  for (const { call_id: id } of calls) {
    assert.deepEqual(await listed(org.client, `/webhooks/deliveries?event_id=${String(id)}`, 'event_id'), [id]);
  }
});
