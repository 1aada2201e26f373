import assert from 'node:assert/strict';
import { failsFirstCommits } from '../support/first-commits.ts';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '../../src/db/transaction.ts';
import { followBatch } from '../../src/features/campaigns/subscribers.ts';
import { forgetBatch } from '../../src/features/contacts/removal.ts';
import { wrongNumbers } from '../../src/main/kept-numbers.ts';
import { maxBatchRows } from '../../src/kernel/batch-size.ts';
import { changesIn, columnsOf, hexOf, numbersTo } from '../support/both-stores.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { type CallingOrg, newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());
const { app } = server.running;
const { db } = app;

/** More than two batches of calls, and more campaign contacts than two batches of theirs. */
const calls = 2 * maxBatchRows + 50;
const campaigns = 60;
/** How many rows one transaction may change, including those that triggers change. */
const maxChanges = 3 * maxBatchRows * (failsFirstCommits ? 2 : 1); // the server counts those of a run that was rolled back, too

/** A contact with very many ended calls and campaigns, some of which it waits in, written by SQL, because the API would take minutes. */
async function busyContact(org: CallingOrg): Promise<{ id: string; phone: string }> {
  const phone = aPhone('00');
  const { id } = dataOf(await org.client.post<{ id: string }>('/contacts/', { first_name: 'Ada', phone }));
  const template = await org.campaign();
  dataOf(await org.client.post(`/campaigns/${template.id}/contacts`, { contact_ids: [id] }));
  const { orgId } = org.client;
  const numbered = (count: number) => sql`(${numbersTo(count)} SELECT n + 1 AS i FROM numbers) AS n`;
  const copied = await columnsOf(db, 'campaigns', ['id']);
  await transact(db, orgId, async (tx) => {
    await sql`INSERT INTO campaigns (id, ${copied}) SELECT ${template.id} || '-' || i, ${copied}
      FROM campaigns, ${numbered(campaigns)} WHERE id = ${template.id}`.execute(tx);
    await sql`INSERT INTO campaign_contacts (id, campaign_id, contact_id, position, phone, timezone, status)
      SELECT ${id} || '-' || ${hexOf(sql`i`, 4)}, ${template.id} || '-' || i, ${id}, 0, ${phone}, '', 'pending'
      FROM ${numbered(campaigns)}`.execute(tx);
    await sql`INSERT INTO campaign_zones (campaign_id, timezone, pending)
      SELECT ${template.id} || '-' || i, '', 1 FROM ${numbered(campaigns)}`.execute(tx);
    await sql`INSERT INTO calls (id, organization_id, agent_id, agent_name, phone_number_id, contact_id, attempt, driver, from_phone, to_phone,
        max_duration_ms, state, status, created_at, ended_at)
      SELECT ${id} || '-' || ${hexOf(sql`i`, 4)}, ${orgId}, ${org.agentId}, 'Robin', ${org.numberId}, ${id}, 1, 'simulated', ${org.phone}, ${phone},
        1000, 'ended', 'completed', 0, 0 FROM ${numbered(calls)}`.execute(tx);
  });
  return { id, phone };
}

/** The rows that refer to a contact: its calls, its campaign contacts, and those of them that are pending. */
async function references(id: string): Promise<number[]> {
  const { rows } = await sql<{ calls: number; all: number; pending: number }>`
    SELECT (SELECT count(*) FROM calls WHERE contact_id = ${id}) AS calls, count(*) AS "all",
      count(*) FILTER (WHERE status = 'pending') AS pending FROM campaign_contacts WHERE contact_id = ${id}`.execute(
    db,
  );
  const [row] = rows;
  return [row!.calls, row!.all, row!.pending];
}

/** How many rows a transaction changes, by triggers too. */
async function changesOf(run: () => Promise<unknown>): Promise<number> {
  const before = await changesIn(db);
  await run();
  return (await changesIn(db)) - before;
}

// These must be the only tests, because they stop the runner of the server.
test('a deleted contact is gone from every answer at once, and what refers to it is cleared in small batches', async () => {
  const org = await newCallingOrg(server);
  const kept = dataOf(await org.client.post<{ id: string }>('/contacts/', { first_name: 'Ada', phone: aPhone('00') }));
  const { id, phone } = await busyContact(org);
  const { orgId } = org.client;
  await server.running.runner.stop(0);
  assert.deepEqual(await references(id), [calls, campaigns + 1, campaigns + 1]);

  const first = await changesOf(async () => assert.equal((await org.client.del(`/contacts/${id}`)).status, 200));
  assert.ok(first <= maxChanges, String(first));
  assert.deepEqual(await references(id), [calls - maxBatchRows, campaigns + 1 - 25, campaigns + 1 - 25]);
  const assertInvisible = async () => {
    for (const path of [`/contacts/${id}`, `/contacts/${id}/campaigns`, `/contacts/${id}/notes`])
      assert.equal((await org.client.get(path)).status, 404, path);
    assert.equal((await org.client.patch(`/contacts/${id}`, { first_name: 'Eve' })).status, 404);
    assert.equal((await org.client.del(`/contacts/${id}`)).status, 404);
    for (const query of ['', '?q=ada']) {
      const { body } = await org.client.get<Array<{ id: string }>>(`/contacts/${query}`);
      assert.deepEqual([body.data.map((contact) => contact.id), body.meta.total], [[kept.id], 1], query);
    }
    assert.deepEqual(await wrongNumbers(db), []);
  };
  await assertInvisible();

  const changes: number[] = [];
  for (let isDone = false; !isDone;) {
    changes.push(
      await changesOf(async () => {
        isDone = await transact(db, orgId, (tx) => forgetBatch(app, tx, orgId, id));
      }),
    );
    await assertInvisible();
  }
  assert.equal(changes.length, 2);
  assert.ok(
    changes.every((count) => count <= maxChanges),
    changes.join(),
  );
  assert.deepEqual(await references(id), [0, 0, 0]);
  const rows = await db.selectFrom('contacts').select('id').where('organization_id', '=', orgId).execute();
  assert.deepEqual(rows, [{ id: kept.id }]);
  const { rows: cancelled } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM campaign_contacts WHERE status = 'cancelled' AND phone = ${phone}`.execute(db);
  assert.equal(cancelled[0]!.n, campaigns + 1);
});

test('a change of a contact in very many campaigns reaches them in small batches', async () => {
  const org = await newCallingOrg(server);
  const { id } = await busyContact(org);
  const { orgId } = org.client;
  const renamed = async () => {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*) AS n FROM campaign_contacts WHERE contact_id = ${id} AND name = 'Eve'`.execute(db);
    return rows[0]!.n;
  };
  const first = await changesOf(() => org.client.patch(`/contacts/${id}`, { first_name: 'Eve' }));
  assert.ok(first <= maxChanges, String(first));
  assert.equal(await renamed(), 25);
  const job = await db.selectFrom('outbox').select('payload').where('key', '=', id).executeTakeFirstOrThrow();
  let next: { orgId: string; before?: string | undefined } | undefined = JSON.parse(job.payload);
  const done: number[] = [];
  while (next) {
    const payload: { orgId: string; before?: string | undefined } = next;
    const changes = await changesOf(async () => {
      next = await transact(db, orgId, (tx) => followBatch(app, tx, id, payload));
    });
    assert.ok(changes <= maxChanges, String(changes));
    done.push(await renamed());
  }
  assert.deepEqual(done, [50, campaigns + 1]);
});
