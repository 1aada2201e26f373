// Long: a year of entries is written, and pruned.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { describedRoutes } from '../../src/http/routes.ts';
import { aCampaign, aNumber, anAgent, aPhone } from '../support/fixtures.ts';
import { aPerson } from '../support/people.ts';
import { type Client, type Data, dataOf, startTestServer, type TestServer } from '../support/server.ts';

const minute = 60_000;

type Entry = Data & {
  at: string;
  actor: { kind: string; id: string | null; name: string | null };
  operation: string;
  target: Record<string, string>;
  request_id: string | null;
  ip: string | null;
};

suite('the audit log', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());
  const entries = async (client: Client = server) => dataOf(await client.get<Entry[]>('/audit'));
  const total = async () => (await server.get('/audit')).body.meta.total;

  test('records who changed what, when and from where, newest first', async () => {
    const contact = dataOf(await server.post('/contacts/', { first_name: 'Ada', email: 'ada@example.com' }));
    await server.advance(1000);
    const headers = { 'x-request-id': 'note-1' };
    const note = dataOf(await server.post(`/contacts/${contact.id}/notes`, { content: 'shy' }, { headers }));
    await server.patch(`/contacts/${contact.id}`, { first_name: 'Grace' });
    const list = (await entries()).filter(({ operation }) => operation !== 'advanceTestClock').slice(0, 3);
    assert.deepEqual(
      list.map(({ operation, target }) => [operation, target]),
      [
        ['updateContact', { id: contact.id }],
        ['createContactNote', { id: contact.id, new_id: note.id }],
        ['createContact', { id: contact.id }],
      ],
    );
    const [, second, first] = list;
    assert.equal(first!.at, '2026-03-02T09:00:00.000Z');
    assert.equal(second!.at, '2026-03-02T09:00:01.000Z');
    assert.equal(second!.request_id, 'note-1');
    assert.match(second!.ip!, /127\.0\.0\.1/);
    const [key] = dataOf(await server.get<Data[]>('/api-keys'));
    assert.deepEqual(second!.actor, { kind: 'api_key', id: key!.id, name: 'First admin key' });
    assert.deepEqual(list[0]!['changes'], [{ field: 'first_name', before: 'Ada', after: 'Grace' }]);
    assert.equal(/shy|example/.test(JSON.stringify(list)), false);
  });

  test('does not record reads, requests that failed or replayed answers', async () => {
    await server.post('/contacts/', { first_name: 'Once' }, { headers: { 'idempotency-key': 'audit' } });
    const entriesBefore = await total();
    await server.get('/contacts/');
    await server.post('/contacts/', { first_name: 'Once' }, { headers: { 'idempotency-key': 'audit' } });
    await server.post('/contacts/', { email: 'nobody' });
    await server.del(`/contacts/${randomUUID()}`);
    assert.equal(await total(), entriesBefore);
  });

  test('records logins and what is done with their tokens', async () => {
    const user = await aPerson(server, 'admin');
    const { access_token: token } = dataOf(
      await server.post<{ access_token: string }>('/auth/login', user.credentials, { key: null }),
    );
    await server.post('/contacts/', {}, { key: null, headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual(
      (await entries()).slice(0, 2).map(({ operation, actor }) => [operation, actor]),
      [
        ['createContact', { kind: 'token', id: user.id, name: user.email }],
        ['logIn', { kind: 'token', id: user.id, name: user.email }],
      ],
    );
  });

  const withOperation = async (operation: string) => {
    const { body } = await server.get<Entry[]>('/audit?limit=500');
    return body.data.filter((entry) => entry.operation === operation);
  };

  test('records refused roles: the first at once, then one summary a minute', async () => {
    const viewer = await server.keyWithRole('viewer');
    const refused = (times: number) =>
      Promise.all(Array.from({ length: times }, () => server.post('/do-not-call', {}, { key: viewer })));
    const counts = async () => (await withOperation('addDoNotCall.refused')).map(({ target }) => target['count']);
    for (const { status } of await refused(5)) assert.equal(status, 403);
    assert.deepEqual(await counts(), ['1']);
    await server.advance(minute - 1);
    assert.deepEqual(await counts(), ['1']);
    await server.advance(1);
    assert.deepEqual(await counts(), ['4', '1']);
    await refused(2);
    await server.advance(minute);
    assert.deepEqual(await counts(), ['2', '4', '1']);
    await server.advance(10 * minute);
    await refused(1);
    assert.deepEqual(await counts(), ['1', '2', '4', '1'], 'a summary that had nothing to say ends');
    const [entry] = await withOperation('addDoNotCall.refused');
    assert.deepEqual([entry!.actor.kind, Object.keys(entry!.target)], ['api_key', ['count']]);
    assert.ok(entry!.request_id);
    const member = await server.keyWithRole('member');
    assert.equal((await server.get('//metrics', { key: member })).status, 403);
    assert.equal((await withOperation('getMetrics.refused')).length, 1);
  });

  test('records failed log-ins and locks of a person, summed up, and nothing of unknown e-mail addresses', async () => {
    const { id, email } = await aPerson(server);
    const fail = async (address: string, times: number) => {
      const credentials = { email: address, password: 'wrong password' };
      for (let index = 0; index < times; index++) {
        assert.equal((await server.post('/auth/login', credentials, { key: null })).status, 401);
      }
      await server.post('/contacts/', {}); // waits for the entries, whose transactions began before it
    };
    await fail('nobody@example.com', 12);
    assert.deepEqual([await withOperation('logIn.failed'), await withOperation('logIn.locked')], [[], []]);
    await fail(email, 9);
    await fail(email, 4);
    await server.advance(minute);
    const failed = await withOperation('logIn.failed');
    assert.deepEqual(
      failed.map(({ actor, target }) => [actor, target]),
      [
        [
          { kind: 'anonymous', id: null, name: null },
          { id, count: '12' },
        ],
        [
          { kind: 'anonymous', id: null, name: null },
          { id, count: '1' },
        ],
      ],
    );
    const locked = await withOperation('logIn.locked');
    assert.deepEqual(
      locked.map(({ actor, target, ip }) => [actor.kind, target, ip]),
      [['anonymous', { id }, failed[0]!.ip]],
    );
  });

  test('a refused request stays refused while the storage takes no entry', async () => {
    const { db } = server.running.app;
    await db.schema.alterTable('audit_log').renameTo('audit_log_away').execute();
    const { status } = await server.post('/contacts/', {}, { key: await server.keyWithRole('viewer') });
    await db.schema.alterTable('audit_log_away').renameTo('audit_log').execute();
    assert.equal(status, 403);
  });

  test('can be read only by admins of the organization', async () => {
    for (const role of ['viewer', 'member'] as const) {
      assert.equal((await server.get('/audit', { key: await server.keyWithRole(role) })).status, 403);
    }
    assert.deepEqual(await entries(await server.newOrganization()), []);
  });

  test('shows what each entry is about, by the name it had then', async () => {
    const client = await server.newOrganization();
    const agent = await anAgent(client, { agentName: 'Nora' });
    dataOf(await client.put(`/agents/${agent.id}`, { agentName: 'Nora 2' }));
    const campaign = await aCampaign(client, { name: 'Spring' });
    const contact = dataOf(await client.post('/contacts/', { first_name: 'Ada', last_name: 'Byron', phone: aPhone() }));
    dataOf(await client.patch(`/contacts/${contact.id}`, { first_name: 'Augusta' }));
    const number = await aNumber(client);
    dataOf(await client.del(`/phone-numbers/${encodeURIComponent(number.phone)}/release/`));
    const base = dataOf(await client.post('/rag/knowledgebases', { name: 'Prices' }));
    dataOf(await client.del(`/rag/knowledge-base/${String(base.knowledge_base_id)}`));
    const key = dataOf(await client.post('/api-keys', { name: 'CRM', role: 'viewer' }));
    await client.del(`/api-keys/${key.id}`);
    const user = dataOf(await client.post('/users', { email: 'a@example.com', role: 'viewer' }));
    await client.del(`/users/${user.id}`);
    await client.patch('/organization', { name: 'Renamed' });
    const shown = (await entries(client)).map((entry) => [
      entry.operation,
      entry['target_kind'],
      entry['target_id'],
      entry['target_name'],
    ]);
    assert.deepEqual(
      shown.toReversed().filter(([operation]) => operation !== 'advanceTestClock'),
      [
        ['createAgent', 'agent', agent.id, 'Nora'],
        ['updateAgent', 'agent', agent.id, 'Nora 2'],
        ['createCampaign', 'campaign', campaign.id, 'Spring'],
        ['createContact', 'contact', contact.id, 'Ada Byron'],
        ['updateContact', 'contact', contact.id, 'Augusta Byron'],
        ['importPhoneNumber', 'number', number.id, number.phone],
        ['releasePhoneNumber', 'number', number.id, number.phone],
        ['createKnowledgeBase', 'knowledge_base', base.knowledge_base_id, 'Prices'],
        ['deleteKnowledgeBase', 'knowledge_base', base.knowledge_base_id, 'Prices'],
        ['createApiKey', 'api_key', key.id, 'CRM'],
        ['revokeApiKey', 'api_key', key.id, 'CRM'],
        ['createUser', 'user', user.id, 'a@example.com'],
        ['deleteUser', 'user', user.id, 'a@example.com'],
        ['updateOrganization', 'organization', client.orgId, 'Renamed'],
      ],
    );
  });

  test('keeps no name of a contact that was deleted', async () => {
    const client = await server.newOrganization();
    const contact = dataOf(await client.post('/contacts/', { first_name: 'Ada' }));
    dataOf(await client.del(`/contacts/${contact.id}`));
    const found = (await entries(client)).map(({ operation, ...entry }) => [
      operation,
      entry['target_id'],
      entry['target_name'],
    ]);
    assert.deepEqual(found, [
      ['deleteContact', contact.id, null],
      ['createContact', contact.id, null],
    ]);
  });

  test('is filtered by thing and by verb, where starting and pausing a campaign are verbs of their own', async () => {
    const client = await server.newOrganization();
    const [agent, number] = [await anAgent(client), await aNumber(client)];
    const campaign = await aCampaign(client, { agentId: agent.id, phoneNumberId: number.id });
    for (const change of [{ status: 'active' }, { status: 'paused' }, { name: 'Later' }]) {
      dataOf(await client.patch(`/campaigns/${campaign.id}`, change));
    }
    const found = async (query: string) =>
      dataOf(await client.get<Entry[]>(`/audit?${query}`)).map(({ operation }) => operation);
    assert.deepEqual(await found(`target_kind=campaign&target_id=${campaign.id}`), [
      'updateCampaign',
      'updateCampaign',
      'updateCampaign',
      'createCampaign',
    ]);
    assert.deepEqual(await found('target_kind=agent&target_kind=number'), ['importPhoneNumber', 'createAgent']);
    assert.deepEqual(await found('verb=start&verb=stop'), ['updateCampaign', 'updateCampaign']);
    assert.deepEqual(await found('verb=update'), ['updateCampaign']);
    assert.deepEqual(await found('verb=create&target_kind=campaign'), ['createCampaign']);
    assert.equal((await client.get('/audit?verb=sing')).status, 400);
    assert.equal((await client.get('/audit?target_kind=song')).status, 400);
  });

  test("shows members the history of one thing that they work with, and nothing of people's", async () => {
    const client = await server.newOrganization();
    const agent = await anAgent(client);
    const [member, viewer] = [await client.keyWithRole('member'), await client.keyWithRole('viewer')];
    const status = async (query: string, key = member) => (await client.get(`/audit?${query}`, { key })).status;
    const one = `target_kind=agent&target_id=${agent.id}`;
    assert.equal(await status(one), 200);
    assert.equal(await status(one, viewer), 403);
    assert.equal(await status('target_kind=agent'), 403);
    assert.equal(await status(`target_id=${agent.id}`), 403);
    assert.equal(await status(`target_kind=user&target_id=${agent.id}`), 403);
    assert.equal(await status(`target_kind=agent&target_kind=api_key&target_id=${agent.id}`), 403);
    assert.equal((await client.get('/audit/operations', { key: member })).status, 403);
  });

  test('knows what each operation does that it has entries of', async () => {
    type Listed = { operation: string; verb: string; target_kind: string | null; title: string };
    const listed = dataOf(await server.get<Listed[]>('/audit/operations'));
    const names = listed.map(({ operation }) => operation);
    const audited = describedRoutes({ testClock: true }).filter(
      ({ method, access, readOnly }) => method !== 'GET' && access !== 'public' && readOnly !== true,
    );
    for (const { operationId } of audited) assert.ok(names.includes(operationId), operationId);
    const known = new Set(describedRoutes({ testClock: true }).map(({ operationId }) => operationId));
    assert.deepEqual(
      names.filter((name) => !name.includes('.') && !known.has(name)),
      [],
    );
    assert.deepEqual(
      listed.find(({ operation }) => operation === 'updateAgent'),
      {
        operation: 'updateAgent',
        verb: 'update',
        target_kind: 'agent',
        title: 'Change an agent',
      },
    );
  });

  test('is paged', async () => {
    const all = await entries();
    const second = await server.get<Entry[]>('/audit?limit=1&offset=1');
    assert.deepEqual(second.body.data, [all[1]]);
    assert.deepEqual(second.body.meta, { total: all.length, limit: 1, offset: 1 });
  });

  test('is written in the transaction of the change, is never modified, and is pruned after a year', async () => {
    const { db } = server.running.app;
    await assert.rejects(db.updateTable('audit_log').set({ operation: 'nothing' }).execute(), /append-only/);
    const contacts = async () => (await server.get('/contacts/')).body.meta.total;
    const existing = await contacts();
    await db.schema.alterTable('audit_log').renameTo('audit_log_away').execute();
    assert.equal((await server.post('/contacts/', { first_name: 'Unseen' })).status, 500);
    await db.schema.alterTable('audit_log_away').renameTo('audit_log').execute();
    assert.equal(await contacts(), existing);
    await server.post('/contacts/', {});
    await server.advance(366 * 86_400_000);
    assert.deepEqual(
      (await entries()).map(({ operation }) => operation),
      ['advanceTestClock'],
    );
  });
});
