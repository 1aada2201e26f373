import { administer, dataUsage } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { readArguments } from './settings.ts';

export const orgs: Command = {
  name: 'orgs',
  usage: `create NAME ${dataUsage}`,
  summary: 'Create an organization and print its id.',
  async run(args) {
    const [verb, ...rest] = args;
    if (verb !== 'create') throw new UsageError('orgs has one subcommand: create');
    const { flags, words } = readArguments(rest, ['NAME']);
    const { id } = (await administer(flags, 'orgs.create', { name: words[0] })) as { id: string };
    console.log(id);
    return 0;
  },
};
