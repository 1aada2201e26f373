import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { installation, transact } from '../../src/db/transaction.ts';
import { createUser, passwordHashOf } from '../../src/features/organizations/users.ts';
import { type Client, type Data, dataOf, startTestServer, type TestServer } from '../support/server.ts';

type Entry = Data & {
  at: string;
  actor: { kind: string; id: string | null };
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

  test('records who changed what, when and from where, newest first, without the content of the change', async () => {
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
    assert.deepEqual(second!.actor, { kind: 'api_key', id: key!.id });
    assert.equal(/Ada|Grace|shy|example/.test(JSON.stringify(list)), false);
  });

  test('does not record reads, refused requests or replayed answers', async () => {
    await server.post('/contacts/', { first_name: 'Once' }, { headers: { 'idempotency-key': 'audit' } });
    const entriesBefore = await total();
    await server.get('/contacts/');
    await server.post('/contacts/', { first_name: 'Once' }, { headers: { 'idempotency-key': 'audit' } });
    await server.post('/contacts/', { email: 'nobody' });
    await server.del(`/contacts/${randomUUID()}`);
    await server.post('/contacts/', {}, { key: await server.keyWithRole('viewer') });
    assert.equal(await total(), entriesBefore);
  });

  test('records logins and what is done with their tokens', async () => {
    const { app } = server.running;
    const input = { email: 'ada@example.com', role: 'admin' as const, passwordHash: await passwordHashOf('password') };
    const user = await transact(app.db, installation, (tx) => createUser(app, tx, server.orgId, input));
    const credentials = { email: 'ada@example.com', password: 'password' };
    const { access_token: token } = dataOf(
      await server.post<{ access_token: string }>('/auth/login', credentials, { key: null }),
    );
    await server.post('/contacts/', {}, { key: null, headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual(
      (await entries()).slice(0, 2).map(({ operation, actor }) => [operation, actor]),
      [
        ['createContact', { kind: 'token', id: user.id }],
        ['logIn', { kind: 'token', id: user.id }],
      ],
    );
  });

  test('can be read only by admins of the organization', async () => {
    for (const role of ['viewer', 'member'] as const) {
      assert.equal((await server.get('/audit', { key: await server.keyWithRole(role) })).status, 403);
    }
    assert.deepEqual(await entries(await server.newOrganization()), []);
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
