import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ThreadDied } from '../../src/base/worker/thread.ts';
import { type OpenDatabase, openDatabase } from '../../src/db/sqlite/open.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { writeFilePieceTask, writeTextTask } from '../../src/features/knowledge/ingestion/background-tasks.ts';
import { readFile } from '../../src/features/knowledge/sources/file-store.ts';
import type { App } from '../../src/kernel/app.ts';
import { createBackgroundThread } from '../../src/main/background/thread.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

/** The thread beside, with tasks that the program has. */

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

test('What is written aside is there for everybody once it is answered.', async () => {
  await Promise.all([0, 1, 2].map((position) => app.background.run(writeFilePieceTask, piece('whole', position))));
  assert.equal(await fileOf('whole'), 'a piece'.repeat(3));
  const document = { id: 'none', orgId: 'none', baseId: 'none', version: 1 };
  assert.equal(await app.background.run(writeTextTask, { document, text: 'of a document that is not there' }), false);
});

test('What is thrown aside comes with its message and code, and hurts nothing that comes after.', async () => {
  await app.background.run(writeFilePieceTask, piece('twice'));
  await assert.rejects(app.background.run(writeFilePieceTask, piece('twice')), {
    message: /^UNIQUE constraint failed/,
    code: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  });
  await app.background.run(writeFilePieceTask, piece('twice', 1));
  assert.equal(await fileOf('twice'), 'a piece'.repeat(2));
});

async function elsewhere(): Promise<{ database: OpenDatabase; close(): void }> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-aside-'));
  const database = await openDatabase({ file: join(directory, 'parley.db'), nowMs: 0, throwAway: true });
  const close = (): void => {
    database.close();
    rmSync(directory, { recursive: true });
  };
  return { database, close };
}

test('A close waits for what was asked for, and nothing is begun after it.', async (t) => {
  const { database, close } = await elsewhere();
  t.after(close);
  const aside = createBackgroundThread({ ...app, access: database.background });
  const asked = aside.run(writeFilePieceTask, piece('last'));
  await aside.close(10_000);
  await asked;
  assert.equal((await readFile(database.db, 'last'))?.length, 'a piece'.length);
  await assert.rejects(aside.run(writeFilePieceTask, piece('too late')), { message: 'The server is stopping.' });
});

test('A thread that dies fails what it was asked, holds nobody up, and is started anew.', async (t) => {
  const { database, close } = await elsewhere();
  t.after(close);
  const broken = async () => ({ ...(await database.background.share()), file: join(tmpdir(), 'no', 'such', 'folder') });
  const aside = createBackgroundThread({ ...app, access: { ...database.background, share: broken } });
  for (const position of [0, 1]) {
    await assert.rejects(aside.run(writeFilePieceTask, piece('never', position)), ThreadDied);
  }
  await transact(database.db, installation, (tx) => tx.selectFrom('organizations').select('id').execute());
  await aside.close(10_000);
});
