// Long: it fills logs of many megabytes, and starts threads anew.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { sql } from 'kysely';
import { ThreadDied } from '../../src/base/worker/thread.ts';
import { type SqliteDatabase, openDatabase } from '../../src/db/sqlite/open.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { writeFilePieceTask, writeTextTask } from '../../src/features/knowledge/ingestion/background-tasks.ts';
import { readFile } from '../../src/features/knowledge/sources/file-store.ts';
import type { App } from '../../src/kernel/app.ts';
import { createBackgroundThread } from '../../src/main/background/thread.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

/** The background thread, running real tasks of the program. */

let testing: TestApp;
let app: App;
before(async () => {
  testing = await createTestApp();
  ({ app } = testing);
});
after(() => testing.close());

const piece = (documentId: string, position = 0) => ({
  orgId: 'none',
  piece: { documentId, position, bytes: Buffer.from('a piece') },
});
const fileOf = async (documentId: string): Promise<string> =>
  Buffer.from((await readFile(app.db, documentId)) ?? []).toString();

test('Rows that a background task wrote are visible to everybody when it returns.', async () => {
  await Promise.all([0, 1, 2].map((position) => app.background.run(writeFilePieceTask, piece('whole', position))));
  assert.equal(await fileOf('whole'), 'a piece'.repeat(3));
  const document = { id: 'none', orgId: 'none', baseId: 'none', version: 1 };
  assert.equal(await app.background.run(writeTextTask, { document, text: 'text of a missing document' }), false);
});

test('The error of a task arrives with its message and code, and later tasks succeed.', async () => {
  await app.background.run(writeFilePieceTask, piece('twice'));
  await assert.rejects(app.background.run(writeFilePieceTask, piece('twice')), {
    message: /^UNIQUE constraint failed/,
    code: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  });
  await app.background.run(writeFilePieceTask, piece('twice', 1));
  assert.equal(await fileOf('twice'), 'a piece'.repeat(2));
});

async function openElsewhere(): Promise<{ database: SqliteDatabase; file: string; close(): void }> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-background-thread-'));
  const file = join(directory, 'parley.db');
  const database = await openDatabase({ file, nowMs: 0, throwAway: true });
  const close = (): void => {
    database.close();
    rmSync(directory, { recursive: true });
  };
  return { database, file, close };
}

test('Closing waits for requested tasks and refuses new ones.', async (t) => {
  const { database, close } = await openElsewhere();
  t.after(close);
  const thread = createBackgroundThread({ ...app, access: database.background });
  const requested = thread.run(writeFilePieceTask, piece('last'));
  await thread.close(10_000);
  await requested;
  assert.equal((await readFile(database.db, 'last'))?.length, 'a piece'.length);
  await assert.rejects(thread.run(writeFilePieceTask, piece('too late')), { message: 'The server is stopping.' });
});

test('The log starts over although transactions follow each other without a pause.', async (t) => {
  const { database, close } = await openElsewhere();
  t.after(close);
  const thread = createBackgroundThread({ ...app, access: database.background });
  t.after(() => thread.close(10_000));
  await thread.run(writeFilePieceTask, piece('starts the thread'));
  const logPages = async (): Promise<number> => {
    const { rows } = await sql<{ log: number }>`PRAGMA wal_checkpoint(NOOP)`.execute(database.db);
    return rows[0]!.log;
  };
  const write = (position: number) =>
    transact(database.db, installation, (tx) =>
      sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
          INSERT INTO organizations (id, name, created_at) SELECT format('%d-%d', ${position}, i), hex(zeroblob(1000)), 0 FROM n`.execute(
        tx,
      ),
    );
  let pages = 0;
  for (let position = 0, last = -1; pages > last; position++) {
    last = pages;
    await write(position);
    pages = await logPages();
    assert.ok(pages < 100_000, 'the log has grown to 200 MB and was not started over');
  }
});

test('A thread that dies fails its tasks, blocks no other writer, and is started again.', async (t) => {
  const { database, close } = await openElsewhere();
  t.after(close);
  const broken = async () => ({ ...(await database.background.share()), file: join(tmpdir(), 'no', 'such', 'folder') });
  const thread = createBackgroundThread({ ...app, access: { ...database.background, share: broken } });
  for (const position of [0, 1]) {
    await assert.rejects(thread.run(writeFilePieceTask, piece('never', position)), ThreadDied);
  }
  await transact(database.db, installation, (tx) => tx.selectFrom('organizations').select('id').execute());
  await thread.close(10_000);
});

const megabyte = 1_048_576;
const sizes = (file: string) => ({ database: statSync(file).size, log: statSync(`${file}-wal`).size });
const longName = 'x'.repeat(8000);

/** Writes this many rows of 8 KB in one transaction. */
const write = (database: SqliteDatabase, rows: number): Promise<void> =>
  transact(database.db, installation, async (tx) => {
    const ids = Array.from({ length: rows }, () => randomUUID());
    await tx
      .insertInto('organizations')
      .values(ids.map((id) => ({ id, name: longName, created_at: 0 })))
      .execute();
  });

test('The thread copies a large log into the database, and the log shrinks after a large transaction.', async (t) => {
  const { database, file, close } = await openElsewhere();
  t.after(close);
  const thread = createBackgroundThread({ ...app, access: database.background });
  t.after(() => thread.close(10_000));
  await write(database, 6000);
  assert.ok(sizes(file).log > 45 * megabyte);
  while (sizes(file).log > 32 * megabyte) {
    await later();
    await write(database, 1);
  }
  assert.ok(sizes(file).database > 45 * megabyte);
});

test('Commits of the main thread copy nothing into the database, however large the log is.', async (t) => {
  const { database, file, close } = await openElsewhere();
  t.after(close);
  const atFirst = sizes(file).database;
  for (let times = 0; times < 4; times += 1) await write(database, 1500);
  assert.ok(sizes(file).log > 45 * megabyte);
  assert.equal(sizes(file).database, atFirst);
});
