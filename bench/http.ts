/**
 * Measures requests per second of a list and of a small authenticated read, against bare Koa with @koa/router and one prepared
 * statement that return the same JSON.
 *
 *   npm run bench:http [-- --quick]
 *
 * Both servers run in their own processes on copies of the same database. Rounds alternate (parley, bare, parley, …), with 16
 * keep-alive connections. The CPU figures are those of the server processes (Linux only), so they hold on a busy machine too.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './support/child.ts';
import { load } from './support/load.ts';
import { medians, quick, report } from './support/report.ts';
import { serve, usageOf } from './support/serve.ts';

const contacts = 1000;
const connections = 16;
const durationMs = quick ? 500 : 3000;
const rounds = quick ? 3 : 7;

const parley = await serve(['--set', 'http.rate_limit.per_second=0']);
const headers = { 'x-api-key': parley.apiKey };

async function makeContacts(): Promise<void> {
  for (let index = 0; index < contacts; index++) {
    const body = JSON.stringify({
      first_name: 'Ada',
      last_name: `Example ${index}`,
      email: `ada.${index}@example.com`,
      phone: `+4930901${String(820_000 + index)}`,
      company: 'Example GmbH',
      metadata: { customer: index, plan: 'basic' },
      timezone: 'Europe/Berlin',
    });
    const answer = await fetch(`${parley.url}/api/v1/contacts`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    assert.equal(answer.status, 200, await answer.text());
  }
}

/** parley locks its database against other processes, so the bare server reads a copy. */
function copyDatabase(): { directory: string; file: string } {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const file = join(directory, 'copy.db');
  for (const suffix of ['', '-wal']) copyFileSync(parley.databaseFile + suffix, file + suffix);
  return { directory, file };
}

await makeContacts();
const copy = copyDatabase();
const bare = await startChild('bare-koa.ts', [copy.file, parley.orgId]);
const bareUrl = `http://127.0.0.1:${bare.ready['port']}`;

const read = async (url: string, path: string): Promise<{ data: unknown }> =>
  (await (await fetch(url + path, { headers })).json()) as { data: unknown };
const listPath = '/api/v1/contacts?limit=50';
const { data: listed } = await read(parley.url, listPath);
const getPath = `/api/v1/contacts/${(listed as Array<{ id: string }>)[7]!.id}`;
for (const path of [listPath, getPath]) {
  assert.deepEqual(await read(parley.url, path), await read(bareUrl, path), 'both return the same');
}

type Side = { port: number; pid: number };
const sides: Record<'parley' | 'bare', Side> = {
  parley: { port: Number(new URL(parley.url).port), pid: parley.pid },
  bare: { port: bare.ready['port']!, pid: bare.pid },
};

async function measure({ port, pid }: Side, path: string): Promise<{ perSecond: number; cpuUs: number }> {
  const before = usageOf(pid);
  const startedAt = performance.now();
  const served = await load(port, { path, headers }, { connections, durationMs });
  const seconds = (performance.now() - startedAt) / 1000;
  const after = usageOf(pid);
  return {
    perSecond: served / seconds,
    cpuUs: before && after ? ((after.cpuMs - before.cpuMs) * 1000) / served : Number.NaN,
  };
}

async function compare(path: string) {
  for (const side of [sides.parley, sides.bare]) await measure(side, path); // warm-up
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await measure(sides.parley, path);
    const theirs = await measure(sides.bare, path);
    results.push({
      parley: ours.perSecond,
      bare: theirs.perSecond,
      parleyCpu: ours.cpuUs,
      bareCpu: theirs.cpuUs,
    });
  }
  return medians(results);
}

const list = await compare(listPath);
const get = await compare(getPath);
await bare.stop();
await parley.stop();
rmSync(copy.directory, { recursive: true, force: true });

report(
  `http: ${contacts} contacts, ${connections} connections, against bare Koa`,
  [
    { what: 'list of 50, requests per second', bare: list.bare, parley: list.parley, target: { atLeast: 0.8 } },
    { what: 'list of 50, CPU per request', bare: list.bareCpu, parley: list.parleyCpu, unit: 'µs' },
    { what: 'get with API key, requests per second', bare: get.bare, parley: get.parley, target: { atLeast: 0.6 } },
    { what: 'get with API key, CPU per request', bare: get.bareCpu, parley: get.parleyCpu, unit: 'µs' },
  ],
  [`medians of ${rounds} interleaved rounds of ${durationMs} ms`],
);
