import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { prepared } from '../../src/db/prepared.ts';
import {
  bytesOf,
  contains,
  greatest,
  joinInOrder,
  jsonListOf,
  least,
  listOf,
  recordsOf,
  rowsOf,
  withoutIndex,
} from '../../src/db/sql.ts';
import { installation, transact, type Queryable } from '../../src/db/transaction.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

let testing: TestApp;
let db: Queryable;
before(async () => {
  testing = await createTestApp();
  db = testing.app.db;
  await transact(db, installation, async (tx) => {
    for (const [index, name] of ['one', 'two', 'three', '100 %_'].entries()) {
      const emails = JSON.stringify(['a', name, name, 'z']);
      const row = { id: String(index), name, notification_emails: emails, in_flight: index, created_at: 0 };
      await tx.insertInto('organizations').values(row).execute();
    }
  });
});
after(() => testing.close());

const namesIn = prepared((on, p: { names: Iterable<string> }) =>
  on.selectFrom('organizations').select('name').where('name', 'in', listOf(p.names)).orderBy('id'),
);
const valuesOf = prepared(
  (_db, p: { values: readonly number[]; add: number }) => sql<{ value: unknown }>`
    SELECT value FROM ${rowsOf(p.values, 'real')} AS given WHERE value <> ${p.add}`,
);

test('A list of any length is one parameter, in the query builder and in templates, prepared or not.', async () => {
  const names = ['two', "o'ne", 'three', '"', '100 %_'];
  const found = [{ name: 'two' }, { name: 'three' }, { name: '100 %_' }];
  const built = db.selectFrom('organizations').select('name').where('name', 'in', listOf(names)).orderBy('id');
  assert.deepEqual(await built.execute(), found);
  for (const given of [names, new Set(names), names]) {
    assert.deepEqual((await namesIn(db, { names: given })).rows, found);
  }
  assert.deepEqual((await namesIn(db, { names: [] })).rows, []);
  const many = Array.from({ length: 100_000 }, (_, index) => index);
  assert.equal((await valuesOf(db, { values: many, add: 7 })).rows.length, many.length - 1);
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM organizations WHERE name NOT IN ${listOf(names)}`.execute(db);
  assert.deepEqual(rows, [{ name: 'one' }]);
});

test('Rows of a list keep their types and their order, also as the left side of a join.', async () => {
  assert.deepEqual(
    (await valuesOf(db, { values: [2, 1.5, -1], add: 0 })).rows.map(({ value }) => value),
    [2, 1.5, -1],
  );
  const { rows } = await sql<{ name: string }>`
    SELECT o.name FROM ${rowsOf(['2', '0'])} AS wanted ${joinInOrder} organizations AS o ON o.id = wanted.value
    WHERE ${withoutIndex('o.id')} <> 'x'`.execute(db);
  assert.deepEqual(rows, [{ name: 'three' }, { name: 'one' }]);
});

test('Records become rows with the named columns; a missing value is null.', async () => {
  const columns = { id: 'text', at: 'real', name: 'text' } as const;
  const records = [
    { id: 'a', at: 1, name: `'"` },
    { id: 'b', at: 2.5, name: null },
  ];
  const { rows } = await sql`SELECT id, at, name FROM ${recordsOf(records, columns)} AS record`.execute(db);
  assert.deepEqual(rows, records);
});

test('The helpers for expressions over numbers, texts and JSON compute the right values.', async () => {
  const { rows } = await sql`
    SELECT ${least(sql.ref('in_flight'), 1)} AS smaller, ${greatest(1, sql.ref('in_flight'))} AS larger
    FROM organizations WHERE id IN ('0', '2') ORDER BY id`.execute(db);
  assert.deepEqual(rows, [
    { smaller: 0, larger: 1 },
    { smaller: 1, larger: 2 },
  ]);
  const having = (part: string) =>
    db.selectFrom('organizations').select('id').where(contains('name', part)).orderBy('id').execute();
  assert.deepEqual(await having('o'), [{ id: '0' }, { id: '1' }]);
  assert.deepEqual(await having('%_'), [{ id: '3' }]);
  assert.deepEqual(await having('O'), []);
});

test('Aggregates of a column return one value, in the same order.', async () => {
  const query = sql<{ ids: string; bytes: Buffer | null }>`
    SELECT ${jsonListOf('given.value')} AS ids, ${bytesOf('piece')} AS bytes
    FROM ${rowsOf([3, 1], 'integer')} AS given ${joinInOrder} (SELECT 3 AS id, x'00ff' AS piece UNION SELECT 1, x'01') AS pieces
    ON pieces.id = given.value`;
  const { ids, bytes } = (await query.execute(db)).rows[0]!;
  assert.equal(ids, '[3,1]');
  assert.deepEqual(bytes, Buffer.from([0, 255, 1]));
  const empty = sql<{ bytes: Buffer | null }>`SELECT ${bytesOf('value')} AS bytes FROM ${rowsOf([])} AS given`;
  assert.equal((await empty.execute(db)).rows[0]!.bytes, null);
});
