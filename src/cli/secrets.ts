import type { Reencrypted } from '../main/rotate-encryption-key.ts';
import { administer, dataUsage } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { readArguments } from './settings.ts';

export const secrets: Command = {
  name: 'secrets',
  usage: `rotate ${dataUsage}`,
  summary: 'Create a new encryption key and re-encrypt every stored secret with it, also while the server runs.',
  async run(args) {
    const [verb, ...rest] = args;
    if (verb !== 'rotate') throw new UsageError('secrets has one subcommand: rotate');
    const { flags } = readArguments(rest, []);
    const done = (await administer(flags, 'secrets.rotate', {})) as Reencrypted;
    console.log(`${done.reencrypted} stored secrets were re-encrypted with the new key.`);
    if (done.unreadable === 0) return 0;
    console.error(`${done.unreadable} cannot be decrypted with any key in secrets.json; the log names them.`);
    return 1;
  },
};
