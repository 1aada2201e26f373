import { ConfigError } from '../base/config/faults.ts';
import { didYouMean } from '../base/config/hint.ts';
import { sentenceOf } from '../base/system-errors.ts';
import { groupsIn } from '../http/docs/guides/source.ts';
import { loadGuides } from '../main/guides.ts';
import { license, openapi, version } from './about.ts';
import { backup } from './backup.ts';
import { type Command, UsageError } from './command.ts';
import { completionOf } from './completion.ts';
import { config } from './config.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { commandHelp, usageOf } from './help.ts';
import { keys } from './keys.ts';
import { listen } from './listen.ts';
import { orgs } from './orgs.ts';
import { restore } from './restore.ts';
import { routes } from './routes.ts';
import { secrets } from './secrets.ts';
import { serve } from './serve.ts';
import { service } from './service.ts';
import { store } from './store.ts';
import { trigger } from './trigger.ts';
import { users } from './users.ts';

const commands: readonly Command[] = [
  serve,
  demo,
  config,
  orgs,
  users,
  keys,
  listen,
  trigger,
  secrets,
  backup,
  restore,
  store,
  doctor,
  service,
  routes,
  openapi,
  version,
  license,
  completionOf(() => commands),
];

function help(): string {
  const lines = commands.map(
    ({ name, usage, summary }) => `  ${`parley ${name} ${usage}`.trimEnd()}\n      ${summary}`,
  );
  return [
    'Usage:',
    ...lines,
    '  parley help',
    '      Print this. "parley COMMAND --help" explains the flags of a command.',
    '',
    'Guides and the reference of the HTTP API, with a search, are at /docs on every running server:',
    ...guideLines(),
  ].join('\n');
}

/** The pages of `docs/` for people who use and run parley, as its table of contents lists them. */
function guideLines(): string[] {
  const groups = groupsIn(loadGuides()).filter(({ title }) => title !== aboutTheCode);
  const width = Math.max(...groups.flatMap(({ guides }) => guides.map(({ slug }) => slug.length)));
  return groups.flatMap(({ title, guides }) => [
    `  ${title}`,
    ...guides.map((guide) => `    /docs/guides/${guide.slug.padEnd(width)}  ${guide.title}`),
  ]);
}

/** Its heading there. */
const aboutTheCode = 'How parley is built';

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
    console.log(commandHelp(command));
    return 0;
  }
  if (!command) {
    console.error(name === '' ? `No command given.\n${help()}` : unknownCommand(name));
    return 2;
  }
  try {
    return await command.run(rest);
  } catch (error) {
    return report(error, command);
  }
}

const unknownCommand = (name: string): string =>
  `There is no command "${name}"${didYouMean(name, [...commands.map((known) => known.name), 'help'])} "parley help" lists all commands.`;

function report(error: unknown, command: Command): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n${usageOf(command)}`);
    return 2;
  }
  console.error(isBug(error) ? error.stack : sentenceOf(error));
  return error instanceof ConfigError ? error.exitCode : 1;
}

/** Errors of these built-in classes mean a bug, so print the stack. All others are thrown on purpose, with a message for people. */
const isBug = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
