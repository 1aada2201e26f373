/**
 * Measures how long a PDF of 100 pages takes from its upload until a question finds its last page, and the latency of a small read
 * meanwhile.
 *
 *   npm run bench:ingest [-- --quick]
 *
 * The server runs from source in its own process. The small read gets one contact by id at a steady pace over keep-alive connections,
 * in three situations of equal length: idle, during an ingestion, and while pdf.js alone reads the PDF in this process. The third shows
 * how much of the slowdown comes from sharing two cores and how much from parley. The bench polls the base's status in all three.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { linesAt, pdfOf } from '../test/support/documents/pdf.ts';
import { randomFrom } from '../test/support/documents/mutations.ts';
import { type Reading, readBare } from './support/pdf.ts';
import { medians, quick, report } from './support/report.ts';
import { serve } from './support/serve.ts';

const pages = 100;
const rounds = quick ? 3 : 15;
const paceMs = 5;
const pollMs = 20;

const syllables = ['ra', 'be', 'lo', 'ti', 'mun', 'ska', 'der', 'vo', 'pli', 'en', 'ga', 'zu'];

/** A PDF whose pages have a heading and 44 lines of invented words. Only the last page contains `needle`. */
function bookPdf(seed: number, needle: string): Buffer {
  const random = randomFrom(seed);
  const word = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => syllables[Math.floor(random() * syllables.length)]).join(
      '',
    );
  const line = (): string => `${Array.from({ length: 11 }, word).join(' ')}${random() < 0.2 ? '.' : ''}`;
  const page = (number: number) => [
    ...linesAt(780, [`Chapter ${number}`], 18),
    ...linesAt(740, [...Array.from({ length: 43 }, line), number === pages ? `The word is ${needle}.` : line()]),
  ];
  return pdfOf(
    Array.from({ length: pages }, (_, index) => page(index + 1)),
    { packed: true },
  );
}

const parley = await serve(['--set', 'http.rate_limit.per_second=0']);
/** The timed reads have their own connections, so that they never wait behind another request. */
const [timed, other] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];

type Body = { type: string; bytes: Buffer };

/** node:http instead of fetch(), whose own cost in this process is as large as the latency of a small read. */
function call(agent: Agent, method: string, path: string, body?: Body): Promise<string> {
  const headers = {
    'x-api-key': parley.apiKey,
    ...(body ? { 'content-type': body.type, 'content-length': body.bytes.length } : {}),
  };
  return new Promise((resolve, reject) => {
    const asking = request(`${parley.url}/api/v1${path}`, { agent, method, headers }, (answer) => {
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (piece: string) => (text += piece))
        .once('end', () => (answer.statusCode === 200 ? resolve(text) : reject(new Error(text))));
    });
    asking.once('error', reject).end(body?.bytes);
  });
}

const dataOf = (text: string): unknown => (JSON.parse(text) as { data: unknown }).data;
const post = async (path: string, body: object): Promise<unknown> =>
  dataOf(await call(other, 'POST', path, { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) }));

const contact = (await post('/contacts', { first_name: 'Ada' })) as { id: string };
const base = (await post('/rag/knowledgebases', { name: 'Books' })) as { knowledge_base_id: string };
const basePath = `/rag/knowledge-base/${base.knowledge_base_id}`;

const needleOf = (seed: number): string => `needle${seed}`;

/** Call it before the measurement, because making a PDF blocks this process and would delay the timed reads. */
function formOf(seed: number): Body {
  const part = `--x\r\ncontent-disposition: form-data; name="file"; filename="book ${seed}.pdf"\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(part), bookPdf(seed, needleOf(seed)), Buffer.from('\r\n--x--\r\n')]);
  return { type: 'multipart/form-data; boundary=x', bytes };
}

/** Whether the base has read all its sources. Asks over HTTP, as a customer would. */
const isRead = async (): Promise<boolean> =>
  (dataOf(await call(other, 'GET', basePath)) as { status: string }).status === 'complete';

/** Returns the seconds from the upload until the PDF is read, after checking that a question finds its last page. */
async function ingest(seed: number, form: Body): Promise<number> {
  const startedAt = performance.now();
  await call(other, 'POST', `${basePath}/add-sources`, form);
  while (!(await isRead())) await wait(pollMs);
  const seconds = (performance.now() - startedAt) / 1000;
  const needle = needleOf(seed);
  const [found] = (await post(`${basePath}/query`, { query: needle })) as Array<{ text: string; page: number }>;
  assert.ok(found);
  assert.ok(found.text.includes(needle));
  assert.equal(found.page, pages);
  return seconds;
}

/** The idle situation: only polls the base's status. */
async function idle(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    await isRead();
    await wait(pollMs);
  }
}

/** Reads the same PDF with pdf.js in a thread of this process. */
async function readingBare(ms: number, seed: number): Promise<void> {
  const data: Reading = { bytes: bookPdf(seed, 'needle'), ms };
  const thread = new Worker(new URL('support/pdf.ts', import.meta.url), { workerData: data });
  await Promise.all([once(thread, 'exit'), idle(ms)]);
}

async function readOnce(): Promise<number> {
  const startedAt = performance.now();
  await call(timed, 'GET', `/contacts/${contact.id}`);
  return performance.now() - startedAt;
}

/** Sends reads at a steady pace until the work is done, without waiting for the previous answer, so that a stall affects many of them. */
async function latenciesWhile(work: Promise<unknown>): Promise<number[]> {
  const reads: Array<Promise<number>> = [];
  const asking = setInterval(() => reads.push(readOnce()), paceMs);
  await work.finally(() => clearInterval(asking));
  return Promise.all(reads);
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

async function bareSeconds(seed: number): Promise<number> {
  const bytes = bookPdf(seed, 'needle');
  const startedAt = performance.now();
  await readBare(bytes);
  return (performance.now() - startedAt) / 1000;
}

await latenciesWhile(idle(quick ? 500 : 2000)); // warm-up
const first = await ingest(0, formOf(0));
const measured: Array<Record<'seconds' | 'bare' | `${'alone' | 'beside' | 'elsewhere'}${'50' | '99'}`, number>> = [];
for (let round = 1; round <= rounds; round++) {
  const form = formOf(round);
  let seconds = 0;
  const beside = await latenciesWhile(ingest(round, form).then((took) => (seconds = took)));
  const alone = await latenciesWhile(idle(seconds * 1000));
  const elsewhere = await latenciesWhile(readingBare(seconds * 1000, round));
  measured.push({
    seconds,
    bare: await bareSeconds(round),
    alone50: percentile(alone, 0.5),
    alone99: percentile(alone, 0.99),
    beside50: percentile(beside, 0.5),
    beside99: percentile(beside, 0.99),
    elsewhere50: percentile(elsewhere, 0.5),
    elsewhere99: percentile(elsewhere, 0.99),
  });
}
timed.destroy();
other.destroy();
await parley.stop();

const figures = medians(measured);
const latency = (what: string, bare: number, value: number, target?: { atMost: number }) => ({
  what,
  bare,
  parley: value,
  unit: 'ms',
  digits: 1,
  ...(target ? { target } : {}),
});
report(
  `ingest: a PDF of ${pages} pages; a small read meanwhile, against the same read when idle`,
  [
    {
      what: 'first PDF of a server, until found',
      parley: first,
      unit: 's',
      digits: 2,
      target: { atMost: 2 },
    },
    {
      what: 'next PDFs, until found',
      parley: figures.seconds,
      unit: 's',
      digits: 2,
      target: { atMost: 2 },
    },
    { what: 'share of pdf.js in that', parley: figures.bare, unit: 's', digits: 2 },
    latency('read during ingestion, median', figures.alone50, figures.beside50),
    latency('read during ingestion, p99', figures.alone99, figures.beside99, { atMost: 1.5 }),
    latency('read while pdf.js runs in another process, median', figures.alone50, figures.elsewhere50),
    latency('read while pdf.js runs in another process, p99', figures.alone99, figures.elsewhere99),
    latency('read during ingestion, against pdf.js elsewhere, p99', figures.elsewhere99, figures.beside99),
  ],
  [`medians of ${rounds} rounds; ${1000 / paceMs} reads per second`],
);
