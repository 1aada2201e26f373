import { resolve } from 'node:path';
import { administer, dataUsage } from './administer.ts';
import type { Command } from './command.ts';
import { readArguments } from './settings.ts';

export const backup: Command = {
  name: 'backup',
  usage: `FILE ${dataUsage}`,
  summary: 'Copy the database, also of a running server, to FILE, and the secrets to FILE.secrets.json.',
  async run(args) {
    const { flags, words } = readArguments(args, ['FILE']);
    // The server has a working directory of its own.
    const { files } = (await administer(flags, 'backup', { file: resolve(words[0]!) })) as { files: string[] };
    console.log(files.join('\n'));
    return 0;
  },
};
