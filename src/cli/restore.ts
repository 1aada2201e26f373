import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { restoreBackup } from '../main/restore.ts';
import { configOf, dataUsage } from './administer.ts';
import type { Command } from './command.ts';
import { readArguments } from './settings.ts';

export const restore: Command = {
  name: 'restore',
  usage: `FILE ${dataUsage}`,
  summary: 'Restore a backup while no server runs. The old files are kept under other names.',
  async run(args) {
    const { flags, words } = readArguments(args, ['FILE']);
    const config = configOf(flags);
    const { keptAs } = await restoreBackup(config, resolve(words[0]!), systemClock().now());
    console.error(`${config.data} now holds the data of ${words[0]}.`);
    if (keptAs.length > 0) console.error(['The old files were kept as:', ...keptAs].join('\n'));
    return 0;
  },
};
