import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { checkBackup, type CheckedBackup, type Restored, restoreBackup } from '../main/restore.ts';
import type { RestoredAccess } from '../main/restored-access.ts';
import { configOf, dataUsage } from './administer.ts';
import type { Command } from './command.ts';
import { readArguments } from './settings.ts';

export const restore: Command = {
  name: 'restore',
  usage: `FILE [--keep-running] [--check] ${dataUsage}`,
  summary:
    'Restore a backup while no server runs, and pause its campaigns. The old files are kept under other names; on PostgreSQL, the database must be empty. With --check, only say whether it could be restored.',
  async run(args) {
    const { flags, words } = readArguments(args, ['FILE'], {
      'keep-running': { type: 'boolean' },
      check: { type: 'boolean' },
    });
    const config = configOf(flags);
    const file = resolve(words[0]!);
    const nowMs = systemClock().now();
    if (flags['check'] === true) {
      console.log(checkReport(await checkBackup(config, file, nowMs)).join('\n'));
      return 0;
    }
    const restored = await restoreBackup(config, file, {
      nowMs,
      keepRunning: flags['keep-running'] === true,
    });
    const place = config.store.url === null ? config.data : 'The database of store.url';
    console.error(`${place} now holds the data of ${words[0]}.`);
    for (const text of reportOf(restored)) console.error(text);
    return 0;
  },
};

const listed = (heading: string, entries: readonly string[]): string[] =>
  entries.length === 0 ? [] : [[heading, ...entries.map((entry) => `  ${entry}`)].join('\n')];

function checkReport({ schema, bytes, counts, validAgain }: CheckedBackup): string[] {
  const counted = Object.entries(counts).map(
    ([table, count]) => `${count} ${count === 1 ? table.slice(0, -1) : table}`,
  );
  return [
    'This backup can be restored.',
    `Written with the schema ${schema}; ${(bytes / 1_048_576).toFixed(1)} MiB; ${counted.join(', ')}.`,
    ...(validAgain === null
      ? ['A process has the data directory, so this cannot tell which access would be valid again.']
      : accessLines(validAgain, (kind) => `These ${kind} would be valid again:`)),
  ];
}

const accessLines = (access: RestoredAccess, heading: (kind: string) => string): string[] =>
  Object.entries(access).flatMap(([kind, entries]) => listed(heading(kind), entries));

function reportOf({ keptAs, paused, validAgain, recordings }: Restored): string[] {
  return [
    ...listed('The old files were kept as:', keptAs),
    ...(recordings === 0 ? [] : [`${recordings} recordings of calls were copied back.`]),
    ...listed('These campaigns are paused. Before you resume them, check who has opted out since the backup:', paused),
    ...accessLines(validAgain, (kind) => `These ${kind} are valid again. Revoke or remove those that should not be:`),
  ];
}
