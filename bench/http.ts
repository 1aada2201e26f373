/**
 * Measures requests per second of a list and of a small authenticated read, with the log on, against bare Koa and Fastify that return
 * the same JSON.
 *
 *   npm run bench:http [-- --quick] [-- --json]
 *
 * - parley: as shipped, with a line of JSON a request. Its rate limiter counts, with a limit that no round reaches.
 * - bare Koa with @koa/router: looks the key's hash up and reads the answer with one prepared statement each, and writes one line a
 *   request with the same fields by pino's default settings. It has no roles, limits, checks, ETag, security headers or metrics.
 * - Fastify: the same statements, and its default log, which is two lines of pino a request. It is left out unless
 *   `npm ci --prefix bench/peers` has installed it.
 *
 * All servers run in processes of their own on copies of the same database and log to files. Rounds alternate (parley, Koa, Fastify,
 * parley, …), with 16 keep-alive connections. The CPU figures are those of the server processes (Linux only), so they hold on a busy
 * machine too.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Child, startChild } from './support/child.ts';
import { load } from './support/load.ts';
import { medians, quick, ratiosOf, report, type Row } from './support/report.ts';
import { serve, usageOf } from './support/serve.ts';

const contacts = 1000;
const connections = 16;
// Short rounds, because a machine's load changes within seconds.
const durationMs = quick ? 300 : 1000;
const rounds = quick ? 3 : 15;

const unreached = ['per_second', 'burst'].flatMap((limit) => ['--set', `http.rate_limit.${limit}=1000000000`]);
const parley = await serve(unreached);
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

/** parley locks its database against other processes, so the bare servers read a copy. */
function copyDatabase(): { directory: string; file: string } {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const file = join(directory, 'copy.db');
  for (const suffix of ['', '-wal']) copyFileSync(parley.databaseFile + suffix, file + suffix);
  return { directory, file };
}

type Side = { port: number; pid: number };

await makeContacts();
const copy = copyDatabase();
const startBare = async (file: string): Promise<Side & Pick<Child, 'stop'>> => {
  const child = await startChild(file, [copy.file], { log: join(copy.directory, `${basename(file)}.log`) });
  return { port: child.ready['port']!, pid: child.pid, stop: () => child.stop() };
};
const koa = await startBare('bare-koa.ts');
const hasFastify = existsSync(join(import.meta.dirname, 'peers/node_modules/fastify'));
const fastify = hasFastify ? await startBare('../peers/fastify.ts') : undefined;
const ours: Side = { port: Number(new URL(parley.url).port), pid: parley.pid };

const read = async ({ port }: Side, path: string): Promise<{ data: unknown }> =>
  (await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).json()) as { data: unknown };
const listPath = '/api/v1/contacts?limit=50';
const { data: listed } = await read(ours, listPath);
const getPath = `/api/v1/contacts/${(listed as Array<{ id: string }>)[7]!.id}`;
for (const path of [listPath, getPath]) {
  for (const side of [koa, ...(fastify ? [fastify] : [])]) {
    assert.deepEqual(await read(side, path), await read(ours, path), 'all return the same');
    const { status } = await fetch(`http://127.0.0.1:${side.port}${path}`, { headers: { 'x-api-key': 'unknown' } });
    assert.equal(status, 401);
  }
}

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

type Figure = 'perSecond' | 'cpuUs';
type Round = Record<'parley' | 'koa' | 'fastify', Record<Figure, number>>;
const missing = { perSecond: Number.NaN, cpuUs: Number.NaN };

async function compare(what: string, path: string): Promise<Row[]> {
  const results: Round[] = [];
  for (let round = 0; round <= rounds; round++) {
    const result = {
      parley: await measure(ours, path),
      koa: await measure(koa, path),
      fastify: fastify ? await measure(fastify, path) : missing,
    };
    if (round > 0) results.push(result); // the first round is a warm-up
  }
  const row = (peer: 'koa' | 'fastify', figure: Figure): Omit<Row, 'what'> => {
    const pairs = results.map((result) => ({ parley: result.parley[figure], bare: result[peer][figure] }));
    return { ...medians(pairs), ratios: ratiosOf(pairs, 'parley', 'bare') };
  };
  const rows: Row[] = [
    { what: `${what}, requests per second, against Koa`, ...row('koa', 'perSecond'), target: { atLeast: 1 } },
    { what: `${what}, CPU per request`, ...row('koa', 'cpuUs'), unit: 'µs', digits: 1 },
  ];
  if (!fastify) return rows;
  return [
    ...rows,
    { what: `${what}, requests per second, against Fastify`, ...row('fastify', 'perSecond') },
    { what: `${what}, CPU per request`, ...row('fastify', 'cpuUs'), unit: 'µs', digits: 1 },
  ];
}

const rows = [...(await compare('list of 50', listPath)), ...(await compare('get with API key', getPath))];
await koa.stop();
await fastify?.stop();
await parley.stop();
rmSync(copy.directory, { recursive: true, force: true });

report(`http: ${contacts} contacts, ${connections} connections, all with a log`, rows, [
  `medians of ${rounds} interleaved rounds of ${durationMs} ms; ratios: median of all rounds (lowest to highest)`,
  ...(fastify ? [] : ['Fastify is not installed: npm ci --prefix bench/peers']),
]);
