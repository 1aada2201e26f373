import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { nextMacrotask } from '../../../src/base/clock.ts';
import { ThreadDied } from '../../../src/base/worker/thread.ts';
import { type SqliteDatabase, openDatabase } from '../../../src/db/sqlite/open.ts';
import { createWriteLock, main, type WriteLockState } from '../../../src/db/sqlite/write-lock.ts';
import { installation, transact } from '../../../src/db/transaction.ts';
import { writeFilePieceTask } from '../../../src/features/knowledge/ingestion/background-tasks.ts';
import { readFile } from '../../../src/features/knowledge/sources/file-store.ts';
import { type BackgroundThread, createBackgroundThread } from '../../../src/main/background/thread.ts';
import { createTestApp } from '../../support/app.ts';

type Setup = {
  database: SqliteDatabase;
  thread: BackgroundThread;
  /** The worker threads that were started. */
  workers: Worker[];
  /** Resolves when the background thread holds the write lock. */
  isWriting(): Promise<void>;
};

/** The real background thread on a database of its own. */
async function realThread(t: TestContext): Promise<Setup> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-background-'));
  const { app, close } = await createTestApp();
  const database = await openDatabase({ file: join(directory, 'parley.db'), nowMs: 0, throwAway: true });
  const workers: Worker[] = [];
  const see = (message: unknown): void => void workers.push((message as { worker: Worker }).worker);
  subscribe('worker_threads', see);
  let lockState: WriteLockState | undefined;
  const share = async () => {
    const shared = await database.background.share();
    lockState = shared.writeLockState;
    return shared;
  };
  const thread = createBackgroundThread({ ...app, access: { ...database.background, share } });
  t.after(async () => {
    unsubscribe('worker_threads', see);
    await thread.close(10_000);
    database.close();
    await close();
    rmSync(directory, { recursive: true });
  });
  return {
    database,
    thread,
    workers,
    async isWriting() {
      while (lockState === undefined || !createWriteLock(lockState, main).isHeldByPeer()) await nextMacrotask();
    },
  };
}

/** A piece that the thread writes for tens of milliseconds. */
const large = Buffer.alloc(16 * 2 ** 20);
const piece = (documentId: string, bytes: Uint8Array = Buffer.from('a piece')) => ({
  orgId: 'o',
  piece: { documentId, position: 0, bytes },
});

/** On a busy machine the task may end just before its thread is killed. */
async function diesOrEnds(task: Promise<unknown>): Promise<void> {
  const [result] = await Promise.allSettled([task]);
  if (result.status === 'rejected') assert.ok(result.reason instanceof ThreadDied, result.reason);
}

test('A thread that is killed while it writes leaves the write lock free and no half-written data, and the next task works.', async (t) => {
  const { database, thread, workers, isWriting } = await realThread(t);
  await thread.run(writeFilePieceTask, piece('before'));
  const interrupted = diesOrEnds(thread.run(writeFilePieceTask, piece('interrupted', large)));
  const waiting = thread.run(writeFilePieceTask, piece('waiting'));
  await isWriting();
  await workers[0]!.terminate();
  await interrupted;

  await waiting; // this task was queued behind the interrupted one
  await thread.run(writeFilePieceTask, piece('after'));
  assert.equal(workers.length, 2);
  await transact(database.db, installation, (tx) =>
    tx.insertInto('organizations').values({ id: 'o', name: 'o', created_at: 0 }).execute(),
  );
  for (const written of ['before', 'waiting', 'after']) {
    assert.equal(Buffer.from((await readFile(database.db, written))!).toString(), 'a piece', written);
  }
  const left = await readFile(database.db, 'interrupted');
  assert.ok(left === undefined || left.length === 0 || left.length === large.length, `${left?.length} bytes are left`);
});

test('A thread that is killed while the main connection waits for the write lock lets it go on.', async (t) => {
  const { database, thread, workers, isWriting } = await realThread(t);
  const interrupted = diesOrEnds(thread.run(writeFilePieceTask, piece('interrupted', large)));
  await isWriting();
  const written = transact(database.db, installation, (tx) =>
    tx.insertInto('organizations').values({ id: 'o', name: 'o', created_at: 0 }).execute(),
  );
  await workers[0]!.terminate();
  await Promise.all([written, interrupted]);
});
