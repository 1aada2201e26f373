import { statSync } from 'node:fs';
import { AppError, messageOf } from '../base/errors.ts';
import { installation, type Queryable, transact, type Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';

/** The last complete backup, and why the attempt after it failed. */
export type BackupRecord = { completedAt: number | null; path: string | null; error: string | null };

export async function lastBackup(db: Queryable): Promise<BackupRecord> {
  const row = await db.selectFrom('last_backup').selectAll().where('id', '=', 1).executeTakeFirst();
  return { completedAt: row?.completed_at ?? null, path: row?.path ?? null, error: row?.error ?? null };
}

/** Size of a file in bytes; null when there is none. */
export const sizeOf = (path: string | null): number | null =>
  (path === null ? undefined : statSync(path, { throwIfNoEntry: false }))?.size ?? null;

/** Runs a backup and records how it went, so that people see when the last one was without looking at the disk. */
export async function recordBackup<T>(app: App, path: string, backUp: () => Promise<T>): Promise<T> {
  try {
    const result = await backUp();
    await record(app, { completed_at: app.clock.now(), path, error: null });
    return result;
  } catch (error) {
    // A backup that is refused, because the file exists, says nothing about backups to other files.
    if (!(error instanceof AppError)) await record(app, { error: messageOf(error) });
    throw error;
  }
}

type Changes = { completed_at?: number; path?: string; error: string | null };

/** The backup counts even if this write fails. */
async function record(app: App, changes: Changes): Promise<void> {
  try {
    await transact(app.db, installation, (tx) => save(tx, changes));
  } catch (error) {
    app.log.error({ err: error }, 'how the backup went could not be recorded');
  }
}

async function save(tx: Tx, changes: Changes): Promise<void> {
  await tx
    .insertInto('last_backup')
    .values({ id: 1, ...changes })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute();
}
