import { administer, dataUsage } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { readArguments } from './settings.ts';

export const secrets: Command = {
  name: 'secrets',
  usage: `rotate ${dataUsage}`,
  summary: 'Make a new sealing key and seal every stored secret under it, also of a running server.',
  async run(args) {
    const [verb, ...rest] = args;
    if (verb !== 'rotate') throw new UsageError('secrets knows one verb: rotate');
    const { flags } = readArguments(rest, []);
    const done = (await administer(flags, 'secrets.rotate', {})) as { resealed: number; unreadable: number };
    console.log(`${done.resealed} stored secrets are sealed under the new key.`);
    if (done.unreadable === 0) return 0;
    console.error(`${done.unreadable} cannot be opened with any key in secrets.json; the log names them.`);
    return 1;
  },
};
