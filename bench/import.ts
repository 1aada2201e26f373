/**
 * Measures an import of 1,000,000 rows and 500 MB of CSV: its rate and memory, and the latency of `/livez` and of a small read meanwhile.
 *
 *   npm run bench:import [-- --quick]
 *
 * Two servers run from source, each in a process of its own. One imports; the other is idle and is asked the same things in the same
 * seconds, so the comparison also covers what the sender of the file and this process take from the machine. One row in a hundred is
 * rejected, and the file of the rejected rows is downloaded at the end.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { startReads } from './support/reads.ts';
import { progress, quick, report, type Row } from './support/report.ts';
import { type Served, serve, usageOf } from './support/serve.ts';

const rows = quick ? 50_000 : 1_000_000;
const rejectedEvery = 100;
const notes = 'Asked to be called again after the holidays. '.repeat(9);

const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const file = join(directory, 'people.csv');

function* csv(): Generator<string> {
  yield 'first_name,last_name,phone,email,company,notes\n';
  for (let from = 0; from < rows; from += 1000) {
    let text = '';
    for (let n = from; n < from + 1000; n += 1) {
      const phone = n % rejectedEvery === 0 ? '' : `+49151${10_000_000 + n}`;
      const person = n % rejectedEvery === 0 ? ',' : `Ada,Lovelace ${n}`;
      const email = n % rejectedEvery === 0 ? 'none' : `ada.${n}@example.com`;
      text += `${person},${phone},${email},Analytical Engines ${n % 5000},"${notes}${n}"\n`;
    }
    yield text;
  }
}

type Answer = { created: number; rejected_count: number; total: number; import_id: string };

function send(server: Served, importId: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      'x-api-key': server.apiKey,
      'content-type': 'text/csv',
      'content-length': statSync(file).size,
    };
    const url = `${server.url}/api/v1/contacts/import?import_id=${importId}`;
    const sent = request(url, { method: 'POST', headers }, (response) => {
      const body = json(response) as Promise<{ message: string; data: Answer }>;
      if (response.statusCode === 200) resolve(body.then(({ data }) => data));
      else reject(new Error(`the import was answered ${response.statusCode}`));
    });
    pipeline(createReadStream(file), sent).catch(reject);
  });
}

async function call(server: Served, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { 'x-api-key': server.apiKey, 'content-type': 'application/json' };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const answer = (await (await fetch(`${server.url}/api/v1${path}`, init)).json()) as { data: Record<string, unknown> };
  return answer.data;
}

/** Memory and progress of the importing server, once a second. */
function watch(server: Served, importId: string) {
  const samples: Array<{ residentMiB: number; rowsRead: number }> = [];
  const look = async (): Promise<void> => {
    const { rows_read: rowsRead = 0 } = (await call(server, 'GET', `/contacts/imports/${importId}`)) ?? {};
    const residentMiB = usageOf(server.pid)?.residentMiB ?? Number.NaN;
    samples.push({ residentMiB, rowsRead: Number(rowsRead) });
    if (samples.length % 30 === 0) progress(`${Number(rowsRead)} rows, ${residentMiB.toFixed(0)} MiB`);
  };
  const timer = setInterval(() => void look(), 1000);
  return () => {
    clearInterval(timer);
    return samples;
  };
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const ask = ['--set', 'http.rate_limit.per_second=0'];
progress(`writes ${rows} rows`);
await pipeline(Readable.from(csv()), createWriteStream(file));
const [busy, idle] = [await serve(ask), await serve(ask)];
const readers = [];
for (const server of [busy, idle]) {
  const contact = await call(server, 'POST', '/contacts', { first_name: 'Bob', phone: '+4930901820' });
  for (const path of ['/livez', `/api/v1/contacts/${String(contact['id'])}`])
    readers.push(startReads(`${server.url}${path}`, server.apiKey, 40));
}

progress(`imports ${(statSync(file).size / 1e6).toFixed(0)} MB`);
const importId = randomUUID();
const stopWatching = watch(busy, importId);
const [startedMs, cpuMs] = [performance.now(), usageOf(busy.pid)?.cpuMs ?? Number.NaN];
const answer = await send(busy, importId);
const [seconds, usedMs] = [(performance.now() - startedMs) / 1000, (usageOf(busy.pid)?.cpuMs ?? Number.NaN) - cpuMs];
const samples = stopWatching();
const [livez, read, idleLivez, idleRead] = await Promise.all(readers.map((reader) => reader.stop()));

assert.equal(answer.total, rows);
assert.equal(answer.rejected_count, rows / rejectedEvery);
assert.equal(answer.created, rows - rows / rejectedEvery);
const headers = { 'x-api-key': busy.apiKey };
const rejected = await fetch(`${busy.url}/api/v1/contacts/imports/${importId}/rejected`, { headers });
const lines = (await rejected.text()).trimEnd().split('\n');
assert.equal(lines.length, 1 + rows / rejectedEvery);
await Promise.all([busy.stop(), idle.stop()]);

const early = samples.filter(({ rowsRead }) => rowsRead >= rows * 0.1 && rowsRead <= rows * 0.3);
const late = samples.filter(({ rowsRead }) => rowsRead >= rows * 0.8);
const most = (of: typeof samples): number => Math.max(...of.map(({ residentMiB }) => residentMiB));
const latency = (what: string, times: readonly number[], bare: readonly number[], share: number): Row => ({
  what,
  bare: percentile(bare, share),
  parley: percentile(times, share),
  unit: 'ms',
  digits: 1,
});
report(
  `${rows.toLocaleString('en')} rows, ${(statSync(file).size / 1e6).toFixed(0)} MB (bare: an idle server in the same seconds)`,
  [
    { what: 'rows a second', parley: rows / seconds },
    { what: 'processor time of a row', parley: (usedMs / rows) * 1000, unit: 'µs' },
    { what: 'memory, 10 to 30 % of the rows', parley: most(early), unit: 'MiB' },
    { what: 'memory, the last 20 %', bare: most(early), parley: most(late), unit: 'MiB', target: { atMost: 1.1 } },
    latency('/livez, median', livez!, idleLivez!, 0.5),
    latency('/livez, p99', livez!, idleLivez!, 0.99),
    latency('a contact by id, median', read!, idleRead!, 0.5),
    latency('a contact by id, p99', read!, idleRead!, 0.99),
    latency('a contact by id, worst', read!, idleRead!, 1),
  ],
  [`${seconds.toFixed(0)} s from the first byte to the answer`],
);
rmSync(directory, { recursive: true, force: true });
