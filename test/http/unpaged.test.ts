import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { transact } from '../../src/db/transaction.ts';
import { idOf, numbersTo } from '../support/both-stores.ts';
import { type Client, dataOf, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

/** `insert` selects from `numbers (n)`, from 0 to `rows` - 1. */
const fill = ({ orgId }: Client, rows: number, insert: RawBuilder<unknown>): Promise<unknown> =>
  transact(server.running.app.db, orgId, (tx) => sql`${numbersTo(rows)} ${insert}`.execute(tx));

/** A UUID that is unique in its table, because each table is filled once. */
const id = idOf(sql`n`);

test('an organization has at most 1,000 API keys, and a rotated one counts until it is dead', async () => {
  const client = await server.newOrganization();
  const first = dataOf(await client.post('/api-keys', { name: 'first', role: 'member' }));
  await fill(
    client,
    998,
    sql`INSERT INTO api_keys (id, organization_id, name, role, key_hash, created_at)
      SELECT ${id}, ${client.orgId}, 'key', 'viewer', ${id}, 0 FROM numbers`,
  );
  const refused = await client.post('/api-keys', { name: 'one more', role: 'viewer' });
  assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
  assert.match(refused.body.message, /has 1000 API keys, which is the most it may have; revoke/);
  assert.equal((await client.post(`/api-keys/${first.id}/rotate`, { overlap_seconds: 60 })).status, 409);
  const second = dataOf(await client.post(`/api-keys/${first.id}/rotate`, {}));
  assert.equal((await client.get(`/organization`, { key: String(first['api_key']) })).status, 401);
  assert.equal((await client.get(`/organization`, { key: String(second['api_key']) })).status, 200);
  assert.equal(dataOf(await client.get<unknown[]>('/api-keys')).length, 1000);
  dataOf(await client.del(`/api-keys/${second.id}`));
  dataOf(await client.post('/api-keys', { name: 'one more', role: 'viewer' }));
  const { orgId } = client;
  const rows = server.running.app.db.selectFrom('api_keys').select('id').where('organization_id', '=', orgId);
  assert.equal((await rows.execute()).length, 1000, 'dead keys are deleted');
});

test('an organization has at most 2,000 people and 2,000 knowledge bases', async () => {
  const client = await server.newOrganization();
  await fill(
    client,
    2000,
    sql`INSERT INTO users (id, organization_id, email, role, created_at)
      SELECT ${id}, ${client.orgId}, ${id} || '@example.com', 'viewer', 0 FROM numbers`,
  );
  await fill(
    client,
    1999,
    sql`INSERT INTO knowledge_bases (id, organization_id, name, enable_auto_refresh, created_at, updated_at)
      SELECT ${id}, ${client.orgId}, 'base', 0, 0, 0 FROM numbers`,
  );
  const person = await client.post('/users', { email: 'one.more@example.com', role: 'viewer' });
  assert.deepEqual([person.status, person.body.code], [409, 'CONFLICT']);
  assert.match(person.body.message, /has 2000 people/);
  const last = dataOf(await client.post('/rag/knowledgebases', { name: 'last' }));
  const base = await client.post('/rag/knowledgebases', { name: 'one more' });
  assert.deepEqual([base.status, base.body.code], [409, 'CONFLICT']);
  assert.match(base.body.message, /has 2000 knowledge bases/);
  dataOf(await client.del(`/rag/knowledge-base/${String(last['knowledge_base_id'])}`));
  dataOf(await client.post('/rag/knowledgebases', { name: 'one more' }));
  const other = await server.newOrganization();
  dataOf(await other.post('/users', { email: 'other@example.com', role: 'viewer' }));
});
