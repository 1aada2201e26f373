import { resolve } from 'node:path';
import { administer, dataUsage } from './administer.ts';
import type { Command } from './command.ts';
import { readArguments } from './settings.ts';

export const backup: Command = {
  name: 'backup',
  usage: `FILE [--recordings] ${dataUsage}`,
  summary:
    'Copy the database to FILE and the secrets to FILE.secrets.json, also while the server runs. With --recordings, also the recordings of calls, to FILE.recordings.',
  async run(args) {
    const { flags, words } = readArguments(args, ['FILE'], { recordings: { type: 'boolean' } });
    // Absolute, because the server may have another working directory.
    const what = { file: resolve(words[0]!), ...(flags['recordings'] === true ? { recordings: true } : {}) };
    const { files } = (await administer(flags, 'backup', what)) as { files: string[] };
    console.log(files.join('\n'));
    return 0;
  },
};
