import { randomUUID } from 'node:crypto';
import { isoOf } from '../base/clock.ts';
import { partition } from '../base/partition.ts';

/** A backup keeps the installation's secrets in a separate file, so that the two can be stored in different places. */
export const secretsFileOf = (file: string): string => `${file}.secrets.json`;

/** The copies of recordings that a backup may have beside it. */
export const recordingsOf = (file: string): string => `${file}.recordings`;

/** The name that a copy has until it is complete. */
export const partialOf = (file: string): string => `${file}.${randomUUID()}.partial`;

/** The name of a backup by schedule: `parley-20261124T030000Z.db`. Names sort by time. */
export const scheduledName = (nowMs: number): string => `parley-${isoOf(nowMs).replaceAll(/[-:]|\.\d+/g, '')}.db`;

const backupFile = /^(parley-\d{8}T\d{6}Z\.db)(|\.secrets\.json|\.[0-9a-f-]{36}\.partial(?:-journal|-wal|-shm)?)$/;

/**
 * The files of a directory that may go after the backup `newest` is complete: all but the newest `keep` backups with their secrets, and what
 * killed backups left behind. Files with other names are not parley's to delete.
 */
export function surplusFiles(names: readonly string[], newest: string, keep: number): string[] {
  const ours = names.flatMap((name) => {
    const [, backup, rest] = backupFile.exec(name) ?? [];
    return backup === undefined ? [] : [{ name, backup, isComplete: rest === '' }];
  });
  const [complete, beside] = partition(ours, ({ isComplete }) => isComplete);
  const older = complete.map(({ name }) => name).filter((name) => name !== newest);
  const kept = new Set([
    newest,
    ...older
      .toSorted()
      .toReversed()
      .slice(0, keep - 1),
  ]);
  const isSurplus = ({ name, backup }: { name: string; backup: string }): boolean =>
    !kept.has(backup) || name.includes('.partial');
  return [...complete.filter(isSurplus), ...beside.filter(isSurplus)].map(({ name }) => name);
}
