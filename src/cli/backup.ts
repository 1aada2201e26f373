import { resolve } from 'node:path';
import { administer, dataUsage } from './administer.ts';
import type { Command } from './command.ts';
import { readArguments } from './settings.ts';

export const backup: Command = {
  name: 'backup',
  usage: `FILE ${dataUsage}`,
  summary: 'Copy the database to FILE and the secrets to FILE.secrets.json, also while the server runs.',
  async run(args) {
    const { flags, words } = readArguments(args, ['FILE']);
    // Absolute, because the server may have another working directory.
    const { files } = (await administer(flags, 'backup', { file: resolve(words[0]!) })) as { files: string[] };
    console.log(files.join('\n'));
    return 0;
  },
};
