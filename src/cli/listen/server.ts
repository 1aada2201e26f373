import { resolve } from 'node:path';
import { createClient, type Client, getWebhookSecret, listAgents } from '../../../clients/typescript/index.ts';
import { monotonicMs } from '../../base/clock.ts';
import { requestRunningServer } from '../../main/control/client.ts';
import { configOf, orgOf } from '../administer.ts';
import { UsageError } from '../command.ts';
import type { Flags } from '../settings.ts';

/** Opens a client of the server whose events are followed: anew after each loss, because a local server may come back at another port. */
export type Connect = () => Promise<Client>;

export const agentOf = (flags: Flags): { agent_id?: string } =>
  typeof flags['agent'] === 'string' ? { agent_id: flags['agent'] } : {};

/** The client of the server that `--url` names; undefined without the flag. @throws UsageError when one of `--url` and `--key` is missing */
export function clientOf({ url, key }: Flags): Client | undefined {
  if (url === undefined && key === undefined) return undefined;
  if (typeof url !== 'string' || typeof key !== 'string') throw new UsageError('--url and --key belong together');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--url must be the address of a server, such as https://parley.example.com, not "${url}"`);
  return createClient({ baseUrl: url.replace(/\/+$/, ''), apiKey: key });
}

/** The server that the flags name: a remote one, or the one that runs on the data directory. */
export function connector(flags: Flags): Connect {
  const remote = clientOf(flags);
  if (remote) return () => Promise.resolve(remote);
  const directory = resolve(configOf(flags).data);
  const request = { task: 'events.listen', args: { ...orgOf(flags), ...agentOf(flags) } };
  return async () => {
    const answer = await requestRunningServer(directory, request);
    if (!answer)
      throw new NoServer(`No server runs on ${directory}: start one with parley serve, or name one with --url.`);
    const { url, access_token: accessToken } = answer.result as { url: string; access_token: string };
    return createClient({ baseUrl: url, accessToken });
  };
}

export class NoServer extends Error {}

/** How long a secret is used before it is asked for again, since it may have been rotated. */
const secretMs = 5000;

/** The signing secrets of agents. */
export function secretsOf(): (client: Client, agentId: string) => Promise<string> {
  const known = new Map<string, { secret: string; atMs: number }>();
  return async (client, id) => {
    const found = known.get(id);
    if (found && monotonicMs() - found.atMs < secretMs) return found.secret;
    const { secret } = (await getWebhookSecret(client, { params: { id } })).data;
    known.set(id, { secret, atMs: monotonicMs() });
    return secret;
  };
}

/** The agents whose events are followed, as far as they fit on a screen. */
export async function agentsOf(
  client: Client,
  agentId: string | undefined,
): Promise<Array<{ id: string; name: string }>> {
  if (agentId !== undefined) return [{ id: agentId, name: '' }];
  const { data } = await listAgents(client, { query: { limit: 50 } });
  return data.map(({ id, agentName }) => ({ id, name: agentName }));
}
