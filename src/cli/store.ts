import { dataUsage } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { copy } from './store/copy.ts';
import { migrate } from './store/migrate.ts';

const subcommands: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = { copy, migrate };

export const store: Command = {
  name: 'store',
  usage: `migrate [--check] | copy --to URL [--from URL] ${dataUsage}`,
  summary:
    "migrate: bring the database's schema up to date before a start does; with --check, exit with 1 where that is to be done. copy: move an installation that is not served into an empty database, from SQLite to PostgreSQL or back, and mark the source as moved.",
  async run(args) {
    const [verb, ...rest] = args;
    const subcommand = verb === undefined || !Object.hasOwn(subcommands, verb) ? undefined : subcommands[verb];
    if (!subcommand) throw new UsageError(`store has two subcommands: ${Object.keys(subcommands).join(' and ')}`);
    return subcommand(rest);
  },
};
