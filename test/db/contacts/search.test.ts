import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { installation, transact } from '../../../src/db/transaction.ts';
import { foldText } from '../../../src/base/fold-text.ts';
import type { ContactInput } from '../../../src/features/contacts/contact-input.ts';
import { indexPending, searchContacts } from '../../../src/features/contacts/search.ts';
import { removeContact } from '../../../src/features/contacts/removal.ts';
import * as contacts from '../../../src/features/contacts/service.ts';
import { createOrganization } from '../../../src/features/organizations/service.ts';
import { dataChecks } from '../../../src/main/kept-numbers.ts';
import { contactIndex } from '../../../src/search/contacts/index.ts';
import { createTestApp } from '../../support/app.ts';
import { recordStatements } from '../../support/plans.ts';

const { app, close } = await createTestApp();
after(() => close());

const newOrganization = () => transact(app.db, installation, (tx) => createOrganization(app, tx, 'Example'));
const make = (orgId: string, inputs: ContactInput[]) =>
  transact(app.db, orgId, (tx) => contacts.createContacts(app, tx, orgId, inputs));

const everyText = async (orgId: string): Promise<Array<{ id: string; search: string }>> =>
  app.db.selectFrom('contacts').select(['id', 'search']).where('organization_id', '=', orgId).execute();

/** Compares pages of a search with comparing every text. */
async function agrees(orgId: string, q: string): Promise<void> {
  const part = foldText(q).trim();
  const matching = (await everyText(orgId)).filter(({ search }) => search.includes(part)).map(({ id }) => id);
  const wanted = matching.toSorted().toReversed();
  const byOffset = await searchContacts(app, orgId, { q }, { limit: 7, offset: 3 });
  assert.deepEqual([byOffset.items.map(({ id }) => id), byOffset.total], [wanted.slice(3, 10), wanted.length], q);
  const first = await searchContacts(app, orgId, { q }, { limit: 7, offset: 0, after: null });
  assert.deepEqual(
    first.items.map(({ id }) => id),
    wanted.slice(0, 7),
    q,
  );
  assert.equal(first.cursors!.hasMore, wanted.length > 7, q);
  if (!first.cursors!.hasMore) return;
  const next = await searchContacts(
    app,
    orgId,
    { q },
    { limit: 7, offset: 0, after: first.cursors!.positions.at(-1)! },
  );
  assert.deepEqual(
    next.items.map(({ id }) => id),
    wanted.slice(7, 14),
    q,
  );
}

const entryCount = async (): Promise<number> =>
  (await sql<{ n: number }>`SELECT count(*) AS n FROM contact_search_entries`.execute(app.db)).rows[0]!.n;

test('a search finds every contact with the text, whether it is indexed, pending, changed or deleted', async () => {
  const orgId = await newOrganization();
  const before = await entryCount();
  const names = ['Ada', 'Jürgen', 'Öztürk', '李小龍', 'O\'Neil "x"', 'a.b', '👩‍🚀 Sally', 'Adam', 'ada ada', '*'];
  const queries = [
    'ada',
    'jürgen 1',
    'öztü',
    '李小龍',
    '"x"',
    'a.b',
    '👩‍🚀',
    'm 12',
    '*',
    'xyz',
    '4930',
    '@example.com',
    ' 12',
  ];
  const inputs = Array.from({ length: 450 }, (_, n) => ({
    first_name: names[n % names.length]!,
    last_name: String(n),
    email: `n${n}@example.com`,
    phone: `+4930901${1000 + n}`,
  }));
  const made = await make(orgId, inputs);
  const all = async (): Promise<void> => {
    for (const q of queries) await agrees(orgId, q);
  };
  await all();
  await indexPending(app);
  assert.equal(await entryCount(), before + 450);
  await all();
  for (const [n, { id }] of made.entries()) {
    if (n % 9 === 0) await removeContact(app, orgId, id);
    if (n % 9 === 1) await contacts.updateContact(app, orgId, id, { first_name: 'Adelheid', email: null });
  }
  queries.push('adelheid 1');
  await all();
  await indexPending(app);
  await all();
  assert.equal(await contactIndex.nextPending(app.db, ''), undefined);
  assert.equal(await entryCount(), before + 400, 'deleted contacts leave the index');
});

test('a contact that joins under the number of a deleted one is found by its own text alone', async () => {
  const orgId = await newOrganization();
  const [last] = await make(orgId, [{ first_name: 'Leonhard' }]);
  await indexPending(app);
  await removeContact(app, orgId, last!.id);
  await indexPending(app);
  await make(orgId, [{ first_name: 'Euler' }]);
  await indexPending(app);
  await agrees(orgId, 'leonhard');
  await agrees(orgId, 'euler');
  assert.deepEqual(await contactIndex.candidates(app.db, { orgId }, 'leonhard', 10), []);
});

test('a large organization is searched on the background thread, and the words of its contacts cost another nothing', async (t) => {
  const [large, small] = [await newOrganization(), await newOrganization()];
  const inputs = Array.from({ length: 5500 }, (_, n) => ({ first_name: 'Lovelace', last_name: `no ${n}` }));
  await make(large, inputs);
  const [other] = await make(small, [{ first_name: 'Lovelace' }]);
  await indexPending(app);
  assert.deepEqual(await contactIndex.candidates(app.db, { orgId: small }, 'lovelace', 1), [other!.id]);
  const statements = await recordStatements(t, app.db);
  for (const [q, total] of [
    ['lovelace', 5500],
    ['no 54', 111],
    ['nobody', 0],
    ['e', 5500],
    ['54', 204],
  ] as const) {
    assert.equal((await searchContacts(app, large, { q }, { limit: 5, offset: 0 })).total, total, q);
  }
  assert.deepEqual(
    statements.filter(({ sql: text }) => /search|instr/.test(text)),
    [],
  );
});

test('a search reads no list of entries that all contacts are in, if its text has rarer parts', async (t) => {
  const orgId = await newOrganization();
  const all = 300;
  await make(
    orgId,
    Array.from({ length: all }, (_, n) => ({ first_name: 'Ada', email: `ada${n}@example.com` })),
  );
  await indexPending(app);
  const statements = await recordStatements(t, app.db);
  const found = await contactIndex.candidates(app.db, { orgId }, 'ada77@example.com', all);
  assert.equal(found?.length, 1);
  const [match] = statements.flatMap(({ parameters }) => parameters.filter((value) => String(value).includes(' AND ')));
  const terms = String(match).split(' AND ');
  assert.ok(terms.length > 1, String(match));
  for (const term of terms) {
    const entries =
      await sql`SELECT 1 FROM contact_search_trigrams WHERE contact_search_trigrams MATCH ${term}`.execute(app.db);
    assert.ok(entries.rows.length < all / 2, term);
  }
});

test('the examination of a database finds contacts that the search misses, and such that it should have forgotten', async () => {
  const orgId = await newOrganization();
  const [contact] = await make(orgId, [{ first_name: 'Ada' }]);
  await indexPending(app);
  const faults = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const { query, fault } of dataChecks('sqlite')) {
      if ((await sql.raw(`SELECT 1 WHERE EXISTS (${query})`).execute(app.db)).rows.length > 0) found.push(fault);
    }
    return found;
  };
  assert.deepEqual(await faults(), []);
  await sql`UPDATE contact_search_entries SET id = 'another' WHERE id = ${contact!.id}`.execute(app.db);
  assert.deepEqual(await faults(), [
    'a contact is missing from the search',
    'the search has a contact that was deleted',
  ]);
});
