import { administer, dataUsage } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { readArguments } from './settings.ts';
import { tableOf } from './table.ts';

export const orgs: Command = {
  name: 'orgs',
  usage: `create NAME | list [--json] ${dataUsage}`,
  summary: 'Create an organization and print its id, or list all organizations.',
  async run(args) {
    const [verb, ...rest] = args;
    if (verb === 'list') return list(rest);
    if (verb !== 'create') throw new UsageError('orgs has two subcommands: create and list');
    const { flags, words } = readArguments(rest, ['NAME']);
    const { id } = (await administer(flags, 'orgs.create', { name: words[0] })) as { id: string };
    console.log(id);
    return 0;
  },
};

type Listed = { id: string; name: string; created_at: string };

async function list(args: readonly string[]): Promise<number> {
  const { flags } = readArguments(args, [], { json: { type: 'boolean' } });
  const organizations = (await administer(flags, 'orgs.list', {})) as Listed[];
  const rows = organizations.map((one) => [one.id, one.created_at, one.name]);
  const header = ['ID', 'CREATED', 'NAME'];
  console.log(flags['json'] === true ? JSON.stringify(organizations, null, 2) : tableOf(header, rows));
  return 0;
}
