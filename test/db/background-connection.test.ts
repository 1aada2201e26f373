import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { openBackgroundConnection } from '../../src/db/sqlite/background-connection.ts';
import { DatabaseInUse } from '../../src/db/sqlite/file-lock.ts';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import { prepared } from '../../src/db/prepared.ts';
import { installation, type Queryable, syncAndCheckpoint, transact, type Tx } from '../../src/db/transaction.ts';

/** A database on disk with its two connections: here in one thread, which what they wait for does not notice. */
async function opened(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'parley-beside-'));
  const file = join(directory, 'parley.db');
  const database = await openDatabase({ file, nowMs: 0 });
  const beside = openBackgroundConnection(await database.background.share());
  t.after(() => {
    beside.close();
    database.close();
    rmSync(directory, { recursive: true });
  });
  return { database, main: database.db, beside: beside.db, file };
}

const add = (db: Queryable | Tx, name: string) =>
  db.insertInto('organizations').values({ id: name, name, created_at: 0 }).execute();
const rename = prepared((db, p: { from: string; to: string }) =>
  db.updateTable('organizations').set({ name: p.to }).where('name', '=', p.from),
);
const names = async (db: Queryable): Promise<string[]> =>
  (await db.selectFrom('organizations').select('name').orderBy('name').execute()).map(({ name }) => name);

/** A transaction that has written and does not end before it is told. */
async function anOpenOne(db: Queryable, name: string): Promise<{ end(): void; ended: Promise<void> }> {
  const [written, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = transact(db, installation, async (tx) => {
    await add(tx, name);
    written.resolve();
    await told.promise;
  });
  await written.promise;
  return { end: told.resolve, ended };
}

test('Reads are answered while the thread beside writes, with what was there before, and see it once it is committed.', async (t) => {
  const { main, beside } = await opened(t);
  await transact(main, installation, (tx) => add(tx, 'before'));
  const open = await anOpenOne(beside, 'beside');
  assert.deepEqual(await names(main), ['before']);
  open.end();
  await open.ended;
  assert.deepEqual(await names(main), ['before', 'beside']);
});

test('Who writes waits for the turn, and reads go on meanwhile.', async (t) => {
  const { main, beside } = await opened(t);
  const open = await anOpenOne(beside, 'beside');
  const writing = transact(main, installation, (tx) => add(tx, 'main'));
  await later();
  assert.deepEqual(await names(main), []);
  open.end();
  await Promise.all([writing, open.ended]);
  assert.deepEqual(await names(main), ['beside', 'main']);
});

test('A write in no transaction waits as well, however it comes.', async (t) => {
  const { main, beside } = await opened(t);
  const open = await anOpenOne(beside, 'beside');
  const writing = Promise.all([add(main, 'alone'), rename(main, { from: 'beside', to: 'renamed' })]);
  await later();
  open.end();
  await Promise.all([writing, open.ended]);
  assert.deepEqual(await names(main), ['alone', 'renamed']);
});

test('The thread beside waits for a transaction of the others, and sees what that committed.', async (t) => {
  const { main, beside } = await opened(t);
  const open = await anOpenOne(main, 'first');
  const seen = transact(beside, installation, names);
  await later();
  open.end();
  assert.deepEqual(await seen, ['first']);
  await open.ended;
});

test('What is thrown beside is taken back, and the turn given.', async (t) => {
  const { main, beside } = await opened(t);
  await assert.rejects(
    transact(beside, installation, async (tx) => {
      await add(tx, 'taken back');
      throw new Error('no');
    }),
    /^Error: no$/,
  );
  await transact(main, installation, (tx) => add(tx, 'kept'));
  assert.deepEqual(await names(main), ['kept']);
});

test('A copy is made of what is committed while the thread beside waits, which goes on afterwards.', async (t) => {
  const { database, main, beside, file } = await opened(t);
  const open = await anOpenOne(beside, 'before the copy');
  const copying = database.copyTo(`${file}.copy`);
  let isCopied = false;
  const after = transact(beside, installation, async (tx) => {
    assert.equal(isCopied, true);
    await add(tx, 'after the copy');
  });
  open.end();
  await copying.then(() => (isCopied = true));
  await Promise.all([open.ended, after]);
  assert.deepEqual(await names(main), ['after the copy', 'before the copy']);
  const copy = await openDatabase({ file: `${file}.copy`, nowMs: 0 });
  t.after(() => copy.close());
  assert.deepEqual(await names(copy.db), ['before the copy']);
});

test('Two copies that are asked for at once are both whole, whatever is written beside meanwhile.', async (t) => {
  const { database, main, beside, file } = await opened(t);
  await transact(main, installation, (tx) => add(tx, 'before'));
  const paths = ['one', 'two'].map((name) => `${file}.${name}`);
  const copies = paths.map((path) => database.copyTo(path));
  await transact(beside, installation, (tx) => add(tx, 'meanwhile'));
  await Promise.all(copies);
  for (const path of paths) {
    const copy = await openDatabase({ file: path, nowMs: 0 });
    assert.equal((await names(copy.db)).includes('before'), true);
    copy.close();
  }
});

test('What is written back is in the file, whoever wrote it.', async (t) => {
  const { main, beside, file } = await opened(t);
  const isInFile = (name: string): boolean => readFileSync(file).includes(name);
  await transact(main, installation, (tx) => add(tx, 'the one that is answered'));
  await transact(beside, installation, (tx) => add(tx, 'the one beside'));
  assert.equal(isInFile('the one beside'), false);
  await syncAndCheckpoint(beside);
  assert.ok(isInFile('the one beside'));
  assert.ok(isInFile('the one that is answered'));
});

test('Another opener is refused until the database is closed, whatever the first one is doing.', async (t) => {
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
