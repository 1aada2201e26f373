import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { copyDatabase } from '../../src/db/sqlite/copy.ts';
import { type SqliteDatabase, openDatabase } from '../../src/db/sqlite/open.ts';
import { installation, transact, type Tx } from '../../src/db/transaction.ts';

async function opened(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'parley-copy-'));
  const database = await openDatabase({ file: join(directory, 'parley.db'), nowMs: 0, throwAway: true });
  t.after(() => {
    database.close();
    rmSync(directory, { recursive: true });
  });
  return { database, copy: join(directory, 'copy.db') };
}

const fill = 'x'.repeat(2000);
async function insert(tx: Tx, name: string): Promise<void> {
  await tx
    .insertInto('organizations')
    .values({ id: randomUUID(), name: name + fill, created_at: 0 })
    .execute();
}

/** Writes pairs of rows as long as `goesOn` returns true, each pair in one transaction; every third transaction is rolled back. */
async function writePairs({ db }: SqliteDatabase, goesOn: () => boolean): Promise<number> {
  let made = 0;
  while (goesOn()) {
    await transact(db, installation, async (tx) => {
      await insert(tx, 'left');
      await setImmediate(); // lets the copy run between the two rows: it must not contain one without the other
      await insert(tx, 'right');
      if (made % 3 === 2) throw new Error('rolled back');
    }).catch(() => undefined);
    made += 1;
    await setImmediate();
  }
  return made;
}

test('a copy made during writes holds only whole transactions, and is not restarted by them', async (t) => {
  const { database, copy } = await opened(t);
  await transact(database.db, installation, async (tx) => {
    for (let index = 0; index < 5000; index++) await insert(tx, 'before');
  });
  let copying = true;
  const writing = writePairs(database, () => copying);
  await copyDatabase(await database.background.share(), copy);
  copying = false;
  assert.ok((await writing) > 0);

  const copied = await openDatabase({ file: copy, nowMs: 0, throwAway: true });
  t.after(() => copied.close());
  const rows = await copied.db.selectFrom('organizations').select('name').execute();
  const count = (name: string): number => rows.filter((row) => row.name.startsWith(name)).length;
  assert.equal(count('before'), 5000);
  assert.equal(count('left'), count('right'));
});
