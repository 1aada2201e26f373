/**
 * Compares the processor time of calls and imports between whole servers: this checkout's and those of other checkouts, in turn.
 *
 *   npm run bench:cost -- [CHECKOUT …] [--quick] [--profile=DIR]
 *
 * Everything goes over HTTP, so that any version can be measured. With `--profile`, each server writes CPU profiles of its threads to DIR.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { send } from './support/calling-campaign.ts';
import { startChild } from './support/child.ts';
import { quick } from './support/report.ts';
import { serve, type Served, usageOf } from './support/serve.ts';

const rounds = quick ? 1 : 3;
const importedRows = quick ? 10_000 : 30_000;
/** At most 100 calls a second start in one campaign. */
const campaigns = 20;
const contactsEach = quick ? 100 : 300;

/** Calls ring and talk for milliseconds only, so that the server is the bottleneck. */
const settings = [
  'http.rate_limit.per_second=0',
  'webhooks.allow_http_loopback=true',
  'carrier.simulated.speed=10000',
  'limits.organization.max_concurrent=1000000',
  'limits.organization.max_cps=1000000',
  'log.level=warn',
];

const profile = process.argv.find((word) => word.startsWith('--profile='))?.slice('--profile='.length);
const nodeArgs = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];

async function measure(server: Served, what: string, count: number, run: () => Promise<void>): Promise<void> {
  const before = { cpu: usageOf(server.pid)!.cpuMs, at: performance.now() };
  await run();
  const cpuUs = ((usageOf(server.pid)!.cpuMs - before.cpu) * 1000) / count;
  const perSecond = (count * 1000) / (performance.now() - before.at);
  console.log(`  ${what}: ${cpuUs.toFixed(0)} µs of CPU, ${perSecond.toFixed(0)} a second`);
}

async function importRows({ url, apiKey }: Served, prefix: string, count: number): Promise<void> {
  const rows = Array.from(
    { length: count },
    (_, n) => `Ada,Lovelace ${n},+4917${prefix}${String(n).padStart(6, '0')},ada${n}@example.com,Example GmbH`,
  );
  const body = ['first_name,last_name,phone,email,company', ...rows].join('\n');
  const headers = { 'x-api-key': apiKey, 'content-type': 'text/csv' };
  const response = await fetch(`${url}/api/v1/contacts/import`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(await response.text());
}

type Created = { id: string };

const get = async <T>({ url, apiKey }: Served, path: string): Promise<T> => {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { 'x-api-key': apiKey } });
  return ((await response.json()) as { data: T }).data;
};

async function makeAgent(server: Served, urls: readonly string[]): Promise<string> {
  type Model = { llmModel: string; voices: Created[] };
  const [model] = await get<Model[]>(server, '/available-llm-models/with-voices');
  const agent = { agentName: 'Robin', model: model!.llmModel, voiceId: model!.voices[0]!.id, webhook_urls: [...urls] };
  return (await send<Created>(server, 'POST', '/agents/', agent)).id;
}

/** No phone ends in 00 to 09, for which the simulated carrier has fixed outcomes. */
async function makeCampaign(server: Served, agentId: string, prefix: string): Promise<string> {
  const number = { phone: `+49309${prefix}0`, termination_uri: 'sip.example.com' };
  const { id: phoneNumberId } = await send<Created>(server, 'POST', '/phone-numbers/import', number);
  await send(server, 'PATCH', `/phone-numbers/${phoneNumberId}`, { max_concurrent: 1000, max_cps: 100 });
  const fields = { name: 'Bench', agentId, phoneNumberId, maxCps: 100, schedule: { maxConcurrent: 1000 } };
  const { id } = await send<Created>(server, 'POST', '/campaigns/', fields);
  const contacts = Array.from({ length: contactsEach }, (_, n) => ({
    first_name: 'Ada',
    email: `ada${n}@example.com`,
    phone: `+4916${prefix}${String(n).padStart(3, '0')}${10 + (n % 80)}`,
  }));
  await send(server, 'POST', `/campaigns/${id}/contacts`, { contacts });
  return id;
}

async function measureCalls(server: Served, round: number, urls: readonly string[]): Promise<void> {
  const agentId = await makeAgent(server, urls);
  const ids: string[] = [];
  for (let index = 0; index < campaigns; index++) {
    ids.push(await makeCampaign(server, agentId, `${urls.length}${round}${String(index).padStart(2, '0')}`));
  }
  const calls = campaigns * contactsEach;
  const isOver = async (): Promise<boolean> => {
    type Agent = { callStats: { totalCalls?: number } };
    const { callStats } = await get<Agent>(server, `/agents/${agentId}`);
    if ((callStats.totalCalls ?? 0) < calls) return false;
    return (await get<unknown[]>(server, `/webhooks/deliveries?limit=1&status=pending`)).length === 0;
  };
  const what = `${urls.length === 0 ? 'call' : 'call with a webhook'}${round === 0 ? ' (warm-up)' : ''}`;
  await measure(server, what, calls, async () => {
    for (const id of ids) await send(server, 'PATCH', `/campaigns/${id}/`, { status: 'active' });
    while (!(await isOver())) await setTimeout(100);
  });
}

const receiver = await startChild('receiver.ts');
const hook = `http://127.0.0.1:${receiver.ready['port']}/hook`;
const checkouts = [join(import.meta.dirname, '..'), ...process.argv.slice(2).filter((word) => !word.startsWith('--'))];
for (let round = 0; round < rounds; round++) {
  for (const checkout of checkouts) {
    console.log(checkout);
    const args = settings.flatMap((setting) => ['--set', setting]);
    const server = await serve(args, join(checkout, 'bin/parley.ts'), { nodeArgs });
    await importRows(server, '1', 2000);
    await measure(server, 'imported contact', importedRows, () => importRows(server, '2', importedRows));
    await measureCalls(server, 0, [hook]);
    await measureCalls(server, 1, [hook]);
    await measureCalls(server, 2, []);
    await server.stop();
  }
}
await receiver.stop();
