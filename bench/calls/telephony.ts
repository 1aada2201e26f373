import type { ChildProcess } from 'node:child_process';
import { type Served, serve } from '../support/serve.ts';
import { ask, startProcess } from './processes.ts';
import type { TrunkFigures } from './trunk.ts';

/** A trunk in a process of its own. */
export type Trunk = { port: number; figures(): Promise<TrunkFigures>; talk(): Promise<number>; stop(): void };

export async function startTrunk(hangUpMs: number, speakers = 0): Promise<Trunk> {
  const { process: child, first } = await startProcess('trunk.ts', [String(hangUpMs), String(speakers)]);
  return trunkOf(child, first as number);
}

const trunkOf = (child: ChildProcess, port: number): Trunk => ({
  port,
  figures: () => ask(child, 'figures'),
  talk: () => ask(child, 'talk'),
  stop: () => child.disconnect(),
});

/** Of a server with the carrier `sip` and the echo engine whose trunks are on loopback, without limits that these measurements reach. */
export const telephonySettings: Readonly<Record<string, string>> = {
  'carrier.driver': 'sip',
  'speech.engine': 'echo',
  'sip.host': '127.0.0.1',
  'sip.port': '0',
  'sip.rtp_port_min': '20000',
  'sip.rtp_port_max': '29999',
  'sip.allow_networks': '["127.0.0.0/8"]',
  'limits.organization.max_concurrent': '1000',
  'limits.organization.max_cps': '1000',
  'http.rate_limit.per_second': '0',
};

export type Access = Pick<Served, 'url' | 'apiKey'>;

export const serveTelephony = (): Promise<Served> =>
  serve(Object.entries(telephonySettings).flatMap(([path, value]) => ['--set', `${path}=${value}`]));

export async function send<T>({ url, apiKey }: Access, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}

const maxContactsPerRequest = 500;
let campaigns = 0;

/** Starts a campaign through the trunk on a number of its own. Returns its id. */
export async function startCampaign(
  server: Access,
  trunkPort: number,
  { contacts, maxCps, maxConcurrent }: { contacts: number; maxCps: number; maxConcurrent: number },
): Promise<string> {
  campaigns += 1;
  const { llmModel: model, voices } = (
    await send<Array<{ llmModel: string; voices: Array<{ id: string }> }>>(
      server,
      'GET',
      '/available-llm-models/with-voices',
    )
  )[0]!;
  const agent = await send<{ id: string }>(server, 'POST', '/agents', {
    agentName: 'Robin',
    model,
    voiceId: voices[0]!.id,
  });
  const number = await send<{ id: string }>(server, 'POST', '/phone-numbers/import', {
    phone: `+49309018${String(2000 + campaigns)}`,
    termination_uri: `127.0.0.1:${trunkPort}`,
  });
  await send(server, 'PATCH', `/phone-numbers/${number.id}`, { max_concurrent: maxConcurrent, max_cps: maxCps });
  const fields = { name: 'Bench', agentId: agent.id, phoneNumberId: number.id, schedule: { maxConcurrent }, maxCps };
  const { id } = await send<{ id: string }>(server, 'POST', '/campaigns', fields);
  const phones = Array.from({ length: contacts }, (_, at) => ({ phone: `+4930${campaigns}${String(1_000_000 + at)}` }));
  for (let at = 0; at < phones.length; at += maxContactsPerRequest) {
    await send(server, 'POST', `/campaigns/${id}/contacts`, { contacts: phones.slice(at, at + maxContactsPerRequest) });
  }
  await send(server, 'PATCH', `/campaigns/${id}`, { status: 'active' });
  return id;
}

type Stats = { pending: number; inProgress: number; total: number };

export const statsOf = async (server: Access, campaignId: string): Promise<Stats> =>
  (await send<{ contactStats: Stats }>(server, 'GET', `/campaigns/${campaignId}`)).contactStats;
