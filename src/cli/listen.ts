import type { Client } from '../../clients/typescript/index.ts';
import { isoOf, realTimeMs } from '../base/clock.ts';
import { dataUsage } from './administer.ts';
import { type Command, UsageError } from './command.ts';
import { eventsOf } from './listen/events.ts';
import { forward, type Forwarded, isLoopback, type ListenedEvent } from './listen/forward.ts';
import { agentOf, agentsOf, connector, secretsOf } from './listen/server.ts';
import { type Flags, readFlags } from './settings.ts';
import { stopSignal } from './signals.ts';

const options = {
  forward: { type: 'string' },
  'forward-anywhere': { type: 'boolean' },
  url: { type: 'string' },
  key: { type: 'string' },
  agent: { type: 'string' },
  type: { type: 'string' },
  after: { type: 'string' },
  secret: { type: 'boolean' },
  json: { type: 'boolean' },
  org: { type: 'string' },
} as const;

export const listen: Command = {
  name: 'listen',
  usage: `[--forward URL] [--forward-anywhere] [--url SERVER --key KEY] [--agent ID] [--type TYPE] [--after EVENT] [--secret] [--json] [--org ID] ${dataUsage}`,
  summary: 'Show the webhook events of a server as they come, and forward them to a program on this machine.',
  async run(args) {
    const flags = readFlags(args, options);
    const target = targetOf(flags);
    const connect = connector(flags);
    if (flags['secret'] === true) await printSecrets(await connect(), flags);
    if (flags['secret'] === true && target === undefined) return 0;
    const stopping = new AbortController();
    void stopSignal().then(() => stopping.abort());
    await follow(flags, { target, connect, signal: stopping.signal });
    return 0;
  },
};

/** Where events are forwarded to. @throws UsageError for another machine, unless the person insists */
function targetOf(flags: Flags): string | undefined {
  const { forward: text } = flags;
  if (typeof text !== 'string') return undefined;
  const given = /^\w+:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new UsageError(`--forward must be a URL such as http://127.0.0.1:3000/hooks, not "${text}"`);
  if (!isLoopback(new URL(given)) && flags['forward-anywhere'] !== true)
    throw new UsageError(
      `${new URL(given).hostname} is not this machine; events hold personal data, so add --forward-anywhere if you mean it`,
    );
  return given;
}

async function printSecrets(client: Client, flags: Flags): Promise<void> {
  const secretOf = secretsOf();
  for (const { id, name } of await agentsOf(client, agentOf(flags).agent_id)) {
    const secret = await secretOf(client, id);
    console.log(name === '' ? secret : `${secret}  ${name} (${id})`);
  }
}

type Following = { target: string | undefined; connect: ReturnType<typeof connector>; signal: AbortSignal };

async function follow(flags: Flags, { target, connect, signal }: Following): Promise<void> {
  const tell = (sentence: string): void => console.error(sentence);
  const print = flags['json'] === true ? printJson : printLine;
  const secretOf = secretsOf();
  const counts = { received: 0, forwarded: 0, failed: 0 };
  let last = typeof flags['after'] === 'string' ? flags['after'] : undefined;
  const onOpen = async (client: Client): Promise<void> => {
    const wanted = agentOf(flags).agent_id;
    if (wanted !== undefined) await secretOf(client, wanted); // refuses an agent that does not exist
    tell(`Listening to ${client.baseUrl}${target === undefined ? '' : `, forwarding to ${target}`}. Ctrl-C ends it.`);
  };
  for await (const { client, event } of eventsOf({ connect, after: last, signal, tell, onOpen })) {
    last = event.event_id;
    if (!isWanted(event, flags)) continue;
    counts.received += 1;
    if (target === undefined) {
      print(event, undefined);
      continue;
    }
    const result = await forward(event, {
      url: target,
      secret: await secretOf(client, event.agent_id),
      onRetry: (failed) => tell(`${event.event_id}: ${reasonOf(failed)}; trying again in 1 s.`),
      isStopped: () => signal.aborted,
    });
    counts[result.ok ? 'forwarded' : 'failed'] += 1;
    print(event, result);
  }
  tell(totals(counts, target, last));
}

const isWanted = (event: ListenedEvent, { agent, type }: Flags): boolean =>
  (agent === undefined || event.agent_id === agent) && (type === undefined || event.type === type);

const reasonOf = ({ status, error }: Forwarded): string => (status === null ? (error ?? 'no answer') : String(status));

function printLine(event: ListenedEvent, result: Forwarded | undefined): void {
  const time = isoOf(realTimeMs()).slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm:ss'.length);
  const fate = result ? [reasonOf(result), `${result.durationMs} ms`] : [];
  console.log([time, event.type, ...fate, event.event_id].join('  '));
}

function printJson({ body, ...event }: ListenedEvent, result: Forwarded | undefined): void {
  const { event_id, type, timestamp, agent_id } = event;
  const fate = result
    ? { status: result.status, duration_ms: result.durationMs, attempts: result.attempts, error: result.error }
    : { body };
  console.log(JSON.stringify({ event_id, type, timestamp, agent_id, ...fate }));
}

function totals(
  { received, forwarded, failed }: { received: number; forwarded: number; failed: number },
  target: string | undefined,
  last: string | undefined,
): string {
  const fates = target === undefined ? '' : `: ${forwarded} forwarded, ${failed} failed`;
  const more = last === undefined ? '' : ` To continue behind the last one: --after ${last}`;
  return `${received} ${received === 1 ? 'event' : 'events'}${fates}.${more}`;
}
