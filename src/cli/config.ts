import { renderConfig } from '../base/config/print.ts';
import { type Command, UsageError } from './command.ts';
import { configFrom, readFlags } from './settings.ts';

export const config: Command = {
  name: 'config',
  usage: 'print [--config FILE] [--set PATH=VALUE …]',
  summary: 'Show each setting with its value and where it comes from; secrets are masked.',
  run(args) {
    const [verb, ...rest] = args;
    if (verb !== 'print') throw new UsageError('config has one subcommand: print');
    process.stdout.write(renderConfig(configFrom(readFlags(rest))));
    return Promise.resolve(0);
  },
};
