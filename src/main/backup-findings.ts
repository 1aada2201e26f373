import { isoOf } from '../base/clock.ts';
import type { App } from '../kernel/app.ts';
import { lastBackup } from './backup-record.ts';
import { type Finding, finding } from './finding.ts';
import { nextBackup } from './backup-times.ts';

/** How late a backup by schedule may be: its two repetitions and the time that it takes. */
const maxLateMs = 3_600_000;

/** Whether the backups by schedule are made; nothing without `backup.schedule`. */
export async function backupFindings(app: App): Promise<Finding[]> {
  const { schedule } = app.config.backup;
  if (schedule === null) return [];
  const { completedAt, path, error } = await lastBackup(app.db);
  const now = app.clock.now();
  const last = completedAt === null ? 'there is no backup yet' : `the last backup is ${path} of ${isoOf(completedAt)}`;
  if (error !== null) return [finding('backup', 'fail', `${error}; ${last}`)];
  if (completedAt === null)
    return [finding('backup', 'warn', `${last}; the first is due ${isoOf(nextBackup(schedule, now))}`)];
  const dueAt = nextBackup(schedule, completedAt);
  if (dueAt + maxLateMs < now) return [finding('backup', 'warn', `${last}; the next was due ${isoOf(dueAt)}`)];
  return [finding('backup', 'ok', last)];
}
