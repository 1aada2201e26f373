import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { sql } from 'kysely';
import { openBackgroundConnection } from '../../src/db/sqlite/background-connection.ts';
import type { CommitGap } from '../../src/db/sqlite/commit-group.ts';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import { installation, onCommit, onEnd, type Queryable, transact, type Tx } from '../../src/db/transaction.ts';

/** So long that within a test no COMMIT falls due by time. */
const never = 3_600_000;

/** A database and what another connection sees of it: what is committed. Its first COMMIT is made. */
async function opened(t: TestContext, gapMs: number | CommitGap = never) {
  const directory = mkdtempSync(join(tmpdir(), 'parley-group-'));
  let syncs = 0;
  const sync = (): Promise<void> => {
    syncs += 1;
    return Promise.resolve();
  };
  const file = join(directory, 'parley.db');
  const database = await openDatabase({
    file,
    nowMs: 0,
    sync,
    commitGap: typeof gapMs === 'number' ? () => gapMs : gapMs,
  });
  const background = openBackgroundConnection(await database.background.share());
  t.after(() => {
    background.close();
    database.close();
    rmSync(directory, { recursive: true });
  });
  const { db } = database;
  await put(db, 'first', {});
  return { database, db, background: background.db, committed: () => names(background.db), syncs: () => syncs };
}

const add = (tx: Queryable | Tx, name: string) =>
  tx.insertInto('organizations').values({ id: name, name, created_at: 0 }).execute();
const names = async (db: Queryable): Promise<string[]> =>
  (await db.selectFrom('organizations').select('name').orderBy('created_at').orderBy('id').execute()).map(
    ({ name }) => name,
  );

const put = (db: Queryable, name: string, options: { mayWait?: boolean; onEnded?: () => void }): Promise<unknown> =>
  transact(db, installation, (tx) => add(tx, name), options);

/** Starts a transaction that waits for others, and resolves when it has ended. `resolved` follows its COMMIT. */
async function putWaiting(db: Queryable, name: string): Promise<{ resolved: Promise<unknown>; isResolved(): boolean }> {
  const ended = Promise.withResolvers<void>();
  let isResolved = false;
  const resolved = put(db, name, { mayWait: true, onEnded: ended.resolve }).then(() => (isResolved = true));
  resolved.catch(() => undefined);
  await ended.promise;
  return { resolved, isResolved: () => isResolved };
}

test('A transaction that may wait is seen at once, and committed with the next one that may not.', async (t) => {
  const { db, committed, syncs } = await opened(t);
  const before = syncs();
  const one = await putWaiting(db, 'one');
  const two = await putWaiting(db, 'two');
  await later();
  assert.deepEqual(await names(db), ['first', 'one', 'two']);
  assert.deepEqual(await committed(), ['first']);
  assert.deepEqual([one.isResolved(), two.isResolved(), syncs() - before], [false, false, 0]);
  await put(db, 'request', {});
  await Promise.all([one.resolved, two.resolved]);
  assert.deepEqual(await committed(), ['first', 'one', 'request', 'two']);
  assert.equal(syncs() - before, 1);
});

test('Without a COMMIT a moment ago, a transaction that may wait does not.', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-group-'));
  const database = await openDatabase({ file: join(directory, 'parley.db'), nowMs: 0, commitGap: () => never });
  t.after(() => {
    database.close();
    rmSync(directory, { recursive: true });
  });
  await put(database.db, 'one', { mayWait: true });
  assert.deepEqual(await names(database.db), ['one']);
});

test('The COMMIT follows by itself when its time has come.', async (t) => {
  const { db, committed } = await opened(t, 50);
  const waiting = ['one', 'two', 'three'].map((name) => put(db, name, { mayWait: true }));
  await Promise.all(waiting);
  assert.deepEqual(await committed(), ['first', 'one', 'three', 'two']);
});

test('Transactions that together changed 1,000 rows do not wait for more.', async (t) => {
  const { db, committed } = await opened(t);
  const one = await putWaiting(db, 'one');
  const rows = Array.from({ length: 1000 }, (_, index) => ({ id: `row ${index}`, name: 'row', created_at: 1 }));
  await transact(db, installation, (tx) => tx.insertInto('organizations').values(rows).execute(), { mayWait: true });
  await one.resolved;
  assert.equal((await committed()).length, 2 + rows.length);
  const two = await putWaiting(db, 'two');
  await later();
  assert.equal(two.isResolved(), false, 'the count begins anew');
});

test('The gap is told how long COMMITs take on average.', async (t) => {
  const averages: number[] = [];
  const { db } = await opened(t, (averageMs) => {
    averages.push(averageMs);
    return 0;
  });
  for (const name of ['one', 'two', 'three']) await put(db, name, { mayWait: true });
  assert.equal(averages.length, 3);
  assert.ok(averages.every((averageMs) => averageMs > 0));
  assert.equal(new Set(averages).size, 3);
});

test('A transaction that throws is undone alone.', async (t) => {
  const { db, committed } = await opened(t);
  const one = await putWaiting(db, 'one');
  const failing = (options: object) =>
    transact(
      db,
      installation,
      async (tx) => {
        await add(tx, 'undone');
        throw new Error('no');
      },
      options,
    );
  await assert.rejects(failing({ mayWait: true }), /^Error: no$/);
  await assert.rejects(failing({}), /^Error: no$/);
  assert.equal(one.isResolved(), false);
  await put(db, 'two', {});
  await one.resolved;
  assert.deepEqual(await committed(), ['first', 'one', 'two']);
});

test('A write outside a transaction commits those that wait.', async (t) => {
  const { db, committed } = await opened(t);
  const one = await putWaiting(db, 'one');
  await add(db, 'alone');
  await one.resolved;
  assert.deepEqual(await committed(), ['alone', 'first', 'one']);
});

test('The other connection writes after the COMMIT, which it waits for.', async (t) => {
  const { db, background, committed } = await opened(t);
  const one = await putWaiting(db, 'one');
  let isWritten = false;
  const writing = put(background, 'background', {}).then(() => (isWritten = true));
  await later();
  assert.equal(isWritten, false);
  await put(db, 'request', {});
  await Promise.all([one.resolved, writing]);
  assert.deepEqual(await committed(), ['background', 'first', 'one', 'request']);
});

test('When SQLite rolls back everything, all that wait are told, and what comes later is committed.', async (t) => {
  const { db, committed } = await opened(t);
  const one = await putWaiting(db, 'one');
  // As after some errors of the storage, SQLite has undone the whole transaction when this fails.
  const failing = transact(
    db,
    installation,
    (tx) => sql`INSERT OR ROLLBACK INTO organizations (id, name, created_at) VALUES ('first', 'again', 0)`.execute(tx),
    { mayWait: true },
  );
  await assert.rejects(failing, /UNIQUE/);
  await assert.rejects(one.resolved, /UNIQUE/);
  const two = await putWaiting(db, 'two');
  await put(db, 'later', {});
  await two.resolved;
  assert.deepEqual(await committed(), ['first', 'later', 'two']);
});

test('Hooks of the end run before the COMMIT, those of the commit after it; none run for what was undone.', async (t) => {
  const { db } = await opened(t);
  const ran: string[] = [];
  const hooked = (name: string, mayWait: boolean) =>
    transact(
      db,
      installation,
      async (tx) => {
        await add(tx, name);
        onEnd(tx, () => ran.push(`${name} ended`));
        onCommit(tx, () => ran.push(`${name} on disk`));
        await transact(db, installation, (part) => {
          onEnd(part, () => ran.push('undone'));
          onCommit(part, () => ran.push('undone'));
          return Promise.reject(new Error('no'));
        }).catch(() => undefined);
      },
      { mayWait },
    );
  const waiting = hooked('one', true);
  while (ran.length === 0) await later();
  assert.deepEqual(ran, ['one ended']);
  await hooked('two', false);
  await waiting;
  assert.deepEqual(ran.toSorted(), ['one ended', 'one on disk', 'two ended', 'two on disk']);
});

test('Closing commits what waits.', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-group-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'parley.db');
  const database = await openDatabase({ file, nowMs: 0, commitGap: () => never });
  await put(database.db, 'one', {});
  await putWaiting(database.db, 'two');
  database.close();
  const again = await openDatabase({ file, nowMs: 0 });
  assert.deepEqual(await names(again.db), ['one', 'two']);
  again.close();
});
