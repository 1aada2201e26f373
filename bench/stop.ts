/**
 * Measures how soon a stop of all calling is answered where 500 campaigns call at full pace, and counts the calls that were handed to the
 * carrier after the answer; then lets them go on, and again. The server runs in a process of its own, and its carrier ends each call soon.
 *
 *   npm run bench:stop [-- --quick] [-- --json]
 */
import Sqlite from 'better-sqlite3';
import { setTimeout } from 'node:timers/promises';
import { send } from './support/calling-campaign.ts';
import { median, progress, quick, report } from './support/report.ts';
import { serve, type Served } from './support/serve.ts';

const campaigns = 500;
const tries = quick ? 30 : 1000;
const [numbers, contactsEach] = [10, quick ? 40 : 200];

const server = await serve([
  ...['--set', 'http.rate_limit.per_second=0', '--set', 'limits.organization.max_cps=1000'],
  ...['--set', 'limits.organization.max_concurrent=10000'],
]);
await startAll(server);
const database = new Sqlite(server.databaseFile, { readonly: true });
const lateCalls = database.prepare('SELECT count(*) FROM calls WHERE handed_over_at > ?').pluck();
const countCalls = database.prepare('SELECT count(*) FROM calls').pluck();

/** Several numbers share the campaigns, so that the limits of one do not slow them down. */
async function startAll({ url, apiKey }: Served): Promise<void> {
  progress(`starts ${campaigns} campaigns`);
  const headers = { 'x-api-key': apiKey };
  const models = await fetch(`${url}/api/v1/available-llm-models/with-voices`, { headers });
  const { data } = (await models.json()) as { data: Array<{ llmModel: string; voices: Array<{ id: string }> }> };
  const { llmModel: model, voices } = data[0]!;
  const ask = (method: string, path: string, body: object) => send<{ id: string }>(server, method, path, body);
  const agent = await ask('POST', '/agents', { agentName: 'Robin', model, voiceId: voices[0]!.id });
  const ids: string[] = [];
  for (let n = 0; n < numbers; n++) {
    const number = { phone: `+49309018${20 + n}`, termination_uri: 'sip.example.com' };
    const { id } = await ask('POST', '/phone-numbers/import', number);
    await ask('PATCH', `/phone-numbers/${id}`, { max_cps: 100, max_concurrent: 1000 });
    ids.push(id);
  }
  const simulate = { outcome: 'busy', ring_ms: 100 };
  const made: string[] = [];
  for (let n = 0; n < campaigns; n++) {
    const fields = { name: `Bench ${n}`, agentId: agent.id, phoneNumberId: ids[n % numbers], maxCps: 10 };
    const { id } = await ask('POST', '/campaigns', fields);
    const contacts = Array.from({ length: contactsEach }, (_, at) => ({
      phone: `+4930${1_000_000 + n * contactsEach + at}`,
      simulate,
    }));
    await ask('POST', `/campaigns/${id}/contacts`, { contacts });
    made.push(id);
  }
  for (const id of made) await ask('PATCH', `/campaigns/${id}`, { status: 'active' });
}

const times: number[] = [];
const resumeTimes: number[] = [];
let late = 0;
let held = 0;
const before = countCalls.get() as number;
const startedAt = performance.now();
for (let round = 0; round < tries; round++) {
  if (round % 100 === 0) progress(`stop ${round + 1} of ${tries}`);
  await setTimeout((round * 37) % 300);
  const asked = performance.now();
  const stopped = await send<{ campaigns: unknown[] }>(server, 'POST', '/calling/stop', { hang_up: 'none' });
  times.push(performance.now() - asked);
  const answered = Date.now();
  held = Math.max(held, stopped.campaigns.length);
  await setTimeout(50);
  late += lateCalls.get(answered) as number;
  const resuming = performance.now();
  await send(server, 'POST', '/calling/resume', {});
  resumeTimes.push(performance.now() - resuming);
}
const calls = (countCalls.get() as number) - before;
const seconds = (performance.now() - startedAt) / 1000;
database.close();
await server.stop();

const sorted = times.toSorted((a, b) => a - b);
report(
  `stop of all calling with ${campaigns} campaigns, ${tries} times`,
  [
    {
      what: 'stop, until its answer: median',
      parley: median(times),
      unit: 'ms',
      spread: [sorted[0]!, sorted.at(-1)!],
      target: { atMost: 200 },
    },
    { what: 'stop: p99', parley: sorted[Math.floor(sorted.length * 0.99)]!, unit: 'ms' },
    { what: 'resume: median', parley: median(resumeTimes), unit: 'ms' },
    { what: 'calls handed over after an answer', parley: late, target: { atMost: 0 } },
    { what: 'campaigns held by one stop', parley: held, target: { atLeast: campaigns * 0.9 } },
  ],
  [`${calls} calls between the stops, ${Math.round(calls / seconds)} a second`],
);
