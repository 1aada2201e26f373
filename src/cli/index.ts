import { ConfigError } from '../base/config/faults.ts';
import { messageOf } from '../base/errors.ts';
import { openapi, version } from './about.ts';
import { backup } from './backup.ts';
import { type Command, UsageError } from './command.ts';
import { config } from './config.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { keys } from './keys.ts';
import { orgs } from './orgs.ts';
import { restore } from './restore.ts';
import { routes } from './routes.ts';
import { secrets } from './secrets.ts';
import { serve } from './serve.ts';
import { service } from './service.ts';
import { users } from './users.ts';

const commands: readonly Command[] = [
  serve,
  demo,
  config,
  orgs,
  users,
  keys,
  secrets,
  backup,
  restore,
  doctor,
  service,
  routes,
  openapi,
  version,
];

function help(): string {
  const lines = commands.map(
    ({ name, usage, summary }) => `  ${`parley ${name} ${usage}`.trimEnd()}\n      ${summary}`,
  );
  return ['Usage:', ...lines, '  parley help', '      Print this.'].join('\n');
}

const usageOf = ({ name, usage }: Command): string => `Usage: parley ${name} ${usage}`.trimEnd();

/** Flags that people try before they know any command. */
const flagCommands: Readonly<Record<string, string>> = { '--help': 'help', '-h': 'help', '--version': 'version' };

/** Runs a command line. Resolves with the exit code: 0, 1 failed, 2 wrong usage, 78 bad configuration (docs/api/process.md, "Commands"). */
export async function runCli(args: readonly string[]): Promise<number> {
  const [given = '', ...rest] = args;
  const name = flagCommands[given] ?? given;
  if (name === 'help') {
    console.log(help());
    return 0;
  }
  const command = commands.find((known) => known.name === name);
  if (command && (rest.includes('--help') || rest.includes('-h'))) {
    console.log(`${usageOf(command)}\n${command.summary}`);
    return 0;
  }
  try {
    if (!command) throw new UsageError(name === '' ? 'No command given.' : `There is no command "${name}".`);
    return await command.run(rest);
  } catch (error) {
    return report(error, command);
  }
}

function report(error: unknown, command: Command | undefined): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n${command ? usageOf(command) : help()}`);
    return 2;
  }
  console.error(isBug(error) ? error.stack : messageOf(error));
  return error instanceof ConfigError ? error.exitCode : 1;
}

/** Errors of these built-in classes mean a bug, so print the stack. All others are thrown on purpose, with a message for people. */
const isBug = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
