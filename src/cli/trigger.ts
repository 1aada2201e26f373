import { readFileSync, statSync } from 'node:fs';
import { sendSampleEvent } from '../../clients/typescript/index.ts';
import { administer, orgOf } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { agentOf, agentsOf, clientOf } from './listen/server.ts';
import { type Flags, readArguments } from './settings.ts';

const options = {
  agent: { type: 'string' },
  outcome: { type: 'string' },
  // A file here, although it is the data directory of every other command: a directory is taken as that, too.
  data: { type: 'string', multiple: true },
  url: { type: 'string' },
  key: { type: 'string' },
  org: { type: 'string' },
} as const;

export const trigger: Command = {
  name: 'trigger',
  usage: 'TYPE [--agent ID] [--outcome OUTCOME] [--data FILE] [--url SERVER --key KEY] [--org ID] [--data DIR]',
  summary: 'Send a sample event, marked as a test and signed like any other, to the webhooks of an agent.',
  async run(args) {
    const { flags, words } = readArguments(args, ['TYPE'], options);
    const { directory, file } = dataOf((flags['data'] ?? []) as string[]);
    const { outcome } = flags;
    const event = {
      type: words[0],
      ...(typeof outcome === 'string' ? { outcome } : {}),
      ...(file === undefined ? {} : { data: objectIn(file) }),
    };
    const { data: _data, ...rest } = flags;
    const id = await send({ ...rest, ...(directory === undefined ? {} : { data: directory }) }, event);
    console.log(id);
    return 0;
  },
};

/** `--data` names a file with fields of the event, a data directory, or both. */
function dataOf(paths: readonly string[]): { directory?: string; file?: string } {
  const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const [directories, files] = [paths.filter(isDirectory), paths.filter((path) => !isDirectory(path))];
  if (directories.length > 1 || files.length > 1)
    throw new UsageError('--data takes one file and one directory at most');
  return Object.fromEntries([
    ...directories.map((path) => ['directory', path]),
    ...files.map((path) => ['file', path]),
  ]);
}

function objectIn(file: string): object {
  const text = readFileSync(file, 'utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // said below
  }
  throw new Error(`${file} is not a JSON object with fields of the event's data`);
}

/** Returns the event's id. */
async function send(flags: Flags, event: object): Promise<string> {
  const client = clientOf(flags);
  if (!client) {
    const args = { ...event, ...orgOf(flags), ...agentOf(flags) };
    return ((await administer(flags, 'events.send', args)) as { event_id: string }).event_id;
  }
  const agents = await agentsOf(client, agentOf(flags).agent_id);
  const [only] = agents;
  if (!only || agents.length > 1) {
    const named = agents.map(({ id, name }) => `  ${id}  ${name}`);
    throw new Error(['Choose the agent with --agent ID:', ...named].join('\n'));
  }
  const body = { agent_id: only.id, ...event } as Parameters<typeof sendSampleEvent>[1]['body'];
  return (await sendSampleEvent(client, { body })).data.event_id;
}
