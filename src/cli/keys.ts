import type { ShownKey } from '../features/organizations/api-key-wire.ts';
import { administer, dataUsage, orgOf, required, roleOf } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { readArguments } from './settings.ts';
import { tableOf } from './table.ts';

const org = { org: { type: 'string' } } as const;

const subcommands: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  async create(args) {
    const { flags } = readArguments(args, [], { name: { type: 'string' }, role: { type: 'string' }, ...org });
    const key = { name: required(flags, 'name'), role: roleOf(flags), ...orgOf(flags) };
    const created = (await administer(flags, 'keys.create', key)) as { api_key: string; org_id: string };
    console.log(created.api_key);
    console.error(`This is a key of organization ${created.org_id}. It is not shown again.`);
  },

  async list(args) {
    const { flags } = readArguments(args, [], { json: { type: 'boolean' }, ...org });
    const keys = (await administer(flags, 'keys.list', orgOf(flags))) as ShownKey[];
    console.log(flags['json'] === true ? JSON.stringify(keys, null, 2) : table(keys));
  },

  async revoke(args) {
    const { flags, words } = readArguments(args, ['ID']);
    await administer(flags, 'keys.revoke', { id: words[0] });
  },
};

const table = (keys: readonly ShownKey[]): string =>
  tableOf(
    ['ID', 'ROLE', 'CREATED', 'LAST USED', 'EXPIRES', 'NAME'],
    keys.map((key) => [
      key.id,
      key.role,
      key.created_at,
      key.last_used_at ?? 'never',
      key.expires_at ?? 'never',
      key.name,
    ]),
  );

export const keys: Command = {
  name: 'keys',
  usage: `create --name NAME --role admin|member|viewer [--org ID] | list [--org ID] [--json] | revoke ID ${dataUsage}`,
  summary: 'Create an API key and print it (it is shown only once), list the valid keys, or revoke a key immediately.',
  async run(args) {
    const [name = '', ...rest] = args;
    const run = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (!run) throw new UsageError('keys has three subcommands: create, list and revoke');
    await run(rest);
    return 0;
  },
};
