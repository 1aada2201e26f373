import { text } from 'node:stream/consumers';
import type { ShownUser } from '../features/organizations/people/wire.ts';
import { administer, configOf, dataUsage, orgOf, performedBy, roleOf } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { type Flags, readArguments } from './settings.ts';
import { tableOf } from './table.ts';

const role = { role: { type: 'string' } } as const;
const org = { org: { type: 'string' } } as const;

type ListedUser = ShownUser & { org_id: string };

const subcommands: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  async create(args) {
    const options = { ...role, ...org, 'password-stdin': { type: 'boolean' } } as const;
    const { flags, words } = readArguments(args, ['EMAIL'], options);
    const wanted = roleOf(flags);
    // There is no flag for the password itself: the shell's history would keep it and every user of the machine could list it.
    if (flags['password-stdin'] !== true)
      throw new UsageError('--password-stdin is missing: the password is read from standard input only');
    const password = (await text(process.stdin)).replace(/\r?\n$/, '');
    const user = { email: words[0], role: wanted, password, ...orgOf(flags) };
    const { id } = (await administer(flags, 'users.create', user)) as { id: string };
    console.log(id);
  },

  async list(args) {
    const { flags } = readArguments(args, [], { json: { type: 'boolean' }, ...org });
    const users = (await administer(flags, 'users.list', orgOf(flags))) as ListedUser[];
    console.log(flags['json'] === true ? JSON.stringify(users, null, 2) : table(users));
  },

  async role(args) {
    const isFlag = args.some((arg) => /^--role(?:=|$)/.test(arg)); // the flag of `users create`
    const { flags, words } = readArguments(args, isFlag ? ['EMAIL'] : ['EMAIL', 'ROLE'], role);
    const wanted = roleOf(isFlag ? flags : { role: words[1]! });
    await administer(flags, 'users.role', { email: words[0], role: wanted });
  },

  async remove(args) {
    const { flags, words } = readArguments(args, ['EMAIL']);
    await administer(flags, 'users.remove', { email: words[0] });
  },

  async link(args) {
    const { flags, words } = readArguments(args, ['EMAIL']);
    await printLink(flags, 'users.link', { email: words[0] });
    console.error('The link works once, and for 72 hours. It replaces the one before.');
  },

  async unlock(args) {
    const { flags, words } = readArguments(args, ['EMAIL']);
    await administer(flags, 'users.unlock', { email: words[0] });
  },

  async 'setup-link'(args) {
    const { flags } = readArguments(args, [], org);
    await printLink(flags, 'users.setup_link', orgOf(flags));
    console.error('The link makes an admin. It works once, and for 24 hours. It replaces the one before.');
  },
};

/** Makes a link and prints it alone to standard output, so that a script can read it. */
async function printLink(flags: Flags, task: string, args: Record<string, unknown>): Promise<void> {
  const { result, isRunning } = await performedBy(flags, task, args);
  const { link } = result as { link: string };
  console.log(link);
  if (link.startsWith('/')) {
    console.error(
      'http.port is 0, so the address is not known before the server starts. Put the one that it prints before the link.',
    );
  } else if (!isRunning && configOf(flags).http.public_url === null) {
    console.error(
      `The server is not running. If it starts at another address than ${new URL(link).origin}, put the one that it prints before /setup.`,
    );
  }
}

const table = (users: readonly ListedUser[]): string =>
  tableOf(
    ['ID', 'ROLE', 'STATUS', 'LAST LOG-IN', 'ORGANIZATION', 'EMAIL'],
    users.map((user) => [user.id, user.role, user.status, user.last_login_at ?? 'never', user.org_id, user.email]),
  );

export const users: Command = {
  name: 'users',
  usage:
    'create EMAIL --role admin|member|viewer --password-stdin [--org ID] | list [--org ID] [--json] | role EMAIL ROLE | ' +
    `remove EMAIL | link EMAIL | unlock EMAIL | setup-link [--org ID] ${dataUsage}`,
  summary:
    'Create a person with the password from standard input and print their id; list people, change a role, remove a person, make a ' +
    'link to set a password, lift a lock-out; make a link with which somebody becomes an admin.',
  async run(args) {
    const [name = '', ...rest] = args;
    const run = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (!run) throw new UsageError(`users has these subcommands: ${Object.keys(subcommands).join(', ')}`);
    await run(rest);
    return 0;
  },
};
