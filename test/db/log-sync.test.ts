import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { type SqliteDatabase, openDatabase } from '../../src/db/sqlite/open.ts';
import { StorageRefusal } from '../../src/db/storage.ts';
import { installation, onCommit, type Queryable, synced, transact, type Tx } from '../../src/db/transaction.ts';

/** A sync that is under way until the test ends it. */
type Sync = { end(): void; fail(error: Error): void };

/** A database whose syncs are counted. With `held`, the test ends each of them; without, they end by themselves. */
async function opened(t: TestContext, { held }: { held: boolean }) {
  const directory = mkdtempSync(join(tmpdir(), 'parley-sync-'));
  const syncs: Sync[] = [];
  const sync = (): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    syncs.push({ end: resolve, fail: reject });
    if (!held) resolve();
    return promise;
  };
  const database = await openDatabase({ file: join(directory, 'parley.db'), nowMs: 0, sync });
  t.after(() => {
    syncs.forEach(({ end }) => end());
    database.close();
    rmSync(directory, { recursive: true });
  });
  return { database, db: database.db, syncs };
}

const add = (db: Queryable | Tx, name: string) =>
  db.insertInto('organizations').values({ id: name, name, created_at: 0 }).execute();
const addInTransaction = (db: Queryable, name: string): Promise<unknown> =>
  transact(db, installation, (tx) => add(tx, name));
const count = async (db: Queryable): Promise<number> =>
  (await db.selectFrom('organizations').select('id').execute()).length;

/** Resolves when other callbacks have made the condition true. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await later();
}

/** Whether the promise is settled by now, and how. */
function watch(promise: Promise<unknown>): () => 'pending' | 'resolved' | 'rejected' {
  let state: ReturnType<ReturnType<typeof watch>> = 'pending';
  promise.then(
    () => (state = 'resolved'),
    () => (state = 'rejected'),
  );
  return () => state;
}

test('Sixty transactions at once share two syncs, and twenty in a row take twenty.', async (t) => {
  const { db, syncs } = await opened(t, { held: true });
  const first = addInTransaction(db, 'first');
  await until(() => syncs.length === 1);
  const others = Array.from({ length: 59 }, (_, index) => addInTransaction(db, `other ${index}`));
  while ((await count(db)) < 60) await later();
  syncs[0]!.end();
  await first;
  await until(() => syncs.length === 2);
  syncs[1]!.end();
  await Promise.all(others);
  assert.equal(syncs.length, 2);
  for (let number = 0; number < 20; number += 1) {
    const alone = addInTransaction(db, `alone ${number}`);
    await until(() => syncs.length === number + 3);
    syncs.at(-1)!.end();
    await alone;
  }
  assert.equal(syncs.length, 22);
});

test('A transaction resolves and runs its hooks once it is on disk; others can read it before.', async (t) => {
  const { db, syncs } = await opened(t, { held: true });
  const hooks: string[] = [];
  const writing = transact(db, installation, async (tx) => {
    await add(tx, 'one');
    onCommit(tx, () => hooks.push('on disk'));
  });
  await until(() => syncs.length === 1);
  await later();
  assert.equal(watch(writing)(), 'pending');
  assert.deepEqual(hooks, []);
  assert.equal(await count(db), 1);
  syncs[0]!.end();
  await writing;
  assert.deepEqual(hooks, ['on disk']);
});

test('A commit during a sync waits for the next one, because the sync may have missed it.', async (t) => {
  const { db, syncs } = await opened(t, { held: true });
  const early = addInTransaction(db, 'early');
  await until(() => syncs.length === 1);
  const late = watch(addInTransaction(db, 'late'));
  while ((await count(db)) < 2) await later();
  syncs[0]!.end();
  await early;
  await until(() => syncs.length === 2);
  const repeating = watch(synced(db));
  await later();
  assert.deepEqual([late(), repeating()], ['pending', 'pending']);
  syncs[1]!.end();
  await until(() => late() === 'resolved');
});

for (const [name, write] of [
  ['A write outside a transaction', (db: Queryable) => add(db, 'alone')],
  [
    'One that returns rows',
    (db: Queryable) => db.updateTable('organizations').set({ created_at: 1 }).returning('id').execute(),
  ],
] as const) {
  test(`${name} waits for the disk without holding the connection.`, async (t) => {
    const { db, syncs } = await opened(t, { held: true });
    const before = addInTransaction(db, 'before');
    await until(() => syncs.length === 1);
    syncs[0]!.end();
    await before;
    const written = watch(write(db));
    await until(() => syncs.length === 2);
    await db.connection().execute(() => Promise.resolve());
    assert.equal(written(), 'pending');
    syncs[1]!.end();
    await until(() => written() === 'resolved');
  });
}

test('A transaction that changes nothing waits for the changes that it may have read, and takes no sync of its own.', async (t) => {
  const { db, syncs } = await opened(t, { held: true });
  const writing = addInTransaction(db, 'unsynced');
  await until(() => syncs.length === 1);
  const reading = watch(transact(db, installation, (tx) => count(tx)));
  const repeating = watch(synced(db));
  for (let tick = 0; tick < 5; tick += 1) await later();
  assert.deepEqual([reading(), repeating()], ['pending', 'pending']);
  syncs[0]!.end();
  await writing;
  await until(() => reading() === 'resolved' && repeating() === 'resolved');
  await transact(db, installation, (tx) => count(tx));
  assert.equal(syncs.length, 1);
});

test('The event loop handles I/O between two transactions.', async (t) => {
  const { db } = await opened(t, { held: false });
  const order: string[] = [];
  const run = (name: string) => transact(db, installation, (tx) => add(tx, name).then(() => order.push(name)));
  const running = [run('one'), run('two')];
  setImmediate(() => order.push('I/O'));
  await Promise.all(running);
  assert.deepEqual(order, ['one', 'I/O', 'two']);
});

const failure = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
const isUncertain = (error: unknown): boolean => error instanceof StorageRefusal && error.isUncertain;

async function failed({ db, syncs }: { db: Queryable; syncs: Sync[] }, hooks: string[] = []): Promise<void> {
  const writing = transact(db, installation, async (tx) => {
    await add(tx, 'uncertain');
    onCommit(tx, () => hooks.push('never'));
  });
  await until(() => syncs.length === 1);
  const waiting = addInTransaction(db, 'waits for the next sync');
  while ((await count(db)) < 2) await later();
  syncs[0]!.fail(failure);
  await assert.rejects(writing, isUncertain);
  await assert.rejects(waiting, isUncertain);
}

async function refusesWrites({ db, storage }: SqliteDatabase): Promise<void> {
  const before = await count(db);
  const isCertain = (error: unknown): boolean => error instanceof StorageRefusal && !error.isUncertain;
  await assert.rejects(addInTransaction(db, 'refused'), isCertain);
  await assert.rejects(add(db, 'refused'), isCertain);
  await assert.rejects(synced(db), isCertain);
  await storage.probe();
  assert.match(storage.refusal()!, /restart parley when the disk works again$/);
  assert.equal(await count(db), before, 'reads go on, and nothing was written');
}

test('After a failed sync nothing is acknowledged or synced again, and writes are refused while reads go on.', async (t) => {
  const { database, syncs } = await opened(t, { held: true });
  const hooks: string[] = [];
  await failed({ db: database.db, syncs }, hooks);
  await refusesWrites(database);
  assert.match(
    database.storage.refusal()!,
    /^the disk failed to sync: EIO: i\/o error, fdatasync \(SQLITE_IOERR_FSYNC\);/,
  );
  assert.deepEqual([hooks, syncs.length], [[], 1]);
});
