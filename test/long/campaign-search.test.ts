import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { foldText } from '../../src/base/fold-text.ts';
import type { Position } from '../../src/db/pages.ts';
import { transact } from '../../src/db/transaction.ts';
import type { CampaignContactFilter } from '../../src/features/campaigns/contacts/list-store.ts';
import { searchedRows } from '../../src/features/campaigns/contacts/search-store.ts';
import { listCampaignContacts } from '../../src/features/campaigns/contacts/campaign-contacts.ts';
import { addCampaignContacts } from '../../src/features/campaigns/contacts/joining.ts';
import { update } from '../../src/features/campaigns/contacts/store.ts';
import { removeContact } from '../../src/features/contacts/removal.ts';
import { indexPending } from '../../src/features/contacts/search.ts';
import { updateContact } from '../../src/features/contacts/service.ts';
import { subscribe } from '../../src/main/wiring.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase, firstAt, rowId } from '../support/many-rows.ts';
import { planOf, recordStatements } from '../support/plans.ts';

/** More than a search compares one by one on the main thread. */
const rows = 2500;
const { app, close } = await createTestApp({ wire: subscribe });
after(() => close());
const { orgId, campaignId } = await fillDatabase(app.db, rows);
await indexPending(app);

const orders = {
  queue: 'position',
  next_attempt: 'next_retry_at NULLS LAST, position',
  last_attempt: 'last_attempted_at DESC NULLS LAST, position',
} as const;

type Order = keyof typeof orders;
/** The rows that were read while nothing changes, by order and condition. */
const read = new Map<string, Promise<Array<{ id: string; text: string }>>>();

async function allRows(sort: Order, where: string): Promise<Array<{ id: string; text: string }>> {
  const { rows: all } = await sql<{ id: string; text: string }>`
    SELECT id, concat_ws(char(10), name, phone, email) AS text FROM campaign_contacts
    WHERE campaign_id = ${campaignId} AND ${sql.raw(where)} ORDER BY ${sql.raw(orders[sort])}`.execute(app.db);
  return all.map(({ id, text }) => ({ id, text: foldText(text) }));
}

/** Ids of the campaign contacts whose name, phone or e-mail contains `q`, found by comparing them all. */
async function comparedIds(q: string, sort: Order, where = 'true'): Promise<string[]> {
  const key = `${sort} ${where}`;
  if (!read.has(key)) read.set(key, allRows(sort, where));
  return (await read.get(key)!).filter(({ text }) => text.includes(q)).map(({ id }) => id);
}

/** Compares a search, by offset and walked by position, with comparing every text. */
async function agrees(filter: CampaignContactFilter & { text: string }, where?: string): Promise<void> {
  const wanted = await comparedIds(filter.text, filter.sort ?? 'queue', where);
  const message = JSON.stringify(filter);
  const byOffset = await listCampaignContacts(app, orgId, campaignId, filter, { limit: 7, offset: 3 });
  const ids = byOffset.items.map(({ id }) => id);
  assert.deepEqual([ids, byOffset.total], [wanted.slice(3, 10), wanted.length], message);
  const walked: string[] = [];
  for (let position: Position | null = null; walked.length < 20;) {
    const page = { limit: 7, offset: 0, after: position };
    const { items, cursors } = await listCampaignContacts(app, orgId, campaignId, filter, page);
    walked.push(...items.map(({ id }) => id));
    position = cursors!.positions.at(-1) ?? null;
    if (!cursors!.hasMore) break;
  }
  assert.deepEqual(walked, wanted.slice(0, walked.length), message);
  assert.ok(walked.length === wanted.length || walked.length >= 20, message);
}

async function agreesOn(queries: readonly string[]): Promise<void> {
  read.clear();
  for (const text of queries) {
    for (const sort of ['queue', 'next_attempt', 'last_attempt'] as const) await agrees({ text, sort });
    await agrees({ text, statuses: ['completed', 'busy', 'pending'] }, "status IN ('completed', 'busy', 'pending')");
    await agrees({ text, tag: 'vip', sort: 'last_attempt' }, 'position % 7 = 0');
  }
}

test('a search of a campaign finds what comparing all contacts finds, also those that kept an old name', async () => {
  const queries = ['ada 12', '+493010000', 'ada249', 'da 31 love', 'vela', 'ad', 'nobody'];
  await agreesOn(queries);
  for (let n = 0; n < 40; n += 1) {
    const id = rowId('contact', n);
    if (n % 4 === 0) await updateContact(app, orgId, id, { first_name: `Grace ${n}`, last_name: 'Hopper' });
    if (n % 4 === 1) await updateContact(app, orgId, id, { phone: `+4940${20_000_000 + n}`, email: null });
    if (n % 4 === 2) await removeContact(app, orgId, id);
    if (n % 8 === 3) await updateContact(app, orgId, id, { phone: null });
    if (n % 8 === 7) await updateContact(app, orgId, id, { company: 'Ada Lovelace' });
  }
  queries.push('grace', 'hopper', '+494020', 'ada 4 l', 'ada 8 love', '+4930100000');
  await agreesOn(queries);
  await indexPending(app);
  await agreesOn(queries);
  read.clear();
  const ended = await comparedIds('ada 4 lovelace', 'queue', "status = 'cancelled'");
  assert.equal(ended.length, 1, 'a contact that was cancelled before its rename keeps its name');
  for (let n = 0; n < 40; n += 4) await updateContact(app, orgId, rowId('contact', n), { first_name: 'Anita Borg' });
  await indexPending(app);
  await agreesOn([...queries, 'anita b']);
});

test('contacts that join a campaign are found before and after they are indexed', async () => {
  const contacts = [{ first_name: 'Emmy', last_name: 'Noether', phone: '+498005550001' }];
  await addCampaignContacts(app, orgId, campaignId, { contactIds: [], contacts });
  read.clear();
  await agrees({ text: 'noeth' });
  await indexPending(app);
  await agrees({ text: 'noeth' });
});

test('a search reads as many campaign contacts as the index finds, by index alone', async (t) => {
  await indexPending(app);
  await sql`ANALYZE`.execute(app.db);
  for (const [text, most] of [
    ['da 2450 love', 5],
    ['+493010002', 5000],
  ] as const) {
    const statements = await recordStatements(t, app.db);
    const page = { limit: 50, offset: 0, owner: orgId };
    const filter = { text, statuses: ['pending', 'completed'], tag: 'vip' } as const;
    const found = await searchedRows(app.db, { orgId, campaignId, filter, page });
    assert.ok(found.total! > 0, text);
    const ofCampaign = statements.filter((statement) => statement.sql.includes('FROM campaign_contacts'));
    assert.equal(ofCampaign.length, 3, text);
    for (const statement of ofCampaign) {
      const lists = statement.parameters.filter((value) => typeof value === 'string' && value.startsWith('['));
      for (const list of lists as string[]) assert.ok((JSON.parse(list) as unknown[]).length <= most, text);
      const steps = (await planOf(app.db, statement)).filter((step) => /SCAN|campaign_contacts|contacts/.test(step));
      for (const step of steps) {
        assert.match(
          step,
          /^(?:SCAN json_each|SEARCH \w+ USING (?:PRIMARY KEY \(id=\?\)|INDEX .*\(campaign_id=\? AND phone=\?\)))/,
        );
      }
    }
    t.mock.restoreAll();
  }
});

test('an attempt and an import leave nothing to index but the contacts themselves', async () => {
  await indexPending(app);
  const pending = async () =>
    (await sql<{ of: string }>`SELECT campaign_id AS "of" FROM contact_search_pending`.execute(app.db)).rows;
  assert.deepEqual(await pending(), []);
  const [indexed] = await comparedIds('ada 12 lovelace', 'queue');
  await transact(app.db, orgId, (tx) =>
    update(tx, indexed!, { status: 'completed', attempt_count: 2, last_attempted_at: firstAt, error_message: 'x' }),
  );
  assert.deepEqual(await pending(), []);
  const contacts = Array.from({ length: 20 }, (_, n) => ({ first_name: 'New', phone: `+4980055511${10 + n}` }));
  await addCampaignContacts(app, orgId, campaignId, { contactIds: [], contacts });
  assert.deepEqual(
    await pending(),
    contacts.map(() => ({ of: '' })),
  );
});
