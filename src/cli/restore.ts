import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { type Restored, restoreBackup } from '../main/restore.ts';
import { configOf, dataUsage } from './administer.ts';
import type { Command } from './command.ts';
import { readArguments } from './settings.ts';

export const restore: Command = {
  name: 'restore',
  usage: `FILE [--keep-running] ${dataUsage}`,
  summary: 'Restore a backup while no server runs, and pause its campaigns. The old files are kept under other names.',
  async run(args) {
    const { flags, words } = readArguments(args, ['FILE'], { 'keep-running': { type: 'boolean' } });
    const config = configOf(flags);
    const restored = await restoreBackup(config, resolve(words[0]!), {
      nowMs: systemClock().now(),
      keepRunning: flags['keep-running'] === true,
    });
    console.error(`${config.data} now holds the data of ${words[0]}.`);
    for (const text of reportOf(restored)) console.error(text);
    return 0;
  },
};

const listed = (heading: string, entries: readonly string[]): string[] =>
  entries.length === 0 ? [] : [[heading, ...entries.map((entry) => `  ${entry}`)].join('\n')];

function reportOf({ keptAs, paused, validAgain }: Restored): string[] {
  return [
    ...listed('The old files were kept as:', keptAs),
    ...listed('These campaigns are paused. Before you resume them, check who has opted out since the backup:', paused),
    ...Object.entries(validAgain).flatMap(([kind, entries]) =>
      listed(`These ${kind} are valid again. Revoke or remove those that should not be:`, entries),
    ),
  ];
}
