import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { aCampaign, aPhone } from '../../support/fixtures.ts';
import { aPerson } from '../../support/people.ts';
import { type Data, dataOf, startTestServer } from '../../support/server.ts';
import { dripping, type Plan, watchArrivals } from './dripping.ts';
import { holdWriteLock } from './stored.ts';
import { anIssuer, type Credential, withdrawalsOn } from './withdrawals.ts';

/* Requests with several transactions, whose caller's credentials are withdrawn between the first and the second. */

const foreign = await anIssuer();
const server = await startTestServer({ settings: foreign.settings });
const unwatch = watchArrivals();
after(async () => {
  unwatch();
  await server.stop();
  foreign.close();
});
await aPerson(server, 'admin');
const { app } = server.running;

const phones = (count: number): string[] => Array.from({ length: count }, () => aPhone());
const json = (body: object) => Buffer.from(JSON.stringify(body));
const csv = (count: number) => Buffer.from(['phone', ...phones(count)].join('\n'));
const csvHeaders = { 'content-type': 'text/csv' };

const countOf = async (path: string): Promise<number> => (await server.get(`${path}?limit=1`)).body.meta.total;

/** An operation in several transactions. `done` counts what it has done; `all` is how much it would do. */
type LongOperation = {
  plan: Omit<Plan, 'headers'>;
  headers?: Record<string, string>;
  done(): Promise<number>;
  all: number;
};

const operations: Record<string, () => Promise<LongOperation>> = {
  async importContacts() {
    const before = await countOf('/contacts');
    const plan = { method: 'POST', path: '/api/v1/contacts/import', body: csv(2000) };
    return { plan, headers: csvHeaders, all: 2000, done: async () => (await countOf('/contacts')) - before };
  },
  async importCampaignContacts() {
    const { id } = await aCampaign(server);
    const plan = { method: 'POST', path: `/api/v1/campaigns/${id}/contacts/import`, body: csv(2000) };
    return { plan, headers: csvHeaders, all: 2000, done: () => countOf(`/campaigns/${id}/contacts`) };
  },
  async addDoNotCall() {
    const before = await countOf('/do-not-call');
    const plan = { method: 'POST', path: '/api/v1/do-not-call', body: json({ phones: phones(4000) }) };
    return { plan, all: 4000, done: async () => (await countOf('/do-not-call')) - before };
  },
  async removeCampaignContacts() {
    const { id } = await aCampaign(server);
    const contacts = phones(500).map((phone) => ({ phone }));
    dataOf(await server.post(`/campaigns/${id}/contacts`, { contacts }));
    const path = `/api/v1/campaigns/${id}/contacts/remove`;
    const removed = () => countOf(`/campaigns/${id}/contacts`);
    const cancelled = async () =>
      (await server.get(`/campaigns/${id}/contacts?limit=1&status=cancelled`)).body.meta.total;
    assert.equal(await removed(), 500);
    return { plan: { method: 'POST', path, body: json({ status: ['pending'] }) }, all: 500, done: cancelled };
  },
};

/** Sends a request and withdraws its caller's credentials between its first transaction and its second. Returns the status of the answer. */
async function sendAndWithdraw(plan: Plan, { withdraw }: Credential, whenWithdrawn = () => Promise.resolve()) {
  const request = dripping(server.url, plan);
  await request.open();
  const lock = await holdWriteLock(app.db);
  request.rest();
  await lock.awaited(1);
  const withdrawn = withdraw();
  await lock.awaited(2);
  lock.release();
  await withdrawn;
  await whenWithdrawn();
  return request.status();
}

const withdrawals = withdrawalsOn(server, foreign);

for (const [operationId, make] of Object.entries(operations)) {
  suite(operationId, () => {
    for (const name of ['a key that is revoked', 'the token of a person who is removed', 'a session that ends']) {
      test(`${name} halfway stops it after the part that was committed, which is in the audit log`, async () => {
        const { plan, headers = {}, all, done } = await make();
        const credential = await withdrawals[name]!.make();
        let atAnswer = 0;
        const whole = { ...plan, headers: { ...headers, ...credential.headers } };
        const status = await sendAndWithdraw(whole, credential, async () => void (atAnswer = await done()));
        assert.equal(status, 401);
        assert.equal(await done(), atAnswer);
        assert.ok(atAnswer > 0 && atAnswer < all, `${atAnswer} of ${all}`);
        const [refusal] = dataOf(await server.get<Data[]>(`/audit?operation=${operationId}.refused&limit=1`));
        assert.ok(refusal);
      });
    }
  });
}

test('a redial whose caller is removed halfway leaves no draft', async () => {
  const { id } = await aCampaign(server);
  const contacts = phones(300).map((phone) => ({ phone }));
  dataOf(await server.post(`/campaigns/${id}/contacts`, { contacts }));
  dataOf(await server.patch(`/campaigns/${id}`, { status: 'completed' }));
  const campaigns = await countOf('/campaigns');
  const credential = await withdrawals['a session that ends']!.make();
  const body = json({ statuses: ['expired'] });
  const path = `/api/v1/campaigns/${id}/redial`;
  assert.equal(await sendAndWithdraw({ method: 'POST', path, body, headers: credential.headers }, credential), 401);
  assert.equal(await countOf('/campaigns'), campaigns);
});

for (const name of ['a key that is revoked', 'the token of a person who is removed', 'a session that ends']) {
  test(`${name} halfway adds none of many contacts to a campaign`, async () => {
    const { id } = await aCampaign(server);
    const before = await countOf('/contacts');
    const credential = await withdrawals[name]!.make();
    const body = json({ contacts: phones(2000).map((phone) => ({ phone })) });
    const path = `/api/v1/campaigns/${id}/contacts`;
    assert.equal(await sendAndWithdraw({ method: 'POST', path, body, headers: credential.headers }, credential), 401);
    await server.running.runner.settled();
    assert.deepEqual([await countOf(`/campaigns/${id}/contacts`), await countOf('/contacts')], [0, before]);
    const parts = await app.db.selectFrom('campaign_joins').select('part').execute();
    assert.deepEqual(parts, []);
  });
}
