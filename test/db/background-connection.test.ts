import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { openBackgroundConnection } from '../../src/db/sqlite/background-connection.ts';
import { copyDatabase } from '../../src/db/sqlite/copy.ts';
import { DatabaseInUse } from '../../src/db/sqlite/file-lock.ts';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import { prepared } from '../../src/db/prepared.ts';
import { installation, persist, type Queryable, transact, type Tx } from '../../src/db/transaction.ts';

/**
 * A database on disk with both of its connections, here in one thread. A write that does not wait until the other connection has ended its
 * transaction therefore fails after a second with SQLITE_BUSY.
 */
async function opened(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'parley-background-'));
  const file = join(directory, 'parley.db');
  const database = await openDatabase({ file, nowMs: 0 });
  const background = openBackgroundConnection(await database.background.share());
  t.after(() => {
    background.close();
    database.close();
    rmSync(directory, { recursive: true });
  });
  return { database, main: database.db, background: background.db, file };
}

const add = (db: Queryable | Tx, name: string) =>
  db.insertInto('organizations').values({ id: name, name, created_at: 0 }).execute();
const rename = prepared((db, p: { from: string; to: string }) =>
  db.updateTable('organizations').set({ name: p.to }).where('name', '=', p.from),
);
const find = prepared((db, p: { name: string }) =>
  db.selectFrom('organizations').select('id').where('name', '=', p.name),
);
const names = async (db: Queryable): Promise<string[]> =>
  (await db.selectFrom('organizations').select('name').orderBy('name').execute()).map(({ name }) => name);

/** Starts a transaction that has written a row and stays open until `end` is called. */
async function openTransaction(db: Queryable, name: string): Promise<{ end(): void; ended: Promise<void> }> {
  const [written, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = transact(db, installation, async (tx) => {
    await add(tx, name);
    written.resolve();
    await told.promise;
  });
  await written.promise;
  return { end: told.resolve, ended };
}

test('While the background writes, reads see the state before it; after its commit they see the new row.', async (t) => {
  const { main, background } = await opened(t);
  await transact(main, installation, (tx) => add(tx, 'before'));
  const open = await openTransaction(background, 'background');
  assert.deepEqual(await names(main), ['before']);
  open.end();
  await open.ended;
  assert.deepEqual(await names(main), ['background', 'before']);
});

test('A transaction waits for the write lock, and reads go on meanwhile.', async (t) => {
  const { main, background } = await opened(t);
  const open = await openTransaction(background, 'background');
  const writing = transact(main, installation, (tx) => add(tx, 'main'));
  await later();
  assert.deepEqual(await names(main), []);
  open.end();
  await Promise.all([writing, open.ended]);
  assert.deepEqual(await names(main), ['background', 'main']);
});

for (const [name, write] of [
  ['A write by the query builder', (db: Queryable) => add(db, 'main')],
  ['A prepared write', (db: Queryable) => rename(db, { from: 'before', to: 'main' })],
] as const) {
  test(`${name} outside a transaction waits for the background's transaction, too.`, async (t) => {
    const { main, background } = await opened(t);
    await add(main, 'before');
    const open = await openTransaction(background, 'background');
    const writing = write(main);
    await later();
    open.end();
    await Promise.all([writing, open.ended]);
    assert.equal((await names(main)).includes('main'), true);
  });
}

test('A prepared read does not wait while the background writes.', async (t) => {
  const { main, background } = await opened(t);
  await add(main, 'before');
  const open = await openTransaction(background, 'background');
  assert.equal((await find(main, { name: 'before' })).rows.length, 1);
  open.end();
  await open.ended;
});

test('The background waits for a transaction of the main connection and sees what it committed.', async (t) => {
  const { main, background } = await opened(t);
  const open = await openTransaction(main, 'first');
  const seen = transact(background, installation, names);
  await later();
  open.end();
  assert.deepEqual(await seen, ['first']);
  await open.ended;
});

test('A background transaction that throws is rolled back and releases the write lock.', async (t) => {
  const { main, background } = await opened(t);
  await assert.rejects(
    transact(background, installation, async (tx) => {
      await add(tx, 'rolled back');
      throw new Error('no');
    }),
    /^Error: no$/,
  );
  await transact(main, installation, (tx) => add(tx, 'kept'));
  assert.deepEqual(await names(main), ['kept']);
});

test('A copy holds what was committed before it, while both connections go on writing.', async (t) => {
  const { database, main, background, file } = await opened(t);
  await transact(main, installation, (tx) => add(tx, 'before the copy'));
  const open = await openTransaction(background, 'not committed yet');
  const paths = ['one', 'two'].map((name) => `${file}.${name}`);
  const shared = await database.background.share();
  const copies = paths.map((path) => copyDatabase(shared, path));
  open.end();
  await open.ended;
  await transact(main, installation, (tx) => add(tx, 'during the copy'));
  await Promise.all(copies);
  assert.deepEqual(await names(main), ['before the copy', 'during the copy', 'not committed yet']);
  for (const path of paths) {
    const copy = await openDatabase({ file: path, nowMs: 0 });
    assert.deepEqual(await names(copy.db), ['before the copy']);
    copy.close();
  }
});

test('persist() brings the commits of both connections into the database file.', async (t) => {
  const { main, background, file } = await opened(t);
  const isInFile = (name: string): boolean => readFileSync(file).includes(name);
  await transact(main, installation, (tx) => add(tx, 'written by main'));
  await transact(background, installation, (tx) => add(tx, 'written by background'));
  assert.equal(isInFile('written by background'), false);
  await persist(background);
  assert.ok(isInFile('written by background'));
  assert.ok(isInFile('written by main'));
});

test('A second opener is refused until the database is closed, and the first one goes on.', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-lock-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const options = { file: join(directory, 'parley.db'), nowMs: 0 };
  const first = await openDatabase(options);
  await assert.rejects(openDatabase(options), DatabaseInUse);
  await transact(first.db, installation, (tx) => add(tx, 'goes on'));
  first.close();
  const second = await openDatabase(options);
  assert.deepEqual(await names(second.db), ['goes on']);
  second.close();
});
