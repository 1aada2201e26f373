import type { ShownKey } from '../features/organizations/api-key-wire.ts';
import { administer, dataUsage, orgOf, required, roleOf } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { readArguments } from './settings.ts';

const org = { org: { type: 'string' } } as const;

const verbs: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  async create(args) {
    const { flags } = readArguments(args, [], { name: { type: 'string' }, role: { type: 'string' }, ...org });
    const key = { name: required(flags, 'name'), role: roleOf(flags), ...orgOf(flags) };
    const made = (await administer(flags, 'keys.create', key)) as { api_key: string; org_id: string };
    console.log(made.api_key);
    console.error(`A key of organization ${made.org_id}. It is not shown again.`);
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

function table(keys: readonly ShownKey[]): string {
  const heads = ['ID', 'ROLE', 'CREATED', 'LAST USED', 'EXPIRES', 'NAME'];
  const rows = keys.map((key) => [
    key.id,
    key.role,
    key.created_at,
    key.last_used_at ?? 'never',
    key.expires_at ?? 'never',
    key.name,
  ]);
  const widths = heads.map((_, column) => Math.max(...[heads, ...rows].map((row) => row[column]!.length)));
  return [heads, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const keys: Command = {
  name: 'keys',
  usage: `create --name NAME --role admin|member|viewer [--org ID] | list [--org ID] [--json] | revoke ID ${dataUsage}`,
  summary: 'Make an API key (printed alone, this once), list those that are valid, or revoke one at once.',
  async run(args) {
    const [verb = '', ...rest] = args;
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (!run) throw new UsageError('keys knows three verbs: create, list and revoke');
    await run(rest);
    return 0;
  },
};
