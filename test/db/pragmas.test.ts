import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import { applyPragmas } from '../../src/db/sqlite/pragmas.ts';

test('connections enforce foreign keys, do not trust functions in the schema, and never checkpoint within a commit', (t) => {
  const database = new Sqlite(':memory:');
  t.after(() => database.close());
  applyPragmas(database, 'NORMAL');
  const settings = ['foreign_keys', 'trusted_schema', 'wal_autocheckpoint', 'synchronous', 'temp_store'];
  assert.deepEqual(
    settings.map((name) => database.pragma(name, { simple: true })),
    [1, 0, 0, 1, 2],
  );
});

/** The page size of a database, and how many pages of its log make a checkpoint pay. */
async function pagesOf(t: TestContext, prepare: (file: string) => void): Promise<{ size: number; untilCopy: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-pages-'));
  const file = join(directory, 'parley.db');
  prepare(file);
  const { db, background, close } = await openDatabase({ file, nowMs: 0, throwAway: true });
  t.after(() => {
    close();
    rmSync(directory, { recursive: true });
  });
  let isLarge = false;
  background.onLargeLog(() => (isLarge = true));
  const logPages = async (): Promise<number> =>
    (await sql<{ log: number }>`PRAGMA wal_checkpoint(NOOP)`.execute(db)).rows[0]!.log;
  const { page_size: size } = (await sql<{ page_size: number }>`PRAGMA page_size`.execute(db)).rows[0]!;
  const longName = 'x'.repeat(8000);
  for (let batch = 0; !isLarge; batch += 1) {
    await sql`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 256)
      INSERT INTO organizations (id, name, created_at) SELECT format('%d-%d', ${batch}, i), ${longName}, 0 FROM n
    `.execute(db);
  }
  return { size, untilCopy: await logPages() };
}

test('a new database has pages of 2 KiB, an older one keeps its 4 KiB, and both are checkpointed after 16 MB of log', async (t) => {
  const young = await pagesOf(t, () => undefined);
  const old = await pagesOf(t, (file) => {
    const database = new Sqlite(file);
    database.pragma('page_size = 4096');
    database.pragma('application_id = 0x70726c79');
    database.close();
  });
  assert.deepEqual([young.size, old.size], [2048, 4096]);
  for (const { size, untilCopy } of [young, old]) {
    const bytes = size * untilCopy;
    assert.ok(bytes >= 16_384_000 && bytes < 20_000_000, `${bytes} bytes in pages of ${size}`);
  }
});
