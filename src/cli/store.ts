import { dataUsage } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { migrate } from './store/migrate.ts';

const subcommands: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = { migrate };

export const store: Command = {
  name: 'store',
  usage: `migrate [--check] ${dataUsage}`,
  summary:
    "Bring the database's schema up to date before a start does; with --check, exit with 1 where that is to be done.",
  async run(args) {
    const [verb, ...rest] = args;
    const subcommand = verb === undefined || !Object.hasOwn(subcommands, verb) ? undefined : subcommands[verb];
    if (!subcommand) throw new UsageError(`store has one subcommand: ${Object.keys(subcommands).join(', ')}`);
    return subcommand(rest);
  },
};
