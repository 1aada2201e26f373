/**
 * Compares the processor time of calls and imports between whole servers that take turns: this checkout's, those of other checkouts, and
 * any of them with other settings. Prints the ratio to the first: the median of all rounds, and their middle half.
 *
 *   npm run bench:cost -- [CHECKOUT][,SETTING=VALUE…] … [--quick] [--profile=DIR]
 *   npm run bench:cost -- --caps [--quick]
 *
 * With `--caps`, this checkout with limits of calls to one number and guard hours, against the same without: calls of people who were never
 * called before, and of people who were called 40 times this week.
 *
 * Everything goes over HTTP, so that any version can be measured. With `--profile`, each server writes CPU profiles of its threads to DIR.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { send } from './support/calling-campaign.ts';
import { startChild } from './support/child.ts';
import { median, quick } from './support/report.ts';
import { serve, type Served, usageOf } from './support/serve.ts';

const rounds = quick ? 5 : 20;
const importedRows = 3000;
/** At most 100 calls a second start in one campaign. */
const campaigns = 20;
const contactsEach = 30;

/** Calls ring and talk for milliseconds only, so that the server is the bottleneck. */
const settings = [
  'http.rate_limit.per_second=0',
  'webhooks.allow_http_loopback=true',
  'carrier.simulated.speed=10000',
  'limits.organization.max_concurrent=1000000',
  'limits.organization.max_cps=1000000',
  'log.level=warn',
];

const measuresCaps = process.argv.includes('--caps');
const earlierCalls = 40;
/** They forbid nothing, so that both servers make the same calls. */
const caps = [
  'limits.contact.max_per_day=1000',
  'limits.contact.max_per_week=1000',
  'limits.guard_hours={start: "00:00", end: "23:59"}',
];

const profile = process.argv.find((word) => word.startsWith('--profile='))?.slice('--profile='.length);
const nodeArgs = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];

type Created = { id: string };

const get = async <T>({ url, apiKey }: Served, path: string): Promise<T> => {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { 'x-api-key': apiKey } });
  return ((await response.json()) as { data: T }).data;
};

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

async function makeAgent(server: Served, urls: readonly string[]): Promise<string> {
  type Model = { llmModel: string; voices: Created[] };
  const [model] = await get<Model[]>(server, '/available-llm-models/with-voices');
  const agent = { agentName: 'Robin', model: model!.llmModel, voiceId: model!.voices[0]!.id, webhook_urls: [...urls] };
  return (await send<Created>(server, 'POST', '/agents/', agent)).id;
}

async function makeNumber(server: Served, index: number): Promise<string> {
  const number = { phone: `+49309${String(index).padStart(4, '0')}0`, termination_uri: 'sip.example.com' };
  const { id } = await send<Created>(server, 'POST', '/phone-numbers/import', number);
  await send(server, 'PATCH', `/phone-numbers/${id}`, { max_concurrent: 1000, max_cps: 100 });
  return id;
}

/** No phone ends in 00 to 09, for which the simulated carrier has fixed outcomes. */
async function makeCampaign(server: Served, agentId: string, phoneNumberId: string, people: string): Promise<string> {
  const fields = { name: 'Bench', agentId, phoneNumberId, maxCps: 100, schedule: { maxConcurrent: 1000 } };
  const { id } = await send<Created>(server, 'POST', '/campaigns/', fields);
  const contacts = Array.from({ length: contactsEach }, (_, n) => ({
    first_name: 'Ada',
    email: `ada${n}@example.com`,
    phone: `+491${people}${String(n).padStart(2, '0')}${10 + (n % 80)}`,
  }));
  await send(server, 'POST', `/campaigns/${id}/contacts`, { contacts });
  return id;
}

/** A server with an agent that tells an endpoint of its calls, and one that does not. */
type Variant = {
  name: string;
  server: Served;
  telling: string;
  silent: string;
  numbers: string[];
  imported: number;
  /** Rounds with people who were never called before. */
  fresh: number;
};

async function startVariant(name: string, hook: string): Promise<Variant> {
  const [checkout, ...own] = name.split(/,(?=[a-z_.]+=)/);
  const args = [...settings, ...own].flatMap((setting) => ['--set', setting]);
  const program = join(checkout === '' ? join(import.meta.dirname, '..') : checkout!, 'bin/parley.ts');
  const server = await serve(args, program, { nodeArgs });
  const numbers: string[] = [];
  for (let index = 0; index < campaigns; index++) numbers.push(await makeNumber(server, index));
  const [telling, silent] = [await makeAgent(server, [hook]), await makeAgent(server, [])];
  return { name, server, telling, silent, numbers, imported: 0, fresh: 0 };
}

async function cpuUsOf({ server }: Variant, count: number, run: () => Promise<void>): Promise<number> {
  const before = usageOf(server.pid)!.cpuMs;
  await run();
  return ((usageOf(server.pid)!.cpuMs - before) * 1000) / count;
}

const callsOf = async (server: Served, agentId: string): Promise<number> =>
  (await get<{ callStats: { totalCalls?: number } }>(server, `/agents/${agentId}`)).callStats.totalCalls ?? 0;

/** Calls people once. The same `group` of people (three digits) can be called again. */
async function measureCalls(variant: Variant, agentId: string, group = '600'): Promise<number> {
  const { server, numbers } = variant;
  const ids: string[] = [];
  for (const [index, number] of numbers.entries()) {
    ids.push(await makeCampaign(server, agentId, number, `${group}${String(index).padStart(2, '0')}`));
  }
  const calls = campaigns * contactsEach;
  const wanted = (await callsOf(server, agentId)) + calls;
  const isOver = async (): Promise<boolean> => {
    if ((await callsOf(server, agentId)) < wanted) return false;
    return (await get<unknown[]>(server, `/webhooks/deliveries?limit=1&status=pending`)).length === 0;
  };
  return cpuUsOf(variant, calls, async () => {
    for (const id of ids) await send(server, 'PATCH', `/campaigns/${id}/`, { status: 'active' });
    while (!(await isOver())) await setTimeout(100);
  });
}

async function callOften(variant: Variant): Promise<void> {
  for (let call = 0; call < earlierCalls; call++) await measureCalls(variant, variant.silent);
}

const callsWithCaps = {
  'call of somebody new': (variant: Variant) => measureCalls(variant, variant.silent, String(700 + variant.fresh++)),
  [`call of somebody who was called ${earlierCalls} times`]: (variant: Variant) =>
    measureCalls(variant, variant.silent),
};

const allParts = {
  'call with a webhook': (variant: Variant) => measureCalls(variant, variant.telling),
  'call without one': (variant: Variant) => measureCalls(variant, variant.silent),
  'imported contact': (variant: Variant) =>
    cpuUsOf(variant, importedRows, () => importRows(variant.server, String(variant.imported++ % 100), importedRows)),
};

function quartilesOf(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(2);
  return `${at(0.25)} to ${at(0.75)}`;
}

const receiver = await startChild('receiver.ts');
const given = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const variants: Variant[] = [];
for (const name of measuresCaps ? ['', ['', ...caps].join()] : given.length === 0 ? [''] : given) {
  variants.push(await startVariant(name, `http://127.0.0.1:${receiver.ready['port']}/hook`));
}
if (measuresCaps) await Promise.all(variants.map(callOften));
for (const [what, measure] of Object.entries(measuresCaps ? callsWithCaps : allParts)) {
  const figures: number[][] = variants.map(() => []);
  for (const variant of variants) await measure(variant); // warm-up
  for (let round = 0; round < rounds; round++) {
    const order = [...variants.keys()];
    for (const index of round % 2 === 0 ? order : order.toReversed()) {
      figures[index]!.push(await measure(variants[index]!));
    }
  }
  console.log(what);
  for (const [index, { name }] of variants.entries()) {
    const ratios = figures[index]!.map((value, round) => value / figures[0]![round]!);
    const ratio = `${median(ratios).toFixed(3)} (${quartilesOf(ratios)}) of the first`;
    console.log(`  ${name || 'this checkout'}: ${median(figures[index]!).toFixed(0)} µs of CPU, ${ratio}`);
  }
}
for (const { server } of variants) await server.stop();
await receiver.stop();
