import { text } from 'node:stream/consumers';
import { administer, dataUsage, orgOf, roleOf } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { readArguments } from './settings.ts';

export const users: Command = {
  name: 'users',
  usage: `create EMAIL --role admin|member|viewer --password-stdin [--org ID] ${dataUsage}`,
  summary: 'Create a user who can log in, with the password from standard input, and print their id.',
  async run(args) {
    const [verb, ...rest] = args;
    if (verb !== 'create') throw new UsageError('users has one subcommand: create');
    const { flags, words } = readArguments(rest, ['EMAIL'], {
      role: { type: 'string' },
      org: { type: 'string' },
      'password-stdin': { type: 'boolean' },
    });
    const role = roleOf(flags);
    // There is no flag for the password itself: the shell's history would keep it and every user of the machine could list it.
    if (flags['password-stdin'] !== true)
      throw new UsageError('--password-stdin is missing: the password is read from standard input only');
    const password = (await text(process.stdin)).replace(/\r?\n$/, '');
    const user = { email: words[0], role, password, ...orgOf(flags) };
    const { id } = (await administer(flags, 'users.create', user)) as { id: string };
    console.log(id);
    return 0;
  },
};
