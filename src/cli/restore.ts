import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { restoreBackup } from '../main/restore.ts';
import { configOf, dataUsage } from './administer.ts';
import type { Command } from './command.ts';
import { readArguments } from './settings.ts';

export const restore: Command = {
  name: 'restore',
  usage: `FILE ${dataUsage}`,
  summary: 'Put a backup in place; no server may run. What was there is kept under another name.',
  async run(args) {
    const { flags, words } = readArguments(args, ['FILE']);
    const config = configOf(flags);
    const { keptAs } = await restoreBackup(config, resolve(words[0]!), systemClock().now());
    console.error(`${words[0]} is now the data of ${config.data}.`);
    if (keptAs.length > 0) console.error(['What was there before:', ...keptAs].join('\n'));
    return 0;
  },
};
