/**
 * Measures how much one organization is slowed down by another one, whose web servers hang, drip or flood and which sends enormous bodies.
 * It times webhooks, calls, imports, questions, reads and log-ins of the first, with and without each attack by the second, with the
 * default settings.
 *
 *   npm run bench:neighbours [-- --quick]
 *
 * The server, the attacker, and an idle server to compare `/livez` with each run in a process of their own. On a machine with two
 * cores the attacker takes a core from the server, so the comparison also covers what no server could prevent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { attacks } from './neighbours/attacks.ts';
import { makeProbes, type Probes } from './neighbours/probes.ts';
import { command, tenantOf } from './neighbours/tenant.ts';
import { startChild } from './support/child.ts';
import { quick } from './support/report.ts';
import { serve } from './support/serve.ts';

const seconds = quick ? 3 : 15;
const maxRatio = 2;
const maxMoreMs = 100;
const person = { email: 'ada@example.com', password: 'a long enough password' };

/** The pause between two requests of a probe, where it is not 100 ms: hashing a password takes a core for 0.1 s. */
const pauseMs: Readonly<Record<string, number>> = { 'log-in': 1000 };
/** The last error of each probe that failed. */
const failures = new Map<string, string>();

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Repeats one request at a steady pace until `isOver`. */
async function pace(isOver: () => boolean, restMs: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    times.push(await timed(work));
    await pause(restMs);
  }
  return times;
}

const get = async (url: string): Promise<void> => void (await (await fetch(url)).text());

type Figures = { p95: Record<string, number>; livez: number; idle: number };

/** Runs all probes at the same time. A probe that fails counts with the whole time. */
async function measure(probes: Probes, livezUrl: string, idleUrl: string): Promise<Figures> {
  const until = performance.now() + seconds * 1000;
  const isOver = (): boolean => performance.now() >= until;
  const named = Object.entries(probes).map(async ([name, probe]) => {
    const times = await pace(isOver, pauseMs[name] ?? 100, () =>
      probe().catch((error: unknown) => {
        failures.set(name, String(error));
        return pause(seconds * 1000);
      }),
    );
    return [name, percentile(times, 0.95)] as const;
  });
  const [livez, idle] = [pace(isOver, 10, () => get(livezUrl)), pace(isOver, 10, () => get(idleUrl))];
  const p95 = Object.fromEntries(await Promise.all(named));
  return { p95, livez: percentile(await livez, 0.99), idle: percentile(await idle, 0.99) };
}

function printRow(cells: readonly string[]): void {
  console.log(cells.map((cell, column) => (column === 0 ? cell.padEnd(26) : cell.padStart(11))).join(''));
}

const cellOf = (value: number, before: number): string =>
  `${value.toFixed(0)}${value <= before * maxRatio || value <= before + maxMoreMs ? '' : ' !'}`;

const arrivals = new Map<string, Array<() => void>>();
/** Receives the webhooks of the undisturbed organization. */
const receiver = createServer((request, response) => {
  request.resume();
  response.end();
  for (const resolve of arrivals.get(request.url ?? '')?.splice(0) ?? []) resolve();
});
const arrival = (path: string): Promise<void> =>
  new Promise((resolve) => arrivals.set(path, [...(arrivals.get(path) ?? []), resolve]));
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

console.log(
  `p95 in ms; ! marks more than ${maxRatio} times, and more than ${maxMoreMs} ms above, the same without an attack`,
);
let missed = 0;
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
for (const name of Object.keys(attacks).filter((attack) => wanted.length === 0 || wanted.includes(attack))) {
  const allow = ['--set', 'outbound.allow_networks=["127.0.0.1/32"]', '--set', 'webhooks.allow_http_loopback=true'];
  const [server, idle, sink] = [await serve(allow), await serve(), await startChild('../neighbours/sink.ts')];
  const data = dirname(server.databaseFile);
  const [victim, hostile] = [server.orgId, await command(data, ['orgs', 'create', 'Hostile'])];
  await command(
    data,
    ['users', 'create', person.email, '--role', 'admin', '--password-stdin', '--org', victim],
    person.password,
  );
  const key = await command(data, ['keys', 'create', '--name', 'hostile', '--role', 'admin', '--org', hostile]);
  const tenant = tenantOf(server.url, victim, server.apiKey);
  const probes = await makeProbes({ tenant, url: server.url, sink: receiverUrl, arrival, person });
  const sinkUrl = `http://127.0.0.1:${sink.ready['port']}`;
  await measure(probes, `${server.url}/livez`, `${idle.url}/livez`); // warms up
  const before = await measure(probes, `${server.url}/livez`, `${idle.url}/livez`);
  const attacker = await startChild('../neighbours/attacker.ts', [name, server.url, hostile, key, sinkUrl]);
  await pause(1000);
  const during = await measure(probes, `${server.url}/livez`, `${idle.url}/livez`);
  await attacker.stop();
  printRow(['', ...Object.keys(before.p95), 'livez p99', 'idle p99']);
  printRow([
    'without',
    ...Object.values(before.p95).map((ms) => ms.toFixed(0)),
    before.livez.toFixed(0),
    before.idle.toFixed(0),
  ]);
  const livezCell = `${during.livez.toFixed(0)}${during.livez <= during.idle + maxMoreMs ? '' : ' !'}`;
  const cells = Object.entries(during.p95).map(([probe, ms]) => cellOf(ms, before.p95[probe]!));
  printRow([name, ...cells, livezCell, during.idle.toFixed(0)]);
  missed += [...cells, livezCell].filter((cell) => cell.endsWith('!')).length;
  await Promise.all([server.stop(), idle.stop(), sink.stop()]);
}
receiver.close();
for (const [probe, error] of failures) console.log(`${probe} failed: ${error}`);
console.log(missed === 0 ? 'nothing missed' : `${missed} missed`);
